//===- CallArguments.cpp - What a call hands over, and gets back ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/unit/solve/pointsto/CallBindingTest.cpp
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/CallBinding.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

void CallBinding::bind(Id call, Id callee) {
  if (!bound_.insert({call, callee}).second) {
    if (isPassing(callee)) // bound before in passing by
      enter(callee, call);
    return;
  }
  const Call &c = contexts_.callAt(call);
  const Function &fn = p_.facts.functions[callee];
  if (!fn.hasBody)
    return library_.bind(call, callee);
  // In a load that never returns itself, what does not either may be its work.
  if (fn.isNoReturn || (p_.isNoReturn(callee) && !isInNoReturn(c)))
    return;
  if (in_.options.cut.contains(callee))
    return marks_.maybeElsewhere(c.result);
  const Id instance = instanceFor(call, callee);
  if (const auto *site = a_.siteOf(contexts_.callInText(call));
      site && a_.isWrapper(callee))
    makeInside(callee, blockOf(*site, contexts_.instanceOf(call)));
  parametersFrom(callee, &c, instance);
  bindArguments(c, fn, instance);
  bindResult(call, callee, instance);
  for (size_t i = fn.params.size(); fn.variadic != None && i < c.args.size();
       ++i)
    graph_.edge(c.args[i], fn.variadic);
}

/// The instance that the call runs, or None; it is reached.
Id CallBinding::instanceFor(Id call, Id callee) {
  auto [instance, fresh] = contexts_.instanceFor(call, callee);
  if (instance == None) {
    reach(callee, call);
    return None;
  }
  if (fresh) {
    contexts_.eachNode(instance, [&](Id text, Id copy) {
      if (values_.isFollowed(text))
        values_.follow(copy);
    });
    instancesToDo_.push_back(instance);
  }
  const Id text = contexts_.callInText(call);
  reached_.try_emplace(callee, text);
  followed_.push_back({text, callee});
  return instance;
}

void CallBinding::bindArguments(const Call &c, const Function &fn,
                                Id instance) {
  for (size_t i = 0; i < c.args.size() && i < fn.params.size(); ++i) {
    if (c.args[i] == None)
      continue;
    Id record = p_.recordOf(p_.facts.nodes[fn.params[i]].type);
    if (record == None) // else by value: the argument is where the copy is from
      graph_.edge(c.args[i], contexts_.inInstance(instance, fn.params[i]));
    else
      copies_.copy(addressOf(fn.params[i], record), c.args[i], record);
  }
}

void CallBinding::bindResult(Id call, Id callee, Id instance) {
  const Call &c = contexts_.callAt(call);
  const Id result = p_.facts.functions[callee].result;
  if (a_.isWrapper(callee) || c.result == None || result == None ||
      nullness_.givesNull(contexts_.callInText(call)))
    return;
  Id record = p_.recordOf(p_.facts.nodes[result].type);
  if (record == None)
    return graph_.edge(contexts_.inInstance(instance, result), c.result);
  copies_.copy(addressOf(c.result, record), addressOf(result, record), record);
}

/// The parameter is one of the constants that the argument may be; any value if
/// these are not known.
void CallBinding::chooseFor(Id param, size_t index, const Call *call) {
  bool known = false;
  for (const ArgValue &a :
       call ? llvm::ArrayRef(call->argChoices) : llvm::ArrayRef<ArgValue>())
    if (a.arg == index) {
      values_.add(param, a.value);
      known = true;
    }
  if (!known)
    values_.add(param, std::nullopt);
}

void CallBinding::parametersFrom(Id callee, const Call *call, Id instance) {
  const std::vector<Id> &params = p_.facts.functions[callee].params;
  for (size_t i = 0; i < params.size(); ++i) {
    const Id param = contexts_.inInstance(instance, params[i]);
    bool known = call && i < call->args.size();
    Id arg = known ? call->args[i] : None;
    if (!known || (arg == None && !call->argIsZeroOrNull[i]))
      marks_.maybeElsewhere(param);
    if (!values_.isFollowed(param))
      continue;
    if (values_.isOwner(param)) {
      values_.addOwner(param, arg, known && call->argIsZeroOrNull[i]);
      continue;
    }
    const ArgValue *value = nullptr;
    for (const ArgValue &a :
         known ? llvm::ArrayRef(call->argValues) : llvm::ArrayRef<ArgValue>())
      if (a.arg == i)
        value = &a;
    if (!value)
      chooseFor(param, i, call);
    else if (value->param == None)
      values_.add(param, value->value);
    else
      values_.pass(value->param, param);
  }
}

Id CallBinding::blockOf(const Allocators::Site &site, Id instance) {
  MemoryObject o{MemoryObject::Heap, uint64_t(&site - a_.sites().data())};
  o.instance = instance;
  return cells_.whole(o);
}

/// void *push(v, size) { return v->items[v->n++] = malloc(size); }: the block
/// of a call of the wrapper is stored in there.
void CallBinding::makeInside(Id wrapper, Id block) {
  if (!madeInside_.insert({wrapper, block}).second)
    return;
  for (Id i : p_.callsOf(wrapper)) {
    const Call &c = p_.facts.calls[i];
    if (!a_.allocates(c) || c.result == None)
      continue;
    if (a_.isLinking(wrapper))
      graph_.add(c.result, block);
    if (p_.mapsFile(c, c.callee))
      marks_.fill(i, block);
    if (c.callee != None && a_.isWrapper(c.callee))
      makeInside(c.callee, block);
  }
}

/// A node that holds nothing but the address of the variable.
Id CallBinding::addressOf(Id variable, Id record) {
  MemoryObject o{MemoryObject::Variable, variable};
  o.record = record;
  Id address = graph_.newNode(None);
  graph_.add(address, cells_.whole(o));
  return address;
}
