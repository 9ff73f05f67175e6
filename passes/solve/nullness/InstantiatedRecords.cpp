//===- InstantiatedRecords.cpp - Records of which there are objects -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/nullness/InstantiatedRecords.h"
#include "passes/solve/flow/AccessPath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace nvmove;

InstantiatedRecords::InstantiatedRecords(const Program &program,
                                         const Allocators &allocators,
                                         const FieldFlow &flow,
                                         const IdSet &functions,
                                         const IdSet &late)
    : p_(program), a_(allocators), flow_(flow) {
  addAllocated(functions, late);
  addVariables(functions);
  addCast(functions);
  findAbsent();
}

/// An object of the record is one of all that it may be read as.
void InstantiatedRecords::add(Id record) {
  if (record == None || !made_.insert(record).second)
    return;
  existing_.insert(record);
  for (Id as : p_.overlays(record))
    existing_.insert(as);
}

/// The record that its first member is, or None.
Id InstantiatedRecords::firstPart(Id record) const {
  const Record &r = p_.facts.records[record];
  return r.fields.empty() ? None
                          : p_.recordOf(p_.facts.fields[r.fields.front()].type);
}

void InstantiatedRecords::addAllocated(const IdSet &functions,
                                       const IdSet &late) {
  IdMap<std::vector<Id>> outer; // records by what they begin with
  for (Id r = 0; r < p_.facts.records.size(); ++r)
    for (Id first = firstPart(r); first != None; first = firstPart(first))
      outer[first].push_back(r);
  IdSet larger;
  for (const Allocators::Site &site : a_.sites()) {
    const Id function = p_.facts.calls[site.call].function;
    if (function == None || !functions.contains(function) ||
        late.contains(site.call))
      continue;
    for (Id r : site.records) {
      add(r);
      if (site.hasRoom) // malloc(size): of something derived from it, perhaps
        larger.insert(outer[r].begin(), outer[r].end());
    }
  }
  for (Id r : larger)
    add(r);
}

void InstantiatedRecords::addVariables(const IdSet &functions) {
  for (const Node &n : p_.facts.nodes)
    if (n.type != None &&
        (n.function == None || functions.contains(n.function)))
      add(p_.recordOf(n.type));
}

/// (struct item *)bytes, of a variable; item = take(pool), which gives parts of
/// a block of bytes.
void InstantiatedRecords::addCast(const IdSet &functions) {
  const Facts &f = p_.facts;
  IdSet given; // results of calls
  for (Id fn : functions)
    for (Id k : p_.callsOf(fn))
      if (!a_.allocates(f.calls[k]))
        given.insert(f.calls[k].result);
  given.erase(None);
  for (Id fn : functions)
    for (Id i : p_.constraintsOf(fn)) {
      const Constraint &c = f.constraints[i];
      if ((c.flow != Flow::Cast && c.flow != Flow::Copy) || c.src == None)
        continue;
      const Id to = p_.pointeeRecord(f.nodes[c.dst].type);
      if (to != None && p_.pointeeRecord(f.nodes[c.src].type) == None &&
          ((given.contains(c.src) && holdsBytes(c.src)) ||
           AccessPath(p_, c.src, AccessPath::Elements).variable() != None))
        add(to);
    }
}

static bool isBytes(const Allocators::Site &site) {
  return site.raw() && !site.isPointerTable;
}

/// Among what the value may lead to is memory of no type, or nothing is known.
bool InstantiatedRecords::holdsBytes(Id value) const {
  const FieldFlow::Set &all = flow_.atNode(value);
  for (unsigned t : all) {
    const FieldFlow::Token &token = flow_.tokens()[t];
    if (token.kind == FieldFlow::Token::WrapperBlock ||
        (token.kind == FieldFlow::Token::Site &&
         isBytes(a_.sites()[token.ref])) ||
        (token.kind == FieldFlow::Token::Static &&
         p_.recordOf(p_.facts.nodes[token.ref].type) == None))
      return true;
  }
  return all.empty();
}

/// Another definition by the same name is the same type, in another file.
void InstantiatedRecords::findAbsent() {
  const Facts &f = p_.facts;
  llvm::StringSet<> names;
  for (Id r : existing_)
    names.insert(f.records[r].spelling);
  for (const Allocators::Site &site : a_.sites()) {
    if (!site.hasOwnRecord)
      continue;
    for (Id made : site.records)
      for (Id r : p_.nested(made))
        if (p_.isProgramRecord(r) && !names.contains(f.records[r].spelling))
          absent_.insert(r);
  }
}

bool InstantiatedRecords::needsAbsent(Id call) const {
  const Call &c = p_.facts.calls[call];
  return !absent_.empty() &&
         (llvm::any_of(c.args, [&](Id a) { return readsAbsent(a); }) ||
          readsAbsent(c.target));
}

/// The expression names a member, of an object that some value leads to: not
/// &((struct item *)0)->next.
bool InstantiatedRecords::readsAbsent(Id value) const {
  const Facts &f = p_.facts;
  for (Id d = None; value != None && f.nodes[value].kind == NodeKind::Temp &&
                    (d = p_.definition(value)) != None;
       value = f.constraints[d].src)
    if (const Constraint &c = f.constraints[d];
        c.flow == Flow::Member && c.src != None &&
        absent_.contains(f.fields[c.extra].record)) {
      const Id object = p_.origin(c.src);
      return object != None && (f.nodes[object].kind != NodeKind::Temp ||
                                p_.definition(object) != None);
    }
  return false;
}
