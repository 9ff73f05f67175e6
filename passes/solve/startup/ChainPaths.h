//===- ChainPaths.h - Access paths through a chain of calls -----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   add(&all, t);      void add(struct map *m, ..)  { insert(&m->list, t); }
//                      void insert(struct list *l, struct node *n)
//                      { l->first = n; }            all.list.first, called so
//
// Containers are filled by functions that all containers share. Which one it is
// here tells the chain of calls by which the function was come to (Sharir and
// Pnueli's call strings).
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STARTUP_CHAINPATHS_H
#define NVMOVE_PASSES_SOLVE_STARTUP_CHAINPATHS_H

#include "passes/solve/state/Context.h"

namespace nvmove {

class ChainPaths {
public:
  explicit ChainPaths(const SolveContext &context)
      : c_(context), p_(context.program) {}

  /// The chain with one more call; None is the empty one. The same where that
  /// call is in it already, or where it is very long.
  Id enter(Id chain, Id call);
  /// The last call; None of the empty one.
  Id call(Id chain) const { return chain == None ? None : links_[chain].call; }
  Id caller(Id chain) const {
    return chain == None ? None : links_[chain].caller;
  }

  struct Place {
    /// The variable that has the address or, with `isVariable` false, the value
    /// that nothing more is known of: a result of a call, a parameter of a
    /// function that start-up calls in several places.
    Id base = None;
    bool isVariable = false;
    /// From there: Member, Index, Load.
    std::vector<const Constraint *> steps;

    /// Members up to the first pointer that is followed.
    std::vector<Id> fields() const;
    /// Behind that, up to the next.
    std::vector<Id> fieldsBehind() const;
    const Constraint *firstLoad() const;
  };
  /// Where `address`, of the function at the end of the chain, leads. Who
  /// stands at its beginning is called as the only call at start-up says. A
  /// member of a variable to which one address alone is given, .list = &all, is
  /// left for that.
  Place at(Id address, Id chain) const;
  /// server.tables->list.first
  std::string nameOf(const Place &place) const;

private:
  struct Link {
    Id call, caller;
  };
  bool isParameter(Id node) const;
  Id startUpCall(Id function) const;
  Id pointsTo(Id variable, const std::vector<Id> &fields) const;

  const SolveContext &c_;
  const Program &p_;
  std::vector<Link> links_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STARTUP_CHAINPATHS_H
