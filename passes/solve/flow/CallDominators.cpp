//===- CallDominators.cpp - Which function every path goes through -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/unit/solve/sections/SectionsTest.cpp
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/CallDominators.h"
#include "passes/facts/IdSet.h"
#include "passes/solve/program/Dominators.h"

using namespace nvmove;

CallDominators::CallDominators(const Program &program, const FieldFlow &flow,
                               const std::vector<Id> &entryCalls) {
  std::vector<Id> functions{None}; // node -> function; node 0 is the entry
  std::vector<std::vector<Id>> successors(1);
  IdMap<Id> nodes;
  auto follow = [&](Id from, const std::vector<Id> &calls) {
    for (Id c : calls)
      for (Id fn : flow.callees(c)) {
        if (!program.facts.functions[fn].hasBody)
          continue;
        auto [at, fresh] = nodes.try_emplace(fn, functions.size());
        if (fresh) {
          functions.push_back(fn);
          successors.emplace_back();
        }
        successors[from].push_back(at->second);
      }
  };
  follow(0, entryCalls);
  for (Id n = 1; n < functions.size(); ++n)
    follow(n, program.callsOf(functions[n]));
  Dominators dominators(successors);
  for (Id n : dominators.order())
    if (n != 0) {
      order_.push_back(functions[n]);
      immediate_[functions[n]] = functions[dominators.immediate(n)];
    }
}

Id CallDominators::immediate(Id function) const {
  auto at = immediate_.find(function);
  return at == immediate_.end() ? None : at->second;
}
