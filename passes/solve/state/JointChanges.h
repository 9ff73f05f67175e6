//===- JointChanges.h - What changes whenever the state does ----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static void on_add(const char *key) { ++ops; list_add(key); }
//   static void on_ask(const char *key) { ++asked; print(find(key)); }
//   static void handle(char *line) { ++lines; if (..) on_add(line); .. }
//
// Where ops is changed, what is kept is, too, on whatever way the function is
// run through: before it, after it, or in what calls it. Not so where asked and
// lines are.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_JOINTCHANGES_H
#define NVMOVE_PASSES_SOLVE_STATE_JOINTCHANGES_H

#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/HandedLocals.h"
#include "passes/solve/state/PersistentParts.h"

namespace nvmove {

/// As far as types, roots and restored scalars are known by now.
class JointChanges {
public:
  using Parts = View<const MarkedTypes, const JudgedStatics>;
  explicit JointChanges(const Parts &a);

  /// Functions that threads run.
  const IdSet &threads() const { return threads_; }

  /// Something is kept that was not when this was made.
  void update();

  /// A place in a function: of a store or a call, an index into the facts, or
  /// of a write by name; one of them.
  struct Site {
    Id function = None;
    Id store = None, call = None;
    const StaticWrite *write = nullptr;
    bool isSure = true; ///< its text says what is written there
  };
  /// Handlers or threads run it, or a main loop by itself.
  bool isHandled(const Site &site) const;
  /// What is kept changes, too, wherever the site is passed.
  bool isJoint(const Site &site) { return isJoint(site, 0); }
  /// Likewise, where the function writes the same static in several places: of
  /// one of these.
  bool isJointSomewhere(const Site &site);
  /// Functions that a call in a main loop leads to which takes one input a
  /// round, where something else may change what is kept in each round that
  /// makes this call:
  /// while (fgets(line, n, stdin)) { remember(line); add(line); }
  IdSet besideInRounds() const;
  /// It stands in a main loop itself.
  bool isInRound(const Site &site) const;

  /// Statics, and records of main of which something is kept, or their members,
  /// that may lie at the address: by what the whole program puts into the
  /// pointer.
  void eachStatic(Id address,
                  llvm::function_ref<void(const StaticPlace &)> see) const;

private:
  bool isJoint(const Site &site, unsigned depth);
  bool isPassedInRound(Id call) const;
  std::vector<bool> changingIn(const Definition &d, Id except = None) const;
  bool changes(const Definition &d, const Block &block, Id except) const;
  bool isPassed(const Definition &d, const std::vector<bool> &changing,
                uint32_t block) const;
  std::vector<uint32_t> blocksOf(const Definition &d, const Site &site) const;

  Parts a_;
  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const CallGraph graph_;
  const IdSet threads_;           ///< functions that these run
  IdSet locals_;                  ///< of main, of which something is kept
  IdSet stores_, calls_, writes_; ///< that change what is kept
  IdSet changing_;                ///< functions that lead to some
  IdMap<bool> known_;             ///< calls
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_JOINTCHANGES_H
