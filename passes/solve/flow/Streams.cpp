//===- Streams.cpp - Who reads what stdio writes --------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/Streams.h"

using namespace nvmove;

Stream Streams::of(const Call &call, unsigned index) {
  const Facts &f = p_.facts;
  Stream s;
  if (index >= call.args.size() || call.args[index] == None) {
    s.out = true;
    return s;
  }
  auto [at, fresh] = known_.try_emplace(call.args[index]);
  if (!fresh)
    return at->second;
  for (const ValueOrigins::Origin &o : origins_.ofVariable(call.args[index])) {
    Id callee = o.call == None ? None : f.calls[o.call].callee;
    bool file = callee != None && hasTrait(f.functions[callee].name,
                                           LibraryFunction::OpensStream);
    s.file |= file;
    s.other |= !file;
  }
  for (const auto &[variable, from] : origins_.outside()) {
    llvm::StringRef name = f.nodes[variable].name;
    s.in |= name == "stdin";
    s.out |= name == "stdout";
    s.file |= name == "stderr";
  }
  s.other |= !s.in && !s.out && !s.file;
  return at->second = s;
}

bool Streams::letOut(const Call &call) {
  const LibraryFunction *l = p_.library(call);
  return l && l->kind == LibraryFunction::Output &&
         (l->printsTo < 0 || of(call, l->printsTo).answers());
}
