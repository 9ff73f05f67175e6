//===- ContainerInsertions.cpp - Who puts something into a list? ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/ContainerInsertions.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

/// FILE, and what only a library knows: the pool keeps none of it.
bool ContainerInsertions::isHandle(Id type) const {
  Id record = type == None ? None : p_.pointeeRecord(type);
  return record != None && !p_.isProgramRecord(record) &&
         (!f_.records[record].complete ||
          f_.records[record].name == "_IO_FILE");
}

const ContainerInsertions::Graph &ContainerInsertions::graphOf(Id function) {
  auto [at, fresh] = graphs_.try_emplace(function);
  if (!fresh)
    return at->second;
  Graph &g = at->second;
  auto isInteger = [&](Id node) {
    Id type = p_.element(f_.nodes[node].type);
    return type != None && p_.kind(type) == TypeKind::Integer;
  };
  auto mayMeet = [&](Id node) {
    return node != None && !(numbers_ && isInteger(node)) &&
           !isHandle(f_.nodes[node].type) && p_.functionOf(node) == None &&
           (f_.nodes[node].type == None ||
            p_.mayHoldPointer(f_.nodes[node].type) ||
            p_.recordOf(f_.nodes[node].type) != None);
  };
  for (Id i : p_.constraintsOf(function)) {
    const Constraint &c = f_.constraints[i];
    if (mayMeet(c.dst) && mayMeet(c.src)) {
      g.edges[c.dst].push_back(i);
      g.edges[c.src].push_back(i);
    } else if (mayMeet(c.dst) && c.src != None && isInteger(c.src) &&
               (c.flow == Flow::Copy || c.flow == Flow::Cast)) {
      g.others.insert(c.dst); // a pointer in disguise
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
  for (Id i : p_.storesOf(function)) {
    const StoreSite &s = f_.stores[i];
    if (s.address == None || s.valueType == None)
      continue;
    bool isPointer =
        p_.isPointer(s.valueType) && !p_.isFunctionPointer(s.valueType);
    (isPointer                  ? g.pointers
     : s.stored == Stored::Step ? g.counts
                                : g.others)
        .insert(s.address);
  }
  return g;
}

bool ContainerInsertions::fills(Id function, Id member) {
  std::vector<Id> work;
  for (Id i : p_.constraintsOf(function))
    if (const Constraint &c = f_.constraints[i];
        c.flow == Flow::Member && c.extra == member)
      work.push_back(c.dst);
  Met met = meet(function, work, member);
  return !met.nothing();
}

bool ContainerInsertions::fillsBehind(Id function, Id variable, bool set) {
  Met met = meet(function, {variable}, None, variable, set);
  return !met.nothing();
}

const ContainerInsertions::Met &
ContainerInsertions::handed(Id function, const std::vector<unsigned> &params) {
  auto [at, fresh] = met_.try_emplace({function, params}); // of recursion: new
  if (!fresh)
    return at->second;
  std::vector<Id> work;
  const Function &fn = f_.functions[function];
  for (unsigned k : params)
    if (k < fn.params.size())
      work.push_back(fn.params[k]);
    else if (fn.variadic != None)
      work.push_back(fn.variadic);
  Met met = meet(function, work, None);
  return met_[{function, params}] = std::move(met);
}

bool ContainerInsertions::putsNumbers(const Graph &g, const IdSet &seen) const {
  auto isSeen = [&](Id address) { return seen.contains(address); };
  return llvm::any_of(g.others, isSeen) ||
         (llvm::any_of(g.counts, isSeen) && llvm::none_of(g.pointers, isSeen));
}

/// `work` and all that meets it in the function. The address of `member` is
/// not the record's that it is taken of, nor is `variable` what it is `set` to.
ContainerInsertions::Met ContainerInsertions::meet(Id function,
                                                   std::vector<Id> work,
                                                   Id member, Id variable,
                                                   bool set) {
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
      if ((kind == NodeKind::Global && n != variable) ||
          kind == NodeKind::Literal)
        return met;
      if (auto at = g.edges.find(n); at != g.edges.end())
        for (Id i : at->second)
          if (const Constraint &c = f_.constraints[i];
              (c.flow != Flow::Member || c.extra != member) &&
              !(set && c.dst == variable))
            work.push_back(c.dst == n ? c.src : c.dst);
      if (auto at = g.calls.find(n); at != g.calls.end())
        calls.insert(at->second.begin(), at->second.end());
    }
    for (Id call : calls)
      if (!follow(call, seen, work, given, met))
        return met;
    llvm::erase_if(work, [&](Id n) { return seen.contains(n); });
  }
  for (Id call : calls)
    if (Id result = f_.calls[call].result;
        result != None && seen.contains(result) && !given.contains(result))
      return met;
  if (numbers_ && putsNumbers(g, seen))
    return met;
  for (unsigned k = 0; k < fn.params.size(); ++k)
    if (seen.contains(fn.params[k]))
      met.params.push_back(k);
  if (fn.variadic != None && seen.contains(fn.variadic))
    met.params.push_back(fn.params.size());
  met.result = fn.result != None && seen.contains(fn.result);
  met.isNew = false;
  return met;
}

/// The parameter of the function that the node is, which nothing sets; or None.
unsigned ContainerInsertions::parameterAt(Id node, Id function) const {
  const auto &params = f_.functions[function].params;
  auto at = node == None ? params.end() : llvm::find(params, node);
  bool isSet = at != params.end() &&
               (p_.isAddressTaken(node) ||
                llvm::any_of(p_.constraintsOf(function), [&](Id i) {
                  return f_.constraints[i].dst == node;
                }));
  return at == params.end() || isSet ? None : at - params.begin();
}

/// What meets the arguments in the callees meets them here. False if that is
/// something new.
bool ContainerInsertions::follow(Id call, const IdSet &seen,
                                 std::vector<Id> &work, IdSet &given,
                                 Met &met) {
  const Call &c = f_.calls[call];
  std::vector<unsigned> handedOver;
  for (unsigned k = 0; k < c.args.size(); ++k)
    if (c.args[k] != None && seen.contains(c.args[k]))
      handedOver.push_back(k);
  if (handedOver.empty())
    return true; // a result: see `given`
  if (unsigned k = parameterAt(c.target, c.function);
      c.callee == None && k != None && c.result == None) {
    met.calls.push_back({k, handedOver});
    return true;
  }
  if (flow_.callees(call).empty())
    return false;
  for (Id callee : flow_.callees(call)) {
    const Function &fn = f_.functions[callee];
    if (!fn.hasBody) {
      const LibraryFunction *l = p_.libraryOf(callee);
      if (l && l->kind == LibraryFunction::Free)
        continue;
      bool prints = l && l->kind == LibraryFunction::Print;
      auto isList = [&](Id a) { // of arguments: vprintf()
        Id r = p_.pointeeRecord(f_.nodes[a].type);
        return r != None && f_.records[r].name == "__va_list_tag" &&
               !hasTrait(fn.name, LibraryFunction::WritesListed);
      };
      for (unsigned k : handedOver)
        if ((k >= c.argIsReadOnly.size() || !c.argIsReadOnly[k]) &&
            !(prints && int(k) != l->destination) && !isList(c.args[k]))
          return false;
      continue;
    }
    if (handedOver.back() >= fn.params.size() && !fn.isVariadic)
      return false;
    const Met &there = handed(callee, handedOver);
    if (there.isNew || !callBack(call, there, met))
      return false;
    for (unsigned k : there.params) {
      unsigned last = k < fn.params.size() ? k + 1 : c.args.size();
      for (unsigned a = k; a < last && a < c.args.size(); ++a)
        if (c.args[a] != None)
          work.push_back(c.args[a]);
    }
    if (there.result && c.result != None) {
      work.push_back(c.result);
      given.insert(c.result);
    }
  }
  return true;
}

/// What the callee calls is what it is handed here: iterate(table, print).
bool ContainerInsertions::callBack(Id call, const Met &callee, Met &met) {
  const Call &c = f_.calls[call];
  for (const auto &[k, places] : callee.calls) {
    if (k >= c.args.size() || c.args[k] == None)
      return false;
    if (unsigned own = parameterAt(c.args[k], c.function); own != None) {
      met.calls.push_back({own, places});
      continue;
    }
    std::vector<Id> functions = flow_.functionsIn(flow_.atNode(c.args[k]));
    if (functions.empty())
      return false;
    for (Id fn : functions) {
      if (!f_.functions[fn].hasBody ||
          places.back() >= f_.functions[fn].params.size())
        return false;
      const Met &there = handed(fn, places);
      if (there.isNew || there.result || !there.calls.empty() ||
          there.params != places)
        return false;
    }
  }
  return true;
}
