//===- CallGraph.cpp - What calls lead to, and what leads there -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/CallGraph.h"

using namespace nvmove;

/// A walk that goes on.
struct CallGraph::Walk {
  const Program &program;
  const Policy &policy;
  Reached reached;

  void enter(Id function, Id via, unsigned distance) {
    if (function == None || reached.last_ != None ||
        reached.contains(function) ||
        (policy.bodies && !program.facts.functions[function].hasBody) ||
        (policy.enters && !policy.enters(function)))
      return;
    reached.functions_.push_back(function);
    reached.steps_[function] = {via, distance};
    if (policy.until && policy.until(function))
      reached.last_ = function;
  }
};

bool CallGraph::counts(Id call, const Policy &policy) const {
  return (policy.pointers || p_.facts.calls[call].callee != None) &&
         (policy.deadEnds || !p_.isDeadEnd(call)) &&
         (policy.children || !p_.isInChild(call)) &&
         (!policy.follows || policy.follows(call));
}

void CallGraph::follow(Id call, unsigned distance, Walk &walk) const {
  if (!counts(call, walk.policy))
    return;
  const Call &c = p_.facts.calls[call];
  if (!walk.policy.pointers)
    return walk.enter(c.callee, call, distance);
  for (Id callee : flow_.callees(call))
    if (!walk.policy.fitting || p_.takesArgumentsOf(callee, c))
      walk.enter(callee, call, distance);
}

void CallGraph::spread(Walk &walk) const {
  // It grows meanwhile.
  const std::vector<Id> &functions = walk.reached.functions_;
  for (size_t i = 0; i < functions.size() && walk.reached.last_ == None; ++i) {
    const Id function = functions[i];
    const unsigned distance = walk.reached.distance(function) + 1;
    auto follow = [&](Id call) { this->follow(call, distance, walk); };
    if (walk.policy.calls)
      llvm::for_each(walk.policy.calls(function), follow);
    else
      llvm::for_each(p_.callsOf(function), follow);
    if (walk.policy.also)
      walk.policy.also(function,
                       [&](Id to) { walk.enter(to, None, distance); });
  }
}

CallGraph::Reached CallGraph::reach(llvm::ArrayRef<Id> functions,
                                    const Policy &policy) const {
  Walk walk{p_, policy, {}};
  for (Id function : functions)
    walk.enter(function, None, 0);
  spread(walk);
  return std::move(walk.reached);
}

CallGraph::Reached CallGraph::reachFrom(llvm::ArrayRef<Id> calls,
                                        const Policy &policy) const {
  Walk walk{p_, policy, {}};
  for (Id call : calls)
    follow(call, 0, walk);
  spread(walk);
  return std::move(walk.reached);
}

const FieldFlow::Callers &CallGraph::callers() const {
  if (!callers_)
    callers_ = flow_.callers();
  return *callers_;
}

llvm::ArrayRef<Id> CallGraph::callsOf(Id callee, const Policy &policy) const {
  return policy.pointers ? FieldFlow::callersIn(callers(), callee)
                         : llvm::ArrayRef<Id>(p_.callersOf(callee));
}

CallGraph::Reached CallGraph::reachedBy(llvm::ArrayRef<Id> functions,
                                        const Policy &policy) const {
  assert(!policy.calls && !policy.also && "forwards only");
  Walk walk{p_, policy, {}};
  for (Id function : functions)
    walk.enter(function, None, 0);
  const std::vector<Id> &reached = walk.reached.functions_;
  for (size_t i = 0; i < reached.size() && walk.reached.last_ == None; ++i) {
    const Id callee = reached[i];
    const unsigned distance = walk.reached.distance(callee) + 1;
    for (Id call : callsOf(callee, policy))
      if (const Call &c = p_.facts.calls[call];
          counts(call, policy) &&
          (!policy.fitting || p_.takesArgumentsOf(callee, c)))
        walk.enter(c.function, call, distance);
  }
  return std::move(walk.reached);
}

const llvm::BitVector &CallGraph::below(Id function) const {
  std::unique_ptr<llvm::BitVector> &known = below_[function];
  if (known)
    return *known;
  auto all = std::make_unique<llvm::BitVector>(p_.facts.functions.size());
  all->set(function);
  // What is below a function that was asked for is known.
  reach({function}, {.bodies = true, .enters = [&](Id fn) {
                       if (fn == function)
                         return true;
                       if (all->test(fn))
                         return false;
                       auto at = below_.find(fn);
                       const bool isNew = at == below_.end() || !at->second;
                       if (isNew)
                         all->set(fn);
                       else
                         *all |= *at->second;
                       return isNew;
                     }});
  known = std::move(all);
  return *known;
}
