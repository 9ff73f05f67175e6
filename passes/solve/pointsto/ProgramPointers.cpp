//===- ProgramPointers.cpp - What points-to asks of the text --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/ProgramPointers.h"
#include "passes/solve/flow/AccessPath.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

ProgramPointers::ProgramPointers(const Program &program,
                                 const Allocators &allocators,
                                 const FieldFlow &flow)
    : p_(program), integers_(program, flow), slots_(program),
      records_(program.facts.nodes.size(), None),
      plainNumbers_(integers_.plainNumbers()) {
  const Facts &f = p_.facts;
  for (Id i = 0; i < f.nodes.size(); ++i)
    if (f.nodes[i].type != None)
      records_[i] = p_.pointeeRecord(f.nodes[i].type);
  sharing_.resize(f.fields.size());
  for (Id i = 0; i < f.fields.size(); ++i)
    sharing_[f.fields[i].cell].push_back(i);
  for (const auto &site : allocators.sites())
    if (site.hasOwnRecord)
      ownSites_.insert(site.records.begin(), site.records.end());
  findOnceDefined();
  findOpaque();
  findArrayCasts();
}

void ProgramPointers::findOnceDefined() {
  const Facts &f = p_.facts;
  std::vector<uint8_t> definitions(f.nodes.size());
  auto define = [&](Id n, uint8_t times) {
    if (n != None)
      definitions[n] = std::min(2, definitions[n] + times);
  };
  for (const Constraint &c : f.constraints) {
    if (c.flow != Flow::Store && c.flow != Flow::CopyMemory)
      define(c.dst, 1);
    if (c.flow == Flow::AddressOf) // what is stored there is in the node
      define(c.src, 2);
  }
  for (const Call &c : f.calls)
    define(c.result, 2);
  for (const Function &fn : f.functions) {
    define(fn.variadic, 2);
    for (Id param : fn.params)
      define(param, 2);
  }
  definedOnce_.resize(f.nodes.size());
  for (Id i = 0; i < f.nodes.size(); ++i) {
    const Node &n = f.nodes[i];
    definedOnce_[i] = definitions[i] == 1 && p_.recordOf(n.type) == None &&
                      (n.kind == NodeKind::Temp || n.kind == NodeKind::Return ||
                       n.kind == NodeKind::Local);
  }
}

/// Given by functions without a body. Not those that share their name with a
/// record that is defined, and which of them is meant is not known, and not
/// those that are cast to such a record: they are the program's own.
void ProgramPointers::findOpaque() {
  const Facts &f = p_.facts;
  std::set<llvm::StringRef> defined;
  for (const Record &r : f.records)
    if (r.complete)
      defined.insert(r.name);
  auto give = [&](Id type) {
    Id r = type == None ? None : p_.pointeeRecord(type);
    if (r != None && !f.records[r].complete &&
        !defined.count(f.records[r].name))
      opaque_.insert(r);
  };
  for (const Call &c : f.calls) {
    if (c.callee == None || f.functions[c.callee].hasBody)
      continue;
    if (c.result != None)
      give(f.nodes[c.result].type);
    for (Id a : c.args)
      if (a != None && p_.isPointer(f.nodes[a].type))
        give(p_.pointee(f.nodes[a].type));
  }
  for (const Constraint &c : f.constraints) {
    if (opaque_.empty() || c.flow != Flow::Cast)
      continue;
    Id to = p_.pointeeRecord(f.nodes[c.dst].type), from = None;
    for (Id n = c.src; n != None && from == None; n = p_.copied(n))
      from = p_.pointeeRecord(f.nodes[n].type);
    if (to != None && from != None && to != from) {
      opaque_.erase(to);
      opaque_.erase(from);
    }
  }
}

/// (struct options *)text: also for an array that is too small for it.
void ProgramPointers::findArrayCasts() {
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
      plainNumbers_[variable] = false;
  }
}
