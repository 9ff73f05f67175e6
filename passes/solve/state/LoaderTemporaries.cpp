//===- LoaderTemporaries.cpp - Statics that only the load looks at --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/LoaderTemporaries.h"
#include "passes/solve/flow/CallGraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

IdSet LoaderTemporaries::objectsIn(const PointsTo &pointsTo) const {
  auto blockAt = [&](Id l) {
    Id o = pointsTo.locations()[l].object;
    return pointsTo.objects()[o].kind == PointsTo::Object::Heap ? o : None;
  };
  IdSet freed; // blocks that the load made
  for (auto [call, callee] : pointsTo.libraryCallsReached()) {
    const Call &c = f_.calls[call];
    const LibraryFunction *l = p_.libraryOf(callee);
    if (l && l->kind == LibraryFunction::Free && !c.args.empty() &&
        c.args[0] != None)
      for (Id to : pointsTo.pointsTo(c.args[0]))
        freed.insert(blockAt(to));
  }
  freed.erase(None);
  // A record of which one member alone is let go of may be more than that.
  auto leadsToFreed = [&](Id object) {
    bool any = false;
    for (Id l : pointsTo.locationsOf(object))
      for (Id to : pointsTo.content(l)) {
        Id block = blockAt(to);
        if (block != None && !freed.contains(block))
          return false;
        any |= block != None;
      }
    return any;
  };
  IdSet result;
  for (Id o = 0; o < pointsTo.objects().size() && !freed.empty(); ++o) {
    const PointsTo::Object &object = pointsTo.objects()[o];
    if (object.kind == PointsTo::Object::Variable &&
        f_.nodes[object.ref].kind == NodeKind::Global && leadsToFreed(o) &&
        isUnread(object.ref))
      result.insert(o);
  }
  return result;
}

bool LoaderTemporaries::isUnread(Id variable) const {
  const Node &n = f_.nodes[variable];
  const Behind &b = behind();
  if (!b.isKnown || !n.isDefined || b.named.contains(variable) ||
      b.statics.contains(variable))
    return false;
  if (n.isFunctionScope && b.functions.contains(n.function))
    return false;
  const Id record = p_.recordOf(p_.element(n.type));
  if (record == None) {
    // To compare a pointer, if (list != other), leaves no trace in the facts.
    // What a file of its own makes static is named in that file alone, and in
    // what it includes.
    return p_.isPointer(n.type) &&
           (n.isFunctionScope ||
            (n.isStatic && llvm::is_contained(f_.units, n.loc.file) &&
             !b.files.contains(n.loc.file) && !b.inIncluded));
  }
  return llvm::none_of(b.parts, [&](Id part) {
    return p_.contains(record, part) || p_.contains(part, record);
  });
}

const LoaderTemporaries::Behind &LoaderTemporaries::behind() const {
  if (behind_)
    return *behind_;
  Behind &b = behind_.emplace(Behind());
  if (!findFunctions(b.functions))
    return b;
  b.isKnown = true;
  // What leads to the load runs on after it.
  for (Id fn : loop_.startUp)
    if (!llvm::is_contained(load_, fn))
      b.functions.insert(fn);
  auto name = [&](Id n) {
    if (n != None && f_.nodes[n].kind == NodeKind::Global)
      b.named.insert(n);
  };
  for (Id fn : b.functions) {
    const Id file = f_.functions[fn].loc.file;
    b.files.insert(file);
    // Headers come before the variables of the file that includes them.
    b.inIncluded |=
        file == None ||
        (f_.files[file].editable && !llvm::is_contained(f_.units, file) &&
         !llvm::StringRef(f_.files[file].path).ends_with(".h"));
    for (Id i : p_.constraintsOf(fn)) {
      name(f_.constraints[i].src);
      name(f_.constraints[i].dst);
    }
    for (Id k : p_.callsOf(fn)) {
      const Call &c = f_.calls[k];
      llvm::for_each(c.args, name);
      llvm::for_each(c.nonNull, name);
      name(c.target);
    }
  }
  for (const StaticWrite &w : f_.staticWrites)
    if (w.function != None && b.functions.contains(w.function))
      name(w.variable);
  PointsTo::Set seen;
  for (Id n = 0; n < f_.nodes.size(); ++n)
    if (f_.nodes[n].function != None &&
        b.functions.contains(f_.nodes[n].function))
      seen |= flow_.atNode(n);
  for (unsigned t : seen) {
    const FieldFlow::Token &token = flow_.tokens()[t];
    if (token.kind == FieldFlow::Token::Static)
      b.statics.insert(token.ref);
    else if (token.kind == FieldFlow::Token::Inside)
      b.parts.insert(token.ref);
  }
  return b;
}

/// False if the load may be among them, or code that is not known.
bool LoaderTemporaries::findFunctions(IdSet &functions) const {
  if (!loop_.loadsAtStart ||
      llvm::any_of(load_, [&](Id fn) { return p_.isNoReturn(fn); }))
    return false;
  bool isKnown = true;
  auto isOther = [&](Id fn) {
    bool isMissing =
        p_.isOwnWithoutBody(fn) && !libraryFunction(f_.functions[fn].name) &&
        !hasTrait(f_.functions[fn].name, LibraryFunction::DeclaredByPrograms);
    if (isMissing || llvm::is_contained(load_, fn) ||
        loop_.startUp.contains(fn))
      isKnown = false;
    return isKnown && f_.functions[fn].hasBody;
  };
  std::vector<Id> first;
  auto enter = [&](Id fn) { first.push_back(fn); };
  // Pointers to functions, signals and threads may call at any time; and what
  // is called by nobody that is known, whoever is not known. Only what is
  // spelled as an argument of bsearch() is called there and then.
  IdSet atOnce;
  for (const Call &c : f_.calls)
    if (c.callee != None && !f_.functions[c.callee].hasBody &&
        hasTrait(f_.functions[c.callee].name, LibraryFunction::CallsAtOnce))
      for (Id a : c.args)
        for (Id n = a; n != None; n = p_.copied(n))
          atOnce.insert(n);
  IdSet pointedTo;
  for (const Constraint &c : f_.constraints)
    if (Id fn = c.src == None ? None : p_.functionOf(c.src); fn != None) {
      pointedTo.insert(fn);
      if (c.flow != Flow::AddressOf || !atOnce.contains(c.dst))
        enter(fn);
    }
  for (Id fn = 0; fn < f_.functions.size(); ++fn)
    if (f_.functions[fn].hasBody && p_.callersOf(fn).empty() &&
        !pointedTo.contains(fn) && !loop_.startUp.contains(fn) &&
        !llvm::is_contained(load_, fn))
      enter(fn);
  std::vector<Id> calls;
  for (Id fn : loop_.startUp)
    if (!llvm::is_contained(load_, fn) && !findCalls(fn, calls))
      return false;
  auto handed = [&](Id call, CallGraph::Policy::Lead lead) {
    for (Id a : f_.calls[call].args)
      if (a != None)
        llvm::for_each(flow_.functionsIn(flow_.atNode(a)), lead);
  };
  for (Id call : calls) {
    llvm::for_each(flow_.callees(call), enter);
    handed(call, enter);
  }
  functions = CallGraph(p_, flow_)
                  .reach(first, {.enters = isOther,
                                 .also =
                                     [&](Id fn, CallGraph::Policy::Lead lead) {
                                       for (Id call : p_.callsOf(fn))
                                         handed(call, lead);
                                     }})
                  .set();
  return isKnown;
}

/// What a function that leads to the load calls when it has ended. False if the
/// load may run another time.
bool LoaderTemporaries::findCalls(Id startUp, std::vector<Id> &calls) const {
  std::vector<Id> towards;
  for (Id k : p_.callsOf(startUp))
    if (loop_.leadsToLoad(k, load_))
      towards.push_back(k);
  if (towards.size() != 1 || f_.calls[towards.front()].loop != None)
    return false;
  llvm::copy_if(p_.callsOf(startUp), std::back_inserter(calls), [&](Id k) {
    return phases_.order().mayPrecede(towards.front(), k);
  });
  return true;
}
