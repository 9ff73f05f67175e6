//===- SetFlow.cpp - Sets that flow from node to node ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/SetFlow.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

void SetFlow::resize(size_t nodes) {
  sets_.resize(nodes);
  pending_.resize(nodes);
  out_.resize(nodes);
  order_.resize(nodes);
}

Id SetFlow::addNode() {
  sets_.push_back(Ref::Empty);
  pending_.push_back(Ref::Empty);
  out_.emplace_back();
  return order_.add();
}

bool SetFlow::connect(Id from, Id to) {
  from = find(from);
  to = find(to);
  if (from == to || !edges_.insert({from, to}).second)
    return false;
  out_[from].push_back(to);
  return true;
}

void SetFlow::gain(Id node, Ref what) {
  sets_[node] = pool_.unite(sets_[node], what);
  if (pending_[node] == Ref::Empty)
    order_.push(node);
  pending_[node] = pool_.unite(pending_[node], what);
}

void SetFlow::unify(Id into, Id from, llvm::function_ref<void(Id, Id)> merge) {
  into = find(into);
  from = find(from);
  if (into == from)
    return;
  bool isDone = sets_[into] == sets_[from] && pending_[into] == Ref::Empty &&
                pending_[from] == Ref::Empty;
  order_.join(out_, into, from);
  merge(into, from);
  sets_[into] = pool_.unite(sets_[into], sets_[from]);
  if (!isDone) {
    // Each side has passed on only what it held itself.
    pending_[into] = sets_[into];
    order_.push(into);
  }
  sets_[from] = pending_[from] = Ref::Empty;
}

bool SetFlow::tidy(llvm::function_ref<bool(Id, Id)> alike,
                   llvm::function_ref<void(Id, Id)> merge) {
  if (order_.isDue())
    order_.collapse(
        out_, edges_.size(), alike,
        [&](Id into, Id from) {
          sets_[into] = pool_.unite(sets_[into], sets_[from]);
          // Each side has passed on only what it held itself.
          pending_[into] = sets_[into];
          sets_[from] = pending_[from] = Ref::Empty;
          merge(into, from);
        },
        [&](Id n) { return pending_[n] != Ref::Empty; });
  if (!pool_.isDue())
    return false;
  sweep();
  return true;
}

void SetFlow::sweep() {
  pool_.sweep([&](llvm::function_ref<void(Ref)> keep) {
    llvm::for_each(sets_, keep);
    llvm::for_each(pending_, keep);
  });
}

void SetFlow::finish() {
  sweep();
  pending_ = {};
  out_ = {};
  edges_ = {};
}
