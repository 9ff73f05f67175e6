//===- Directives.h - The preprocessing directives of one file --*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts describe what the compiler saw; here is what it did not: which text
// is conditional, and which file includes which.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_TEXT_DIRECTIVES_H
#define NVMOVE_PASSES_REWRITE_TEXT_DIRECTIVES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace nvmove {

struct Directive {
  uint32_t begin = 0,
           end = 0;     ///< from '#' to before the last line's terminator
  llvm::StringRef name; ///< "if", "define", ..; empty for a lone '#'
  llvm::StringRef rest; ///< what follows the name, trimmed
};

/// All directives of `text` in order; those inside comments are not any.
std::vector<Directive> directives(llvm::StringRef text);

/// `#ifndef X` and `#define X` around everything, or `#pragma once`.
struct IncludeGuard {
  uint32_t afterLine = 0; ///< begin of the line after #define or #pragma once
  std::optional<uint32_t> open, close; ///< begin of its #ifndef and #endif
};
/// None when the file has none.
std::optional<IncludeGuard> includeGuard(llvm::StringRef text);

/// The parts of a text that an #if other than the include guard makes.
class Regions {
public:
  /// Refers to the text.
  explicit Regions(llvm::StringRef text);
  /// Where declarations that must see what is at `offset` may be added: the end
  /// of the file, or, when `offset` is inside such an #if, the begin of the
  /// line with the #elif, #else or #endif that closes this part. None when the
  /// braces between `offset` and that line do not match, or a declaration goes
  /// on after it.
  std::optional<uint32_t> endOf(uint32_t offset) const;

private:
  llvm::StringRef text_;
  std::vector<Directive> directives_;
  uint32_t outermost_; ///< the #endif of the include guard, else the end
};

/// A line after every #include before the first of `uses` from which all of
/// these see what a directive there defines; none when there is no such line.
std::optional<uint32_t> placeForMacros(llvm::StringRef text,
                                       llvm::ArrayRef<uint32_t> uses);

/// The begin of the line with the first #if after `from` that is still open at
/// `offset`.
std::optional<uint32_t> conditionalAround(llvm::StringRef text, uint32_t from,
                                          uint32_t offset);

/// No part of an #if that begins in [begin, end) opens a brace that it does not
/// close, or the other way round.
bool conditionalsMatch(llvm::StringRef text, uint32_t begin, uint32_t end);

/// `text` as it was compiled: of each #if of which always the same part was, by
/// the lines of the directives that begin them, that part; what else belongs to
/// such an #if is blanks, so that offsets stay. A line is in both where units
/// differ.
std::string asCompiled(llvm::StringRef text, const std::set<uint32_t> &parsed,
                       const std::set<uint32_t> &skipped);

/// Each brace is closed, in its order.
bool bracesMatch(llvm::StringRef text);

/// Where an #include may stand at the top of a file: after the include guard,
/// or before the first thing that is not a comment. nvm.h includes no libc
/// header, so feature-test macros may follow it.
uint32_t preambleOffset(llvm::StringRef content);

/// The name in `#include <name>` or `#include "name"`; empty if computed.
llvm::StringRef includedName(const Directive &directive);

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_TEXT_DIRECTIVES_H
