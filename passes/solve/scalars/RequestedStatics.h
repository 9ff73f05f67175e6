//===- RequestedStatics.h - Statics that come back on request --*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   --keep added,history     these, with what they lead to
//   --keep-all               all that handlers change
//
// What the rules say ends with the process does not come back: a descriptor, a
// pointer that may lead to a stream or to what start-up makes. What no root can
// be is reported.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SCALARS_REQUESTEDSTATICS_H
#define NVMOVE_PASSES_SOLVE_SCALARS_REQUESTEDSTATICS_H

#include "passes/solve/roots/StatePointers.h"

namespace nvmove {

class RequestedStatics {
public:
  using Parts = View<Types, ServedStatics>;
  /// `pointers` outlives this.
  RequestedStatics(const Parts &a, const StatePointers &pointers)
      : a_(a), c_(a.context), p_(c_.program), f_(p_.facts),
        pointers_(pointers) {}

  /// Where handlers change it.
  struct Change {
    Loc loc;
    Id function = None;
  };

  /// What the pointer leads to is made by handlers alone, for this, and may
  /// last.
  bool isOwn(const StaticPlace &place) const;
  void addRoot(const StaticPlace &place, const Change &change);
  /// A number, a text, or a pointer with what it leads to. False: the pointer
  /// may lead to what ends with the process.
  bool keep(const StaticPlace &place, const Change &change, Evidence why);
  /// The same of all parts of what was written there, and of the whole table
  /// that it is an element of.
  void keepAll(const StaticPlace &place, const Change &change);

private:
  void keepTable(const StaticPlace &place, size_t table, const Change &change);
  void reportNot(const StaticPlace &place, const Change &change,
                 const char *why);
  Id typeOf(const StaticPlace &place) const {
    return p_.typeOf(place.variable, place.path);
  }

  Parts a_;
  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const StatePointers &pointers_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SCALARS_REQUESTEDSTATICS_H
