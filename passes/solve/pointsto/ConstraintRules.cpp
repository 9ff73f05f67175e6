//===- ConstraintRules.cpp - What the constraints of the text do ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/ConstraintRules.h"
#include "passes/solve/flow/AccessPath.h"

using namespace nvmove;

ConstraintRules::ConstraintRules(const PointsToInput &input, ValueGraph &graph,
                                 Cells &cells, const TypeOverlays &overlays,
                                 PriorContents &prior, Marks &marks,
                                 MemoryCopies &copies)
    : in_(input), p_(input.program), graph_(graph), cells_(cells),
      overlays_(overlays), prior_(prior), marks_(marks), copies_(copies) {}

/// dst is defined by this alone: src, as what it may point to.
void ConstraintRules::become(Id dst, Id src) {
  if (src == None || !in_.isDefinedOnce(graph_.textOf(dst)) ||
      !graph_.areAlike(src, dst))
    return graph_.edge(src, dst);
  prior_.prepare(src);
  graph_.unify(src, dst);
}

/// The same has been read from there, or the same address taken, before.
bool ConstraintRules::isKnown(const Constraint &c) {
  if (c.src == None || !in_.isDefinedOnce(graph_.textOf(c.dst)))
    return false;
  bool isAddress = c.flow == Flow::AddressOf;
  if (!isAddress)
    prior_.prepare(c.src);
  auto [at, fresh] =
      known_.try_emplace({c.flow, isAddress ? c.src : graph_.find(c.src),
                          c.extra, graph_.nodeAt(c.dst).type},
                         c.dst);
  if (!fresh)
    graph_.unify(at->second, c.dst);
  return !fresh;
}

void ConstraintRules::add(const Constraint &c) {
  switch (c.flow) {
  case Flow::Arith:
    // A difference of pointers is not a pointer; sums are done on integers.
    if (c.src != None && p_.isPointer(graph_.nodeAt(c.src).type) &&
        !p_.isPointer(graph_.nodeAt(c.dst).type))
      graph_.edge(marks_.of(c.src), c.dst);
    else
      graph_.edge(c.src, c.dst);
    break;
  case Flow::Cast:
    if (c.src != None && !p_.isPointer(graph_.nodeAt(c.src).type)) {
      marks_.maybeElsewhere(c.dst);
      graph_.edge(c.src, c.dst);
      break;
    }
    [[fallthrough]];
  case Flow::Copy:
  case Flow::Index:
    become(c.dst, c.src);
    if (const auto *fields = c.flow == Flow::Index && c.extra != None
                                 ? in_.text.integers().distance(c.extra)
                                 : nullptr)
      for (Id field : {fields->first, fields->second})
        graph_.watch(c.src, {Watch::Use::Beside, c.dst, field});
    break;
  case Flow::AddressOf:
    if (!isKnown(c))
      takeAddress(c);
    break;
  case Flow::Member:
    if (!isKnown(c))
      graph_.watch(c.src, {Watch::Use::Member, c.dst, c.extra});
    break;
  case Flow::Load:
    if (!isKnown(c))
      graph_.watch(c.src, {Watch::Use::Load, c.dst, None});
    break;
  case Flow::Store:
    if (c.src != None)
      store(c);
    break;
  case Flow::CopyMemory:
    if (c.src != None && c.dst != None && !copiesOntoItself(c))
      copies_.copy(c.dst, c.src, c.extra == None ? None : p_.recordOf(c.extra));
    break;
  }
}

void ConstraintRules::takeAddress(const Constraint &c) {
  if (Id fn = p_.functionOf(c.src); fn != None)
    return graph_.add(c.dst, cells_.whole({MemoryObject::Function, fn}));
  const Id l = cells_.variable(c.src);
  // A pointer whose address was given away: f(&p) may have set it.
  if (p_.facts.nodes[c.src].kind == NodeKind::Local &&
      cells_.objectAt(l).record == None)
    prior_.materialise(l);
  graph_.add(c.dst, l);
}

void ConstraintRules::store(const Constraint &c) {
  auto [at, fresh] = stored_.try_emplace(graph_.find(c.dst), None);
  const Id hub = fresh ? at->second = graph_.newNode(None) : at->second;
  if (fresh)
    graph_.watch(c.dst, {Watch::Use::Store, hub, None});
  graph_.edge(c.src, hub);
}

Id ConstraintRules::hubOf(Watch::Use use, Ref what) {
  auto [at, fresh] =
      (use == Watch::Use::Load ? loads_ : stores_).try_emplace(what);
  if (!fresh)
    return at->second;
  Id hub = at->second = graph_.newNode(None);
  for (Id l : graph_[what])
    if (cells_.isMemory(l)) {
      if (use == Watch::Use::Store) {
        graph_.edge(hub, cells_.content(l));
        continue;
      }
      prior_.materialise(l);
      graph_.edge(cells_.content(l), hub);
    }
  return hub;
}

ValueGraph::Ref ConstraintRules::membersOf(Ref what, Id field) {
  auto [at, fresh] = members_.try_emplace({what, field});
  if (!fresh)
    return at->second;
  ValueGraph::Set result;
  for (Id l : graph_[what])
    if (cells_.isMemory(l))
      if (std::optional<Id> m = member(l, field))
        result.set(*m);
  return members_[{what, field}] = graph_.of(std::move(result));
}

std::optional<Id> ConstraintRules::member(Id l, Id fieldId) {
  const Field &field = p_.facts.fields[fieldId];
  const MemoryLocation at = cells_.at(l);
  Id object = at.object;
  const MemoryObject o = cells_.object(object);
  if (o.kind == MemoryObject::Preexisting && o.any) {
    if (!overlays_.mayBe(o, field.record))
      return std::nullopt;
    object = cells_.objectOf({MemoryObject::Preexisting, o.ref, field.record});
  }
  if (!overlays_.admitsCell(object, fieldId))
    return std::nullopt;
  return cells_.location(object, field.cell);
}

void ConstraintRules::access(const Watch &w, Id l) {
  using Use = Watch::Use;
  if (w.use == Use::Load) {
    prior_.materialise(l);
    return graph_.edge(cells_.content(l), w.other);
  }
  if (w.use == Use::Store)
    return graph_.edge(w.other, cells_.content(l));
  const Id at = cells_.at(l).field;
  const std::vector<Field> &fields = p_.facts.fields;
  if (w.use == Use::Beside &&
      (at == None || fields[at].record != fields[w.extra].record))
    return;
  if (std::optional<Id> m = member(l, w.extra))
    graph_.add(w.other, *m);
}

bool ConstraintRules::accessShared(const Watch &w, Ref what) {
  using Use = Watch::Use;
  constexpr uint32_t Few = 2;
  if (graph_.size(what) <= Few)
    return false;
  if (w.use == Use::Load)
    graph_.edge(hubOf(w.use, what), w.other);
  else if (w.use == Use::Store)
    graph_.edge(w.other, hubOf(w.use, what));
  else if (w.use == Use::Member)
    graph_.add(w.other, membersOf(what, w.extra));
  else
    return false;
  return true;
}

void ConstraintRules::forget() {
  loads_.clear();
  stores_.clear();
  members_.clear();
}

bool ConstraintRules::copiesOntoItself(const Constraint &c) const {
  // d->ht[0] = d->ht[1]: arrays collapse, so nothing moves; taken as a copy it
  // would mix every d with every other.
  const AccessPath to(p_, graph_.textOf(c.dst)), from(p_, graph_.textOf(c.src));
  return to.base == from.base && to.isAddress == from.isAddress &&
         to.members() == from.members();
}
