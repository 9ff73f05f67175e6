//===- HandleOrigins.cpp - Which object of a library is it? ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/callbacks/HandleOrigins.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

HandleOrigins::HandleOrigins(const Program &program, const FieldFlow &flow,
                             const DefinitionIndex &values)
    : p_(program), flow_(flow), values_(values) {
  const Facts &f = p_.facts;
  for (Id i = 0; i < f.calls.size(); ++i) {
    const Call &c = f.calls[i];
    if (c.result != None)
      resultOf_[c.result].push_back(i);
    if (c.callee != None && f.functions[c.callee].hasBody)
      continue;
    IdSet seen; // link(one, other)
    for (Id a : c.args)
      if (Id r = a == None ? None : p_.pointeeRecord(f.nodes[a].type);
          r != None && !seen.insert(r).second)
        joined_.insert(r);
  }
}

bool HandleOrigins::mayShare(Id handle, Id call, Id other) const {
  if (call == other || joined_.contains(handle))
    return true;
  const std::set<Id> &a = of(handle, call), &b = of(handle, other);
  return a.contains(None) || b.contains(None) ||
         llvm::any_of(a, [&](Id maker) { return b.contains(maker); });
}

/// None among them: not known.
const std::set<Id> &HandleOrigins::of(Id handle, Id call) const {
  auto [at, fresh] = known_.try_emplace({handle, call});
  std::set<Id> &makers = at->second;
  if (!fresh)
    return makers;
  const Call &c = p_.facts.calls[call];
  std::vector<Id> work;
  for (Id a : c.args)
    if (isOf(handle, a))
      work.push_back(a);
  if (work.empty() && isOf(handle, c.result))
    work.push_back(c.result);
  IdSet seen;
  while (!work.empty()) {
    Id node = work.back();
    work.pop_back();
    if (seen.insert(node).second && !follow(node, handle, work, makers))
      return makers = {None};
  }
  if (makers.empty())
    makers = {None};
  return makers;
}

/// False when the value may come from elsewhere.
bool HandleOrigins::follow(Id node, Id handle, std::vector<Id> &work,
                           std::set<Id> &makers) const {
  const Facts &f = p_.facts;
  const Node &n = f.nodes[node];
  const auto calls = resultOf_.lookup(node);
  if (p_.isAddressTaken(node) || (n.kind == NodeKind::Global && !n.isDefined) ||
      (n.kind == NodeKind::Temp && calls.empty() &&
       values_.definitions(node).empty()))
    return false;
  for (Id i : values_.definitions(node)) {
    const Constraint &c = f.constraints[i];
    if (c.flow != Flow::Copy && c.flow != Flow::Cast)
      return false;
    work.push_back(c.src);
  }
  for (Id k : calls) {
    if (flow_.callees(k).empty())
      return false;
    for (Id callee : flow_.callees(k))
      if (const Function &fn = f.functions[callee]; fn.hasBody) {
        if (fn.result == None)
          return false;
        work.push_back(fn.result);
      } else if (!makesAnother(fn.name)) {
        return false;
      } else {
        makers.insert(k);
        for (Id a : f.calls[k].args)
          if (isOf(handle, a)) // made from another, with its handlers
            work.push_back(a);
      }
  }
  if (n.function == None || n.kind == NodeKind::Global)
    return true;
  const Function &fn = f.functions[n.function];
  auto at = llvm::find(fn.params, node);
  if (at == fn.params.end())
    return true;
  size_t index = at - fn.params.begin();
  for (Id k : p_.callersOf(n.function)) {
    if (index >= f.calls[k].args.size())
      return false;
    if (Id a = f.calls[k].args[index]; a != None)
      work.push_back(a);
  }
  return !p_.callersOf(n.function).empty() && !p_.isAddressTaken(fn.node);
}
