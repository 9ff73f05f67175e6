//===- StaticReads.cpp - Which statics are read, and told ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/scalars/ChangedWithState-answered.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/scalars/StaticReads.h"
#include "passes/solve/program/Library.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

void StaticReads::collect(const IdSet &functions) {
  auto read = [&](const StaticPlace &place) { read_.insert(place); };
  for (Id function : functions) {
    for (Id i : p_.constraintsOf(function))
      if (const Constraint &c = f_.constraints[i];
          c.flow == Flow::Load || c.flow == Flow::CopyMemory)
        joint_.eachStatic(c.src, read);
    for (Id i : p_.callsOf(function)) {
      const Call &call = f_.calls[i];
      const llvm::SmallVector<int, 8> filled = argumentsFilled(p_, call);
      const bool isAnswer = answers(call);
      for (size_t k = 0; k < call.args.size(); ++k) {
        if (call.args[k] == None)
          continue;
        if (!llvm::is_contained(filled, int(k)))
          joint_.eachStatic(call.args[k], read);
        if (isAnswer)
          eachRead(call.args[k],
                   [&](const StaticPlace &p) { answered_.insert(p); });
      }
    }
  }
}

/// printf("%d", n)
bool StaticReads::answers(const Call &call) {
  const LibraryFunction *l = p_.library(call);
  if (!l)
    l = call.callee == None ? nullptr
                            : libraryEntry(f_.functions[call.callee].name);
  if (!l || l->printsTo == -1 || l->kind == LibraryFunction::Output)
    return false;
  return l->printsTo == LibraryFunction::StandardStream ||
         (size_t(l->printsTo) < call.args.size() &&
          streams_.of(call, unsigned(l->printsTo)).answers());
}

/// Of what the value is a copy.
void StaticReads::eachRead(Id value, See see) const {
  const Program::Read from = p_.readFrom(value);
  if (from.variable != None)
    see({from.variable, {}});
  else if (from.address != None)
    joint_.eachStatic(from.address, see);
}
