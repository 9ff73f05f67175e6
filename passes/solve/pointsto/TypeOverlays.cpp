//===- TypeOverlays.cpp - Records that lie in objects of other types ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/TypeOverlays.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

TypeOverlays::TypeOverlays(const PointsToInput &input, ValueGraph &graph,
                           Cells &cells)
    : p_(input.program), a_(input.allocators), nullness_(input.nullness),
      text_(input.text), graph_(graph), cells_(cells) {}

/// void *room[], char data[64], long extra[1]: an array within a record whose
/// memory holds records of other types. The last member may be larger than it
/// is declared.
bool TypeOverlays::fieldProvidesStorage(Id fieldId, Id record) const {
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
/// maker gives back as void *; an array; from before the load, cells that are
/// nothing but storage.
bool TypeOverlays::providesStorage(Id object) const {
  const MemoryObject &o = cells_.object(object);
  const Facts &f = p_.facts;
  switch (o.kind) {
  case MemoryObject::Variable:
    return o.record != None && p_.kind(f.nodes[o.ref].type) == TypeKind::Array;
  case MemoryObject::Preexisting:
    return o.record != None && !f.records[o.record].fields.empty() &&
           llvm::all_of(f.records[o.record].fields, [&](Id k) {
             return fieldProvidesStorage(k, o.record);
           });
  case MemoryObject::Heap: {
    const Allocators::Site &site = a_.sites()[o.ref];
    return site.hasOwnRecord && site.hasRoom;
  }
  default:
    return false;
  }
}

bool TypeOverlays::isOverlaid(Id object, Id record) const {
  auto at = overlays_.find(object);
  return at != overlays_.end() && llvm::any_of(at->second, [&](Id overlaid) {
           return p_.compatible(overlaid, record);
         });
}

void TypeOverlays::overlay(Id object, Id record) {
  auto &overlays = overlays_[object];
  if (!llvm::is_contained(overlays, record))
    overlays.push_back(record);
}

/// A copy of a string, made by strdup() or by functions that only call that:
/// its bytes are no pointers.
bool TypeOverlays::isText(const Call &call, unsigned depth) const {
  if (call.callee == None || depth == 0)
    return false;
  const Function &fn = p_.facts.functions[call.callee];
  if (!fn.hasBody)
    return hasTrait(fn.name, LibraryFunction::CopiesText);
  bool some = false;
  for (Id k : p_.callsOf(call.callee))
    if (const Call &c = p_.facts.calls[k]; a_.allocates(c)) {
      if (!isText(c, depth - 1))
        return false;
      some = true;
    }
  return some;
}

bool TypeOverlays::mayBe(const MemoryObject &o, Id record) const {
  return nullness_.mayExist(record) ||
         (o.kind == MemoryObject::Preexisting && !origin::isOfProgram(o.ref));
}

bool TypeOverlays::objectAdmits(Id object, Id record) const {
  const MemoryObject &o = cells_.object(object);
  if (!mayBe(o, record))
    return false;
  switch (o.kind) {
  case MemoryObject::Variable: {
    if (o.record != None)
      return p_.mayOverlay(o.record, record);
    const Node &n = p_.facts.nodes[o.ref];
    uint64_t size = n.type == None ? 0 : p_.facts.types[n.type].size_bytes;
    return n.kind != NodeKind::Literal && !n.isText &&
           (size == 0 || size >= p_.facts.records[record].size_bytes ||
            text_.arrayCasts().count({Id(o.ref), record}));
  }
  case MemoryObject::Preexisting:
    return o.record != None && p_.compatible(o.record, record);
  case MemoryObject::Heap:
    return siteAdmits(a_.sites()[o.ref], record);
  default:
    return false;
  }
}

bool TypeOverlays::siteAdmits(const Allocators::Site &site, Id record) const {
  if (!site.hasOwnRecord && p_.holdsPointer(record)) {
    auto [text, fresh] = texts_.try_emplace(site.call, false);
    if (fresh)
      text->second = isText(p_.facts.calls[site.call]);
    if (text->second)
      return false;
  }
  return (site.raw() && !site.isPointerTable) ||
         llvm::any_of(site.records,
                      [&](Id r) { return p_.compatible(r, record); }) ||
         (!site.raw() && !site.hasOwnRecord && !text_.hasOwnSite(record));
}

/// The field lies within the object: a variable is no larger than it is.
bool TypeOverlays::fits(Id object, Id field) const {
  const Facts &f = p_.facts;
  const MemoryObject &o = cells_.object(object);
  const Field &k = f.fields[field];
  if (o.kind != MemoryObject::Variable ||
      (o.record != None && p_.contains(o.record, k.record)))
    return true;
  Id type = f.nodes[o.ref].type;
  uint64_t size = type == None ? 0 : f.types[type].size_bytes;
  return size == 0 || k.offset_bits / 8 + f.types[k.type].size_bytes <= size;
}

bool TypeOverlays::admitsCell(Id object, Id field) const {
  return field == None ||
         ((objectAdmits(object, p_.facts.fields[field].record) ||
           isOverlaid(object, p_.facts.fields[field].record)) &&
          fits(object, field));
}

ValueGraph::Ref TypeOverlays::admitted(Id record, Ref from) {
  Filter &filter = filters_[record];
  const Set &what = graph_[from];
  Set unknown = what;
  unknown.intersectWithComplement(filter.admitted);
  unknown.intersectWithComplement(filter.refused);
  for (Id l : unknown) {
    Id as = admit(record, l);
    (as == l ? filter.admitted : filter.refused).set(l);
    if (as != l)
      filter.replaced[l] = as;
  }
  Set result = what;
  result &= filter.admitted;
  if (!filter.replaced.empty()) {
    Set refused = what;
    refused &= filter.refused;
    for (Id l : refused)
      if (auto as = filter.replaced.find(l); as != filter.replaced.end())
        result.set(as->second);
  }
  return graph_.of(std::move(result));
}

Id TypeOverlays::admit(Id record, Id l) {
  Id object = cells_.at(l).object;
  const MemoryObject &o = cells_.object(object);
  if (graph_.isMark(l))
    return l;
  if (!mayBe(o, record))
    return cells_.mistyped();
  if (o.kind == MemoryObject::Preexisting && o.any)
    return cells_.preexistingRecord(o.ref, record);
  if (objectAdmits(object, record))
    return l;
  // A member of a record that was overlaid on the object, or a part of it.
  Id field = cells_.at(l).field,
     inner = field == None ? None : p_.recordOf(p_.facts.fields[field].type);
  if (inner != None && p_.contains(inner, record))
    return l;
  if (fieldProvidesStorage(field, record)) {
    overlay(object, record);
    return l;
  }
  bool mayBeOverlay = field == None
                          ? storage_.test(l)
                          : isOverlaid(object, p_.facts.fields[field].record);
  // Else it may be what it is not declared as; null it is not.
  return mayBeOverlay && isOverlaid(object, record) ? l : cells_.mistyped();
}

bool TypeOverlays::findOverlays(const CallContexts &contexts) {
  if (storage_.empty())
    return false;
  auto holdsMemory = [&](Id n) {
    Set memory = graph_.setOf(n);
    memory.intersectWithComplement(graph_.marks());
    return !memory.empty();
  };
  // What gets something else in another instance is no such pointer.
  IdSet elsewhere, others;
  contexts.eachNode([&](Id text, Id copy) {
    if (holdsMemory(copy) || holdsMemory(text))
      elsewhere.insert(text);
  });
  contexts.eachNode([&](Id text, Id copy) {
    if (elsewhere.contains(text))
      others.insert(graph_.find(copy));
  });
  bool found = false;
  graph_.eachFlow(storage_, [&](Id to, Id record, Set storage) {
    if (others.contains(to) || holdsMemory(to))
      return;
    for (Id l : storage)
      if (!isOverlaid(cells_.at(l).object, record)) {
        overlay(cells_.at(l).object, record);
        found = true;
      }
  });
  if (found)
    admitOverlaid();
  return found;
}

/// What was turned away before is so no longer.
void TypeOverlays::admitOverlaid() {
  for (auto &[record, filter] : filters_)
    for (Id l : Set(filter.refused))
      if (admit(record, l) == l) {
        filter.refused.reset(l);
        filter.replaced.erase(l);
        filter.admitted.set(l);
      }
}

void TypeOverlays::passOn() {
  graph_.eachFlow(storage_, [&](Id to, Id, Set storage) {
    graph_.add(to, graph_.of(std::move(storage)));
  });
}

void TypeOverlays::overlayInside(Id object, Id field) {
  const Id record = p_.facts.fields[field].record;
  if (providesStorage(object) && fits(object, field) &&
      !objectAdmits(object, record))
    overlay(object, record);
}

void TypeOverlays::made(Id l) {
  if (cells_.at(l).field == None && providesStorage(cells_.at(l).object))
    storage_.set(l);
}
