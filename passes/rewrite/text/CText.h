//===- CText.h - C source text without a parser -----------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What can be learnt about a piece of C from its characters alone: tokens,
// lines, indentation. The rewriter needs no more, because the facts already
// say which bytes matter.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_TEXT_CTEXT_H
#define NVMOVE_PASSES_REWRITE_TEXT_CTEXT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace nvmove {

struct Token {
  enum class Kind : uint8_t { Identifier, Number, Literal, Punctuator } kind;
  llvm::StringRef text;
  uint32_t offset = 0; ///< from the start of the text that was scanned
  bool is(llvm::StringRef spelling) const { return text == spelling; }
  bool isIdentifier() const { return kind == Kind::Identifier; }
};

/// The token that begins at `at`, which must not be white space or a comment.
Token tokenAt(llvm::StringRef text, uint32_t at);

/// The tokens of `text`, without comments, white space and line splices.
/// An unterminated literal or comment ends with its line or with the text.
std::vector<Token> tokens(llvm::StringRef text);

/// First offset at or after `from` that is neither white space, nor a comment,
/// nor a line splice; text.size() when there is none.
uint32_t skipTrivia(llvm::StringRef text, uint32_t from);

/// True when evaluating `expression` twice could differ from evaluating it
/// once: it assigns, increments, or calls something. A use of a function-like
/// macro counts as a call.
bool mayHaveSideEffects(llvm::StringRef expression);

/// True if a comma is outside all ( ), which would split a macro
/// argument in two: a[i, j] does, f(i, j) does not.
bool hasBareComma(llvm::StringRef expression);

/// `expression` as one macro argument: in parentheses if it has a bare comma.
std::string asMacroArgument(llvm::StringRef expression);

/// True when a preprocessing directive starts on a line inside `text`.
bool containsDirective(llvm::StringRef text);

/// `expression` on one line: comments dropped, white space between tokens kept
/// as single blanks.
std::string onOneLine(llvm::StringRef expression);

/// `name` with everything that is not a letter, digit or underscore replaced.
std::string asIdentifier(llvm::StringRef name);

/// Questions about lines of one file. All offsets are bytes.
class Lines {
public:
  explicit Lines(llvm::StringRef text) : text(text) {}

  /// "\r\n" when the first line ends so, else "\n".
  llvm::StringRef newline() const;
  uint32_t start(uint32_t offset) const; ///< of the line that holds `offset`
  uint32_t end(uint32_t offset) const;   ///< before its line terminator
  uint32_t startOfLine(uint32_t line) const; ///< lines count from 1
  llvm::StringRef indentation(uint32_t offset) const;
  /// There is only white space before `offset` on its line.
  bool isFirstOnLine(uint32_t offset) const;
  /// Where code that follows `offset` on a line of its own may be inserted:
  /// after white space and whole comments on the same line. None when code
  /// follows.
  uint32_t endOfLineAfter(uint32_t offset) const;
  static constexpr uint32_t NoPlace = ~uint32_t(0);
  /// `offset` lies in a preprocessing directive, continued lines included: a
  /// newline may not be inserted there.
  bool inDirective(uint32_t offset) const;

private:
  llvm::StringRef text;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_TEXT_CTEXT_H
