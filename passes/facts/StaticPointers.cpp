//===- StaticPointers.cpp - Pointers that are one static's name -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/StaticPointers.h"
#include <algorithm>

using namespace nvmove;

namespace {

/// What temporaries stand for: the constraint that defines each; None also
/// where there are several.
std::vector<Id> definitions(const Facts &f) {
  std::vector<Id> result(f.nodes.size(), None);
  IdSet seen;
  for (Id i = 0; i < f.constraints.size(); ++i)
    if (const Constraint &c = f.constraints[i];
        c.dst != None && c.flow != Flow::Store && c.flow != Flow::CopyMemory &&
        f.nodes[c.dst].kind == NodeKind::Temp)
      result[c.dst] = seen.insert(c.dst).second ? i : None;
  return result;
}

/// What the value is a copy of.
Id copied(const Facts &f, const std::vector<Id> &definition, Id value) {
  while (value != None && definition[value] != None &&
         (f.constraints[definition[value]].flow == Flow::Copy ||
          f.constraints[definition[value]].flow == Flow::Cast))
    value = f.constraints[definition[value]].src;
  return value;
}

/// The static record that is there, if one of that type may be.
Id recordAt(const Facts &f, const std::vector<Id> &definition, Id address,
            Id record) {
  address = copied(f, definition, address);
  Id d = address == None ? None : definition[address];
  if (d == None || f.constraints[d].flow != Flow::AddressOf)
    return None;
  Id variable = f.constraints[d].src;
  const Node &n = f.nodes[variable];
  return n.kind == NodeKind::Global && n.type != None && n.isDefined &&
                 !n.isThreadLocal && f.types[n.type].kind == TypeKind::Record &&
                 f.types[n.type].inner == record
             ? variable
             : None;
}

/// The record that a static pointer, which is defined, points to by its type.
Id pointee(const Facts &f, Id node) {
  const Node &n = f.nodes[node];
  if (n.kind != NodeKind::Global || !n.isDefined || n.type == None ||
      f.types[n.type].kind != TypeKind::Pointer)
    return None;
  const Type &to = f.types[f.types[n.type].inner];
  return to.kind == TypeKind::Record ? to.inner : None;
}

IdMap<Id> staticPointers(const Facts &f, const std::vector<Id> &definition) {
  IdMap<Id> result;
  IdSet others;
  auto holds = [&](Id pointer, Id value) {
    Id record = pointee(f, pointer);
    if (record == None)
      return;
    Id held = recordAt(f, definition, value, record);
    if (held == None || result.try_emplace(pointer, held).first->second != held)
      others.insert(pointer);
  };
  for (const Constraint &c : f.constraints) {
    if (c.flow == Flow::AddressOf)
      others.insert(c.src);
    if (c.dst == None || c.flow == Flow::Store || c.flow == Flow::CopyMemory)
      continue;
    if (c.flow == Flow::Copy || c.flow == Flow::Cast)
      holds(c.dst, c.src);
    else
      others.insert(c.dst);
  }
  for (const StaticWrite &w : f.staticWrites)
    if (w.path.empty() && w.readModifyWrite)
      others.insert(w.variable);
  for (Id pointer : others)
    result.erase(pointer);
  return result;
}

} // namespace

IdMap<Id> nvmove::staticPointers(const Facts &facts) {
  return ::staticPointers(facts, definitions(facts));
}

void nvmove::nameStatics(Facts &facts) {
  std::vector<Id> definition = definitions(facts);
  IdMap<Id> pointers = ::staticPointers(facts, definition);
  if (pointers.empty())
    return;
  IdMap<Id> values; // by address
  for (const Constraint &c : facts.constraints)
    if (c.flow == Flow::Store)
      values.try_emplace(c.dst, c.src);
  for (const StoreSite &s : facts.stores) {
    StaticWrite w;
    Id at = s.address;
    for (; at != None; at = facts.constraints[definition[at]].src) {
      if (definition[at] == None)
        break;
      const Constraint &c = facts.constraints[definition[at]];
      if (c.flow == Flow::Member)
        w.path.insert(w.path.begin(), c.extra);
      else if (c.flow != Flow::Index && c.flow != Flow::Copy)
        break;
    }
    auto pointer = at == None ? pointers.end() : pointers.find(at);
    if (pointer == pointers.end() || w.path.empty() || s.valueType == None)
      continue;
    auto value = values.find(s.address);
    w.variable = pointer->second;
    w.function = s.function;
    w.loc = s.loc;
    w.address = s.address;
    w.value = value == values.end() ? None : value->second;
    w.readModifyWrite = s.readModifyWrite;
    w.isScalar = facts.types[s.valueType].kind != TypeKind::Record;
    w.statement.span = s.span;
    w.nonNull = s.nonNull;
    w.judged = s.judged;
    w.statics = s.statics;
    facts.staticWrites.push_back(std::move(w));
  }
}
