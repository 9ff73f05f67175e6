//===- Blocks.cpp - The statements of a block, by its tokens --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/text/Blocks.h"
#include "passes/rewrite/text/CText.h"
#include "passes/rewrite/text/Directives.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace nvmove {

namespace {

/// Tokens behind `from` that are not part of a directive.
std::vector<Token> codeTokens(StringRef text, uint32_t from) {
  std::vector<Directive> all = directives(text);
  std::vector<Token> result;
  size_t next = 0;
  for (Token token : tokens(text)) {
    while (next < all.size() && all[next].end <= token.offset)
      ++next;
    bool inDirective = next < all.size() && all[next].begin <= token.offset;
    if (token.offset >= from && !inDirective)
      result.push_back(token);
  }
  return result;
}

/// Follows the tokens of a block and tells where a statement in it ends.
class BlockReader {
public:
  bool endsAt(const Token &token, const Token *next);
  bool isBroken() const { return braces < 0 || parentheses < 0; }

private:
  int braces = 0, parentheses = 0;
  int openDos = 0; ///< do without their while, in this statement

  bool maybeContinues(const Token &token, const Token &next);
};

/// `token` is a ; or a } that may end a statement: does `next` belong to it?
bool BlockReader::maybeContinues(const Token &token, const Token &next) {
  if (next.is("else"))
    return true;
  if (next.is("while") && openDos > 0) {
    --openDos;
    return true;
  }
  // The braces of an initialiser or of a compound literal.
  static constexpr StringRef inExpression[] = {";", ",", ")", ".", "[", "="};
  return token.is("}") && is_contained(inExpression, next.text);
}

bool BlockReader::endsAt(const Token &token, const Token *next) {
  parentheses += token.is("(") + token.is("[");
  parentheses -= token.is(")") + token.is("]");
  braces += token.is("{") - token.is("}");
  if (isBroken() || braces > 0 || parentheses > 0)
    return false;
  if (token.is("do"))
    ++openDos;
  if (!token.is(";") && !token.is("}"))
    return false;
  if (next && maybeContinues(token, *next))
    return false;
  openDos = 0;
  return true;
}

} // namespace

uint32_t bodyAfter(StringRef text, uint32_t name) {
  int parentheses = 0;
  for (const Token &token : codeTokens(text, name)) {
    parentheses += token.is("(") - token.is(")");
    if (parentheses == 0 && token.is("{"))
      return token.offset + 1;
  }
  return text.size();
}

std::optional<Extent> blockStatement(StringRef text, uint32_t body,
                                     uint32_t begin, uint32_t end) {
  std::vector<Token> all = codeTokens(text, body);
  BlockReader reader;
  std::optional<uint32_t> start;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!start)
      start = all[i].offset;
    const Token *next = i + 1 < all.size() ? &all[i + 1] : nullptr;
    bool ends = reader.endsAt(all[i], next);
    if (reader.isBroken())
      return std::nullopt;
    if (!ends)
      continue;
    uint32_t behind = all[i].offset + all[i].text.size();
    if (behind >= end) {
      if (*start > begin || !conditionalsMatch(text, body, behind))
        return std::nullopt;
      return Extent{*start, behind};
    }
    start.reset();
  }
  return std::nullopt;
}

uint32_t blockAround(StringRef text, uint32_t begin, uint32_t inside) {
  SmallVector<uint32_t, 8> open;
  for (const Token &token : codeTokens(text, begin)) {
    if (token.offset >= inside)
      break;
    if (token.is("{"))
      open.push_back(token.offset + 1);
    else if (token.is("}") && !open.empty())
      open.pop_back();
  }
  return open.empty() ? begin : open.front();
}

std::vector<uint32_t> labelsJumpedTo(StringRef text, uint32_t body,
                                     uint32_t end) {
  std::vector<Token> all = codeTokens(text, body);
  std::set<StringRef> named;
  std::vector<uint32_t> result;
  int braces = 1;
  for (size_t i = 1; i + 1 < all.size(); ++i) {
    const Token &before = all[i - 1], &token = all[i];
    braces += before.is("{") - before.is("}");
    if (braces == 0)
      break;
    if (token.offset < end && before.is("goto"))
      named.insert(token.text);
    const bool isStatement =
        before.is(";") || before.is("{") || before.is("}") || before.is(":");
    if (token.offset >= end && token.isIdentifier() && all[i + 1].is(":") &&
        isStatement && named.count(token.text))
      result.push_back(all[i + 1].offset + 1);
  }
  return result;
}

} // namespace nvmove
