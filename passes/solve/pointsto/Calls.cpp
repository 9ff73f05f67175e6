//===- Calls.cpp - What the load phase calls ----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/PointsTo.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

void PointsTo::reach(Id function, Id call) {
  if (call != None)
    followed_.push_back({callInText(call), function});
  enter(function, call);
}

/// What leads to the load may be part of it, too: readers call each other.
/// Until then its flow is followed from the start, and what it writes is no
/// load.
void PointsTo::enter(Id function, Id call) {
  if (call != None && isPassing(function) && isPassing(callAt(call).function))
    return;
  reached_.try_emplace(function, call == None ? None : callInText(call));
  if (entered_.insert(function).second)
    functionsToDo_.push_back(function);
}

void PointsTo::addCall(Id i) {
  const Call &c = callAt(i);
  const Id text = callInText(i);
  if (made_.contains(i))
    return;
  if (options_.cutCalls.contains(text))
    return maybeElsewhere(c.result);
  if (c.function != None && isPassing(c.function)) {
    bool towards = false;
    for (Id callee : flow_.callees(text))
      if (isLoading(callee)) {
        towards = true;
        bind(i, callee);
      }
    if (!towards && c.result != None && p_.isPointer(nodeAt(c.result).type))
      add(c.result,
          preexisting(nodeOrigin(c.result), p_.pointee(nodeAt(c.result).type)));
    return;
  }
  if (p_.isDeadEnd(text) || isSaid(i))
    return;
  if (unfilled_.neverRuns(text) || awaits(i)) {
    waiting_.insert(i);
    return;
  }
  made_.insert(i);
  waiting_.erase(i);
  if (const auto *site = a_.siteOf(text); site && c.result != None) {
    add(c.result, blockOf(*site, instanceOf(i)));
    if (a_.reallocates(textOfCall(i)) && !c.args.empty())
      edge(c.args[0], c.result);
  }
  if (c.callee != None) {
    bind(i, c.callee);
  } else {
    if (flow_.callees(text).empty())
      maybeElsewhere(c.result);
    if (c.target != None)
      throughPointer_.push_back(i);
    watch(c.target, {Use::Target, i, None});
  }
}

/// A pointer was lost on its way from before the load (through a void * in a
/// table, say): it may call what the coarser flow of all that runs before
/// knows.
bool PointsTo::findLostCallees() {
  IdSet known; // calls of the text: null in one instance is not lost
  for (Id i : throughPointer_)
    for (Id l : pool_[sets_[find(callAt(i).target)]])
      if (objects_[locations_[l].object].kind == Object::Function)
        known.insert(callInText(i));
  bool found = false;
  for (Id i : throughPointer_) {
    Id target = callAt(i).target;
    if (known.contains(callInText(i)))
      continue;
    for (Id fn : unfilled_.before().callees(callInText(i))) {
      Ref before = sets_[find(target)];
      add(target, location(object({Object::Function, fn}), None));
      found |= sets_[find(target)] != before;
    }
  }
  return found;
}

/// A call that stands behind a pointer that is null so far, or a parameter that
/// is zero, is made when that changes.
bool PointsTo::awaits(Id call) {
  const Facts &f = p_.facts;
  const Call &c = callAt(call);
  if (c.function != None && f.functions[c.function].hasInlineAsm)
    return false;
  for (Id n : c.nonNull) {
    prepare(n);
    if (sets_[find(n)] != SetPool::Ref::Empty)
      continue;
    return awaitOnce(n, call);
  }
  if (awaitsList(call))
    return true;
  return llvm::any_of(c.tests, [&](const ParamTest &one) {
    const Values &v = values_[one.param];
    return !v.any && llvm::none_of(v.constants, [&](uint64_t n) {
      return llvm::all_of(c.tests, [&](const ParamTest &t) {
        return t.param != one.param || ((n & t.mask) == t.value) == t.equal;
      });
    });
  });
}

/// One more value of a parameter; none: any.
void PointsTo::isValue(Id param, std::optional<uint64_t> value) {
  auto at = values_.find(param);
  if (at == values_.end() || at->second.any)
    return;
  Values &v = at->second;
  if (value &&
      (v.constants.size() >= 64 || !v.constants.insert(*value).second)) {
    if (v.constants.contains(*value))
      return;
    value = std::nullopt; // enough is enough
  }
  v.any = !value;
  for (size_t i = 0; i < v.passedTo.size(); ++i)
    isValue(v.passedTo[i], value);
  for (size_t i = 0; i < v.calls.size(); ++i)
    if (waiting_.contains(v.calls[i]))
      addCall(v.calls[i]);
  for (auto [call, function] : std::exchange(v.callbacks, {}))
    if (!awaitsKey(call, function))
      bind(call, function);
}

/// A callback is called when the key has a value that it is registered under.
bool PointsTo::awaitsKey(Id call, Id function) {
  Id key = inInstance(instanceOf(call), unfilled_.chooserOf(callInText(call)));
  if (key == None)
    return false;
  Values &v = values_.find(key)->second;
  if (v.any || llvm::any_of(v.constants, [&](uint64_t value) {
        return unfilled_.leadsTo(callInText(call), function, value);
      }))
    return false;
  v.callbacks.push_back({call, function});
  return true;
}

/// The node may hold a pointer that comes from elsewhere.
void PointsTo::maybeElsewhere(Id node) {
  if (node != None && textOf(node) != None && p_.isPointer(nodeAt(node).type))
    add(node, elsewhere_);
}

/// One more object that a parameter may be, whose callbacks are called.
void PointsTo::isOwner(Id param, Id argument, bool isNull) {
  if (argument == None)
    return isNull ? void() : isValue(param, std::nullopt);
  const ObjectOrigins::Makers &makers =
      unfilled_.owned().makersOf(textOf(param), textOf(argument));
  if (makers.any)
    isValue(param, std::nullopt);
  for (uint64_t maker : makers.known)
    isValue(param, maker);
}

/// Without a call: what the parameters are is not known.
void PointsTo::parametersFrom(Id callee, const Call *call, Id instance) {
  std::vector<Id> params = p_.facts.functions[callee].params;
  for (size_t i = 0; i < params.size(); ++i) {
    params[i] = inInstance(instance, params[i]);
    bool known = call && i < call->args.size();
    Id arg = known ? call->args[i] : None;
    if (!known || (arg == None && !call->argIsZeroOrNull[i]))
      maybeElsewhere(params[i]);
    if (!values_.contains(params[i]))
      continue;
    if (unfilled_.owned().owners().contains(textOf(params[i]))) {
      isOwner(params[i], arg, known && call->argIsZeroOrNull[i]);
      continue;
    }
    const ArgValue *value = nullptr;
    for (const ArgValue &a :
         known ? llvm::ArrayRef(call->argValues) : llvm::ArrayRef<ArgValue>())
      if (a.arg == i)
        value = &a;
    if (!value) {
      isValue(params[i], std::nullopt);
    } else if (value->param == None) {
      isValue(params[i], value->value);
    } else {
      Values &from = values_.find(value->param)->second;
      from.passedTo.push_back(params[i]);
      for (uint64_t n : std::set<uint64_t>(from.constants))
        isValue(params[i], n);
      if (from.any)
        isValue(params[i], std::nullopt);
    }
  }
}

/// A library that is handed the address of a pointer may set it.
void PointsTo::spoil(Id l) {
  const Location at = locations_[l];
  if (at.field != None || objects_[at.object].record == None)
    return add(contents_[l], elsewhere_);
  spoiled_[at.object] = true;
  for (Id k : byObject_[at.object])
    add(contents_[k], elsewhere_);
}

bool PointsTo::neverDone(llvm::ArrayRef<Id> nonNull, Id function) const {
  if (nonNull.empty() || function == None ||
      p_.facts.functions[function].hasInlineAsm)
    return false;
  auto isNull = [&](Id n) { // what a global held before may never be read
    return p_.facts.nodes[n].kind != NodeKind::Global && pointsTo(n).empty();
  };
  return llvm::any_of(nonNull, isNull) || unfilled_.isNull(nonNull, function);
}

std::vector<Id> PointsTo::neverRun() const {
  IdSet made;
  for (Id call : made_)
    made.insert(callInText(call));
  std::set<Id> calls;
  for (Id call : waiting_)
    if (Id text = callInText(call); !made.contains(text))
      calls.insert(text);
  return {calls.begin(), calls.end()};
}

Id PointsTo::blockOf(const Allocators::Site &site, Id instance) {
  Object o{Object::Heap, uint64_t(&site - a_.sites().data())};
  o.instance = instance;
  return location(object(o), None);
}

/// void *push(v, size) { return v->items[v->n++] = malloc(size); }: the block
/// of a call of the wrapper is stored in there.
void PointsTo::makeInside(Id wrapper, Id block) {
  if (!madeInside_.insert({wrapper, block}).second)
    return;
  for (Id i : p_.callsOf(wrapper)) {
    const Call &c = p_.facts.calls[i];
    if (!a_.allocates(c) || c.result == None)
      continue;
    if (a_.isLinking(wrapper))
      add(c.result, block);
    if (p_.mapsFile(c, c.callee))
      fillFrom(i, block);
    if (c.callee != None && a_.isWrapper(c.callee))
      makeInside(c.callee, block);
  }
}

void PointsTo::bind(Id call, Id callee) {
  if (!bound_.insert({call, callee}).second) {
    if (isPassing(callee)) // bound before in passing by
      enter(callee, call);
    return;
  }
  const Call &c = callAt(call);
  const Function &fn = p_.facts.functions[callee];
  if (!fn.hasBody) {
    bindLibrary(call, callee);
    return;
  }
  // In a load that never returns itself, what does not either may be its work.
  if (fn.isNoReturn || (p_.isNoReturn(callee) && !isInNoReturn(c)))
    return;
  if (options_.cut.contains(callee))
    return maybeElsewhere(c.result);
  const Id instance = instanceFor(call, callee);
  if (instance == None)
    reach(callee, call);
  if (const auto *site = a_.siteOf(callInText(call));
      site && a_.isWrapper(callee))
    makeInside(callee, blockOf(*site, instanceOf(call)));
  parametersFrom(callee, &c, instance);
  for (size_t i = 0; i < c.args.size() && i < fn.params.size(); ++i) {
    if (c.args[i] == None)
      continue;
    Id record = p_.recordOf(p_.facts.nodes[fn.params[i]].type);
    if (record == None) {
      edge(c.args[i], inInstance(instance, fn.params[i]));
    } else { // by value: the argument is the address of what is copied
      copy(addressOf(fn.params[i], record), c.args[i], record);
    }
  }
  if (!a_.isWrapper(callee) && c.result != None && fn.result != None &&
      !unfilled_.givesNull(callInText(call))) {
    Id record = p_.recordOf(p_.facts.nodes[fn.result].type);
    if (record == None) {
      edge(inInstance(instance, fn.result), c.result);
    } else {
      copy(addressOf(c.result, record), addressOf(fn.result, record), record);
    }
  }
  for (size_t i = fn.params.size(); fn.variadic != None && i < c.args.size();
       ++i)
    edge(c.args[i], fn.variadic);
}

Id PointsTo::addressOf(Id variable, Id record) {
  Object o{Object::Variable, variable};
  o.record = record;
  Id address = newNode(None);
  add(address, location(object(o), None));
  return address;
}
