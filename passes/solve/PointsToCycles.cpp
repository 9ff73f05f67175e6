//===- PointsToCycles.cpp - In what order the flow is followed ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nodes that copy to each other in a circle hold the same set, and going round
// is what makes large programs slow. Now and then the circles that have come up
// are merged (Hardekopf and Lin, PLDI 2007: it need not be done at each edge),
// and what is pending is taken in topological order of the rest (Pereira and
// Berlin, CGO 2009).
//
//===----------------------------------------------------------------------===//

#include "passes/solve/PointsTo.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

Id PointsTo::find(Id node) const {
  while (parent_[node] != node)
    node = parent_[node] = parent_[parent_[node]];
  return node;
}

void PointsTo::push(Id node) { work_.push({order_[node], node}); }

Id PointsTo::pop() {
  Id n = work_.top().second;
  work_.pop();
  return find(n);
}

void PointsTo::merge(Id into, Id from) {
  parent_[from] = into;
  sets_[into] |= sets_[from];
  // Each side's watches have seen only what that side held.
  pending_[into] = sets_[into];
  sets_[from].clear();
  pending_[from].clear();
  watches_[into].append(watches_[from].begin(), watches_[from].end());
  out_[into].append(out_[from].begin(), out_[from].end());
  watches_[from].clear();
  out_[from].clear();
}

// Tarjan's algorithm without recursion. Only nodes with the same filter hold
// the same set.
void PointsTo::collapseCycles() {
  struct Frame {
    Id node;
    size_t next;
  };
  const Id count = sets_.size();
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
  auto alike = [&](Id a, Id b) {
    return filter_[a] == filter_[b] && plainNumber_[a] == plainNumber_[b];
  };
  for (Id start = 0; start < count; ++start) {
    if (index[start] || find(start) != start || out_[start].empty())
      continue;
    enter(start);
    while (!frames.empty()) {
      Id n = frames.back().node;
      if (frames.back().next < out_[n].size()) {
        Id to = find(out_[n][frames.back().next++]);
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
  for (auto [into, from] : merges)
    merge(into, from);
  for (auto &targets : out_) {
    for (Id &to : targets)
      to = find(to);
    llvm::sort(targets);
    targets.erase(llvm::unique(targets), targets.end());
  }
  work_ = {};
  for (Id n = 0; n < count; ++n)
    if (!pending_[n].empty())
      push(n);
  nextCollapse_ = propagations_ + std::max<uint64_t>(50000, edges_.size() * 2);
}
