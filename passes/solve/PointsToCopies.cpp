//===- PointsToCopies.cpp - Records that are copied whole ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/PointsTo.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

void PointsTo::copy(Id dst, Id src) {
  copyings_.emplace_back();
  Id copying = copyings_.size() - 1;
  watch(dst, {Use::CopyTo, copying, None});
  watch(src, {Use::CopyFrom, copying, None});
}

void PointsTo::copyElsewhere(Id copying) {
  copyings_[copying].fromElsewhere = true;
  for (Id target : std::vector<Id>(copyings_[copying].targets))
    spoil(location(target, None));
}

// One hub per copied field: a copy between m targets and n sources costs m + n
// edges instead of m * n.
void PointsTo::joinCopy(Id copying, Id l, bool isSource) {
  const Location at = locations_[l];
  if (isScalarField(at.field)) {
    joinHub(copying, None, l, isSource);
    return;
  }
  auto &watching = copyWatch_[at.object];
  if (llvm::is_contained(watching, std::pair<Id, bool>{copying, isSource}))
    return;
  watching.push_back({copying, isSource});
  if (!isSource) {
    copyings_[copying].targets.push_back(at.object);
    if (copyings_[copying].fromElsewhere)
      spoil(l);
    std::vector<Id> keys;
    for (auto &[key, node] : copyings_[copying].hubs)
      keys.push_back(key);
    for (Id key : keys)
      if (admitsCell(at.object, key))
        location(at.object, key);
  }
  std::vector<Id> existing = byObject_[at.object];
  for (Id cell : existing)
    copyCell(copying, cell, isSource);
  // What the source held before is copied too.
  if (isSource && objects_[at.object].record != None &&
      objects_[at.object].kind != Object::Heap)
    for (Id cell : scalarCells(objects_[at.object].record))
      location(at.object, cell);
}

void PointsTo::copyCell(Id copying, Id l, bool isSource) {
  Id key = locations_[l].field;
  if (key != None && p_.recordOf(p_.facts.fields[key].type) != None)
    return; // an embedded record: its own fields are copied
  if (!joinHub(copying, key, l, isSource) || !isSource)
    return;
  std::vector<Id> targets = copyings_[copying].targets;
  for (Id target : targets)
    if (admitsCell(target, key))
      location(target, key);
}

/// True when it is the first location that is joined to this hub.
bool PointsTo::joinHub(Id copying, Id key, Id l, bool isSource) {
  auto [hub, fresh] = copyings_[copying].hubs.try_emplace(key, None);
  if (fresh)
    hub->second = newNode(None);
  Id node = hub->second;
  if (isSource) {
    materialise(l);
    edge(contents_[l], node);
  } else {
    edge(node, contents_[l]);
  }
  return fresh;
}

/// The cells of a record's fields, and of those of the records inside it.
llvm::SmallVector<Id, 16> PointsTo::scalarCells(Id record) const {
  llvm::SmallVector<Id, 16> cells;
  llvm::SmallVector<Id, 8> records{record};
  for (size_t i = 0; i < records.size(); ++i)
    for (Id field : p_.facts.records[records[i]].fields)
      if (Id inner = p_.recordOf(p_.facts.fields[field].type); inner != None)
        records.push_back(inner);
      else
        cells.push_back(p_.facts.fields[field].cell);
  return cells;
}

bool PointsTo::copiesOntoItself(const Constraint &c) const {
  // d->ht[0] = d->ht[1]: arrays collapse, so nothing moves; taken as a copy it
  // would mix every d with every other.
  auto describe = [&](Id node) {
    std::pair<Id, llvm::SmallVector<Id, 4>> result{None, {}};
    for (unsigned depth = 0; depth < 16 && node != None; ++depth) {
      Id d = p_.facts.nodes[node].kind == NodeKind::Temp ? p_.definition(node)
                                                         : None;
      if (d == None)
        break;
      const Constraint &q = p_.facts.constraints[d];
      if (q.flow == Flow::Member)
        result.second.push_back(q.extra);
      else if (q.flow != Flow::Index && q.flow != Flow::Copy &&
               q.flow != Flow::Cast && q.flow != Flow::AddressOf)
        break;
      node = q.src;
    }
    result.first = node;
    return result;
  };
  return describe(c.dst) == describe(c.src);
}
