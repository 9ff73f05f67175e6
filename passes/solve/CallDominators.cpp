//===- CallDominators.cpp - Which function every path goes through -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/CallDominators.h"
#include <algorithm>

using namespace nvmove;

CallDominators::CallDominators(const Program &program, const FieldFlow &flow,
                               const std::vector<Id> &entryCalls) {
  const Facts &f = program.facts;
  auto calleesOf = [&](const std::vector<Id> &calls) {
    std::vector<Id> result;
    for (Id c : calls)
      for (Id fn : flow.callees(c))
        if (f.functions[fn].hasBody)
          result.push_back(fn);
    return result;
  };
  // Depth first without recursion: call graphs are deep.
  struct Frame {
    Id function;
    std::vector<Id> next;
    size_t at = 0;
  };
  llvm::DenseSet<Id> seen;
  std::vector<Frame> stack{{None, calleesOf(entryCalls)}};
  while (!stack.empty()) {
    Frame &top = stack.back();
    if (top.at == top.next.size()) {
      if (top.function != None)
        order_.push_back(top.function);
      stack.pop_back();
      continue;
    }
    Id fn = top.next[top.at++];
    if (seen.insert(fn).second)
      stack.push_back({fn, calleesOf(program.callsOf(fn))});
  }
  std::reverse(order_.begin(), order_.end());
  for (size_t i = 0; i < order_.size(); ++i)
    number_[order_[i]] = i + 1;
  std::vector<std::vector<unsigned>> predecessors(order_.size() + 1);
  for (Id fn : calleesOf(entryCalls))
    predecessors[number_[fn]].push_back(0);
  for (Id fn : order_)
    for (Id callee : calleesOf(program.callsOf(fn)))
      predecessors[number_[callee]].push_back(number_[fn]);
  constexpr unsigned undefined = ~0u;
  idom_.assign(order_.size() + 1, undefined);
  idom_[0] = 0;
  auto meet = [&](unsigned a, unsigned b) {
    while (a != b)
      (a > b ? a : b) = idom_[std::max(a, b)];
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned n = 1; n < idom_.size(); ++n) {
      unsigned best = undefined;
      for (unsigned p : predecessors[n])
        if (idom_[p] != undefined)
          best = best == undefined ? p : meet(best, p);
      if (best != idom_[n]) {
        idom_[n] = best;
        changed = true;
      }
    }
  }
}

Id CallDominators::immediate(Id function) const {
  auto at = number_.find(function);
  if (at == number_.end() || idom_[at->second] == 0 || idom_[at->second] == ~0u)
    return None;
  return order_[idom_[at->second] - 1];
}
