//===- Unit.h - Translation units between collect and merge -----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   CompileJob --UnitCollector--> Unit ... Unit --mergeUnits--> Facts
//
// A program of a thousand files has to wait as a thousand Units until it is
// known which units belong together: so a Unit keeps its facts as compact
// bytes, and beside them what the choice needs to know.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_INPUT_UNIT_H
#define NVMOVE_TOOL_INPUT_UNIT_H

#include "passes/collect/unit/Collect.h"
#include "passes/collect/unit/FileSnapshot.h"
#include "tool/input/Cache.h"
#include "tool/input/Programs.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <atomic>

namespace nvmove {

template <> struct members::Of<CompileFailure> {
  static void list(auto &f, auto &&v) {
    v(f.file, f.messages, f.missingHeaders);
  }
};

struct Unit {
  std::optional<CompileFailure> failure;   ///< set: there are no facts
  std::vector<std::string> missingHeaders; ///< tolerated
  Symbols symbols;
  std::string facts; ///< encoded
};
template <> struct members::Of<Unit> {
  static void list(auto &u, auto &&v) {
    v(u.failure, u.missingHeaders, u.symbols, u.facts);
  }
};

/// Collects units, or finds them in the cache. Thread-safe.
class UnitCollector {
public:
  explicit UnitCollector(Cache cache) : cache_(std::move(cache)) {}

  /// `dependencies`, if there, is told what the unit rests upon.
  Unit collect(const CompileJob &job,
               std::vector<Dependency> *dependencies = nullptr);
  /// As findMissingHeaders().
  std::vector<std::string> missingHeaders(const CompileJob &job);

  /// How many times the compiler ran.
  size_t parsed() const { return parsed_; }
  void pruneCache() { cache_.prune(); }

private:
  FileSnapshot files_;
  std::atomic<size_t> parsed_ = 0;
  Cache cache_;
};

/// Joins the facts of units, a few at a time on each of `threads` threads.
/// Facts that are not sound are an error; it says which unit's they are by
/// index.
struct BadUnit {
  size_t index = 0;
  std::string why;
};
Facts mergeUnits(llvm::ArrayRef<const Unit *> units, unsigned threads,
                 std::optional<BadUnit> &bad,
                 llvm::function_ref<void(size_t done)> progress);

} // namespace nvmove

#endif // NVMOVE_TOOL_INPUT_UNIT_H
