//===- Accesses.h - Reads and writes of persistent fields -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What --emulate announces. No fact: it depends on which types are persistent,
// is not merged and not kept.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_FACTS_ACCESSES_H
#define NVMOVE_PASSES_FACTS_ACCESSES_H

#include "passes/facts/Facts.h"
#include <set>

namespace nvmove {

/// An expression that reads a field, or writes it, or both (`+=`, `++`). Of a
/// write it is the assignment, so that the code around it still gets a value.
struct Access {
  enum class Kind : uint8_t { Read, Write, Change };
  Span span;
  Kind kind = Kind::Read;
  auto operator<=>(const Access &) const = default;
};

struct Accesses {
  std::set<Access> found;
  /// Text that names a field which is neither read nor written there: its
  /// address is taken, or another use of the macro assigns to it.
  std::set<Span> lvalues;
  /// Where text has no place of its own in a file: in what a macro pastes.
  uint32_t unreachable = 0;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_FACTS_ACCESSES_H
