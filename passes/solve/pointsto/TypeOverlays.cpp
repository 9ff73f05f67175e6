//===- TypeOverlays.cpp - Records that lie in objects of other types ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pointer to a record takes nothing but that record, or sets would mix all
// that goes through void *. Two kinds of objects have room for others: arrays
// of bytes, of numbers or of void * take whatever record a pointer to them is
// made a pointer to; blocks of a size that is computed, malloc(sizeof *d + n)
// or malloc(n * sizeof(union cell)), take a record that lies nowhere else.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/pointsto/PointsTo.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

/// void *room[], char data[64], long extra[1]: an array within a record whose
/// memory holds records of other types. The last member may be larger than it
/// is declared.
bool PointsTo::isRoom(Id fieldId, Id record) const {
  if (fieldId == None)
    return false;
  const Facts &f = p_.facts;
  const Field &field = f.fields[fieldId];
  if (!field.flexible) {
    if (p_.kind(field.type) != TypeKind::Array)
      return false;
    bool isLast = f.records[field.record].fields.back() == fieldId;
    if (!isLast &&
        f.types[field.type].size_bytes < f.records[record].size_bytes)
      return false;
  }
  Id element = p_.element(field.type);
  switch (p_.kind(element)) {
  case TypeKind::Byte:
  case TypeKind::Integer:
  case TypeKind::Floating:
    return true;
  case TypeKind::Pointer:
    return p_.kind(p_.pointee(element)) == TypeKind::Void;
  default:
    return false;
  }
}

/// A block of records, or of one, whose size no constant says, or which its
/// maker gives back as void *; an array;
/// from before the load, cells that are nothing but room.
bool PointsTo::isSpacious(Id object) const {
  const Object &o = objects_[object];
  const Facts &f = p_.facts;
  switch (o.kind) {
  case Object::Variable:
    return o.record != None && p_.kind(f.nodes[o.ref].type) == TypeKind::Array;
  case Object::Preexisting:
    return o.record != None && !f.records[o.record].fields.empty() &&
           llvm::all_of(f.records[o.record].fields,
                        [&](Id k) { return isRoom(k, o.record); });
  case Object::Heap: {
    const Allocators::Site &site = a_.sites()[o.ref];
    return site.hasOwnRecord && site.hasRoom;
  }
  default:
    return false;
  }
}

/// (struct options *)text: also for an array that is too small for it.
void PointsTo::findArrayCasts() {
  const Facts &f = p_.facts;
  for (const Constraint &c : f.constraints) {
    Id record =
        c.flow == Flow::Cast ? p_.pointeeRecord(f.nodes[c.dst].type) : None;
    if (record == None)
      continue;
    const Id variable = AccessPath(p_, c.src, AccessPath::Elements).variable();
    if (variable == None)
      continue;
    arrayCasts_[{variable, record}].push_back(c.function);
    // *(void **)(array + offset) reaches the record's pointers, too.
    if (p_.holdsPointer(record))
      plainNumber_[variable] = false;
  }
}

bool PointsTo::isLaidOver(Id object, Id record) const {
  auto at = tenants_.find(object);
  return at != tenants_.end() && llvm::any_of(at->second, [&](Id tenant) {
           return p_.compatible(tenant, record);
         });
}

void PointsTo::lay(Id object, Id record) {
  auto &tenants = tenants_[object];
  if (!llvm::is_contained(tenants, record))
    tenants.push_back(record);
}

/// n + 1, (char *)n + size: not the start of what it leads to.
bool PointsTo::pointsInside(Id pointer) const {
  return !AccessPath(p_, textOf(pointer), AccessPath::Elements).steps.empty();
}

/// Pointers to records to which nothing came but what has another type: where
/// that has room, the record lies in it. True if there are such.
bool PointsTo::findTenants() {
  if (spacious_.empty())
    return false;
  auto eachIncoming = [&](llvm::function_ref<void(Id to, Id record, Set)> see) {
    for (Id n = 0; n < sets_.size(); ++n) {
      if (find(n) != n || !pool_[sets_[n]].intersects(spacious_))
        continue;
      Set spacious = pool_[sets_[n]];
      spacious &= spacious_;
      for (size_t i = 0; i < out_[n].size(); ++i)
        if (Id to = find(out_[n][i]); filter_[to] != None && !plainNumber_[to])
          see(to, filter_[to], spacious);
    }
  };
  auto holdsMemory = [&](Id n) {
    Set memory = pool_[sets_[find(n)]];
    memory.intersectWithComplement(marks_);
    return !memory.empty();
  };
  // What gets something else in another instance is no such pointer.
  IdSet elsewhere, others;
  for (const Instance &i : instances_)
    eachNode(i, [&](Id text, Id copy) {
      if (holdsMemory(copy) || holdsMemory(text))
        elsewhere.insert(text);
    });
  for (const Instance &i : instances_)
    eachNode(i, [&](Id text, Id copy) {
      if (elsewhere.contains(text))
        others.insert(find(copy));
    });
  bool found = false;
  eachIncoming([&](Id to, Id record, Set spacious) {
    if (others.contains(to) || holdsMemory(to))
      return;
    for (Id l : spacious)
      if (!isLaidOver(locations_[l].object, record)) {
        lay(locations_[l].object, record);
        found = true;
      }
  });
  if (!found)
    return false;
  // What was turned away before is so no longer.
  for (auto &[record, filter] : filters_)
    for (Id l : Set(filter.refused))
      if (admit(record, l) == l) {
        filter.refused.reset(l);
        filter.replaced.erase(l);
        filter.admitted.set(l);
      }
  members_.clear();
  for (Id copying = 0; copying < copyings_.size(); ++copying) {
    if (copyings_[copying].isRepeated)
      continue;
    std::vector<Target> targets = copyings_[copying].targets;
    std::map<Id, Id> hubs = copyings_[copying].hubs;
    for (const Target &target : targets)
      for (auto [cell, hub] : hubs)
        copyTo(copying, target, cell);
  }
  eachIncoming(
      [&](Id to, Id, Set spacious) { add(to, pool_.of(std::move(spacious))); });
  return true;
}
