//===- GuardedUses.h - Where what is made once is taken for made *- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   void add(char *t) { if (!ready) { regcomp(&shape, ..); ready = 1; } .. }
//   void try(char *t) { print(ready && !regexec(&shape, t, ..)); }
//
// add() makes what it needs, whatever a start leaves. try() relies on what the
// load, which a restart leaves out, has made.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SCALARS_GUARDEDUSES_H
#define NVMOVE_PASSES_SOLVE_SCALARS_GUARDEDUSES_H

#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/state/Analysis.h"
#include <set>

namespace nvmove {

class GuardedUses {
public:
  /// `given` outlives this.
  explicit GuardedUses(const Given &given)
      : c_(given.context), p_(c_.program), f_(p_.facts),
        load_(given.load.begin(), given.load.end()),
        callers_(CallGraph(p_, c_.flow).callers()) {}

  /// A function that handlers run, and that uses one of the places where on
  /// some way none of `making`, functions that make them if they are not made,
  /// was called since the program started, but for the load; None.
  Id relyingOnLoad(const std::set<StaticPlace> &places, const IdSet &making);

private:
  bool isMaking(Id call, unsigned depth);
  bool alwaysMakes(Id function, unsigned depth);
  std::vector<bool> reachedWithout(const Definition &d, unsigned depth);
  bool isMadeEarlier(const Definition &d, const Loc &loc);
  bool isBehind(const Definition &d, Id call);
  bool areCallersBehind(Id function, unsigned depth);
  bool reliesOnCallers(const Definition &d,
                       const std::set<StaticPlace> &places);
  bool isRead(Id value, const std::set<StaticPlace> &places) const;
  bool isTested(const Block &block, const std::set<StaticPlace> &places) const;

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const IdSet load_;
  const FieldFlow::Callers callers_;
  IdSet making_;
  IdMap<bool> always_; ///< functions
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SCALARS_GUARDEDUSES_H
