//===- SetForLater.cpp - What a statement leaves to the next --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/text/SetForLater.h"
#include "passes/rewrite/text/CText.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace nvmove {

namespace {

bool isAssignment(const Token &t) {
  return t.kind == Token::Kind::Punctuator && t.text.ends_with("=") &&
         !t.is("==") && !t.is("!=") && !t.is("<=") && !t.is(">=");
}

bool isStep(const Token &t) { return t.is("++") || t.is("--"); }

/// `struct error *e = ..`, `int n;`: at the first mention of a name.
bool isDeclared(ArrayRef<Token> tokens, size_t at) {
  if (at + 1 == tokens.size() ||
      !(tokens[at + 1].is("=") || tokens[at + 1].is(";") ||
        tokens[at + 1].is(",") || tokens[at + 1].is("[")))
    return false;
  while (at && tokens[at - 1].is("*"))
    --at;
  return at && tokens[at - 1].isIdentifier() && !tokens[at - 1].is("return") &&
         !tokens[at - 1].is("else") && !tokens[at - 1].is("do") &&
         !tokens[at - 1].is("case") && !tokens[at - 1].is("goto") &&
         !tokens[at - 1].is("sizeof");
}

/// The variable of `table[i]->count`, `*p` or `(*p)`, which ends before `at`.
size_t variableBefore(ArrayRef<Token> tokens, size_t at) {
  while (at) {
    --at;
    if (tokens[at].is("]") || tokens[at].is(")")) {
      const StringRef opens = tokens[at].is("]") ? "[" : "(";
      const StringRef closes = tokens[at].text;
      for (int depth = 1; at && depth;) {
        --at;
        depth += tokens[at].is(closes) - tokens[at].is(opens);
      }
      if (opens == "[")
        continue;
      while (at < tokens.size() && !tokens[at].isIdentifier())
        ++at;
    }
    if (!tokens[at].isIdentifier() || !at ||
        !(tokens[at - 1].is(".") || tokens[at - 1].is("->")))
      return at;
    --at;
  }
  return at;
}

/// Which variable the operator there sets, or whose address it takes.
std::optional<size_t> setBy(ArrayRef<Token> tokens, size_t at) {
  const bool isBehind =
      at && (tokens[at - 1].isIdentifier() || tokens[at - 1].is("]") ||
             tokens[at - 1].is(")"));
  if (isAssignment(tokens[at]) || (isStep(tokens[at]) && isBehind))
    return variableBefore(tokens, at);
  if (!isStep(tokens[at]) && (!tokens[at].is("&") || isBehind))
    return std::nullopt;
  while (at < tokens.size() && !tokens[at].isIdentifier())
    ++at;
  return at < tokens.size() ? std::optional(at) : std::nullopt;
}

/// Up to the end of the function.
ArrayRef<Token> restOfFunction(ArrayRef<Token> fromBody, uint32_t from) {
  size_t begin = 0, end = 0;
  for (int depth = 1; end < fromBody.size() && depth; ++end) {
    depth += fromBody[end].is("{") - fromBody[end].is("}");
    begin += fromBody[end].offset < from;
  }
  return fromBody.slice(begin, end - begin);
}

bool isReadFirst(ArrayRef<Token> tokens, StringRef name) {
  for (size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i].text == name)
      return i + 1 == tokens.size() || !tokens[i + 1].is("=");
  return false;
}

} // namespace

StringRef setForLater(StringRef text, uint32_t body, Extent statement,
                      function_ref<bool(StringRef)> isOnlyRead) {
  const std::vector<Token> all = tokens(text.substr(body));
  const ArrayRef<Token> behind = restOfFunction(all, statement.end - body);
  const std::vector<Token> in =
      tokens(text.slice(statement.begin, statement.end));
  StringSet<> own;
  for (size_t i = 0; i < in.size(); ++i) {
    if (in[i].isIdentifier() && isDeclared(in, i))
      own.insert(in[i].text);
    const std::optional<size_t> at = setBy(in, i);
    const bool isArgument =
        in[i].is("&") && i && (in[i - 1].is("(") || in[i - 1].is(","));
    if (at && !own.contains(in[*at].text) &&
        !(isArgument && isOnlyRead(in[*at].text)) &&
        isReadFirst(behind, in[*at].text))
      return in[*at].text;
  }
  return "";
}

} // namespace nvmove
