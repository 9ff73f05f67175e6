//===- StatePointers.h - Statics that point to persistent objects -*- C++ -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static struct { struct job *first, **last; } out = {NULL, &out.first};
//
// The load does not fill it. Whether it may come back says what the whole
// program puts there: objects of the pool, links in them, or its own head.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_ROOTS_STATEPOINTERS_H
#define NVMOVE_PASSES_SOLVE_ROOTS_STATEPOINTERS_H

#include "passes/solve/state/Analysis.h"
#include <set>

namespace nvmove {

/// As far as types and roots are known when it is asked; lists, when it is
/// made.
class StatePointers {
public:
  using Parts = View<const MarkedTypes, const JudgedStatics>;
  explicit StatePointers(const Parts &a);

  /// To persistent objects, or links in them, and to nothing else, but for the
  /// head where it is a link.
  bool leadsToState(const StaticPlace &place) const;
  /// The head of a list that objects of the load are moved to, or the address
  /// of its last link.
  bool isOfFilledList(const StaticPlace &place) const;
  /// The pointers to persistent objects, and to links, in the record that the
  /// place is a member of: head and tail.
  std::vector<StaticPlace> besides(const StaticPlace &place) const;

private:
  Id pointee(const StaticPlace &place) const;
  bool isLink(const StaticPlace &place) const;
  Id objectBehind(Id type) const;
  bool holdsAnything(Id record) const;
  bool isLinkOrHead(const FieldFlow::Token &token, const StaticPlace &place,
                    Id record) const;

  Parts a_;
  const SolveContext &c_;
  const Program &p_;
  std::set<StaticPlace> filled_; ///< heads
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_ROOTS_STATEPOINTERS_H
