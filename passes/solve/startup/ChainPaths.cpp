//===- ChainPaths.cpp - Access paths through a chain of calls -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/startup/RegisteredOutside-containers.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/startup/ChainPaths.h"
#include "passes/solve/flow/AccessPath.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

Id ChainPaths::enter(Id chain, Id call) {
  constexpr unsigned most = 16;
  unsigned length = 0;
  for (Id at = chain; at != None; at = links_[at].caller)
    if (links_[at].call == call || ++length > most)
      return chain;
  links_.push_back({call, chain});
  return Id(links_.size() - 1);
}

std::vector<Id> ChainPaths::Place::fields() const {
  std::vector<Id> fields;
  for (const Constraint *c : steps) {
    if (c->flow == Flow::Load)
      break;
    if (c->flow == Flow::Member)
      fields.push_back(c->extra);
  }
  return fields;
}

std::vector<Id> ChainPaths::Place::fieldsBehind() const {
  std::vector<Id> fields;
  bool isBehind = false;
  for (const Constraint *c : steps) {
    if (c->flow == Flow::Load && isBehind)
      break;
    isBehind |= c->flow == Flow::Load;
    if (c->flow == Flow::Member && isBehind)
      fields.push_back(c->extra);
  }
  return fields;
}

const Constraint *ChainPaths::Place::firstLoad() const {
  auto at = llvm::find_if(
      steps, [](const Constraint *c) { return c->flow == Flow::Load; });
  return at == steps.end() ? nullptr : *at;
}

bool ChainPaths::isParameter(Id node) const {
  const Id function = p_.facts.nodes[node].function;
  return function != None &&
         llvm::is_contained(p_.facts.functions[function].params, node);
}

/// The one call of it at start-up; None.
Id ChainPaths::startUpCall(Id function) const {
  Id found = None;
  for (Id k : p_.callersOf(function)) {
    const Id caller = p_.facts.calls[k].function;
    if (!c_.loop.startUp.contains(caller) || c_.phases.handled.contains(caller))
      continue;
    if (found != None)
      return None;
    found = k;
  }
  return found;
}

/// The variable whose address is all that it is given; None.
Id ChainPaths::pointsTo(Id variable, const std::vector<Id> &fields) const {
  Id found = None;
  if (fields.empty())
    return p_.staticBehind(variable);
  for (const auto *writes : {&p_.facts.staticWrites, &p_.facts.localWrites})
    for (const StaticWrite &w : *writes)
      if (w.variable == variable && w.path == fields) {
        const Id to = w.value == None ? None : p_.variableAt(w.value);
        if (to == None || (found != None && found != to))
          return None;
        found = to;
      }
  return found;
}

ChainPaths::Place ChainPaths::at(Id address, Id chain) const {
  Place place;
  auto follow = [&](const AccessPath &path) {
    place.base = path.base;
    place.isVariable = path.isAddress;
    place.steps.insert(place.steps.begin(), path.steps.begin(),
                       path.steps.end());
  };
  follow(AccessPath(p_, address, AccessPath::Loads));
  while (place.base != None && !place.isVariable) {
    Id next = p_.copied(place.base);
    if (isParameter(place.base)) {
      const Id function = p_.facts.nodes[place.base].function;
      const Id by = chain == None ? startUpCall(function) : call(chain);
      if (by == None)
        break;
      const Call &c = p_.facts.calls[by];
      const std::vector<Id> &params = p_.facts.functions[function].params;
      const size_t k = llvm::find(params, place.base) - params.begin();
      next = k < c.args.size() ? c.args[k] : None;
      chain = caller(chain);
    }
    if (next == None)
      break;
    follow(AccessPath(p_, next, AccessPath::Loads));
  }
  for (unsigned turns = 0; place.isVariable && turns < 4; ++turns) {
    const Constraint *load = place.firstLoad();
    const Id to = load ? pointsTo(place.base, place.fields()) : None;
    if (to == None)
      break;
    place.base = to;
    place.steps.erase(place.steps.begin(),
                      std::next(llvm::find(place.steps, load)));
  }
  return place;
}

std::string ChainPaths::nameOf(const Place &place) const {
  std::string name = p_.nameOf(place.base);
  const char *by = ".";
  for (const Constraint *c : place.steps) {
    if (c->flow == Flow::Load)
      by = "->";
    if (c->flow != Flow::Member)
      continue;
    name += by + p_.facts.fields[c->extra].name;
    by = ".";
  }
  return name;
}
