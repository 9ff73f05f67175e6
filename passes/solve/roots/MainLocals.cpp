//===- MainLocals.cpp - Locals of main in which state is kept ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/roots/MainLocals.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

using Object = PointsTo::Object;

bool MainLocals::canKeep(Id variable) {
  const Node &n = f_.nodes[variable];
  if (n.kind != NodeKind::Local || pt_.isHandedOver(variable) ||
      loop_.mains.size() != 1 || !loop_.frames.contains(n.function) ||
      !phases_.runsOnce(n.function))
    return false;
  const PointedTo &to = pointedTo();
  return (!to.byHeap.contains(variable) && !to.byLocals.contains(variable)) ||
         canBeFollowed(variable);
}

void MainLocals::follow(llvm::ArrayRef<Root> roots, std::vector<Twin> &twins) {
  IdSet withRoots, followed;
  for (const Twin &t : twins)
    followed.insert(t.variable);
  for (const Root &r : roots)
    if (r.kept())
      withRoots.insert(r.variable);
  const PointedTo &to = pointedTo();
  for (Id v = 0; v < f_.nodes.size(); ++v)
    if ((to.byHeap.contains(v) ||
         (to.byLocals.contains(v) && withRoots.contains(v))) &&
        canBeFollowed(v) && followed.insert(v).second)
      twins.push_back(
          {v, {}, None, /*isFollowed=*/true, "restored data point to it"});
}

bool MainLocals::isLocal(Id object) const {
  const Object &o = pt_.objects()[object];
  return o.kind == Object::Variable &&
         (f_.nodes[o.ref].kind == NodeKind::Local ||
          f_.nodes[o.ref].kind == NodeKind::Return);
}

/// By objects of the heap, or by records among locals themselves: pointers
/// are set by each start.
const MainLocals::PointedTo &MainLocals::pointedTo() {
  if (pointedTo_)
    return *pointedTo_;
  pointedTo_.emplace();
  for (Id o = 0; o < pt_.objects().size(); ++o) {
    bool isVariable = pt_.objects()[o].kind == Object::Variable;
    if (!s_.reachable(o) ||
        (isVariable && (!isLocal(o) || pt_.objects()[o].record == None)))
      continue;
    for (Id l : pt_.locationsOf(o))
      for (Id t : pt_.content(l))
        if (pt_.isMemory(t) && isLocal(pt_.locations()[t].object))
          (isVariable ? pointedTo_->byLocals : pointedTo_->byHeap)
              .insert(pt_.objects()[pt_.locations()[t].object].ref);
  }
  return *pointedTo_;
}

/// It is there before the pool is opened, which can then change the pointers
/// that lead to where it was in the last run.
bool MainLocals::canBeFollowed(Id variable) const {
  const Node &n = f_.nodes[variable];
  return n.kind == NodeKind::Local && p_.recordOf(n.type) != None &&
         loop_.mains.size() == 1 && n.function == loop_.mains.front() &&
         phases_.runsOnce(n.function) &&
         llvm::none_of(p_.callsOf(n.function),
                       [&](Id k) { return f_.calls[k].loc < n.loc; });
}
