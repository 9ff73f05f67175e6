//===- Observation.h - What runs of the program have shown -----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program that was built with nvmove-cc --observe writes, as plain data.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_OBSERVATION_H
#define NVMOVE_PASSES_SOLVE_OBSERVATION_H

#include "passes/facts/Facts.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace nvmove {

/// A call that was active when a block was made.
struct ObservedCall {
  std::string function, file; ///< as the compiler knew the file
  uint32_t line = 0;
};

/// Blocks that were made by the same calls.
struct ObservedSite {
  std::vector<ObservedCall> calls; ///< innermost first
  uint64_t kept = 0; ///< made by the load, and reachable at its end
  /// Of these, by variables of running functions alone: what it returns, or
  /// what it forgot there.
  uint64_t returned = 0;
  uint64_t filled = 0;  ///< made before, written by it, and reachable
  uint64_t leading = 0; ///< of these, lead to a block of the load at once
  uint64_t later = 0;   ///< made after it, and hung into what it left
  uint64_t size_bytes = 0;
  /// Offsets of words of 8 bytes in such blocks: the load wrote them, they
  /// were written since.
  std::set<uint64_t> written, changed;
};

/// A variable with static storage.
struct ObservedStatic {
  std::string name;
  /// Offsets of words of 8 bytes: they lead to a block of the load, or to one
  /// that the load filled; the load changed their value, it changed since.
  std::set<uint64_t> leads, fills, written, changed;
};

struct ObservedRun {
  std::string file; ///< where this was read from
  std::vector<std::string> load;
  std::vector<ObservedSite> sites;
  std::vector<ObservedStatic> statics;
  std::vector<std::string> ran; ///< functions that began while the load ran
};

/// Which verdicts runs have borne out.
struct ObservedVerdicts {
  uint32_t runs = 0; ///< 0: none was asked for
  std::set<Id> records;
  /// By path; of what no run tells, the locals of main, nothing.
  std::map<std::string, bool> roots, scalars;
  struct FieldUse {
    bool written = false, changed = false;
  };
  std::map<Id, FieldUse> fields; ///< of blocks whose layout is known
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_OBSERVATION_H
