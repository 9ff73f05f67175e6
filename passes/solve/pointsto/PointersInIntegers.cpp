//===- PointersInIntegers.cpp - Integers that hold addresses --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/PointersInIntegers.h"
#include "passes/solve/flow/AccessPath.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

PointersInIntegers::PointersInIntegers(const Program &program,
                                       const FieldFlow &flow)
    : p_(program), flow_(flow) {
  findHidden();
  findDistances();
  setPlainNumbers();
}

/// The variable or member that the address is of, or of an element of; behind a
/// pointer to anywhere, memory that holds numbers of that type.
static Id slotAround(const Program &p, Id address, Id type) {
  const AccessPath path(p, address);
  if (const Id member = path.member(); member != None)
    return p.slotOf(member);
  return path.isAddress
             ? path.base
             : Id(p.facts.nodes.size() + p.facts.fields.size()) + type;
}

void PointersInIntegers::findHidden() {
  const Facts &f = p_.facts;
  const Id nodes = f.nodes.size();
  std::vector<llvm::SmallVector<Id, 1>> sources(nodes); // constraints, values
  std::vector<Id> work;
  auto isInteger = [&](Id n) {
    return n != None && f.nodes[n].type != None &&
           p_.kind(f.nodes[n].type) == TypeKind::Integer;
  };
  auto isLarge = [&](Id n) {
    return isInteger(n) && p_.mayHoldPointer(f.nodes[n].type);
  };
  IdMap<llvm::SmallVector<Id, 2>> stored; // by cell, values
  for (Id i = 0; i < f.constraints.size(); ++i) {
    const Constraint &c = f.constraints[i];
    if (c.dst == None || c.src == None || c.flow == Flow::CopyMemory)
      continue;
    if (c.flow == Flow::Store) {
      if (isLarge(c.src))
        stored[slotAround(p_, c.dst, f.nodes[c.src].type)].push_back(c.src);
    } else if (isInteger(c.dst)) {
      sources[c.dst].push_back(i);
    } else if (c.flow == Flow::Cast && isInteger(c.src)) {
      work.push_back(c.src);
    }
  }
  if (work.empty())
    return;
  IdMap<Id> calls;                        // by result
  IdMap<llvm::SmallVector<Id, 2>> handed; // by parameter, values
  for (Id i = 0; i < f.calls.size(); ++i) {
    const Call &c = f.calls[i];
    if (c.result != None)
      calls[c.result] = i;
    for (size_t k = 0; k < c.args.size(); ++k)
      if (isLarge(c.args[k]))
        for (Id callee : flow_.callees(i))
          if (k < f.functions[callee].params.size())
            handed[f.functions[callee].params[k]].push_back(c.args[k]);
  }
  auto follow = [&](const IdMap<llvm::SmallVector<Id, 2>> &values, Id place) {
    if (auto at = values.find(place); at != values.end())
      work.insert(work.end(), at->second.begin(), at->second.end());
  };
  auto hideIn = [&](Id cell) {
    if (hiddenIn_.insert(cell).second)
      follow(stored, cell);
  };
  IdSet seen;
  while (!work.empty()) {
    Id n = work.back();
    work.pop_back();
    if (!seen.insert(n).second)
      continue;
    hideIn(n);
    follow(handed, n);
    if (auto at = calls.find(n); at != calls.end())
      for (Id callee : flow_.callees(at->second))
        if (Id r = f.functions[callee].result;
            isLarge(r) && f.functions[callee].hasBody)
          work.push_back(r);
    for (Id d : sources[n]) {
      const Constraint &c = f.constraints[d];
      if (c.flow != Flow::Load) {
        if (isInteger(c.src))
          work.push_back(c.src);
      } else {
        hideIn(slotAround(p_, c.src, f.nodes[n].type));
      }
    }
  }
}

/// keys += single.game - single.menu: from one member to another.
void PointersInIntegers::findDistances() {
  const Facts &f = p_.facts;
  IdMap<llvm::SmallVector<Id, 2>> members; // by number, fields
  for (const Constraint &c : f.constraints)
    if (Id d = c.flow == Flow::Arith && c.src != None && c.dst != None &&
                       f.nodes[c.src].type != None &&
                       f.nodes[c.dst].type != None &&
                       p_.isPointer(f.nodes[c.src].type) &&
                       p_.kind(f.nodes[c.dst].type) == TypeKind::Integer
                   ? p_.definition(c.src)
                   : None;
        d != None && f.constraints[d].flow == Flow::Member)
      members[c.dst].push_back(f.constraints[d].extra);
  for (const auto &[number, fields] : members)
    if (fields.size() == 2 && fields[0] != fields[1] &&
        f.fields[fields[0]].record == f.fields[fields[1]].record)
      distances_[number] = {fields[0], fields[1]};
}

void PointersInIntegers::setPlainNumbers() {
  const Facts &f = p_.facts;
  plainNumbers_.resize(f.nodes.size());
  for (Id i = 0; i < f.nodes.size(); ++i) {
    const Node &n = f.nodes[i];
    bool passing = n.kind == NodeKind::Temp ||
                   (n.kind == NodeKind::Local && n.function != None &&
                    !llvm::is_contained(f.functions[n.function].params, i));
    bool isInteger = n.type != None && p_.kind(n.type) == TypeKind::Integer;
    plainNumbers_[i] =
        n.type != None && (!p_.mayHoldPointer(n.type) ||
                           (isInteger && !passing && !hiddenIn_.contains(i)));
  }
}
