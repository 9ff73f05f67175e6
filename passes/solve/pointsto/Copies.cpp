//===- Copies.cpp - Records that are copied whole ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/pointsto/PointsTo.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

/// record: what is copied as one; None for a number of bytes.
void PointsTo::copy(Id dst, Id src, Id record) {
  copyings_.push_back({dst, src, record, None, {}, {}});
  Id copying = copyings_.size() - 1;
  if (record == None)
    copyings_.back().marks = newMarks();
  copyings_[copying].toInside = record == None && pointsInside(dst);
  watch(dst, {Use::CopyTo, copying, None});
  watch(src, {Use::CopyFrom, copying, None});
}

void PointsTo::eachCopy(
    llvm::function_ref<void(const Set &to, const Set &from, Id record)> see)
    const {
  for (const Copying &c : copyings_)
    if (!c.isRepeated)
      see(setOf(c.dst), setOf(c.src), c.record);
}

void PointsTo::copyElsewhere(Id copying) {
  copyings_[copying].fromElsewhere = true;
  for (Target target : std::vector<Target>(copyings_[copying].targets))
    spoilCopied(target);
}

void PointsTo::spoilCopied(const Target &target) {
  if (target.part == None)
    return spoil(location(target.object, None));
  for (Id cell : scalarCells(target.part))
    add(contents_[location(target.object, cell)], elsewhere_);
}

/// What of the object is copied: the record that an assignment names, where it
/// is a part of the object; None for all of it.
Id PointsTo::partOf(Id copying, Id object) const {
  Id record = copyings_[copying].record;
  auto records = recordsOf(object);
  bool isPart = record != None && !records.empty() &&
                llvm::all_of(records, [&](Id whole) {
                  return whole != record && p_.contains(whole, record);
                });
  return isPart ? record : None;
}

bool PointsTo::isIn(Id part, Id cell) const {
  return part == None ||
         (cell != None && llvm::any_of(sharing_[cell], [&](Id field) {
            return p_.contains(part, p_.facts.fields[field].record);
          }));
}

/// Untyped memory holds fields of any record; an assignment moves those of its
/// own.
bool PointsTo::moves(Id copying, Id cell) {
  Id record = copyings_[copying].record;
  if (record == None || cell == None)
    return true;
  auto [at, fresh] = overlays_.try_emplace(record);
  if (fresh)
    at->second = p_.overlays(record);
  return llvm::any_of(sharing_[cell], [&](Id field) {
    return llvm::binary_search(at->second, p_.facts.fields[field].record);
  });
}

/// Nodes have become one: what copies the same as another does is done with.
bool PointsTo::isRepeated(const Watch &w,
                          std::map<std::tuple<Id, Id, Id>, Id> &first) {
  Copying &c = copyings_[w.other];
  Id same = first.try_emplace({find(c.dst), find(c.src), c.record}, w.other)
                .first->second;
  return c.isRepeated |= same != w.other;
}

// One hub per copied field: a copy between m targets and n sources costs m + n
// edges instead of m * n.
void PointsTo::joinCopy(Id copying, Id l, bool isSource) {
  if (copyings_[copying].isRepeated)
    return;
  const Location at = locations_[l];
  if (isScalarField(at.field)) {
    joinHub(copying, None, l, isSource);
    return;
  }
  auto &watching = copyWatch_[at.object];
  if (llvm::is_contained(watching, CopyWatch{copying, isSource}))
    return;
  watching.push_back({copying, isSource});
  Id part = partOf(copying, at.object);
  if (!isSource) {
    Target target{at.object, part};
    copyings_[copying].targets.push_back(target);
    if (copyings_[copying].fromElsewhere)
      spoilCopied(target);
    std::vector<Id> keys;
    for (auto &[key, node] : copyings_[copying].hubs)
      keys.push_back(key);
    for (Id key : keys)
      copyTo(copying, target, key);
    unpack(copying, at);
  }
  std::vector<Id> existing = byObject_[at.object];
  for (Id cell : existing)
    copyCell(copying, cell, isSource);
  // What the source held before is copied too. A variable gets all members,
  // also those that the load puts nothing into but zero.
  if (Id whole = objects_[at.object].record;
      whole != None &&
      (isSource ? objects_[at.object].kind != Object::Heap
                : objects_[at.object].kind == Object::Variable &&
                      copyings_[copying].record != None))
    for (Id cell : scalarCells(part == None ? whole : part))
      location(at.object, cell);
}

/// memcpy(&player, buffer + at, sizeof player): bytes from the file are in all
/// fields, not only in those that the load names.
void PointsTo::unpack(Id copying, const Location &at) {
  const Object &o = objects_[at.object];
  if (copyings_[copying].marks == None || o.kind == Object::Preexisting)
    return;
  Id record = recordAt(at);
  if (record == None)
    return;
  for (Id cell : scalarCells(record))
    edge(copyings_[copying].marks, contents_[location(at.object, cell)]);
}

void PointsTo::copyCell(Id copying, Id l, bool isSource) {
  Id key = locations_[l].field;
  if (copyings_[copying].isRepeated || !moves(copying, key) ||
      !isIn(partOf(copying, locations_[l].object), key))
    return;
  // Of embedded records their own fields are copied. Others of a union may lie
  // there, too.
  if (key != None && llvm::all_of(sharing_[key], [&](Id field) {
        return p_.recordOf(p_.facts.fields[field].type) != None;
      }))
    return;
  if (!joinHub(copying, key, l, isSource) || !isSource)
    return;
  std::vector<Target> targets = copyings_[copying].targets;
  for (Target target : targets)
    copyTo(copying, target, key);
}

/// There is such a cell in the target from now on, if that has room for it.
void PointsTo::copyTo(Id copying, const Target &target, Id cell) {
  if (!isIn(target.part, cell))
    return;
  if (cell != None && copyings_[copying].toInside &&
      isSpacious(target.object) && fits(target.object, cell) &&
      !objectAdmits(target.object, p_.facts.fields[cell].record))
    lay(target.object, p_.facts.fields[cell].record);
  if (admitsCell(target.object, cell))
    location(target.object, cell);
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
    if (key == None && copyings_[copying].marks != None)
      edge(contents_[l], copyings_[copying].marks);
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
  const AccessPath to(p_, textOf(c.dst)), from(p_, textOf(c.src));
  return to.base == from.base && to.isAddress == from.isAddress &&
         to.members() == from.members();
}
