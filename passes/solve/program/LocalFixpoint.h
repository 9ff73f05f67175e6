//===- LocalFixpoint.h - What each value of a function is -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_PROGRAM_LOCALFIXPOINT_H
#define NVMOVE_PASSES_SOLVE_PROGRAM_LOCALFIXPOINT_H

#include "passes/facts/IdSet.h"
#include "passes/solve/program/Program.h"

namespace nvmove {

/// Settles in `places` what every value is that the function defines.
/// `start(node)` is what it is before its definitions are looked at,
/// `follow(constraint)` what the constraint makes of its source, and
/// `join(a, b)` what may be either.
template <class Place, class Start, class Join, class Follow>
void settlePlaces(const Program &program, Id function, IdMap<Place> &places,
                  Start start, Join join, Follow follow) {
  std::vector<Id> flows;
  for (Id i : program.constraintsOf(function)) {
    const Constraint &c = program.facts.constraints[i];
    if (c.flow == Flow::Store || c.flow == Flow::CopyMemory || c.src == None ||
        c.dst == None)
      continue;
    flows.push_back(i);
    places[c.dst] = start(c.dst);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (Id i : flows) {
      const Constraint &c = program.facts.constraints[i];
      Place &to = places[c.dst], was = to;
      to = join(to, follow(c));
      changed |= to != was;
    }
  }
}

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_PROGRAM_LOCALFIXPOINT_H
