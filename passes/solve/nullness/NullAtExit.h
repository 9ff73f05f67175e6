//===- NullAtExit.h - Static pointers that the load leaves null -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loader may keep what it works with in statics, and let go of it:
//
//   header = malloc(..); ..; free(header); header = NULL;
//
// Points-to has no order, so there `header` leads to a block for ever. Here the
// paths of control are followed, with two values for each static pointer: null,
// and anything. What a function leaves behind is computed for either value that
// it may find, from what the functions below it leave behind.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_NULLNESS_NULLATEXIT_H
#define NVMOVE_PASSES_SOLVE_NULLNESS_NULLATEXIT_H

#include "passes/facts/IdSet.h"
#include "passes/solve/nullness/PreLoadNullness.h"
#include "passes/solve/phases/EventLoop.h"

namespace nvmove {

class NullAtExit {
public:
  /// `cut`: functions that are not entered.
  NullAtExit(const Program &program, const FieldFlow &flow,
             const EventLoop &loop, const PreLoadNullness &nullness,
             const std::vector<Id> &load, const IdSet &cut);

  /// The variable is null, or what it points to is freed, whenever the load has
  /// ended with success.
  bool contains(Id variable) const;

private:
  enum State : uint8_t { Unreached, Null, Anything };
  struct Summary {
    State ofNull = Unreached, ofAnything = Unreached;
    bool operator==(const Summary &) const = default;
  };
  static State join(State a, State b) { return a > b ? a : b; }
  /// What a call leaves behind, by what it returns.
  struct Outcome {
    State whenZero = Unreached, otherwise = Unreached;
  };
  struct Lent {
    Id variable;
    size_t argument; ///< is its address
  };

  /// Null where there are several: of several programs, or by an #if.
  const Definition *definitionOf(Id function) const {
    const auto &all = p_.definitionsOf(function);
    return all.size() == 1 ? all.front() : nullptr;
  }
  void findLent();
  bool isOnlyLent(Id function, Id pointer, unsigned depth) const;
  void findCandidates();
  bool check(Id variable) const;
  std::vector<Id> affected(Id variable) const;
  State leaves(Id function, Id variable, State found) const;
  State behindCall(Id call, Id variable, State state) const;
  const Lent *lentTo(Id call, Id variable) const;
  bool setsInBlocksAlone(Id function, Id parameter) const;
  Outcome behindLent(Id call, const Lent &lent, State state) const;
  Outcome setThrough(Id function, Id parameter, State found) const;
  Id firstArgument(const Call &call) const;
  bool frees(Id call, Id variable) const;
  bool releases(Id function) const;
  bool runs(Id call, Id callee) const;
  bool fails(Id function, const Block &block) const;

  const Program &p_;
  const Facts &f_;
  const FieldFlow &flow_;
  const PreLoadNullness &nullness_;
  const IdSet &cut_;
  const std::vector<Id> &load_;
  std::vector<Id> functions_;       ///< that the load may run, with bodies
  IdMap<std::vector<Id>> callers_;  ///< among these functions
  IdMap<std::vector<Id>> changers_; ///< variable -> functions
  IdSet excluded_;                  ///< variables
  IdSet kept_;                      ///< those whose address somebody keeps
  IdMap<std::vector<Lent>> lent_;   ///< by call
  IdSet set_; ///< variables that may hold something before the load
  /// The one value of a local that these variables are set to: reader = r;
  IdMap<Id> setTo_;
  /// Of load functions: what they return when there is nothing to load.
  IdMap<int64_t> nothing_;
  mutable IdMap<bool> answers_;
  mutable IdMap<bool> releases_;     ///< functions
  mutable IdMap<Summary> summaries_; ///< of the variable that is looked at
  mutable size_t work_ = 0;          ///< blocks looked at, for all variables
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_NULLNESS_NULLATEXIT_H
