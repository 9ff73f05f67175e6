//===- CallContexts.cpp - Small functions, told apart by calls -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   void list_add(struct list *l, void *x) { .. l->items[l->n++] = x; }
//   list_add(tokens, token);  list_add(items, item);
//
// Followed once for all its callers, list_add() would put every x into every l,
// and what list_new() makes would be one list. So each call of a small function
// has an instance of it: a copy of its nodes and calls, and blocks of its own
// (call strings: Sharir and Pnueli 1981; heap cloning: Nystrom, Kim and Hwu,
// SAS 2004). What is asked of a node of the text is answered for all instances
// together, so the other passes need not know of them.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/PointsTo.h"
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

/// It is small, and keeps its variables to itself.
bool PointsTo::hasInstances(Id function) {
  auto [at, fresh] = hasInstances_.try_emplace(function, false);
  if (!fresh)
    return at->second;
  const Facts &f = p_.facts;
  const Function &fn = f.functions[function];
  if (fn.variadic != None || fn.isVariadic || fn.hasInlineAsm ||
      a_.isWrapper(function) || isLoading(function) ||
      p_.definitionsOf(function).size() != 1)
    return false;
  const Range nodes = p_.definitionsOf(function).front()->nodes;
  const size_t size = nodes.end - nodes.begin;
  if (size > MaxNodes || p_.callsOf(function).size() > MaxCalls)
    return false;
  auto isInside = [&](Id n) { return n >= nodes.begin && n < nodes.end; };
  for (Id n = nodes.begin; n < nodes.end; ++n)
    if (f.nodes[n].kind != NodeKind::Literal &&
        p_.recordOf(f.nodes[n].type) != None)
      return false;
  if (!llvm::all_of(fn.params, isInside) ||
      (fn.result != None && !isInside(fn.result)))
    return false;
  auto isPointer = [&](Id n) {
    Id to = n == None ? None : p_.pointee(f.nodes[n].type);
    return to != None && p_.kind(to) != TypeKind::Byte;
  };
  // Else it makes no difference who calls it.
  bool passesPointers = isPointer(fn.result);
  for (Id i : p_.constraintsOf(function)) {
    const Constraint &c = f.constraints[i];
    if (c.flow == Flow::AddressOf && isInside(c.src) &&
        f.nodes[c.src].kind != NodeKind::Literal)
      return false;
    passesPointers |= c.flow == Flow::CopyMemory ||
                      (c.flow == Flow::Store && isPointer(c.src));
  }
  for (Id i : p_.callsOf(function)) {
    const Call &c = f.calls[i];
    passesPointers |= c.callee == None || a_.siteOf(i) ||
                      (c.callee != function && hasInstances(c.callee));
  }
  return hasInstances_[function] = passesPointers;
}

/// The instance that the call runs; None: the function as the text has it.
Id PointsTo::instanceFor(Id call, Id callee) {
  if (!options_.tellCallsApart || callAt(call).callee == None ||
      !hasInstances(callee))
    return None;
  const Id parent = instanceOf(call);
  if (parent == None && p_.callersOf(callee).size() < 2)
    return None;
  Id instance = None;
  for (Id i = parent; i != None; i = instances_[i].parent)
    if (instances_[i].function == callee)
      instance = i; // recursion: one for all its depths
  if (instance == None) {
    const unsigned depth = parent == None ? 1 : instances_[parent].depth + 1;
    const Range text = p_.definitionsOf(callee).front()->nodes;
    const size_t most =
        std::clamp(p_.facts.nodes.size() / 4, FewCopies, ManyCopies);
    size_t &ofCallee = copied_[callee];
    if (depth > MaxDepth || copiedNodes_ > most || ofCallee > MaxNodesInAll)
      return None;
    instance = instances_.size();
    instances_.push_back({callee, parent, Id(sets_.size()), depth});
    copiedNodes_ += text.end - text.begin;
    ofCallee += text.end - text.begin;
    for (Id n = text.begin; n < text.end; ++n) {
      Id copy = newNode(filter_[n]);
      copies_.resize(copy - p_.facts.nodes.size(), None);
      copies_.push_back(n);
      plainNumber_[copy] = plainNumber_[n];
      if (values_.contains(n))
        values_.try_emplace(copy);
    }
    instancesToDo_.push_back(instance);
  }
  reached_.try_emplace(callee, callInText(call));
  followed_.push_back({callInText(call), callee});
  return instance;
}

Id PointsTo::inInstance(Id instance, Id node) const {
  if (instance == None || node == None)
    return node;
  const Instance &i = instances_[instance];
  const Range text = p_.definitionsOf(i.function).front()->nodes;
  return node < text.begin || node >= text.end ||
                 p_.facts.nodes[node].kind == NodeKind::Literal
             ? node
             : i.first + (node - text.begin);
}

void PointsTo::enterInstance(Id instance) {
  const Id function = instances_[instance].function;
  for (Id i : p_.constraintsOf(function)) {
    Constraint c = p_.facts.constraints[i];
    c.dst = inInstance(instance, c.dst);
    c.src = inInstance(instance, c.src);
    addConstraint(c);
  }
  for (Id i : p_.callsOf(function))
    addCall(copyOfCall(i, instance));
}

Id PointsTo::copyOfCall(Id text, Id instance) {
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
  for (ParamTest &test : c.tests) {
    move(test.param);
    values_[test.param].calls.push_back(id);
  }
  return id;
}

void PointsTo::eachNode(
    const Instance &instance,
    llvm::function_ref<void(Id text, Id copy)> visit) const {
  const Range text = p_.definitionsOf(instance.function).front()->nodes;
  for (Id n = text.begin; n < text.end; ++n)
    visit(n, instance.first + (n - text.begin));
}

void PointsTo::joinInstances() {
  if (instances_.empty())
    return;
  for (auto *calls : {&followed_, &libraryCalls_}) {
    llvm::DenseSet<std::pair<Id, Id>> seen;
    llvm::erase_if(*calls,
                   [&](auto &call) { return !seen.insert(call).second; });
  }
  for (const Instance &i : instances_)
    eachNode(i, [&](Id text, Id copy) {
      auto [at, fresh] = inAllInstances_.try_emplace(text);
      Set all = fresh ? setOf(text) : pool_[at->second];
      all |= setOf(copy);
      at->second = pool_.of(std::move(all));
    });
}
