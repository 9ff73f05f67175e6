//===- ScalarOrigins.cpp - What numbers are computed from -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/scalars/RootIndicesAndSizes-ring.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/ScalarOrigins.h"

using namespace nvmove;

ScalarOrigins::ScalarOrigins(const Program &program, const PointsTo &pointsTo,
                             const DefinitionIndex &values, Calls calls)
    : p_(program), f_(program.facts), pt_(pointsTo), values_(values),
      calls_(calls) {
  for (const Function &fn : f_.functions)
    for (unsigned k = 0; k < fn.params.size(); ++k)
      params_[fn.params[k]] = k;
}

bool ScalarOrigins::each(llvm::ArrayRef<Id> values, Visit visit,
                         const FieldFlow *flow) const {
  IdSet seen[2]; // copied; computed
  std::vector<std::pair<Id, bool>> work;
  for (Id value : values)
    work.push_back({value, false});
  while (!work.empty()) {
    auto [n, isComputed] = work.back();
    work.pop_back();
    if (n == None || !seen[isComputed].insert(n).second ||
        p_.isPointer(f_.nodes[n].type))
      continue;
    if ((f_.nodes[n].kind == NodeKind::Global ||
         f_.nodes[n].kind == NodeKind::Local) &&
        !visit({n, None}, isComputed))
      return false;
    if (f_.nodes[n].kind == NodeKind::Global)
      continue;
    if (Id call = values_.call(n); call != None)
      if (Id callee = f_.calls[call].callee;
          callee != None && f_.functions[callee].hasBody)
        work.push_back({f_.functions[callee].result, isComputed});
    if (auto at = params_.find(n); at != params_.end())
      for (Id i : p_.callersOf(f_.nodes[n].function))
        if (const Call &c = f_.calls[i];
            at->second < c.args.size() &&
            (calls_ == Calls::All || pt_.reached().contains(c.function)))
          work.push_back({c.args[at->second], isComputed});
    for (Id i : values_.definitions(n))
      if (const Constraint &c = f_.constraints[i]; c.flow != Flow::Load)
        work.push_back({c.src, isComputed || c.flow == Flow::Arith});
      else if (!eachRead(c.src, isComputed, visit, flow))
        return false;
  }
  return true;
}

bool ScalarOrigins::eachRead(Id address, bool isComputed, Visit visit,
                             const FieldFlow *flow) const {
  Id d = p_.definition(address), cell = None, base = None;
  if (d != None && f_.constraints[d].flow == Flow::Member) {
    cell = f_.fields[f_.constraints[d].extra].cell;
    base = f_.constraints[d].src;
    d = p_.definition(base);
  }
  if (d != None && f_.constraints[d].flow == Flow::AddressOf)
    return visit({f_.constraints[d].src, cell}, isComputed);
  for (Id l : pt_.pointsTo(address))
    if (const auto &o = pt_.objects()[pt_.locations()[l].object];
        o.kind == PointsTo::Object::Variable &&
        !visit({o.ref, pt_.locations()[l].field}, isComputed))
      return false;
  if (flow && base != None && !pt_.reached().contains(f_.nodes[base].function))
    for (unsigned t : flow->atNode(base))
      if (const FieldFlow::Token &k = flow->tokens()[t];
          k.kind == FieldFlow::Token::Static &&
          !visit({k.ref, cell}, isComputed))
        return false;
  return true;
}

void ScalarOrigins::add(llvm::ArrayRef<Id> values, Places &places,
                        const FieldFlow *flow) const {
  each(values, [&](Place at, bool) { return places.insert(at), true; }, flow);
}

void ScalarOrigins::addCopied(llvm::ArrayRef<Id> values, Places &places) const {
  each(values, [&](Place at, bool isComputed) {
    if (!isComputed)
      places.insert(at);
    return true;
  });
}

bool ScalarOrigins::isFrom(Id value, Place place) const {
  return !each(value, [&](Place at, bool) { return at != place; });
}

bool ScalarOrigins::isComputedFrom(Id value, Place place) const {
  return !each(value, [&](Place at, bool isComputed) {
    return !isComputed || at != place;
  });
}

bool ScalarOrigins::isCounted(Id value) const {
  bool any = false;
  return each(value,
              [&](Place at, bool) {
                any = true;
                return isCounter(at.first);
              }) &&
         any;
}

bool ScalarOrigins::isCounter(Id variable) const {
  return f_.nodes[variable].kind == NodeKind::Local &&
         !p_.isAddressTaken(variable) && !params_.contains(variable) &&
         values_.definitions(variable).empty();
}
