//===- EmptyRings.cpp - Circular lists that are empty ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/EmptyRings.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

EmptyRings::EmptyRings(const PointsToInput &input, ValueGraph &graph,
                       Cells &cells, PriorContents &prior,
                       const CallContexts &contexts)
    : nullness_(input.nullness), p_(input.program), graph_(graph),
      cells_(cells), prior_(prior), contexts_(contexts) {}

/// Nothing but the address of the head is in the node so far.
bool EmptyRings::isEmpty(Id link, Id head) const {
  const Id whole = cells_.find(head, None);
  for (Id l : graph_.setOf(link))
    if (l != whole)
      return false;
  return true;
}

/// Where the pointer is, in a static head, that a function of the program
/// compares with the head's address which it is handed; None.
Id EmptyRings::linkTested(const Call &test, Id &head) {
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
      !nullness_.isSelfLinked(head) ||
      p_.recordOf(f.nodes[head].type) != f.fields[member->extra].record)
    return None;
  return cells_.location(cells_.at(cells_.find(head, None)).object,
                         f.fields[member->extra].cell);
}

Id EmptyRings::awaitedBy(Id call) {
  const Call &c = contexts_.callAt(call);
  for (const PointerPair &p : c.different)
    for (auto [link, address] :
         {std::pair(p.first, p.second), std::pair(p.second, p.first)})
      if (Id head = p_.variableAt(graph_.textOf(address));
          head != None && nullness_.isSelfLinked(head)) {
        prior_.prepare(link);
        if (isEmpty(link, head))
          return link;
      }
  for (Id result : contexts_.textOfCall(call).zero)
    for (Id i : p_.callsOf(c.function))
      if (const Call &test = p_.facts.calls[i]; test.result == result) {
        Id head = None;
        Id l = linkTested(test, head);
        if (l == None)
          continue;
        prior_.materialise(l);
        if (isEmpty(cells_.content(l), head))
          return cells_.content(l);
      }
  return None;
}
