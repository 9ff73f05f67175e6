//===- Statements.cpp - Code before and after a statement -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/context/Statements.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace nvmove {

StringRef leadingWord(const Context &context, const StatementSpan &statement) {
  StringRef text = context.text(statement.span);
  return text.substr(skipTrivia(text, 0)).take_while([](char c) {
    return isAlnum(c) || c == '_';
  });
}

std::string whyNotPreceded(const Context &context,
                           const StatementSpan &statement) {
  StringRef text = context.text(statement.span),
            word = leadingWord(context, statement);
  if (word == "for" || word == "while" || word == "do")
    return "it is in the head of a loop; call it in a statement of its own";
  if (word == "case" || word == "default")
    return "it follows a label; put braces around the statement";
  if (statement.isDeclaration && !statement.inCompound)
    return "it is in a declaration inside another statement; declare the "
           "variable before that statement";
  if (!text.ends_with(";") && !text.ends_with("}"))
    return "it is only a part of a statement that a macro completes; write the "
           "statement out";
  return "";
}

std::string whyNotBracketed(const Context &context,
                            const StatementSpan &statement) {
  StringRef word = leadingWord(context, statement);
  if (word == "switch")
    return "it is in the head of a switch; call it in a statement of its own";
  std::string why = whyNotPreceded(context, statement);
  if (!why.empty())
    return why;
  if (statement.mayLeave && word != "return")
    return "its statement may be left by return, break, continue or goto; call "
           "it in a statement of its own";
  return "";
}

bool bracketStatement(Context &context, const StatementSpan &statement,
                      const Bracket &bracket) {
  Span span = statement.span;
  Lines lines = context.lines(span.file);
  bool braces = !statement.inCompound && !statement.isDeclaration;
  bool alone = !braces && lines.isFirstOnLine(span.begin) &&
               !lines.inDirective(span.begin);
  // What followed its last line would seem to belong to that.
  bool isLong = braces && context.text(span).contains('\n') &&
                !lines.inDirective(span.begin);
  std::string ownLine = "\n" + lines.indentation(span.begin).str();

  auto declared = [&](std::string code, uint32_t offset) {
    if (!context.isBeforeDeclaration(span.file, offset))
      return code;
    return "NVM_DECLARED(" + StringRef(code).drop_back().str() + ");";
  };
  std::string open = bracket.before, close;
  const uint32_t lineEnd = lines.endOfLineAfter(span.end);
  const bool below = ((alone && bracket.afterOnOwnLine) || isLong) &&
                     lineEnd != Lines::NoPlace;
  // What follows if (..) f(); in its line would seem to depend on it, too.
  const bool guards =
      StringRef(open).starts_with("if (") &&
      (bracket.after.empty() ? lineEnd == Lines::NoPlace : !below) &&
      !lines.inDirective(span.begin);
  if (StringRef(open).ends_with(";") && !braces && open != "NVM_SECTION();")
    open = declared(open, span.begin);
  if (!open.empty())
    open += alone && bracket.beforeOnOwnLine ? ownLine : " ";
  if (guards) {
    open += "{ ";
    close = " }";
  }
  if (!bracket.after.empty()) {
    close += (below ? ownLine : " ") +
             (braces ? bracket.after : declared(bracket.after, span.end));
    span.end = below ? lineEnd : span.end;
  }
  if (braces) {
    open = "{ " + open;
    close += " }";
  }
  return context.edits.wrap(span, open, close, bracket.layer, bracket.rank);
}

} // namespace nvmove
