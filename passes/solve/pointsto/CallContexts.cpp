//===- CallContexts.cpp - Small functions, told apart by calls ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/CallContexts.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

constexpr size_t MaxNodes = 200;         ///< of a function
constexpr size_t MaxCalls = 12;          ///< in a function
constexpr size_t MaxNodesInAll = 10'000; ///< of a function, in all its copies
constexpr unsigned MaxDepth = 3;         ///< of instances in instances
/// Copies of nodes: as many as a quarter of the program's, within these bounds.
constexpr size_t FewCopies = 10'000, ManyCopies = 100'000;

} // namespace

CallContexts::CallContexts(const PointsToInput &input, ValueGraph &graph)
    : p_(input.program), a_(input.allocators), options_(input.options),
      graph_(graph) {}

bool CallContexts::hasInstances(Id function) {
  auto [at, fresh] = hasInstances_.try_emplace(function, false);
  if (!fresh)
    return at->second;
  const bool has = isClosed(function) && passesPointers(function);
  return hasInstances_[function] = has;
}

/// It is small, and keeps its variables to itself.
bool CallContexts::isClosed(Id function) const {
  const Facts &f = p_.facts;
  const Function &fn = f.functions[function];
  if (fn.variadic != None || fn.isVariadic || fn.hasInlineAsm ||
      a_.isWrapper(function) || options_.isLoading(function) ||
      p_.definitionsOf(function).size() != 1)
    return false;
  const Range nodes = nodesOf(function);
  const size_t size = nodes.end - nodes.begin;
  if (size > MaxNodes || p_.callsOf(function).size() > MaxCalls)
    return false;
  auto isInside = [&](Id n) { return n >= nodes.begin && n < nodes.end; };
  for (Id n = nodes.begin; n < nodes.end; ++n)
    if (f.nodes[n].kind != NodeKind::Literal &&
        p_.recordOf(f.nodes[n].type) != None)
      return false;
  return llvm::all_of(fn.params, isInside) &&
         (fn.result == None || isInside(fn.result)) &&
         llvm::none_of(p_.constraintsOf(function), [&](Id i) {
           const Constraint &c = f.constraints[i];
           return c.flow == Flow::AddressOf && isInside(c.src) &&
                  f.nodes[c.src].kind != NodeKind::Literal;
         });
}

/// Else it makes no difference who calls it.
bool CallContexts::passesPointers(Id function) {
  const Facts &f = p_.facts;
  auto isPointer = [&](Id n) {
    Id to = n == None ? None : p_.pointee(f.nodes[n].type);
    return to != None && p_.kind(to) != TypeKind::Byte;
  };
  bool passes = isPointer(f.functions[function].result);
  for (Id i : p_.constraintsOf(function)) {
    const Constraint &c = f.constraints[i];
    passes |= c.flow == Flow::CopyMemory ||
              (c.flow == Flow::Store && isPointer(c.src));
  }
  for (Id i : p_.callsOf(function)) {
    const Call &c = f.calls[i];
    passes |= c.callee == None || a_.siteOf(i) ||
              (c.callee != function && hasInstances(c.callee));
  }
  return passes;
}

std::pair<Id, bool> CallContexts::instanceFor(Id call, Id callee) {
  if (!options_.tellCallsApart || callAt(call).callee == None ||
      !hasInstances(callee))
    return {None, false};
  const Id parent = instanceOf(call);
  if (parent == None && p_.callersOf(callee).size() < 2)
    return {None, false};
  Id known = None;
  for (Id i = parent; i != None; i = instances_[i].parent)
    if (instances_[i].function == callee)
      known = i; // recursion: one for all its depths
  if (known != None)
    return {known, false};
  const unsigned depth = parent == None ? 1 : instances_[parent].depth + 1;
  if (!isRoomFor(callee, depth))
    return {None, false};
  const Range text = nodesOf(callee);
  Id first = None;
  for (Id n = text.begin; n < text.end; ++n) {
    const Id copy = graph_.copyOf(n);
    first = first == None ? copy : first;
  }
  instances_.push_back({callee, parent, first, depth});
  return {Id(instances_.size() - 1), true};
}

/// Then the copy is counted.
bool CallContexts::isRoomFor(Id callee, unsigned depth) {
  const Range text = nodesOf(callee);
  const size_t most =
      std::clamp(p_.facts.nodes.size() / 4, FewCopies, ManyCopies);
  size_t &ofCallee = copied_[callee];
  if (depth > MaxDepth || copiedNodes_ > most || ofCallee > MaxNodesInAll)
    return false;
  copiedNodes_ += text.end - text.begin;
  ofCallee += text.end - text.begin;
  return true;
}

Id CallContexts::inInstance(Id instance, Id node) const {
  if (instance == None || node == None)
    return node;
  const Instance &i = instances_[instance];
  const Range text = nodesOf(i.function);
  return node < text.begin || node >= text.end ||
                 p_.facts.nodes[node].kind == NodeKind::Literal
             ? node
             : i.first + (node - text.begin);
}

Constraint CallContexts::inInstance(Id instance, const Constraint &c) const {
  Constraint copy = c;
  copy.dst = inInstance(instance, c.dst);
  copy.src = inInstance(instance, c.src);
  return copy;
}

Id CallContexts::copyOfCall(Id text, Id instance) {
  const Id id = p_.facts.calls.size() + calls_.size();
  calls_.push_back({p_.facts.calls[text], text, instance});
  Call &c = calls_.back().call;
  c.argSpans = {};
  c.sizeofRecords = c.sizeofTypes = {};
  c.arms = {};
  c.flags = {};
  auto move = [&](Id &node) { node = inInstance(instance, node); };
  llvm::for_each(c.args, move);
  llvm::for_each(c.nonNull, move);
  move(c.result);
  move(c.target);
  for (PointerPair &pair : c.different) {
    move(pair.first);
    move(pair.second);
  }
  for (ArgValue &value : c.argValues)
    move(value.param);
  for (ParamTest &test : c.tests)
    move(test.param);
  return id;
}

void CallContexts::eachNode(
    Id instance, llvm::function_ref<void(Id text, Id copy)> visit) const {
  const Instance &i = instances_[instance];
  const Range text = nodesOf(i.function);
  for (Id n = text.begin; n < text.end; ++n)
    visit(n, i.first + (n - text.begin));
}
