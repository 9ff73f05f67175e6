//===- Cells.cpp - Memory as the analysis sees it -------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/Cells.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

Cells::Cells(const PointsToInput &input, ValueGraph &graph, Observer &observer)
    : p_(input.program), a_(input.allocators), text_(input.text), graph_(graph),
      observer_(observer) {}

void Cells::makeMarks() {
  fileBytes_ = whole({MemoryObject::FileBytes});
  elsewhere_ = whole({MemoryObject::Elsewhere});
  mistyped_ = whole({MemoryObject::Elsewhere, 1});
  graph_.setMistyped(mistyped_);
}

Id Cells::objectOf(const MemoryObject &o) {
  auto [at, fresh] = objectIds_.try_emplace(
      {o.kind, o.ref, o.record, o.instance}, objects_.size());
  if (fresh) {
    objects_.push_back(o);
    byObject_.emplace_back();
  }
  return at->second;
}

Id Cells::location(Id object, Id cell) {
  auto [at, fresh] =
      locationIds_.try_emplace({object, cell}, locations_.size());
  if (!fresh)
    return at->second;
  Id l = at->second;
  locations_.push_back({object, cell});
  if (objects_[object].isMark())
    graph_.addMark(l);
  byObject_[object].push_back(l);
  contents_.push_back(makeContent(locations_[l]));
  observer_.made(l);
  return l;
}

/// Of a whole variable it is the node that the text has.
Id Cells::makeContent(const MemoryLocation &at) {
  const MemoryObject &o = objects_[at.object];
  if (o.kind == MemoryObject::Variable && at.field == None)
    return o.ref;
  if (at.field == None)
    return graph_.newNode(None);
  const Facts &f = p_.facts;
  const auto &sharing = text_.sharing(at.field);
  Id record = None;
  if (sharing.size() == 1)
    record = p_.pointeeRecord(p_.element(f.fields[at.field].type));
  Id node = graph_.newNode(record);
  const Id slot = Id(f.nodes.size()) + at.field;
  graph_.setPlainNumber(node, llvm::all_of(sharing, [&](Id k) {
                          Id type = p_.element(f.fields[k].type);
                          return !p_.mayHoldPointer(type) ||
                                 (type != None &&
                                  p_.kind(type) == TypeKind::Integer &&
                                  !text_.integers().mayHoldPointer(slot));
                        }));
  return node;
}

MemoryObject Cells::variableObject(Id node) const {
  MemoryObject o{MemoryObject::Variable, node};
  o.record = p_.recordOf(p_.facts.nodes[node].type);
  return o;
}

Id Cells::preexisting(uint64_t origin, Id pointee) {
  MemoryObject o{MemoryObject::Preexisting, origin};
  Id element = p_.element(pointee);
  o.record = p_.recordOf(pointee);
  o.type = element;
  if (o.record == None)
    o.any = element == None || p_.kind(element) == TypeKind::Void ||
            p_.kind(element) == TypeKind::Byte;
  return whole(o);
}

Id Cells::preexistingRecord(uint64_t origin, Id record) {
  MemoryObject o{MemoryObject::Preexisting, origin};
  o.record = record;
  return whole(o);
}

llvm::SmallVector<Id, 4> Cells::recordsOf(Id object) const {
  const MemoryObject &o = objects_[object];
  if (o.kind == MemoryObject::Heap)
    return a_.sites()[o.ref].records;
  if (o.record != None)
    return {o.record};
  return {};
}

Id Cells::recordAt(Id location) const {
  const MemoryLocation &at = locations_[location];
  if (at.field != None)
    return p_.recordOf(p_.facts.fields[at.field].type);
  auto records = recordsOf(at.object);
  return records.size() == 1 ? records.front() : None;
}

llvm::SmallVector<Id, 16> Cells::scalarCells(Id record) const {
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

std::vector<Id> Cells::staticValuesIn(const Set &set) const {
  std::vector<Id> result;
  for (Id l : set)
    if (objectAt(l).kind == MemoryObject::StaticValue)
      result.push_back(objectAt(l).ref);
  return result;
}

Id Cells::find(Id variable, Id field) const {
  Id record = p_.recordOf(p_.facts.nodes[variable].type);
  auto object =
      objectIds_.find({MemoryObject::Variable, variable, record, None});
  if (object == objectIds_.end())
    return None;
  return locationIn(object->second,
                    field == None ? None : p_.facts.fields[field].cell);
}

Id Cells::locationIn(Id object, Id cell) const {
  auto at = locationIds_.find({object, cell});
  return at == locationIds_.end() ? None : at->second;
}

std::vector<Id> Cells::usedAs(Id object) const {
  std::vector<Id> result;
  const MemoryObject &o = objects_[object];
  for (auto as = objectIds_.lower_bound({o.kind, o.ref, 0, 0});
       o.any && as != objectIds_.end() && std::get<0>(as->first) == o.kind &&
       std::get<1>(as->first) == o.ref;
       ++as)
    if (as->second != object)
      result.push_back(as->second);
  return result;
}

std::string Cells::describe(Id object) const {
  const Facts &f = p_.facts;
  const MemoryObject &o = objects_[object];
  auto names = [&](llvm::ArrayRef<Id> records) {
    std::string text;
    for (Id r : records)
      text += (text.empty() ? "" : " or ") + f.records[r].name;
    return text.empty() ? std::string("bytes") : text;
  };
  switch (o.kind) {
  case MemoryObject::Variable:
    return f.nodes[o.ref].name.empty() ? "a constant" : f.nodes[o.ref].name;
  case MemoryObject::Heap: {
    const Allocators::Site &site = a_.sites()[o.ref];
    return (site.isPointerTable && !site.hasOwnRecord ? "table of pointers"
                                                      : names(site.records)) +
           ", allocated at " + p_.describe(f.calls[site.call].loc);
  }
  case MemoryObject::Preexisting:
    return names(recordsOf(object)) + ", created before the load";
  case MemoryObject::Function:
    return f.functions[o.ref].name;
  default:
    return "value";
  }
}
