//===- MemoryCopies.cpp - Records that are copied whole -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/MemoryCopies.h"
#include "passes/solve/flow/AccessPath.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

MemoryCopies::MemoryCopies(const PointsToInput &input, ValueGraph &graph,
                           Cells &cells, TypeOverlays &overlays,
                           PriorContents &prior, Marks &marks)
    : p_(input.program), text_(input.text), graph_(graph), cells_(cells),
      overlays_(overlays), prior_(prior), marks_(marks) {}

void MemoryCopies::copy(Id dst, Id src, Id record) {
  copyings_.push_back({dst, src, record, None, {}, {}});
  Id copying = copyings_.size() - 1;
  if (record == None)
    copyings_.back().marks = graph_.newMarks();
  copyings_[copying].toInside = record == None && pointsInside(dst);
  graph_.watch(dst, {Watch::Use::CopyTo, copying, None});
  graph_.watch(src, {Watch::Use::CopyFrom, copying, None});
}

void MemoryCopies::eachCopy(
    llvm::function_ref<void(const Set &to, const Set &from, Id record)> see)
    const {
  for (const Copying &c : copyings_)
    if (!c.isRepeated)
      see(graph_.setOf(c.dst), graph_.setOf(c.src), c.record);
}

void MemoryCopies::copyElsewhere(Id copying) {
  copyings_[copying].fromElsewhere = true;
  for (Target target : std::vector<Target>(copyings_[copying].targets))
    spoil(target);
}

void MemoryCopies::spoil(const Target &target) {
  if (target.part == None)
    return marks_.spoil(cells_.location(target.object, None));
  for (Id cell : cells_.scalarCells(target.part))
    graph_.add(cells_.content(cells_.location(target.object, cell)),
               cells_.elsewhere());
}

/// What of the object is copied: the record that an assignment names, where it
/// is a part of the object; None for all of it.
Id MemoryCopies::partOf(Id copying, Id object) const {
  Id record = copyings_[copying].record;
  auto records = cells_.recordsOf(object);
  bool isPart = record != None && !records.empty() &&
                llvm::all_of(records, [&](Id whole) {
                  return whole != record && p_.contains(whole, record);
                });
  return isPart ? record : None;
}

bool MemoryCopies::isIn(Id part, Id cell) const {
  return part == None ||
         (cell != None && llvm::any_of(text_.sharing(cell), [&](Id field) {
            return p_.contains(part, p_.facts.fields[field].record);
          }));
}

/// Untyped memory holds fields of any record; an assignment moves those of its
/// own.
bool MemoryCopies::moves(Id copying, Id cell) {
  Id record = copyings_[copying].record;
  if (record == None || cell == None)
    return true;
  auto [at, fresh] = within_.try_emplace(record);
  if (fresh)
    at->second = p_.overlays(record);
  return llvm::any_of(text_.sharing(cell), [&](Id field) {
    return llvm::binary_search(at->second, p_.facts.fields[field].record);
  });
}

/// Nodes have become one: what copies the same as another does is done with.
bool MemoryCopies::isRepeated(Id copying, ValueGraph::Copyings &first) {
  Copying &c = copyings_[copying];
  Id same = first
                .try_emplace({graph_.find(c.dst), graph_.find(c.src), c.record},
                             copying)
                .first->second;
  return c.isRepeated |= same != copying;
}

// One hub per copied field: a copy between m targets and n sources costs m + n
// edges instead of m * n.
void MemoryCopies::join(Id copying, Id l, bool isSource) {
  if (copyings_[copying].isRepeated)
    return;
  const MemoryLocation at = cells_.at(l);
  if (cells_.isScalar(at.field)) {
    joinHub(copying, None, l, isSource);
    return;
  }
  auto &watching = joined_[at.object];
  if (llvm::is_contained(watching, Joined{copying, isSource}))
    return;
  watching.push_back({copying, isSource});
  Id part = partOf(copying, at.object);
  if (!isSource)
    addTarget(copying, l, part);
  std::vector<Id> existing = cells_.locationsOf(at.object);
  for (Id cell : existing)
    copyCell(copying, cell, isSource);
  // What the source held before is copied too. A variable gets all members,
  // also those that the load puts nothing into but zero.
  const MemoryObject o = cells_.object(at.object);
  if (o.record != None && (isSource ? o.kind != MemoryObject::Heap
                                    : o.kind == MemoryObject::Variable &&
                                          copyings_[copying].record != None))
    for (Id cell : cells_.scalarCells(part == None ? o.record : part))
      cells_.location(at.object, cell);
}

void MemoryCopies::addTarget(Id copying, Id l, Id part) {
  Target target{cells_.at(l).object, part};
  copyings_[copying].targets.push_back(target);
  if (copyings_[copying].fromElsewhere)
    spoil(target);
  std::vector<Id> keys;
  for (auto &[key, node] : copyings_[copying].hubs)
    keys.push_back(key);
  for (Id key : keys)
    copyTo(copying, target, key);
  unpack(copying, l);
}

/// memcpy(&player, buffer + at, sizeof player): bytes from the file are in all
/// fields, not only in those that the load names.
void MemoryCopies::unpack(Id copying, Id l) {
  const Id object = cells_.at(l).object, marks = copyings_[copying].marks;
  if (marks == None || cells_.object(object).kind == MemoryObject::Preexisting)
    return;
  Id record = cells_.recordAt(l);
  if (record == None)
    return;
  for (Id cell : cells_.scalarCells(record))
    graph_.edge(marks, cells_.content(cells_.location(object, cell)));
}

void MemoryCopies::copyCell(Id copying, Id l, bool isSource) {
  Id key = cells_.at(l).field;
  if (copyings_[copying].isRepeated || !moves(copying, key) ||
      !isIn(partOf(copying, cells_.at(l).object), key))
    return;
  // Of embedded records their own fields are copied. Others of a union may lie
  // there, too.
  if (key != None && llvm::all_of(text_.sharing(key), [&](Id field) {
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
void MemoryCopies::copyTo(Id copying, const Target &target, Id cell) {
  if (!isIn(target.part, cell))
    return;
  if (cell != None && copyings_[copying].toInside)
    overlays_.overlayInside(target.object, cell);
  if (overlays_.admitsCell(target.object, cell))
    cells_.location(target.object, cell);
}

/// True when it is the first location that is joined to this hub.
bool MemoryCopies::joinHub(Id copying, Id key, Id l, bool isSource) {
  auto [hub, fresh] = copyings_[copying].hubs.try_emplace(key, None);
  if (fresh)
    hub->second = graph_.newNode(None);
  Id node = hub->second;
  if (isSource) {
    prior_.materialise(l);
    graph_.edge(cells_.content(l), node);
    if (key == None && copyings_[copying].marks != None)
      graph_.edge(cells_.content(l), copyings_[copying].marks);
  } else {
    graph_.edge(node, cells_.content(l));
  }
  return fresh;
}

/// n + 1, (char *)n + size: not the start of what it leads to.
bool MemoryCopies::pointsInside(Id pointer) const {
  return !AccessPath(p_, graph_.textOf(pointer), AccessPath::Elements)
              .steps.empty();
}

void MemoryCopies::made(Id l) {
  const Id object = cells_.at(l).object;
  if (!joined_.contains(object))
    return;
  for (size_t i = 0; i < joined_[object].size(); ++i) {
    auto [copying, isSource] = joined_[object][i];
    copyCell(copying, l, isSource);
  }
}

void MemoryCopies::copyAgain() {
  for (Id copying = 0; copying < copyings_.size(); ++copying) {
    if (copyings_[copying].isRepeated)
      continue;
    std::vector<Target> targets = copyings_[copying].targets;
    std::map<Id, Id> hubs = copyings_[copying].hubs;
    for (const Target &target : targets)
      for (auto [cell, hub] : hubs)
        copyTo(copying, target, cell);
  }
}
