//===- PriorContents.cpp - What memory held before the load ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/PriorContents.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

PriorContents::PriorContents(const PointsToInput &input, ValueGraph &graph,
                             Cells &cells, const TypeOverlays &overlays)
    : in_(input), p_(input.program), graph_(graph), cells_(cells),
      overlays_(overlays) {}

void PriorContents::materialise(Id l) {
  if (l >= materialised_.size())
    materialised_.resize(cells_.locations().size());
  if (materialised_[l])
    return;
  materialised_[l] = true;
  const MemoryLocation at = cells_.at(l);
  const MemoryObject o = cells_.object(at.object);
  if (o.kind == MemoryObject::Variable) {
    const Facts &f = p_.facts;
    const Node &n = f.nodes[o.ref];
    if (!mayBeSetBefore(n) ||
        (at.field != None && p_.isPointer(f.fields[at.field].type) &&
         in_.nullness.isSelfLinked(o.ref)))
      return;
    if (Id held = p_.staticBehind(o.ref); held != None)
      graph_.add(cells_.content(l), cells_.variable(held));
    else if (at.field == None)
      materialiseAs(l, origin::ofNode(o.ref), p_.element(n.type));
  } else if (o.kind == MemoryObject::Preexisting) {
    if (at.field == None && !o.any && o.record == None &&
        !origin::isTooDeep(o.ref))
      materialiseAs(l, origin::deeper(o.ref), o.type);
    else if (at.field == None)
      graph_.add(cells_.content(l), cells_.elsewhere());
  } else {
    return;
  }
  if (at.field != None)
    for (Id shared : in_.text.sharing(at.field))
      materialiseAs(
          l, isOwnSlot(l) ? origin::ofNode(o.ref) : origin::ofField(at.field),
          p_.element(p_.facts.fields[shared].type));
}

/// What comes before the load is not followed, so it may have put anything
/// into statics and into the locals of the functions that lead here.
bool PriorContents::mayBeSetBefore(const Node &n) const {
  bool isBefore = n.kind == NodeKind::Local && n.function != None &&
                  in_.options.onTheWay.contains(n.function) &&
                  !llvm::is_contained(in_.options.load, n.function);
  return (n.kind == NodeKind::Global || isBefore) &&
         !(n.isConst && n.isDefined);
}

void PriorContents::materialiseAs(Id l, uint64_t origin, Id type) {
  if (type == None)
    return;
  const Id node = cells_.content(l);
  switch (p_.kind(type)) {
  case TypeKind::Pointer: {
    Id pointee = p_.pointee(type);
    if (Id record = p_.recordOf(pointee);
        record != None && !in_.nullness.mayExist(record))
      break;
    bool isFunction = p_.isFunctionPointer(type);
    graph_.add(node, isFunction ? cells_.elsewhere()
                                : cells_.preexisting(origin, pointee));
    addAddresses(l);
    if (!p_.isPointer(pointee))
      addSelfLink(l);
    if (isFunction || p_.kind(pointee) == TypeKind::Void)
      addFunctions(l);
    break;
  }
  case TypeKind::Byte:
  case TypeKind::Integer:
  case TypeKind::Floating:
    if (cells_.objectAt(l).kind == MemoryObject::Variable)
      graph_.add(node, cells_.whole({MemoryObject::StaticValue, l}));
    break;
  default:
    break;
  }
}

void PriorContents::addFunctions(Id l) {
  const MemoryLocation at = cells_.at(l);
  const MemoryObject o = cells_.object(at.object);
  if (at.field == None && o.kind != MemoryObject::Variable)
    return;
  const FieldFlow &before = in_.nullness.before();
  const auto &possible =
      at.field != None ? before.inField(at.field) : before.atNode(o.ref);
  for (Id fn : before.functionsIn(possible))
    graph_.add(cells_.content(l), cells_.whole({MemoryObject::Function, fn}));
}

void PriorContents::prepare(Id node) {
  if (node >= p_.facts.nodes.size() ||
      p_.facts.nodes[node].kind != NodeKind::Global ||
      p_.recordOf(p_.facts.nodes[node].type) != None)
    return;
  materialise(cells_.whole({MemoryObject::Variable, node}));
}

const PointersToSlots::Addresses &PriorContents::addressesIn(Id l) const {
  static const PointersToSlots::Addresses none;
  const MemoryLocation &at = cells_.at(l);
  const MemoryObject &o = cells_.object(at.object);
  if (at.field == None && o.kind != MemoryObject::Variable)
    return none;
  return in_.text.slots().addressesIn(at.field != None ? p_.slotOf(at.field)
                                                       : Id(o.ref));
}

/// In a static of its own: what it leads to is none of another list's.
bool PriorContents::isOwnSlot(Id l) const {
  const MemoryObject &o = cells_.objectAt(l);
  return o.kind == MemoryObject::Variable &&
         llvm::any_of(addressesIn(l), [&](const auto &address) {
           return !address.isElement &&
                  (address.within == None || address.within == o.ref);
         });
}

/// head->next = head, the head of a circular list that is empty: before the
/// load such a member leads, among others, to what it is a member of.
void PriorContents::addSelfLink(Id l) {
  const MemoryLocation at = cells_.at(l);
  if (at.field != None && in_.text.slots().isSelfLink(at.field))
    graph_.add(cells_.content(l), cells_.location(at.object, None));
}

void PriorContents::addAddresses(Id l) {
  const MemoryLocation at = cells_.at(l);
  const MemoryObject o = cells_.object(at.object);
  for (const auto &[within, to, isElement] : addressesIn(l)) {
    if (within != None && (o.kind != MemoryObject::Variable || within != o.ref))
      continue;
    Id object = at.object;
    if (to.variable != None)
      object = cells_.objectOf(cells_.variableObject(to.variable));
    if (to.field == None)
      graph_.add(cells_.content(l), cells_.location(object, None));
    else if (overlays_.admitsCell(object, to.field))
      graph_.add(cells_.content(l),
                 cells_.location(object, p_.facts.fields[to.field].cell));
  }
}
