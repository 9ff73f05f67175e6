//===- SelfLinkedHeads.cpp - Circular lists that start-up leaves empty ----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/pointsto/EmptyRings-empty_ring.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/nullness/PreLoadNullness.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

/// Functions that run before the load, or that something calls which does.
IdSet PreLoadNullness::beforeLoad(const std::vector<Id> &load) const {
  std::vector<Id> first;
  for (Id fn : early_)
    if (!loading_.contains(fn) || byLibrary_.contains(fn))
      first.push_back(fn);
  return CallGraph(p_, flow_)
      .reach(first, {.follows =
                         [&](Id call) {
                           return !late_.contains(call) &&
                                  !loop_.leadsToLoad(call, load);
                         },
                     .enters = [&](Id fn) { return early_.contains(fn); }})
      .set();
}

void PreLoadNullness::findSelfLinked(const std::vector<Id> &load) {
  const Facts &f = p_.facts;
  IdMap<Id> addresses, members; // nodes -> the variable
  IdSet others;
  // Initialisers are constants, in the order in which they are evaluated.
  for (Id i : p_.constraintsOf(None)) {
    const Constraint &c = f.constraints[i];
    Id at = addresses.contains(c.src) ? addresses[c.src] : None,
       to = members.contains(c.dst) ? members[c.dst] : None;
    if (c.flow == Flow::AddressOf && f.nodes[c.src].kind == NodeKind::Global) {
      addresses[c.dst] = c.src;
    } else if (c.flow == Flow::Member && at != None) {
      members[c.dst] = at;
    } else if (c.flow == Flow::Store && at != None && at == to) {
      selfLinked_.insert(at);
    } else { // it is told of elsewhere, or leads elsewhere
      others.insert(at);
      others.insert(to);
      if (members.contains(c.src))
        others.insert(members[c.src]);
    }
  }
  if (selfLinked_.empty())
    return;
  const IdSet before = beforeLoad(load);
  auto name = [&](Id variable, Id function) {
    if (function != None && before.contains(function))
      others.insert(variable);
  };
  for (const Constraint &c : f.constraints) {
    name(c.src, c.function);
    name(c.dst, c.function);
  }
  for (const StaticWrite &w : f.staticWrites)
    name(w.variable, w.function);
  for (Id variable : std::vector<Id>(selfLinked_.begin(), selfLinked_.end())) {
    const Node &n = f.nodes[variable];
    if (others.contains(variable) || !n.isDefined || n.isThreadLocal ||
        p_.kind(n.type) != TypeKind::Record)
      selfLinked_.erase(variable);
  }
}
