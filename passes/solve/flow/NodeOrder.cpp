//===- NodeOrder.cpp - Nodes that copy to each other in a circle ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/NodeOrder.h"
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

/// Tarjan's algorithm without recursion.
std::vector<std::pair<Id, Id>>
NodeOrder::circles(const Edges &out, llvm::function_ref<bool(Id, Id)> alike) {
  struct Frame {
    Id node;
    size_t next;
  };
  const Id count = parent_.size();
  std::vector<Id> index(count, 0), low(count, 0), stack;
  std::vector<bool> onStack(count, false);
  std::vector<std::pair<Id, Id>> merges;
  std::vector<Frame> frames;
  Id clock = 0, finished = count;
  auto enter = [&](Id n) {
    index[n] = low[n] = ++clock;
    stack.push_back(n);
    onStack[n] = true;
    frames.push_back({n, 0});
  };
  for (Id start = 0; start < count; ++start) {
    if (index[start] || find(start) != start || out[start].empty())
      continue;
    enter(start);
    while (!frames.empty()) {
      Id n = frames.back().node;
      if (frames.back().next < out[n].size()) {
        Id to = find(out[n][frames.back().next++]);
        if (to == n || !alike(n, to))
          continue;
        if (!index[to])
          enter(to);
        else if (onStack[to])
          low[n] = std::min(low[n], index[to]);
        continue;
      }
      frames.pop_back();
      if (!frames.empty())
        low[frames.back().node] = std::min(low[frames.back().node], low[n]);
      if (low[n] != index[n])
        continue;
      --finished;
      for (Id member = None; member != n;) {
        member = stack.back();
        stack.pop_back();
        onStack[member] = false;
        order_[member] = finished;
        if (member != n)
          merges.push_back({n, member});
      }
    }
  }
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
