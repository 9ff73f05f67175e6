//===- EmptyRings.cpp - Circular lists that are empty ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static struct list listeners = {&listeners, &listeners};
//   if (list_empty(&listeners)) return;    list_empty: head->next == head
//
// While nothing but its own address is stored in the head of such a list, what
// stands behind the test is not run.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/pointsto/PointsTo.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

/// Functions that run before the load, or that something calls which does.
IdSet PreLoadNullness::beforeLoad(const std::vector<Id> &load) const {
  std::vector<Id> first;
  for (Id fn : early_)
    if (!loading_.contains(fn) || byLibrary_.contains(fn))
      first.push_back(fn);
  return CallGraph(p_, flow_)
      .reach(first, {.follows =
                         [&](Id call) {
                           return !late_.contains(call) &&
                                  !loop_.leadsToLoad(call, load);
                         },
                     .enters = [&](Id fn) { return early_.contains(fn); }})
      .set();
}

void PreLoadNullness::findSelfLinked(const std::vector<Id> &load) {
  const Facts &f = p_.facts;
  IdMap<Id> addresses, members; // nodes -> the variable
  IdSet others;
  // Initialisers are constants, in the order in which they are evaluated.
  for (Id i : p_.constraintsOf(None)) {
    const Constraint &c = f.constraints[i];
    Id at = addresses.contains(c.src) ? addresses[c.src] : None,
       to = members.contains(c.dst) ? members[c.dst] : None;
    if (c.flow == Flow::AddressOf && f.nodes[c.src].kind == NodeKind::Global) {
      addresses[c.dst] = c.src;
    } else if (c.flow == Flow::Member && at != None) {
      members[c.dst] = at;
    } else if (c.flow == Flow::Store && at != None && at == to) {
      selfLinked_.insert(at);
    } else { // it is told of elsewhere, or leads elsewhere
      others.insert(at);
      others.insert(to);
      if (members.contains(c.src))
        others.insert(members[c.src]);
    }
  }
  if (selfLinked_.empty())
    return;
  const IdSet before = beforeLoad(load);
  auto name = [&](Id variable, Id function) {
    if (function != None && before.contains(function))
      others.insert(variable);
  };
  for (const Constraint &c : f.constraints) {
    name(c.src, c.function);
    name(c.dst, c.function);
  }
  for (const StaticWrite &w : f.staticWrites)
    name(w.variable, w.function);
  for (Id variable : std::vector<Id>(selfLinked_.begin(), selfLinked_.end())) {
    const Node &n = f.nodes[variable];
    if (others.contains(variable) || !n.isDefined || n.isThreadLocal ||
        p_.kind(n.type) != TypeKind::Record)
      selfLinked_.erase(variable);
  }
}

bool PointsTo::awaitOnce(Id node, Id call) {
  if (awaited_.insert({call, node}).second) // whatever else it waited for
    watch(node, {Use::Await, call, None});
  return true;
}

/// Nothing but the address of the head is in the node so far.
bool PointsTo::isEmptyList(Id node, Id head, Id call) {
  Id whole = find(head, None);
  for (Id l : pool_[sets_[find(node)]])
    if (l != whole)
      return false;
  return awaitOnce(node, call);
}

/// Where the pointer is, in a static head, that a function of the program
/// compares with the head's address which it is handed; None.
Id PointsTo::linkTested(const Call &test, Id &head) {
  const Facts &f = p_.facts;
  if (test.callee == None || p_.definitionsOf(test.callee).size() != 1)
    return None;
  const Function &fn = f.functions[test.callee];
  const Definition &d = *p_.definitionsOf(test.callee).front();
  if (d.answers.size() != 1 || d.answers[0].equal.first == None)
    return None;
  auto [link, param] = d.answers[0].equal;
  if (!llvm::is_contained(fn.params, param))
    std::swap(link, param);
  size_t k = llvm::find(fn.params, param) - fn.params.begin();
  if (k >= fn.params.size() || k >= test.args.size() ||
      llvm::any_of(p_.constraintsOf(test.callee),
                   [&](Id i) { return f.constraints[i].dst == param; }))
    return None;
  auto defining = [&](Id node, Flow flow) -> const Constraint * {
    Id i = node == None ? None : p_.definition(node);
    return i != None && f.constraints[i].flow == flow ? &f.constraints[i]
                                                      : nullptr;
  };
  const Constraint *load = defining(link, Flow::Load),
                   *member = load ? defining(load->src, Flow::Member) : nullptr;
  head = p_.variableAt(test.args[k]);
  if (!member || member->src != param || head == None ||
      !unfilled_.isSelfLinked(head) ||
      p_.recordOf(f.nodes[head].type) != f.fields[member->extra].record)
    return None;
  return location(locations_[find(head, None)].object,
                  f.fields[member->extra].cell);
}

bool PointsTo::awaitsList(Id call) {
  const Call &c = callAt(call);
  for (const PointerPair &p : c.different)
    for (auto [link, address] :
         {std::pair(p.first, p.second), std::pair(p.second, p.first)})
      if (Id head = p_.variableAt(textOf(address));
          head != None && unfilled_.isSelfLinked(head)) {
        prepare(link);
        if (isEmptyList(link, head, call))
          return true;
      }
  for (Id result : textOfCall(call).zero)
    for (Id i : p_.callsOf(c.function))
      if (const Call &test = p_.facts.calls[i]; test.result == result) {
        Id head = None;
        if (Id l = linkTested(test, head); l != None) {
          materialise(l);
          if (isEmptyList(contents_[l], head, call))
            return true;
        }
      }
  return false;
}
