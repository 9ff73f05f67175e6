//===- TextLookups.cpp - Functions that choose a number by text -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/TextLookups.h"
#include "passes/solve/flow/AccessPath.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

bool TextLookups::isText(Id node) const {
  const PointsTo::Set &set = pt_.pointsTo(node);
  if (pt_.holdsFileBytes(set))
    return true;
  if (p_.pointeeRecord(f_.nodes[node].type) != None)
    return false;
  for (Id l : set)
    if (pt_.isMemory(l) && pt_.holdsFileBytes(pt_.content(l)))
      return true;
  return false;
}

bool TextLookups::compares(Id call) const {
  if (call == None)
    return false;
  const Call &c = f_.calls[call];
  return c.callee != None && !f_.functions[c.callee].hasBody &&
         hasTrait(f_.functions[c.callee].name, LibraryFunction::ComparesText) &&
         llvm::any_of(c.args, [&](Id a) { return a != None && isText(a); });
}

bool TextLookups::chooses(Id call) const {
  const Call &c = f_.calls[call];
  return c.callee != None && f_.functions[c.callee].hasBody &&
         pt_.reached().contains(c.callee) && givesConstants(call) &&
         seesText(c.callee);
}

bool TextLookups::onlyChooses(Id call) const {
  const Id callee = f_.calls[call].callee;
  return chooses(call) && onlyLooks(callee);
}

/// Or what the call hands it: otherwise.
bool TextLookups::givesConstants(Id call, unsigned depth) const {
  const Call &c = f_.calls[call];
  if (c.callee == None || depth > MostCalls)
    return false;
  bool any = false;
  for (const Definition *d : p_.definitionsOf(c.callee))
    for (const ReturnedValue &a : d->answers) {
      any = true;
      if (a.isConstant)
        continue;
      if (a.value == None)
        return false;
      if (llvm::any_of(d->answers, [&](const ReturnedValue &other) {
            return other.local == a.value;
          }))
        continue;
      const Id value = p_.origin(a.value);
      auto param = llvm::find(d->params, value);
      if (param != d->params.end()) {
        size_t k = param - d->params.begin();
        if (k < c.args.size() && c.args[k] == None &&
            values_.definitions(value).empty())
          continue;
        return false;
      }
      if (Id inner = values_.call(value);
          inner == None || !givesConstants(inner, depth + 1))
        return false;
    }
  return any;
}

bool TextLookups::seesText(Id function, unsigned depth) const {
  if (s_.seesFile(function))
    return true;
  return llvm::any_of(p_.callsOf(function), [&](Id k) {
    const Call &c = f_.calls[k];
    return llvm::any_of(c.args, [&](Id a) { return a != None && isText(a); }) ||
           (c.callee != None && depth < MostCalls &&
            seesText(c.callee, depth + 1));
  });
}

bool TextLookups::onlyLooks(Id function, unsigned depth) const {
  const Function &fn = f_.functions[function];
  if (!fn.hasBody)
    return hasTrait(fn.name, LibraryFunction::ComparesText);
  if (depth > MostCalls || fn.hasInlineAsm || !p_.storesOf(function).empty())
    return false;
  for (const Definition *d : p_.definitionsOf(function))
    if (d->staticWrites.begin != d->staticWrites.end)
      return false;
  return llvm::all_of(p_.callsOf(function), [&](Id k) {
    Id callee = f_.calls[k].callee;
    return callee != None && onlyLooks(callee, depth + 1);
  });
}

/// The calls that are handed its address; none where that goes elsewhere, too.
llvm::SmallVector<Id, 4> TextLookups::takers(Id local) const {
  llvm::SmallVector<Id, 4> found;
  const Id function = f_.nodes[local].function;
  for (Id i : p_.constraintsOf(function)) {
    const Constraint &c = f_.constraints[i];
    if (c.flow != Flow::AddressOf || c.src != local)
      continue;
    size_t before = found.size();
    for (Id k : p_.callsOf(function))
      if (llvm::is_contained(f_.calls[k].args, c.dst))
        found.push_back(k);
    if (found.size() == before)
      return {};
  }
  return found;
}

bool TextLookups::chooseFor(Id local) const {
  if (f_.nodes[local].kind != NodeKind::Local ||
      !values_.definitions(local).empty() || !p_.isAddressTaken(local))
    return false;
  llvm::SmallVector<Id, 4> calls = takers(local);
  return llvm::any_of(calls, [&](Id k) {
    Id callee = f_.calls[k].callee;
    return callee != None && f_.functions[callee].hasBody &&
           pt_.reached().contains(callee) && seesText(callee);
  });
}

bool TextLookups::onlyReadFor(Id local) const {
  return chooseFor(local) && llvm::all_of(takers(local), [&](Id k) {
           Id callee = f_.calls[k].callee;
           return callee != None && onlyReads(callee);
         });
}

void TextLookups::eachPutInto(Id local,
                              llvm::function_ref<void(Id)> see) const {
  for (Id k : takers(local)) {
    const Call &call = f_.calls[k];
    if (call.callee == None || !f_.functions[call.callee].hasBody)
      continue;
    const std::vector<Id> &params = f_.functions[call.callee].params;
    for (Id i : p_.constraintsOf(call.callee)) {
      const Constraint &c = f_.constraints[i];
      auto at = c.flow == Flow::Store && c.dst != None && c.src != None
                    ? llvm::find(params, p_.origin(c.dst))
                    : params.end();
      size_t n = at - params.begin();
      if (at != params.end() && n < call.args.size() && call.args[n] != None &&
          p_.variableAt(call.args[n]) == local)
        see(c.src);
    }
  }
}

/// Opens nothing, and remembers nothing of its own: what it stores lies behind
/// what it was handed, or made.
bool TextLookups::onlyReads(Id function, unsigned depth) const {
  const Function &fn = f_.functions[function];
  if (depth > MostCalls || !fn.hasBody || fn.hasInlineAsm)
    return false;
  for (const Definition *d : p_.definitionsOf(function))
    if (d->staticWrites.begin != d->staticWrites.end)
      return false;
  for (Id i : p_.storesOf(function)) {
    const Id at =
        AccessPath(p_, f_.stores[i].address, AccessPath::Place | Flow::Arith)
            .base;
    if (at == None || f_.nodes[at].kind != NodeKind::Local)
      return false;
  }
  return llvm::all_of(p_.callsOf(function), [&](Id k) {
    const auto &callees = flow_.callees(k);
    return !callees.empty() && llvm::all_of(callees, [&](Id callee) {
      if (f_.functions[callee].hasBody)
        return onlyReads(callee, depth + 1);
      const LibraryFunction *l = libraryFunction(f_.functions[callee].name);
      return hasTrait(f_.functions[callee].name, LibraryFunction::ReadsText) ||
             hasTrait(f_.functions[callee].name,
                      LibraryFunction::ComparesText) ||
             p_.isNoReturn(callee) ||
             (l && l->kind != LibraryFunction::Wait &&
              l->kind != LibraryFunction::Sleep &&
              l->kind != LibraryFunction::Assign && // time(&now)
              l->kind != LibraryFunction::Nondeterministic);
    });
  });
}
