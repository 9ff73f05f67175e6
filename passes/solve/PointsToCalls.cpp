//===- PointsToCalls.cpp - What the load phase calls ----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/PointsTo.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

void PointsTo::reach(Id function, Id call) {
  if (call != None)
    followed_.push_back({call, function});
  if (reached_.try_emplace(function, call).second)
    functionsToDo_.push_back(function);
}

void PointsTo::addCall(Id i) {
  const Call &c = p_.facts.calls[i];
  if (options_.cutCalls.contains(i))
    return;
  bool passingBy = c.function != None &&
                   options_.onTheWay.contains(c.function) &&
                   !llvm::is_contained(options_.load, c.function);
  if (passingBy) {
    bool towards =
        c.callee != None && (options_.onTheWay.contains(c.callee) ||
                             llvm::is_contained(options_.load, c.callee));
    if (towards)
      bind(i, c.callee);
    else if (c.result != None && p_.isPointer(p_.facts.nodes[c.result].type))
      add(c.result, preexisting(nodeOrigin(c.result),
                                p_.pointee(p_.facts.nodes[c.result].type)));
    return;
  }
  if (c.deadEnd)
    return;
  if (unfilled_.neverRuns(i)) {
    neverRun_.push_back(i);
    return;
  }
  if (a_.allocates(c) && !(c.function != None && a_.isWrapper(c.function)) &&
      c.result != None) {
    Object o{Object::Heap, siteIndex_.lookup(i)};
    add(c.result, location(object(o), None));
    if (a_.reallocates(c) && !c.args.empty())
      edge(c.args[0], c.result);
  }
  if (c.callee != None)
    bind(i, c.callee);
  else
    watch(c.target, {Use::Target, i, None});
}

void PointsTo::bind(Id call, Id callee) {
  if (!bound_.insert({call, callee}).second)
    return;
  const Call &c = p_.facts.calls[call];
  const Function &fn = p_.facts.functions[callee];
  if (!fn.hasBody) {
    bindLibrary(call);
    return;
  }
  if (fn.isNoReturn || options_.cut.contains(callee))
    return;
  reach(callee, call);
  for (size_t i = 0; i < c.args.size() && i < fn.params.size(); ++i) {
    if (c.args[i] == None)
      continue;
    Id record = p_.recordOf(p_.facts.nodes[fn.params[i]].type);
    if (record == None) {
      edge(c.args[i], fn.params[i]);
    } else { // by value: the argument is the address of what is copied
      copy(addressOf(fn.params[i], record), c.args[i]);
    }
  }
  if (!a_.isWrapper(callee) && c.result != None && fn.result != None &&
      !unfilled_.givesNull(call)) {
    Id record = p_.recordOf(p_.facts.nodes[fn.result].type);
    if (record == None) {
      edge(fn.result, c.result);
    } else {
      copy(addressOf(c.result, record), addressOf(fn.result, record));
    }
  }
  for (size_t i = fn.params.size(); fn.variadic != None && i < c.args.size();
       ++i)
    edge(c.args[i], fn.variadic);
}

// What a library is given together with a handle that only it understands, it
// may give back, and hand to the functions that it was told to call.
void PointsTo::throughHandle(Id call) {
  const Facts &f = p_.facts;
  const Call &c = f.calls[call];
  Id handle = unfilled_.handleOf(c);
  if (handle == None)
    return;
  auto [held, fresh] = held_.try_emplace(handle, None);
  if (fresh)
    held->second = newNode(None);
  Id bag = held->second;
  for (Id a : c.args)
    if (a != None && p_.isPointer(f.nodes[a].type))
      edge(a, bag);
  if (c.result != None && p_.isPointer(f.nodes[c.result].type))
    edge(bag, c.result);
  for (Id fn : unfilled_.callbacksOf(handle)) {
    if (options_.cut.contains(fn))
      continue;
    if (unfilled_.servesRequests(fn)) {
      requestCallbacks_.try_emplace(fn, call);
      continue;
    }
    reach(fn, call);
    for (Id param : f.functions[fn].params)
      if (p_.isPointer(f.nodes[param].type))
        edge(bag, param);
  }
}

bool PointsTo::isFunctionPointer(Id node) const {
  for (unsigned depth = 0; node != None && depth < 4; ++depth) {
    if (p_.isFunctionPointer(p_.facts.nodes[node].type))
      return true;
    Id d = p_.definition(node);
    node = d != None && (p_.facts.constraints[d].flow == Flow::Cast ||
                         p_.facts.constraints[d].flow == Flow::Copy)
               ? p_.facts.constraints[d].src
               : None;
  }
  return false;
}

Id PointsTo::addressOf(Id variable, Id record) {
  Object o{Object::Variable, variable};
  o.record = record;
  Id address = newNode(None);
  add(address, location(object(o), None));
  return address;
}

void PointsTo::copy(Id dst, Id src) {
  copyings_.emplace_back();
  Id copying = copyings_.size() - 1;
  watch(dst, {Use::CopyTo, copying, None});
  watch(src, {Use::CopyFrom, copying, None});
}

void PointsTo::bindLibrary(Id call) {
  const Facts &f = p_.facts;
  const Call &c = f.calls[call];
  libraryCalls_.push_back(call);
  const LibraryFunction *l = p_.library(c);
  if (l && (l->kind == LibraryFunction::Exit ||
            l->kind == LibraryFunction::Free || a_.allocates(c)))
    return;
  if (!l)
    throughHandle(call);
  if (l && l->kind == LibraryFunction::Input) {
    bool variadic = f.functions[c.callee].isVariadic;
    for (size_t i = 0; l->destination >= 0 && i < c.args.size(); ++i)
      if (i == size_t(l->destination) ||
          (variadic && i > size_t(l->destination)))
        watch(c.args[i], {Use::Fill, call, None});
    if (c.result != None)
      add(c.result, fileBytes_);
  }
  for (Id a : c.args) {
    if (a == None)
      continue;
    // A function handed to a library may be called with anything it was given.
    // What is not handed over as a function is data to it, whatever else
    // flowed into its like.
    bool callable = isFunctionPointer(a);
    for (Id fn : flow_.functionsIn(flow_.atNode(a)))
      if (callable && f.functions[fn].hasBody && !options_.cut.contains(fn)) {
        reach(fn, call);
        for (Id param : f.functions[fn].params)
          for (Id other : c.args)
            if (other != a)
              edge(other, param);
      }
    if (c.result != None && !(l && l->kind == LibraryFunction::Write)) {
      // strtol(buf, ..) is a value from the file when buf is; a count of bytes
      // written is not a pointer to them.
      if (p_.isPointer(f.nodes[c.result].type)) {
        edge(a, c.result);
      } else {
        watch(a, {Use::Marks, c.result, None});
        watch(a, {Use::MarksBehind, c.result, None});
      }
    }
  }
}
