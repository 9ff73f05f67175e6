//===- CriticalSections.h - Locks that make sections ------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SECTIONS_CRITICALSECTIONS_H
#define NVMOVE_PASSES_SOLVE_SECTIONS_CRITICALSECTIONS_H

#include "passes/solve/sections/LockFlow.h"
#include "passes/solve/sections/ThreadChanges.h"

namespace nvmove {

class CriticalSections {
public:
  /// After findSites().
  CriticalSections(const ChangeSources &found, const PoolMembership &heap);

  const ThreadChanges &changes() const { return changes_; }
  const LockFlow &flow() const { return flow_; }
  /// The lock makes a section of what is done while it is held.
  bool isSection(unsigned lock) const { return sections_[lock]; }
  bool any() const { return llvm::is_contained(sections_, true); }
  /// What threads do, and what the whole program does.
  const LockFlow::Entries &ofThreads() const { return threads_; }
  const LockFlow::Entries &ofAll() const { return all_; }
  /// Such locks that are held: of one of them, or of all together.
  HeldRange among(const HeldLocks &held) const;
  HeldLocks heldAt(const Change &change) const;

private:
  const SolveContext &c_;
  const ThreadChanges changes_;
  const LockFlow flow_;
  LockFlow::Entries threads_, all_;
  std::vector<bool> sections_; ///< by lock
};

/// What these functions say leaves behind the commit of what they did.
void replaceOutputs(View<ReplacedCalls> a, const IdSet &functions);

/// All but those that locks make.
std::vector<Section> sectionsOfLoops(llvm::ArrayRef<Section> sections);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SECTIONS_CRITICALSECTIONS_H
