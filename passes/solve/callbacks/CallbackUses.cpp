//===- CallbackUses.cpp - Who names what, in the whole program ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/callbacks/PerObjectCallbacks-owned_callbacks.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/callbacks/CallbackUses.h"

using namespace nvmove;

CallbackUses::CallbackUses(const Program &program, const FieldFlow &flow,
                           const DefinitionIndex &values)
    : program(program), values(values) {
  const Facts &f = program.facts;
  for (const Function &fn : f.functions)
    params.insert(fn.params.begin(), fn.params.end());
  for (Id i = 0; i < f.calls.size(); ++i) {
    const Call &c = f.calls[i];
    for (Id callee : flow.callees(i)) {
      callersOf[callee].push_back(i);
      if (f.functions[callee].hasBody)
        continue;
      for (size_t k = 0; k < c.args.size(); ++k) {
        const Id a = c.args[k];
        if (a == None)
          continue;
        for (Id given : flow.functionsIn(flow.atNode(a)))
          givenAway.insert(given);
        if (program.libraryOf(callee) || c.argIsReadOnly[k])
          continue;
        for (Id n = a; n != None; n = program.copied(n))
          if (Id r = program.pointeeRecord(f.nodes[n].type); r != None)
            givenRecords.insert(r);
      }
    }
  }
  for (Id i = 0; i < f.constraints.size(); ++i) {
    const Constraint &c = f.constraints[i];
    if (c.flow == Flow::AddressOf && f.nodes[c.src].kind == NodeKind::Global)
      ofVariable[c.src].insert(c.function);
    else if (c.flow == Flow::Member)
      ofField[c.extra].insert(c.function);
    else if (c.flow == Flow::CopyMemory && c.dst != None)
      copies.push_back(i);
  }
}
