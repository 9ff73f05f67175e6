//===- CalleeSets.cpp - Calls that lead to the same functions -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/CalleeSets.h"
#include "passes/solve/program/Components.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

Id FunctionSets::of(std::vector<Id> functions) {
  if (auto at = numbers_.find(functions); at != numbers_.end())
    return at->second;
  sets_.push_back(std::move(functions));
  const Id number = sets_.size() - 1;
  numbers_[sets_.back()] = number; // a deque moves nothing
  return number;
}

CalleeSets::CalleeSets(const Program &program, const FieldFlow &flow)
    : functions_(program.facts.functions.size()),
      setOf_(program.facts.calls.size(), None), calls_(functions_) {
  for (Id i = 0; i < setOf_.size(); ++i) {
    const Call &c = program.facts.calls[i];
    std::vector<Id> callees;
    for (Id callee : flow.callees(i))
      if (program.facts.functions[callee].hasBody &&
          program.takesArgumentsOf(callee, c))
        callees.push_back(callee);
    if (callees.empty())
      continue;
    setOf_[i] = sets_.of(std::move(callees));
    if (c.function != None)
      calls_[c.function].push_back(nodeOf(setOf_[i]));
  }
  for (std::vector<Id> &called : calls_) {
    llvm::sort(called);
    called.erase(llvm::unique(called), called.end());
  }
}

std::vector<std::vector<Id>> CalleeSets::components() const {
  std::vector<std::vector<Id>> result;
  eachComponent(
      Id(nodes()), [](Id) { return true; },
      [&](Id node, size_t i) {
        return i < below(node).size() ? below(node)[i] : None;
      },
      [&](llvm::ArrayRef<Id> nodes) { result.push_back(nodes.vec()); });
  return result;
}
