//===- Dominators.cpp - Which node every path goes through ------ ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/program/Dominators.h"
#include <algorithm>

using namespace nvmove;

Dominators::Dominators(const std::vector<std::vector<Id>> &successors)
    : position_(successors.size(), None) {
  // Depth first without recursion: call graphs are deep.
  std::vector<bool> seen(successors.size());
  std::vector<std::pair<Id, size_t>> stack{{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    auto &[node, at] = stack.back();
    if (at == successors[node].size()) {
      order_.push_back(node);
      stack.pop_back();
      continue;
    }
    Id next = successors[node][at++];
    if (!seen[next]) {
      seen[next] = true;
      stack.push_back({next, 0});
    }
  }
  std::reverse(order_.begin(), order_.end());
  for (Id i = 0; i < order_.size(); ++i)
    position_[order_[i]] = i;
  std::vector<std::vector<Id>> predecessors(order_.size());
  for (Id i = 0; i < order_.size(); ++i)
    for (Id next : successors[order_[i]])
      predecessors[position_[next]].push_back(i);
  idom_.assign(order_.size(), None);
  idom_[0] = 0;
  auto meet = [&](Id a, Id b) {
    while (a != b)
      (a > b ? a : b) = idom_[std::max(a, b)];
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Id n = 1; n < idom_.size(); ++n) {
      Id best = None;
      for (Id p : predecessors[n])
        if (idom_[p] != None)
          best = best == None ? p : meet(best, p);
      changed |= best != idom_[n];
      idom_[n] = best;
    }
  }
}

Id Dominators::immediate(Id node) const {
  Id at = position_[node];
  return at == None || at == 0 ? None : order_[idom_[at]];
}
