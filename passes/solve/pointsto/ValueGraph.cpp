//===- ValueGraph.cpp - Nodes, what they may hold, and what that sets off -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/ValueGraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

ValueGraph::ValueGraph(const PointsToInput &input, Rules &rules)
    : in_(input), rules_(rules), records_(input.text.records()),
      plainNumber_(input.text.plainNumbers()) {
  const size_t nodes = in_.program.facts.nodes.size();
  resize(nodes);
  watches_.resize(nodes);
}

Id ValueGraph::newNode(Id record) {
  watches_.emplace_back();
  records_.push_back(record);
  plainNumber_.push_back(false);
  copies_.push_back(None);
  return addNode();
}

Id ValueGraph::newMarks() {
  Id marks = newNode(None);
  plainNumber_[marks] = true;
  return marks;
}

Id ValueGraph::copyOf(Id text) {
  Id copy = newNode(records_[text]);
  plainNumber_[copy] = plainNumber_[text];
  copies_.back() = text;
  return copy;
}

void ValueGraph::add(Id node, Ref what) {
  node = find(node);
  Ref fresh = pool_.subtract(what, sets_[node]);
  if (fresh == Ref::Empty)
    return;
  if (plainNumber_[node]) {
    Set marks = pool_[fresh];
    marks &= marks_;
    fresh = pool_.of(std::move(marks));
  } else if (records_[node] != None) {
    fresh = rules_.admitted(records_[node], fresh);
    if (strict_.contains(node) && !pool_[what].test(mistyped_))
      fresh = pool_.subtract(fresh, pool_.of(mistyped_));
    fresh = pool_.subtract(fresh, sets_[node]);
  }
  if (fresh == Ref::Empty)
    return;
  gain(node, fresh);
}

void ValueGraph::edge(Id from, Id to) {
  if (from == None || to == None || !connect(from, to))
    return;
  rules_.prepare(from);
  rules_.written(to);
  if (sets_[find(from)] != Ref::Empty)
    fresh_.push_back({from, to});
}

void ValueGraph::watch(Id node, Watch w) {
  if (node == None)
    return;
  rules_.prepare(node);
  node = find(node);
  watches_[node].push_back(w);
  rules_.apply(w, sets_[node]);
}

void ValueGraph::mergeWatches(Id into, Id from) {
  if (watches_[from].empty())
    return;
  watches_[into].append(watches_[from].begin(), watches_[from].end());
  watches_[from] = {};
  crowded_.push_back(into);
}

void ValueGraph::unify(Id into, Id from) {
  SetFlow::unify(into, from,
                 [&](Id into, Id from) { mergeWatches(into, from); });
}

/// Nodes have become one, so what is read through them has.
void ValueGraph::unifyWatchers() {
  while (!crowded_.empty()) {
    Id n = find(crowded_.back());
    crowded_.pop_back();
    unifyWatchersOf(n);
  }
}

void ValueGraph::unifyWatchersOf(Id node) {
  using Use = Watch::Use;
  std::map<std::tuple<Use, Id, bool, Id>, Id> first;
  Copyings copied;
  std::vector<std::pair<Id, Id>> same;
  llvm::erase_if(watches_[node], [&](const Watch &w) {
    if (w.use == Use::CopyTo || w.use == Use::CopyFrom)
      return rules_.isRepeated(w.other, copied);
    if (w.use != Use::Load && w.use != Use::Member && w.use != Use::Store)
      return false;
    const Id text = textOf(w.other);
    bool isHub = text == None;
    if (!isHub && !in_.isDefinedOnce(text))
      return false;
    auto [at, fresh] =
        first.try_emplace({w.use, w.extra, isHub,
                           isHub ? None : in_.program.facts.nodes[text].type},
                          w.other);
    if (!fresh)
      same.push_back({at->second, w.other});
    return !fresh;
  });
  for (auto [into, from] : same)
    unify(into, from);
}

void ValueGraph::eachFlow(
    const Set &among,
    llvm::function_ref<void(Id to, Id record, Set what)> see) {
  for (Id n = 0; n < sets_.size(); ++n) {
    if (find(n) != n || !pool_[sets_[n]].intersects(among))
      continue;
    Set what = pool_[sets_[n]];
    what &= among;
    for (size_t i = 0; i < out_[n].size(); ++i)
      if (Id to = find(out_[n][i]); records_[to] != None && !plainNumber_[to])
        see(to, records_[to], what);
  }
}

bool ValueGraph::step() {
  // Only nodes that admit the same hold the same set.
  if (tidy([&](Id a, Id b) { return areAlike(a, b); },
           [&](Id into, Id from) { mergeWatches(into, from); }))
    rules_.forget();
  unifyWatchers();
  if (!fresh_.empty()) {
    auto [from, to] = fresh_.back();
    fresh_.pop_back();
    add(to, sets_[find(from)]);
    return true;
  }
  if (order_.empty())
    return false;
  ++iterations_;
  Id n = order_.pop();
  Ref now = take(n);
  for (size_t i = 0; i < watches_[n].size(); ++i) {
    Watch w = watches_[n][i];
    rules_.apply(w, now);
  }
  order_.passed(out_[n].size());
  for (size_t i = 0; i < out_[n].size(); ++i)
    add(out_[n][i], now);
  return true;
}
