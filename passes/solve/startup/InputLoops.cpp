//===- InputLoops.cpp - Loops that wait for input -------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/startup/ExitTeardown-goes_on.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/startup/InputLoops.h"
#include "passes/solve/flow/CallGraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

InputLoops::InputLoops(const SolveContext &context)
    : p_(context.program), f_(p_.facts), main_(context.loop) {
  auto reads = [&](const Call &c) {
    return p_.isLibrary(c, LibraryFunction::Input) ||
           p_.isLibrary(c, LibraryFunction::Wait) ||
           p_.hasTraitOf(c, LibraryFunction::MainLoop);
  };
  std::vector<Id> functions;
  for (const Call &c : f_.calls)
    if (c.function != None && reads(c))
      functions.push_back(c.function);
  const IdSet below = CallGraph(p_, context.flow)
                          .reachedBy(functions, {.pointers = false})
                          .set();
  for (Id i = 0; i < f_.calls.size(); ++i) {
    const Call &c = f_.calls[i];
    const bool isInput =
        reads(c) || (c.callee != None && below.contains(c.callee));
    for (Id loop = c.loop; loop != None; loop = f_.loops[loop].parent) {
      if (isInput)
        reading_.insert(loop);
      if (!p_.isDeadEnd(i))
        returning_.insert(loop);
    }
  }
}

bool InputLoops::goesRound(Id call, Id loop) const {
  if (p_.isDeadEnd(call) && returning_.contains(loop))
    return false;
  // for (;;) { if (is_end) { free_all(); exit(0); } .. }
  return !p_.endsAfter(call, [&](const Call &end) {
    return end.loop != None && main_.within(end.loop, loop);
  });
}

bool InputLoops::repeats(Id call, const std::vector<Id> &from) const {
  for (Id loop = f_.calls[call].loop; loop != None;
       loop = f_.loops[loop].parent)
    if (reading_.contains(loop) && goesRound(call, loop) &&
        llvm::none_of(from, [&](Id i) {
          return f_.calls[i].loop != None &&
                 main_.within(f_.calls[i].loop, loop);
        }))
      return true;
  return false;
}
