//===- Sections.cpp - Failure-atomic sections around calls ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/Library.h"
#include "passes/rewrite/context/Statements.h"
#include "passes/rewrite/sites/SiteEdits.h"
#include "passes/rewrite/text/Directives.h"
#include "llvm/ADT/StringExtras.h"

REPORTS(LoopWithoutSection, SectionLeftByJump, SectionNotBracketed)

using namespace llvm;

namespace nvmove {

namespace {

bool follows(StringRef content, uint32_t offset, StringRef text) {
  return content.take_front(offset).rtrim().ends_with(text);
}

/// Also around a load that has its guard.
bool followsBegin(StringRef content, uint32_t offset) {
  StringRef before = content.take_front(offset).rtrim();
  if (before.consume_back("if (!nvm_restore())")) {
    before = before.rtrim();
    before.consume_back("{");
  }
  before = before.rtrim();
  before.consume_back("{"); // around the declaration of nvm_result
  return follows(before, before.size(), "nvm_begin();");
}

/// `return f(x);` has to end the section between the call and the return.
/// Returns the reason when that cannot be done.
std::string bracketReturn(Context &context, const Call &call) {
  Span span = call.statement.span;
  StringRef text = context.text(span);
  uint32_t keyword = skipTrivia(text, 0), length = StringRef("return").size();
  StringRef expression =
      text.drop_front(keyword + length).rtrim().drop_back(1).trim();
  if (hasBareComma(expression))
    return "its statement returns a comma expression; call it in a statement "
           "of its own";
  if (containsDirective(text))
    return "a preprocessing directive is inside its statement; move it out";
  bool isVoid = context.facts.functions[call.function].result == None;
  std::string open = "{ nvm_begin();",
              close = isVoid ? " nvm_end(); return; }"
                             : " nvm_end(); return nvm_result; } }";
  if (!isVoid) // the copy only names a type, hence it may lose its line breaks
    open += " { __typeof__(" + onOneLine(expression) + ") nvm_result =";
  if (!context.edits.wrap(span, open, close, Layer::Sections, Rank::Section))
    return "";
  Span word{span.file, span.begin + keyword, span.begin + keyword + length};
  bool glued = !isSpace(text[keyword + length]);
  context.edits.replace(word, glued ? " " : "", Layer::Sections);
  ++context.counts["sections"];
  return "";
}

/// The condition of an if, with its parentheses.
Span conditionOf(const Context &context, Span statement) {
  StringRef text = context.text(statement);
  int depth = 0;
  Span result{statement.file, 0, 0};
  for (const Token &token : tokens(text)) {
    depth += token.is("(");
    if (depth == 1 && token.is("(") && result.begin == 0)
      result.begin = statement.begin + token.offset;
    depth -= token.is(")");
    if (depth == 0 && token.is(")")) {
      result.end = statement.begin + token.offset + 1;
      break;
    }
  }
  return result;
}

/// `if (f(x)) return;` is left by its body, hence the section holds the
/// condition alone.
std::string bracketCondition(Context &context, const Call &call) {
  Span span = call.statement.span, condition = conditionOf(context, span);
  StringRef text = context.text(span);
  bool whole = text.ends_with(";") || text.ends_with("}");
  if (!whole || !condition.valid() || call.span.begin < condition.begin ||
      call.span.end > condition.end)
    return "its statement may be left by return, break, continue or goto; call "
           "it in a statement of its own";
  if (!context.edits.wrap(span, "{ nvm_begin(); { int nvm_result =", " } }",
                          Layer::Sections, Rank::Section))
    return "";
  context.edits.wrap(condition, "", " != 0; nvm_end(); if (nvm_result)",
                     Layer::Sections, Rank::Section);
  // `if(` leaves no blank behind `=`.
  bool glued = condition.begin == span.begin + 2;
  context.edits.replace({span.file, span.begin, span.begin + 2},
                        glued ? " " : "", Layer::Sections);
  ++context.counts["sections"];
  return "";
}

void bracketCall(Context &context, Id id, const Section &section) {
  const Call &call = context.facts.calls[id];
  std::string what =
      "the section '" + section.name + "' does not begin and end here";
  if (!context.isEditable(call.statement.span, call.loc, call.function, what))
    return;
  const StatementSpan &statement = call.statement;
  if (followsBegin(context.content(statement.span.file), statement.span.begin))
    return;
  StringRef word = leadingWord(context, statement);
  std::string why = whyNotBracketed(context, statement);
  if (why.empty() && word == "return") {
    why = bracketReturn(context, call);
  } else if (word == "if" && statement.mayLeave) {
    why = bracketCondition(context, call);
  } else if (why.empty()) {
    Bracket bracket{"nvm_begin();", "nvm_end();",    true,
                    true,           Layer::Sections, Rank::Section};
    if (bracketStatement(context, statement, bracket))
      ++context.counts["sections"];
  }
  if (!why.empty())
    context.refuse(FindingId::SectionNotBracketed, call.loc, call.function,
                   what + ": " + why);
}

/// A part of an #if begins between the two places and does not end there.
bool isConditional(StringRef content, uint32_t from, uint32_t to) {
  int depth = 0;
  for (const Directive &d : directives(content))
    if (from <= d.begin && d.begin < to)
      depth += d.name.starts_with("if") - (d.name == "endif");
  return depth != 0;
}

/// Behind `while (..) {` or the like; 0: that is not what stands there, or a
/// directive is within.
uint32_t behindBrace(StringRef content, uint32_t loop, uint32_t body) {
  int depth = 0;
  for (const Token &token : tokens(content.slice(loop, body))) {
    depth += token.is("(") - token.is(")");
    if (depth || token.is(")") || token.is("do") || token.is("while") ||
        token.is("for"))
      continue;
    const uint32_t end = loop + token.offset + 1;
    return token.is("{") && !containsDirective(content.slice(loop, end)) ? end
                                                                         : 0;
  }
  return 0;
}

/// What stands at `begin` is under a condition of the preprocessor that the
/// loop is not under, or it is not certain what was compiled between them.
bool isInConditional(const Context &context, const Loop &loop, Span begin) {
  uint32_t from = context.offsetOf(loop.loc);
  return loop.loc.file != begin.file ||
         conditionalAround(context.content(begin.file), from, begin.begin) ||
         isConditional(context.compiled(begin.file), from, begin.begin);
}

/// From `begin` to the end of the loop's body: the last statement may be in an
/// #if, behind which the body ends.
std::optional<Span> restOfBody(const Context &context, const Loop &loop,
                               Span begin) {
  Span rest = begin;
  rest.end = loop.body.back().end;
  StringRef content = context.content(rest.file);
  if (!conditionalAround(content, rest.begin, rest.end))
    return rest;
  rest.end += skipTrivia(context.compiled(rest.file).drop_front(rest.end), 0);
  if (!content.substr(rest.end).starts_with("}") ||
      conditionalAround(content, rest.begin, rest.end))
    return std::nullopt;
  rest.end = rest.begin + context.text(rest).rtrim().size();
  return rest;
}

/// From the first statement on to the end of the body, however it is left.
void bracketBody(Context &context, const Section &section) {
  const Loop &loop = context.facts.loops[section.loop];
  Loc loc = loop.loc;
  if (!section.body.valid())
    return; // it is there
  std::string what = "the section '" + section.name + "' does not begin here";
  if (!context.isEditable(section.body, loc, section.function, what))
    return;
  StringRef content = context.content(section.body.file);
  if (isInConditional(context, loop, section.body)) {
    const bool isWhole =
        !loop.body.empty() && section.body.begin == loop.body.front().begin;
    uint32_t at =
        loc.file == section.body.file && loop.isCompound && isWhole
            ? behindBrace(content, context.offsetOf(loc), section.body.begin)
            : 0;
    if (!at)
      return context.refuse(FindingId::LoopWithoutSection, loc,
                            section.function,
                            what + ": its first statement is in an #if");
    context.edits.insert(loc.file, at, " NVM_SECTION();", Layer::Sections);
    ++context.counts["sections"];
    return;
  }
  StatementSpan statement;
  statement.span = section.body;
  statement.inCompound = loop.isCompound;
  if (!loop.body.empty() && loop.isCompound &&
      context.isBehindStatement(section.body.file, section.body.begin)) {
    std::optional<Span> rest = restOfBody(context, loop, section.body);
    if (!rest)
      return context.refuse(FindingId::LoopWithoutSection, loc,
                            section.function,
                            what + ": the end of the loop is in an #if");
    Lines lines = context.lines(rest->file);
    std::string newline = "\n" + lines.indentation(rest->begin).str();
    if (context.edits.wrap(*rest, "{ NVM_SECTION();" + newline, newline + "}",
                           Layer::Sections, Rank::Section))
      ++context.counts["sections"];
    return;
  }
  if (bracketStatement(
          context, statement,
          {"NVM_SECTION();", "", true, false, Layer::Sections, Rank::Section}))
    ++context.counts["sections"];
}

/// From the brace on, however the function is left.
void beginBody(Context &context, Id function, Span body, StringRef what,
               StringRef begin, StringRef count) {
  if (!body.valid() ||
      !context.isEditable(body, context.facts.functions[function].loc, function,
                          what.str()))
    return;
  context.edits.insert(body.file, body.begin + 1, (" " + begin).str(),
                       Layer::Sections);
  ++context.counts[count.str()];
}

/// Each turn begins with a restart point.
void pointAtTurn(Context &context, Id number) {
  constexpr StringLiteral Point = "nvm_restart_point();";
  const Loop &loop = context.facts.loops[number];
  const std::string what =
      "the iterations of this loop do not begin with a restart point";
  StatementSpan statement;
  statement.span = loop.body.front();
  statement.inCompound = loop.isCompound;
  if (!context.isEditable(statement.span, loop.loc, loop.function, what))
    return;
  StringRef text = context.text(statement.span);
  if (text.starts_with(Point) || text.starts_with("NVM_DECLARED(nvm_restart"))
    return;
  if (isInConditional(context, loop, statement.span)) {
    context.refuse(FindingId::SectionNotBracketed, loop.loc, loop.function,
                   what + ": its first statement is in an #if");
    return;
  }
  if (bracketStatement(
          context, statement,
          {Point.str(), "", true, false, Layer::Sections, Rank::Section}))
    ++context.counts["restart points"];
}

/// While the call lasts the thread is in no section, and at a restart point.
void pauseDuring(Context &context, const Call &call, const std::string &what,
                 const std::string &counted) {
  if (follows(context.content(call.span.file), call.span.begin,
              "NVM_PAUSED(") ||
      !context.isEditable(call.span, call.loc, call.function, what))
    return;
  if (context.edits.wrap(call.span, "NVM_PAUSED(", ")", Layer::Sections,
                         Rank::Section))
    ++context.counts[counted];
}

void addThreads(Context &context) {
  std::set<Id> turns, waits;
  for (const ThreadPart &t : context.solution.commits.threads) {
    beginBody(context, t.function, t.body,
              "the thread does not take part in restart points",
              "NVM_THREAD();", "threads at restart points");
    turns.insert(t.turns.begin(), t.turns.end());
    waits.insert(t.waits.begin(), t.waits.end());
  }
  for (Id loop : turns)
    pointAtTurn(context, loop);
  for (Id call : waits)
    pauseDuring(context, context.facts.calls[call],
                "the thread is not at a restart point while it waits",
                "waits at restart points");
  for (Id call : context.solution.commits.pausedCalls)
    if (!waits.contains(call))
      pauseDuring(context, context.facts.calls[call],
                  "the section is not left while it waits for a thread, which "
                  "may have to wait for the section",
                  "waits outside of sections");
}

/// setjmp(top), which is a macro of the system: by its text.
void endBehindJump(Context &context, const Call &call) {
  auto refuse = [&](StringRef why) {
    context.refuse(FindingId::SectionLeftByJump, call.loc, call.function,
                   "a jump to here from within a section leaves the section "
                   "open, and nothing is committed any more; " +
                       why,
                   "write if (nvm_jumped(setjmp(..)))");
  };
  if (call.loc.file == None || !context.facts.files[call.loc.file].editable)
    return refuse("the call cannot be edited in place");
  StringRef content = context.content(call.loc.file);
  uint32_t begin = context.offsetOf(call.loc), end = begin;
  int depth = 0;
  std::vector<Token> all = tokens(content.substr(begin));
  if (all.size() < 2 || !all[1].is("(") ||
      !hasTrait(all[0].text, LibraryFunction::SetJump))
    return refuse("the call is part of a macro of the program");
  for (const Token &token : all) {
    depth += token.is("(") - token.is(")");
    if (depth == 0 && token.is(")")) {
      end = begin + token.offset + 1;
      break;
    }
  }
  Span span{call.loc.file, begin, end};
  if (follows(content, begin, "nvm_jumped("))
    return;
  if (!context.isMacroArgument(span, call.loc, call.function,
                               "no section ends after this jump"))
    return;
  if (context.edits.wrap(span, "nvm_jumped(", ")", Layer::Sections,
                         Rank::Section))
    ++context.counts["jumps out of sections"];
}

} // namespace

void addSections(Context &context) {
  for (const Section &section : context.solution.commits.sections) {
    if (section.kind == Section::Kind::Lock)
      continue; // its calls are replaced
    if (section.kind == Section::Kind::Body) {
      bracketBody(context, section);
      continue;
    }
    if (section.kind == Section::Kind::Callback) {
      beginBody(context, section.function, section.body,
                "the section '" + section.name + "' does not begin here",
                "NVM_SECTION();", "sections");
      continue;
    }
    if (section.kind == Section::Kind::Dispatcher && section.call != None)
      bracketCall(context, section.call, section);
    for (Id call : section.calls)
      bracketCall(context, call, section);
  }
  addThreads(context);
  for (Id call : context.solution.commits.jumpTargets)
    endBehindJump(context, context.facts.calls[call]);
}

} // namespace nvmove
