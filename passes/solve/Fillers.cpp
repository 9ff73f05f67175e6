//===- Fillers.cpp - Who puts something into a list? ----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/Fillers.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

const Fillers::Graph &Fillers::graphOf(Id function) {
  auto [at, fresh] = graphs_.try_emplace(function);
  if (!fresh)
    return at->second;
  Graph &g = at->second;
  auto mayMeet = [&](Id node) {
    return node != None && p_.functionOf(node) == None &&
           (f_.nodes[node].type == None ||
            p_.mayHoldPointer(f_.nodes[node].type) ||
            p_.recordOf(f_.nodes[node].type) != None);
  };
  for (Id i : p_.constraintsOf(function)) {
    const Constraint &c = f_.constraints[i];
    if (mayMeet(c.dst) && mayMeet(c.src)) {
      g.edges[c.dst].push_back(i);
      g.edges[c.src].push_back(i);
    }
  }
  for (Id i : p_.callsOf(function)) {
    const Call &c = f_.calls[i];
    for (Id a : c.args)
      if (mayMeet(a))
        g.calls[a].push_back(i);
    if (mayMeet(c.result))
      g.calls[c.result].push_back(i);
  }
  return g;
}

bool Fillers::fills(Id function, Id member) {
  std::vector<Id> work;
  for (Id i : p_.constraintsOf(function))
    if (const Constraint &c = f_.constraints[i];
        c.flow == Flow::Member && c.extra == member)
      work.push_back(c.dst);
  Met met = meet(function, work, member);
  return met.isNew || met.result || !met.params.empty();
}

const Fillers::Met &Fillers::handed(Id function,
                                    const std::vector<unsigned> &params) {
  auto [at, fresh] = met_.try_emplace({function, params}); // of recursion: new
  if (!fresh)
    return at->second;
  std::vector<Id> work;
  for (unsigned k : params)
    work.push_back(f_.functions[function].params[k]);
  Met met = meet(function, work, None);
  return met_[{function, params}] = std::move(met);
}

/// `work` and all that meets it in the function. The address of `member` is
/// not the record's that it is taken of.
Fillers::Met Fillers::meet(Id function, std::vector<Id> work, Id member) {
  const Graph &g = graphOf(function);
  const Function &fn = f_.functions[function];
  Met met;
  IdSet seen, calls, given; // given: results that come from what is handed over
  while (!work.empty()) {
    while (!work.empty()) {
      Id n = work.back();
      work.pop_back();
      if (!seen.insert(n).second)
        continue;
      NodeKind kind = f_.nodes[n].kind;
      if (kind == NodeKind::Global || kind == NodeKind::Literal)
        return met;
      if (auto at = g.edges.find(n); at != g.edges.end())
        for (Id i : at->second)
          if (const Constraint &c = f_.constraints[i];
              c.flow != Flow::Member || c.extra != member)
            work.push_back(c.dst == n ? c.src : c.dst);
      if (auto at = g.calls.find(n); at != g.calls.end())
        calls.insert(at->second.begin(), at->second.end());
    }
    for (Id call : calls)
      if (!follow(call, seen, work, given))
        return met;
    llvm::erase_if(work, [&](Id n) { return seen.contains(n); });
  }
  for (Id call : calls)
    if (Id result = f_.calls[call].result;
        result != None && seen.contains(result) && !given.contains(result))
      return met;
  for (unsigned k = 0; k < fn.params.size(); ++k)
    if (seen.contains(fn.params[k]))
      met.params.push_back(k);
  met.result = fn.result != None && seen.contains(fn.result);
  met.isNew = false;
  return met;
}

/// What meets the arguments in the callees meets them here. False if that is
/// something new.
bool Fillers::follow(Id call, const IdSet &seen, std::vector<Id> &work,
                     IdSet &given) {
  const Call &c = f_.calls[call];
  std::vector<unsigned> handedOver;
  for (unsigned k = 0; k < c.args.size(); ++k)
    if (c.args[k] != None && seen.contains(c.args[k]))
      handedOver.push_back(k);
  if (handedOver.empty())
    return true; // a result: see `given`
  if (flow_.callees(call).empty())
    return false;
  for (Id callee : flow_.callees(call)) {
    const Function &fn = f_.functions[callee];
    if (!fn.hasBody) {
      if (const LibraryFunction *l = p_.libraryOf(callee);
          l && l->kind == LibraryFunction::Free)
        continue;
      for (unsigned k : handedOver)
        if (k >= c.argIsReadOnly.size() || !c.argIsReadOnly[k])
          return false;
      continue;
    }
    if (handedOver.back() >= fn.params.size())
      return false;
    const Met &met = handed(callee, handedOver);
    if (met.isNew)
      return false;
    for (unsigned k : met.params)
      if (k < c.args.size() && c.args[k] != None)
        work.push_back(c.args[k]);
    if (met.result && c.result != None) {
      work.push_back(c.result);
      given.insert(c.result);
    }
  }
  return true;
}
