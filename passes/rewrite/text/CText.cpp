//===- CText.cpp - C source text without a parser -------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/text/CText.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace nvmove {

namespace {

bool isIdentifierStart(char c) {
  return isAlpha(c) || c == '_' || c == '$' || (c & 0x80);
}
bool isIdentifierBody(char c) { return isIdentifierStart(c) || isDigit(c); }
bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' ||
         c == '\v';
}

/// Length of a backslash-newline at `at`, else 0.
uint32_t spliceLength(StringRef text, uint32_t at) {
  StringRef rest = text.substr(at);
  if (rest.starts_with("\\\n"))
    return 2;
  return rest.starts_with("\\\r\n") ? 3 : 0;
}

/// Length of the comment that begins at `at`, else 0. A line comment ends
/// before its newline.
uint32_t commentLength(StringRef text, uint32_t at) {
  StringRef rest = text.substr(at);
  if (rest.starts_with("/*")) {
    size_t close = rest.find("*/", 2);
    return close == StringRef::npos ? rest.size() : close + 2;
  }
  if (!rest.starts_with("//"))
    return 0;
  uint32_t length = 2;
  while (length < rest.size() && rest[length] != '\n') {
    uint32_t splice = spliceLength(rest, length);
    length += splice ? splice : 1;
  }
  return length;
}

/// Length of the string or character literal that begins at `at`.
uint32_t literalLength(StringRef text, uint32_t at) {
  char quote = text[at];
  uint32_t end = at + 1;
  while (end < text.size() && text[end] != quote && text[end] != '\n') {
    if (uint32_t splice = spliceLength(text, end))
      end += splice;
    else
      end += text[end] == '\\' && end + 1 < text.size() ? 2 : 1;
  }
  return std::min<uint32_t>(end + 1, text.size()) - at;
}

uint32_t numberLength(StringRef text, uint32_t at) {
  uint32_t end = at + 1;
  while (end < text.size()) {
    bool exponentSign = (text[end] == '+' || text[end] == '-') &&
                        StringRef("eEpP").contains(text[end - 1]);
    if (!isIdentifierBody(text[end]) && text[end] != '.' && !exponentSign)
      break;
    ++end;
  }
  return end - at;
}

uint32_t punctuatorLength(StringRef text, uint32_t at) {
  static constexpr StringRef longer[] = {
      "<<=", ">>=", "...", "->", "++", "--", "==", "!=", "<=", ">=", "&&", "||",
      "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "<<", ">>", "##"};
  for (StringRef candidate : longer)
    if (text.substr(at).starts_with(candidate))
      return candidate.size();
  return 1;
}

/// Whether the tokens between the parentheses that end before `close` can only
/// name a type, so that a following ( opens a cast's operand and not a call.
bool looksLikeType(ArrayRef<Token> all, size_t close) {
  static constexpr StringRef words[] = {
      "char",   "short",  "int",    "long",     "float",
      "double", "signed", "struct", "unsigned", "union",
      "enum",   "void",   "_Bool",  "const",    "volatile"};
  bool sawType = false;
  for (size_t i = close; i-- > 0;) {
    if (all[i].is("("))
      return sawType;
    if (all[i].isIdentifier())
      sawType |=
          is_contained(words, all[i].text) || all[i].text.ends_with("_t");
    else if (!all[i].is("*"))
      return false;
  }
  return false;
}

} // namespace

Token tokenAt(StringRef text, uint32_t at) {
  char c = text[at];
  uint32_t length = 0;
  Token::Kind kind = Token::Kind::Punctuator;
  if (isIdentifierStart(c)) {
    kind = Token::Kind::Identifier;
    while (at + length < text.size() && isIdentifierBody(text[at + length]))
      ++length;
  } else if (isDigit(c) ||
             (c == '.' && at + 1 < text.size() && isDigit(text[at + 1]))) {
    kind = Token::Kind::Number;
    length = numberLength(text, at);
  } else if (c == '"' || c == '\'') {
    kind = Token::Kind::Literal;
    length = literalLength(text, at);
  } else {
    length = punctuatorLength(text, at);
  }
  return {kind, text.substr(at, length), at};
}

uint32_t skipTrivia(StringRef text, uint32_t from) {
  while (from < text.size()) {
    if (isBlank(text[from]))
      ++from;
    else if (uint32_t length = spliceLength(text, from))
      from += length;
    else if (uint32_t length = commentLength(text, from))
      from += length;
    else
      break;
  }
  return from;
}

std::vector<Token> tokens(StringRef text) {
  std::vector<Token> result;
  for (uint32_t at = skipTrivia(text, 0); at < text.size();) {
    result.push_back(tokenAt(text, at));
    at = skipTrivia(text, at + result.back().text.size());
  }
  return result;
}

bool mayHaveSideEffects(StringRef expression) {
  static constexpr StringRef writers[] = {"=",  "+=",  "-=", "*=", "/=",
                                          "%=", "&=",  "|=", "^=", "++",
                                          "--", "<<=", ">>="};
  static constexpr StringRef unevaluated[] = {
      "sizeof", "_Alignof", "__alignof__", "offsetof", "__builtin_offsetof"};
  std::vector<Token> all = tokens(expression);
  for (size_t i = 0; i < all.size(); ++i) {
    if (is_contained(writers, all[i].text))
      return true;
    if (i == 0 || !all[i].is("("))
      continue;
    const Token &before = all[i - 1];
    if (before.isIdentifier() && !is_contained(unevaluated, before.text))
      return true;
    if (before.is("]") || (before.is(")") && !looksLikeType(all, i - 1)))
      return true;
  }
  return false;
}

bool hasBareComma(StringRef expression) {
  int depth = 0;
  for (const Token &token : tokens(expression)) {
    depth += token.is("(") - token.is(")");
    if (depth == 0 && token.is(","))
      return true;
  }
  return false;
}

std::string asMacroArgument(StringRef expression) {
  return hasBareComma(expression) ? ("(" + expression + ")").str()
                                  : expression.str();
}

bool containsDirective(StringRef text) {
  for (size_t newline = text.find('\n'); newline != StringRef::npos;
       newline = text.find('\n', newline + 1))
    if (text.substr(newline + 1).ltrim(" \t").starts_with("#"))
      return true;
  return false;
}

std::string onOneLine(StringRef expression) {
  std::string result;
  uint32_t end = 0;
  for (const Token &token : tokens(expression)) {
    if (token.offset > end && !result.empty())
      result += ' ';
    result += token.text;
    end = token.offset + token.text.size();
  }
  return result;
}

std::string asIdentifier(StringRef name) {
  std::string result = name.str();
  for (char &c : result)
    if (!isAlnum(c))
      c = '_';
  return result;
}

StringRef Lines::newline() const {
  size_t first = text.find('\n');
  return first != StringRef::npos && first > 0 && text[first - 1] == '\r'
             ? "\r\n"
             : "\n";
}

uint32_t Lines::start(uint32_t offset) const {
  size_t newline = text.substr(0, offset).rfind('\n');
  return newline == StringRef::npos ? 0 : newline + 1;
}

uint32_t Lines::end(uint32_t offset) const {
  size_t newline = std::min(text.find('\n', offset), text.size());
  return newline > offset && text[newline - 1] == '\r' ? newline - 1 : newline;
}

uint32_t Lines::startOfLine(uint32_t line) const {
  size_t offset = 0;
  for (uint32_t current = 1; current < line; ++current) {
    size_t newline = text.find('\n', offset);
    if (newline == StringRef::npos)
      return text.size();
    offset = newline + 1;
  }
  return offset;
}

StringRef Lines::indentation(uint32_t offset) const {
  return text.substr(start(offset)).take_while([](char c) {
    return c == ' ' || c == '\t';
  });
}

bool Lines::isFirstOnLine(uint32_t offset) const {
  return start(offset) + indentation(offset).size() >= offset;
}

uint32_t Lines::endOfLineAfter(uint32_t offset) const {
  uint32_t lineEnd = end(offset);
  if (spliceLength(text, lineEnd - (lineEnd > offset)))
    return NoPlace;
  while (offset < lineEnd) {
    uint32_t length = text[offset] == ' ' || text[offset] == '\t'
                          ? 1
                          : commentLength(text, offset);
    // A comment that goes on in the next line belongs to what comes there.
    if (length == 0 || offset + length > lineEnd)
      return text.substr(offset).starts_with("//") ? lineEnd : NoPlace;
    offset += length;
  }
  return lineEnd;
}

bool Lines::inDirective(uint32_t offset) const {
  uint32_t line = start(offset);
  while (line > 0) {
    StringRef before = text.substr(0, line - 1);
    before.consume_back("\r");
    if (!before.ends_with("\\"))
      break;
    line = start(line - 1);
  }
  return text.substr(line).ltrim(" \t").starts_with("#");
}

} // namespace nvmove
