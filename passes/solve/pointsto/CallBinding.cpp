//===- CallBinding.cpp - What the load phase calls ------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/CallBinding.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

CallBinding::CallBinding(const PointsToInput &input, ValueGraph &graph,
                         Cells &cells, CallContexts &contexts,
                         PriorContents &prior, Marks &marks,
                         MemoryCopies &copies, ConstraintRules &rules)
    : in_(input), p_(input.program), a_(input.allocators),
      nullness_(input.nullness), graph_(graph), cells_(cells),
      contexts_(contexts), marks_(marks), copies_(copies), rules_(rules),
      values_(input, graph, contexts, *this),
      rings_(input, graph, cells, prior, contexts),
      library_(input, graph, cells, contexts, prior, marks, copies, *this) {}

void CallBinding::start() {
  const Facts &f = p_.facts;
  for (Id i : p_.constraintsOf(None))
    rules_.add(f.constraints[i]);
  for (Id fn : in_.options.onTheWay) {
    functionsToDo_.push_back(fn);
    parametersFrom(fn, nullptr);
  }
  for (Id fn : in_.options.onRequest) {
    functionsToDo_.push_back(fn);
    for (Id param : f.functions[fn].params)
      if (p_.isPointer(f.nodes[param].type))
        graph_.add(param, cells_.preexisting(origin::ofNode(param),
                                             p_.pointee(f.nodes[param].type)));
  }
  // Their pointers may be what loaded state hangs from: db = load();
  for (Id n = 0; n < f.nodes.size(); ++n)
    if (f.nodes[n].kind == NodeKind::Local && f.nodes[n].function != None &&
        in_.options.onTheWay.contains(f.nodes[n].function) &&
        p_.isPointer(f.nodes[n].type))
      cells_.whole({MemoryObject::Variable, n});
  for (Id fn : in_.options.load)
    startAt(fn);
}

bool CallBinding::isCalledOnTheWay(Id load) const {
  return llvm::any_of(in_.options.onTheWay, [&](Id caller) {
    return llvm::any_of(p_.callsOf(caller), [&](Id c) {
      return llvm::is_contained(in_.flow.callees(c), load);
    });
  });
}

/// Threads, handlers and callbacks of a library may call it before it has ended
/// though no call leads there from main, or a library itself does.
void CallBinding::parametersFromBeside(Id load) {
  const IdSet handed = nullness_.handedOver();
  for (Id k = 0; k < p_.facts.calls.size(); ++k) {
    const Call &c = p_.facts.calls[k];
    if (c.callee != None && !p_.facts.functions[c.callee].hasBody) {
      if (llvm::any_of(c.args, [&](Id a) {
            return a != None &&
                   (llvm::is_contained(in_.flow.functionsIn(in_.flow.atNode(a)),
                                       load) ||
                    llvm::is_contained(in_.flow.functionsInTable(a), load));
          }))
        return parametersFrom(load, nullptr);
    } else if (const Id caller = c.function;
               !in_.options.onTheWay.contains(caller) &&
               (handed.contains(caller) ||
                (nullness_.isEarly(caller) && !nullness_.neverRuns(k))) &&
               llvm::is_contained(in_.flow.callees(k), load)) {
      valuesFrom(load, c);
    }
  }
}

/// Of integers, of which what the caller's parameters hold is not known.
void CallBinding::valuesFrom(Id load, const Call &c) {
  const std::vector<Id> &params = p_.facts.functions[load].params;
  for (size_t i = 0; i < params.size(); ++i) {
    if (!values_.isFollowed(params[i]))
      continue;
    if (values_.isOwner(params[i]))
      values_.add(params[i], std::nullopt);
    else if (auto value = c.constantAt(i))
      values_.add(params[i], value);
    else
      chooseFor(params[i], i, &c);
  }
}

void CallBinding::startAt(Id load) {
  const Facts &f = p_.facts;
  reach(load, None);
  const bool isCalled = isCalledOnTheWay(load);
  auto handOver = [&](Id node) {
    handedOver_.insert(node);
    cells_.whole({MemoryObject::Variable, node});
  };
  for (Id param : f.functions[load].params)
    if (p_.isPointer(f.nodes[param].type)) {
      if ((!isCalled || in_.options.callersKeep) && mayLast(param))
        handOver(param);
      if (!isCalled)
        graph_.add(param, cells_.preexisting(origin::ofNode(param),
                                             p_.pointee(f.nodes[param].type)));
    }
  if (Id r = f.functions[load].result;
      in_.options.callersKeep && r != None && p_.isPointer(f.nodes[r].type))
    handOver(r);
  // What its callers on the way pass comes with their calls.
  if (!isCalled)
    return parametersFrom(load, nullptr);
  parametersFromBeside(load);
  for (Id param : f.functions[load].params)
    marks_.maybeElsewhere(param);
}

/// It may lead to more than a variable of some caller.
bool CallBinding::mayLast(Id pointer) const {
  for (unsigned t : in_.flow.atNode(pointer))
    if (in_.flow.tokens()[t].kind != FieldFlow::Token::Function)
      return true;
  return false;
}

bool CallBinding::enterNext() {
  if (!functionsToDo_.empty()) {
    Id fn = functionsToDo_.back();
    functionsToDo_.pop_back();
    for (Id i : p_.constraintsOf(fn))
      rules_.add(p_.facts.constraints[i]);
    for (Id i : p_.callsOf(fn))
      add(i);
    return true;
  }
  if (instancesToDo_.empty())
    return false;
  Id instance = instancesToDo_.back();
  instancesToDo_.pop_back();
  enterInstance(instance);
  return true;
}

void CallBinding::enterInstance(Id instance) {
  const Id function = contexts_.functionOf(instance);
  for (Id i : p_.constraintsOf(function))
    rules_.add(contexts_.inInstance(instance, p_.facts.constraints[i]));
  for (Id i : p_.callsOf(function)) {
    const Id copy = contexts_.copyOfCall(i, instance);
    for (const ParamTest &test : contexts_.callAt(copy).tests)
      values_.mayDecide(test.param, copy);
    add(copy);
  }
}

void CallBinding::reach(Id function, Id call) {
  if (call != None)
    followed_.push_back({contexts_.callInText(call), function});
  enter(function, call);
}

/// What leads to the load may be part of it, too: readers call each other.
/// Until then its flow is followed from the start, and what it writes is no
/// load.
void CallBinding::enter(Id function, Id call) {
  if (call != None && isPassing(function) &&
      isPassing(contexts_.callAt(call).function))
    return;
  reached_.try_emplace(function,
                       call == None ? None : contexts_.callInText(call));
  if (entered_.insert(function).second)
    functionsToDo_.push_back(function);
}

void CallBinding::add(Id i) {
  const Call &c = contexts_.callAt(i);
  const Id text = contexts_.callInText(i);
  if (made_.contains(i))
    return;
  if (in_.options.cutCalls.contains(text) ||
      in_.options.firstUses.contains(text))
    return marks_.maybeElsewhere(c.result);
  if (c.function != None && isPassing(c.function))
    return addPassing(i);
  if (p_.isDeadEnd(text) || isLogging(i))
    return;
  if (nullness_.neverRuns(text) || awaits(i)) {
    waiting_.insert(i);
    return;
  }
  made_.insert(i);
  waiting_.erase(i);
  if (const auto *site = a_.siteOf(text); site && c.result != None) {
    graph_.add(c.result, blockOf(*site, contexts_.instanceOf(i)));
    if (a_.reallocates(contexts_.textOfCall(i)) && !c.args.empty())
      graph_.edge(c.args[0], c.result);
  }
  if (c.callee != None)
    return bind(i, c.callee);
  if (in_.flow.callees(text).empty())
    marks_.maybeElsewhere(c.result);
  if (c.target != None)
    throughPointer_.push_back(i);
  graph_.watch(c.target, {Watch::Use::Target, i, None});
}

/// Only what leads towards the load is followed.
void CallBinding::addPassing(Id i) {
  const Call &c = contexts_.callAt(i);
  bool towards = false;
  for (Id callee : in_.flow.callees(contexts_.callInText(i)))
    if (in_.options.isLoading(callee)) {
      towards = true;
      bind(i, callee);
    }
  if (!towards && c.result != None &&
      p_.isPointer(graph_.nodeAt(c.result).type))
    graph_.add(c.result,
               cells_.preexisting(origin::ofNode(c.result),
                                  p_.pointee(graph_.nodeAt(c.result).type)));
}

void CallBinding::valueCame(Id call) {
  if (waiting_.contains(call))
    add(call);
}

void CallBinding::mayCall(const Watch &w, Id location) {
  if (w.use == Watch::Use::Await)
    return add(w.other);
  const MemoryObject &o = cells_.objectAt(location);
  const Id function = o.ref;
  if (o.kind == MemoryObject::Function &&
      !p_.lacksArguments(function, contexts_.textOfCall(w.other)) &&
      !values_.awaitsKey(w.other, function))
    bind(w.other, function);
}

bool CallBinding::findLostCallees() {
  IdSet known; // calls of the text: null in one instance is not lost
  for (Id i : throughPointer_)
    for (Id l : graph_.setOf(contexts_.callAt(i).target))
      if (cells_.objectAt(l).kind == MemoryObject::Function)
        known.insert(contexts_.callInText(i));
  bool found = false;
  for (Id i : throughPointer_) {
    const Id target = contexts_.callAt(i).target,
             text = contexts_.callInText(i);
    if (known.contains(text))
      continue;
    for (Id fn : nullness_.before().callees(text)) {
      const ValueGraph::Ref before = graph_.refOf(target);
      graph_.add(target, cells_.whole({MemoryObject::Function, fn}));
      found |= graph_.refOf(target) != before;
    }
  }
  return found;
}

/// A call behind a pointer that is null so far, or a parameter that is zero, is
/// made when that changes.
bool CallBinding::awaits(Id call) {
  const Call &c = contexts_.callAt(call);
  if (c.function != None && p_.facts.functions[c.function].hasInlineAsm)
    return false;
  for (Id n : c.nonNull) {
    graph_.read(n);
    if (graph_.refOf(n) == ValueGraph::Ref::Empty)
      return awaitOnce(n, call);
  }
  if (Id node = rings_.awaitedBy(call); node != None)
    return awaitOnce(node, call);
  return values_.exclude(c);
}

bool CallBinding::awaitOnce(Id node, Id call) {
  if (awaited_.insert({call, node}).second) // whatever else it waited for
    graph_.watch(node, {Watch::Use::Await, call, None});
  return true;
}

/// A phrase is only logged, and so is other text, but for text of the file:
/// add(line) may restore what a log keeps.
bool CallBinding::isLogging(Id call) {
  const Call &c = contexts_.callAt(call);
  if (c.callee == None || !in_.options.logging.contains(c.callee))
    return false;
  bool isFileText = false;
  if (c.phrases.empty())
    for (Id a : c.args)
      if (a != None && p_.isPointer(graph_.nodeAt(a).type)) {
        Id marks = marks_.of(a, /*behind=*/true);
        isFileText |= graph_.setOf(marks).test(cells_.fileBytes());
        awaitOnce(marks, call);
      }
  if (!isFileText)
    logged_.insert(contexts_.callInText(call));
  return !isFileText;
}

/// Of the load; one for each function, at the first of its calls.
std::vector<std::pair<Id, Id>> CallBinding::logsNotFollowed() const {
  IdSet made;
  for (Id call : made_)
    made.insert(contexts_.callInText(call));
  std::map<Id, Id> first;
  for (Id call : logged_)
    if (!made.contains(call)) {
      Id &known =
          first.try_emplace(p_.facts.calls[call].callee, call).first->second;
      if (p_.facts.calls[call].loc < p_.facts.calls[known].loc)
        known = call;
    }
  return {first.begin(), first.end()};
}

std::vector<Id> CallBinding::neverRun() const {
  IdSet made;
  for (Id call : made_)
    made.insert(contexts_.callInText(call));
  std::set<Id> calls;
  for (Id call : waiting_)
    if (Id text = contexts_.callInText(call); !made.contains(text))
      calls.insert(text);
  return {calls.begin(), calls.end()};
}

void CallBinding::joinInstances() {
  if (contexts_.hasNone())
    return;
  for (auto *calls : {&followed_, &library_.calls()}) {
    llvm::DenseSet<std::pair<Id, Id>> seen;
    llvm::erase_if(*calls,
                   [&](auto &call) { return !seen.insert(call).second; });
  }
}
