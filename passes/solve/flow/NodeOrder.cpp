//===- NodeOrder.cpp - Nodes that copy to each other in a circle ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/NodeOrder.h"
#include "passes/solve/program/Components.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

void NodeOrder::resize(size_t nodes) {
  while (parent_.size() < nodes)
    add();
}

Id NodeOrder::add() {
  parent_.push_back(parent_.size());
  order_.push_back(0);
  return parent_.size() - 1;
}

Id NodeOrder::find(Id node) const {
  while (parent_[node] != node)
    node = parent_[node] = parent_[parent_[node]];
  return node;
}

Id NodeOrder::pop() {
  Id n = work_.top().second;
  work_.pop();
  return find(n);
}

std::vector<std::pair<Id, Id>>
NodeOrder::circles(const Edges &out, llvm::function_ref<bool(Id, Id)> alike) {
  std::vector<std::pair<Id, Id>> merges;
  Id finished = parent_.size();
  eachComponent(
      finished, [&](Id n) { return find(n) == n && !out[n].empty(); },
      [&](Id n, size_t i) {
        if (i == out[n].size())
          return None;
        const Id to = find(out[n][i]);
        return alike(n, to) ? to : n;
      },
      [&](llvm::ArrayRef<Id> members) {
        --finished;
        for (Id member : members)
          order_[member] = finished;
        for (Id member : members.drop_back())
          merges.push_back({members.back(), member});
      });
  return merges;
}

void NodeOrder::join(Edges &out, Id into, Id from) {
  parent_[from] = into;
  out[into].append(out[from].begin(), out[from].end());
  out[from] = {};
}

void NodeOrder::collapse(Edges &out, size_t edges,
                         llvm::function_ref<bool(Id, Id)> alike,
                         llvm::function_ref<void(Id, Id)> merge,
                         llvm::function_ref<bool(Id)> isPending) {
  for (auto [into, from] : circles(out, alike)) {
    join(out, into, from);
    merge(into, from);
  }
  for (auto &targets : out) {
    for (Id &to : targets)
      to = find(to);
    llvm::sort(targets);
    targets.erase(llvm::unique(targets), targets.end());
  }
  work_ = {};
  for (Id n = 0; n < parent_.size(); ++n)
    if (find(n) == n && isPending(n))
      push(n);
  next_ = propagations_ + std::max<uint64_t>(50000, edges * 2);
}
