//===- TableElements.h - What is taken out of a table? ----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static struct table *engines;          struct engine *e = find(engines, s);
//
// All tables of a program are one to points-to where one set of functions
// handles them. What the elements of this one are is said where code that names
// it makes a pointer to a record of what comes out as a pointer to anything.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_CONTENTS_TABLEELEMENTS_H
#define NVMOVE_PASSES_SOLVE_CONTENTS_TABLEELEMENTS_H

#include "passes/facts/IdSet.h"
#include "passes/solve/state/LoadedState.h"
#include <set>

namespace nvmove {

class TableElements {
public:
  explicit TableElements(const SolveContext &context)
      : c_(context), p_(context.program), f_(context.program.facts) {}

  /// Records as which what the load runs takes something out of what a static
  /// slot leads to. None where it may put a pointer there, sets the slot, or
  /// hands on its address.
  IdSet takenOut(const Root &root);

private:
  bool find(const Root &root);
  bool isSetByLoad(const Root &root) const;
  bool isAddressKept(Id field);
  bool follow(Id function, IdSet inside);
  bool spread(Id function, IdSet &inside);
  bool spreadBack(Id address, IdSet &inside) const;
  bool spreadInto(const Call &call, IdSet &inside);
  bool putsInto(Id function, const IdSet &inside) const;
  bool isReached(Id function) const {
    return function != None && c_.pointsTo.reached().contains(function);
  }
  bool isPlain(Id type) const;
  bool isParameter(Id node, Id function) const;

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  IdMap<IdSet> seeds_;                          ///< by function
  std::set<std::pair<Id, std::vector<Id>>> at_; ///< functions, parameters
  IdSet found_;                                 ///< records
  IdSet kept_; ///< fields whose address is, and None, once it was asked
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_CONTENTS_TABLEELEMENTS_H
