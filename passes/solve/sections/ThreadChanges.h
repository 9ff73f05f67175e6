//===- ThreadChanges.h - What threads change of what is kept ----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SECTIONS_THREADCHANGES_H
#define NVMOVE_PASSES_SOLVE_SECTIONS_THREADCHANGES_H

#include "passes/solve/sections/Changes.h"
#include "passes/solve/state/Threads.h"
#include <set>

namespace nvmove {

class PoolMembership;

struct ThreadChange : Change {
  bool isSure; ///< no type leaves open whether it is one
};

class ThreadChanges {
public:
  /// After findSites().
  ThreadChanges(const ChangeSources &found, const PoolMembership &heap);

  const std::vector<Thread> &threads() const { return threads_; }
  /// Functions that threads run.
  const IdSet &reached() const { return reached_; }
  /// What these change of objects that hang from what is kept, or of statics
  /// that come back; by place.
  const std::vector<ThreadChange> &changes() const { return changes_; }

private:
  class Roots;
  void findCounted();
  bool isKept(const Change &change, Roots &roots) const;
  bool isSure(const Change &change, const Roots &roots) const;

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const PoolMembership &heap_;
  const ChangeSources found_;
  std::vector<Thread> threads_;
  IdSet reached_;
  /// Statics, and members of some, that count what an allocator has given out.
  std::set<std::pair<Id, std::vector<Id>>> counted_;
  std::vector<ThreadChange> changes_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SECTIONS_THREADCHANGES_H
