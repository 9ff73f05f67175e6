//===- Components.h - Strongly connected components of a graph --*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_PROGRAM_COMPONENTS_H
#define NVMOVE_PASSES_SOLVE_PROGRAM_COMPONENTS_H

#include "passes/facts/Facts.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace nvmove {

/// Tarjan's algorithm without recursion: visit(nodes) for each component, after
/// all that it leads to. The last of its nodes is the one that was met first.
///
/// `successor(node, i)` is the i-th of a node, or None after the last; the node
/// itself stands for nothing. The walk begins at the nodes below `count` for
/// which `begins(node)` holds.
template <class Begins, class Successor, class Visit>
void eachComponent(Id count, Begins begins, Successor successor, Visit visit) {
  struct Frame {
    Id node;
    size_t next;
  };
  std::vector<Id> index(count, 0), low(count, 0), stack, members;
  std::vector<bool> onStack(count, false);
  std::vector<Frame> frames;
  Id clock = 0;
  auto enter = [&](Id n) {
    index[n] = low[n] = ++clock;
    stack.push_back(n);
    onStack[n] = true;
    frames.push_back({n, 0});
  };
  for (Id start = 0; start < count; ++start) {
    if (index[start] || !begins(start))
      continue;
    enter(start);
    while (!frames.empty()) {
      const Id n = frames.back().node, to = successor(n, frames.back().next++);
      if (to != None) {
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
      members.clear();
      do {
        members.push_back(stack.back());
        onStack[stack.back()] = false;
        stack.pop_back();
      } while (members.back() != n);
      visit(llvm::ArrayRef<Id>(members));
    }
  }
}

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_PROGRAM_COMPONENTS_H
