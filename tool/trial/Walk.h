//===- Walk.h - What statics lead to, as text -------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_WALK_H
#define NVMOVE_TOOL_TRIAL_WALK_H

#include "tool/trial/ProcessMemory.h"
#include "llvm/ADT/ArrayRef.h"

namespace nvmove {

/// A number, text or pointer in memory. Two processes in the same state have
/// the same values under the same paths: no text is or contains an address.
struct MemoryValue {
  std::string path;      ///< as C writes it: "tab[3]->next->count"
  std::string text;      ///< "5", "\"abc\"", "NULL", "&other", "(object)"
  unsigned variable = 0; ///< the static that it was reached from, by index
  /// False for elements behind the first of a block whose number of elements
  /// nobody knows, and for what only these lead to: they may be left over.
  bool certain = true;
  /// Whether it lies in the static itself.
  bool direct = true;
};

struct Snapshot {
  /// In the order of the walk. Elements of arrays that are all zero are left
  /// out.
  std::vector<MemoryValue> values;
  size_t objects = 0;
  bool complete = true; ///< else a limit was reached
};

struct WalkLimits {
  size_t objects = 20'000, values = 200'000;
};

/// Follows pointers by their types, breadth first, from `statics` in their
/// order; what is certain comes first. An object is named by the path on which
/// it was met first.
Snapshot walkMemory(const Memory &memory, const ProgramImage &image,
                    llvm::ArrayRef<StaticVariable> statics,
                    WalkLimits limits = {});

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_WALK_H
