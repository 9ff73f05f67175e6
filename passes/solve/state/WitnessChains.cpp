//===- WitnessChains.cpp - The way from static memory to an object --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Points-to sets merge, so many chains of pointers lead to one object, and the
// shortest is often one that no run of the program ever follows. Every hop has
// a strain, how hard it is to believe; a chain of the least strain is shown.
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/state/LoadedState.h"
#include "passes/solve/state/ObservedState.h"
#include "llvm/ADT/STLExtras.h"
#include <queue>

using namespace nvmove;

namespace {

using Object = PointsTo::Object;
using Location = PointsTo::Location;

// What makes a hop hard to believe. Only the order of the sums matters.
constexpr unsigned EveryHop = 1;
constexpr unsigned NotLoaded = 2;  // leads to what the load did not fill
constexpr unsigned Untyped = 2;    // void *, or bytes that hold pointers
constexpr unsigned NotWritten = 3; // the load does not store this pointer
constexpr unsigned WrongType = 8;  // the pointer's type is not the object's own
constexpr unsigned PerCall = 4;    // for each call from the load function to
                                   // where it names the root, up to a few
constexpr unsigned callsCounted = 4;
constexpr unsigned OfMain = 2;     // a local variable of main
constexpr unsigned NoContent = 16; // nothing hangs here by its own type

constexpr unsigned objectsLookedAt = 64;

} // namespace

/// What flex and bison write for themselves: the stack of buffers, which a
/// scanner makes where there is none, and the value of the last token, which no
/// other code than the load names.
bool LoadedState::isOfParser(Id variable) const {
  const Facts &f = c_.program.facts;
  llvm::StringRef name = f.nodes[variable].name;
  if (name == "yy_buffer_stack") {
    Id buffer = c_.program.pointeeRecord(
        c_.program.element(c_.program.pointee(f.nodes[variable].type)));
    return buffer != None && f.records[buffer].name == "yy_buffer_state";
  }
  std::string prefix = name.str();
  if (!name.ends_with("lval"))
    return false;
  prefix.resize(prefix.size() - 4);
  Id parser = c_.program.functionNamed(prefix + "parse"),
     scanner = c_.program.functionNamed(prefix + "lex");
  return parser != None && scanner != None && f.functions[parser].hasBody &&
         f.functions[scanner].hasBody &&
         llvm::none_of(f.constraints, [&](const Constraint &c) {
           return (c.src == variable || c.dst == variable) &&
                  c.function != None &&
                  !c_.pointsTo.reached().contains(c.function);
         });
}

/// Statics, and locals that live as long as the program runs. Other locals are
/// gone after the load: what points to them dangles, and nothing is reached
/// through them.
bool LoadedState::isLastingVariable(Id object) const {
  const Object &o = c_.pointsTo.objects()[object];
  if (o.kind != Object::Variable)
    return false;
  const Node &n = c_.program.facts.nodes[o.ref];
  return (n.kind == NodeKind::Global && !isOfParser(o.ref) &&
          !ownOfLoad_.contains(object)) ||
         n.kind == NodeKind::Literal ||
         (n.kind == NodeKind::Local && n.function != None &&
          c_.loop.frames.contains(n.function)) ||
         c_.pointsTo.isHandedOver(o.ref);
}

std::vector<Id> LoadedState::staticObjects() const {
  std::vector<Id> result;
  for (Id o = 0; o < c_.pointsTo.objects().size(); ++o)
    if (isLastingVariable(o) &&
        c_.program.facts.nodes[c_.pointsTo.objects()[o].ref].kind !=
            NodeKind::Literal)
      result.push_back(o);
  return result;
}

/// Does the pointer's declared type say what it points to?
unsigned LoadedState::typeStrain(Id l, Id target) const {
  const Program &p = c_.program;
  const PointsTo &pt = c_.pointsTo;
  const Object &owner = pt.objects()[pt.locations()[l].object];
  const Object &object = pt.objects()[target];
  const Allocators::Site *site = object.kind == Object::Heap
                                     ? &c_.allocators.sites()[object.ref]
                                     : nullptr;
  bool hasRecord = site ? site->hasOwnRecord : object.record != None;
  Id field = pt.locations()[l].field;
  Id type = None;
  if (field != None)
    type = p.facts.fields[field].type;
  else if (owner.kind == Object::Variable)
    type = p.facts.nodes[owner.ref].type;
  else if (owner.kind == Object::Preexisting)
    type = owner.type;
  else if (owner.kind == Object::Heap &&
           c_.allocators.sites()[owner.ref].isPointerTable)
    return hasRecord || (site && site->raw()) ? 0 : Untyped;
  type = p.element(type);
  if (type == None)
    return Untyped;
  if (p.recordOf(type) != None) // a member's address stands for its record
    return 0;
  if (!p.isPointer(type))
    return WrongType;
  if (p.pointeeRecord(type) != None)
    return hasRecord && !object.any ? 0 : WrongType;
  switch (p.kind(p.pointee(type))) {
  case TypeKind::Void:
    return Untyped;
  default: // a string, or a table of pointers: no record of its own
    return hasRecord ? WrongType : 0;
  }
}

unsigned LoadedState::hopStrain(Id l, Id target) const {
  const PointsTo &pt = c_.pointsTo;
  unsigned strain = EveryHop + typeStrain(l, target);
  if (writesTo(l).empty())
    strain += NotWritten;
  if (pt.objects()[target].kind == Object::Preexisting && !isLoaded(target))
    strain += NotLoaded;
  const Location &at = pt.locations()[l];
  const Object &owner = pt.objects()[at.object];
  if (owner.kind == Object::Heap && at.field != None &&
      llvm::none_of(c_.allocators.sites()[owner.ref].records, [&](Id r) {
        return c_.program.contains(r, c_.program.facts.fields[at.field].record);
      }))
    strain += WrongType; // bytes that are read as any type that comes by
  return strain;
}

/// Whether a block of the load hangs from `l` by pointers of their own types;
/// looks at no more than a few objects.
bool LoadedState::hasTypedContent(Id l) const {
  const PointsTo &pt = c_.pointsTo;
  IdSet seen;
  std::vector<Id> work;
  auto visit = [&](Id from) {
    for (Id t : pt.content(from)) {
      Id target = pt.locations()[t].object;
      if (!pt.isMemory(t) || pt.objects()[target].kind == Object::Variable ||
          typeStrain(from, target) != 0 || !seen.insert(target).second)
        continue;
      if (pt.objects()[target].kind == Object::Heap)
        return true;
      work.push_back(target);
    }
    return false;
  };
  if (visit(l))
    return true;
  while (!work.empty() && seen.size() < objectsLookedAt) {
    Id o = work.back();
    work.pop_back();
    for (Id k : pt.locationsOf(o))
      if (visit(k))
        return true;
  }
  return false;
}

/// The shortest ways to all that is reached: from the load functions, and what
/// they do not lead to from the functions on the way to them.
void LoadedState::findCallPaths() {
  const PointsTo &pt = c_.pointsTo;
  std::map<Id, std::vector<std::pair<Id, Id>>> callees; // call, function
  std::vector<Id> load, before;
  for (auto [call, callee] : pt.followed())
    callees[c_.program.facts.calls[call].function].push_back({call, callee});
  for (auto &[fn, calls] : callees)
    if (!pt.reached().contains(fn))
      before.push_back(fn);
  for (auto &[fn, call] : pt.reached())
    if (call == None)
      load.push_back(fn);
  auto follow = [&](std::vector<Id> level) {
    for (Id fn : level)
      paths_.try_emplace(fn);
    while (!level.empty()) {
      std::vector<Id> next;
      for (Id fn : level)
        for (auto [call, callee] : callees[fn])
          if (paths_.try_emplace(callee, CallPath{call, paths_[fn].length + 1})
                  .second)
            next.push_back(callee);
      level = std::move(next);
    }
  };
  follow(std::move(load));
  measureNaming(); // by what the load leads to
  follow(std::move(before));
}

/// A load function names the memory that it restores itself, or soon: what only
/// its callees' callees know is rather an index or a cache.
void LoadedState::measureNaming() {
  const Facts &f = c_.program.facts;
  const PointsTo &pt = c_.pointsTo;
  auto name = [&](Id variable, Id field, unsigned calls) {
    if (Id l = pt.find(variable, field); l != None) {
      auto [at, fresh] = named_.try_emplace(l, calls);
      at->second = std::min(at->second, calls);
    }
  };
  for (auto &[fn, path] : paths_) {
    if (path.length >= callsCounted)
      continue;
    for (Id i : c_.program.constraintsOf(fn)) {
      const Constraint &c = f.constraints[i];
      for (Id n : {c.src, c.dst})
        if (n != None && f.nodes[n].kind == NodeKind::Global)
          name(n, None, path.length);
      if (Id variable =
              c.flow == Flow::Member ? c_.program.variableAt(c.src) : None;
          variable != None)
        name(variable, f.fields[c.extra].cell, path.length);
    }
  }
}

const std::vector<Id> &LoadedState::targets(Id location) const {
  if (!targets_[location])
    targets_[location] = findTargets(location);
  return *targets_[location];
}

/// A table of void * that was there before the load leads to bytes; the load
/// may look records up in it and restore them.
std::vector<Id> LoadedState::findTargets(Id location) const {
  const PointsTo &pt = c_.pointsTo;
  std::vector<Id> result;
  const auto &at = pt.locations()[location];
  if (pt.objects()[at.object].kind == Object::Variable &&
      c_.nullAtExit->contains(pt.objects()[at.object].ref))
    return result;
  for (Id l : pt.content(location)) {
    if (!pt.isMemory(l))
      continue;
    Id object = pt.locations()[l].object;
    if (observed_ && !observed_->leadsTo(location, object))
      continue;
    result.push_back(object);
    for (Id as : pt.usedAs(object))
      if (isLoaded(as))
        result.push_back(as);
  }
  return result;
}

/// Dijkstra's shortest paths, by strain, from all static memory at once.
void LoadedState::spread() {
  const PointsTo &pt = c_.pointsTo;
  ownOfLoad_ = c_.own.objectsIn(pt);
  std::vector<Id> roots = staticObjects();
  auto rootStrain = [&](Id l) -> unsigned {
    auto named = named_.find(l);
    unsigned strain =
        PerCall * (named == named_.end() ? callsCounted : named->second);
    if (!hasTypedContent(l))
      strain += NoContent;
    const Object &o = pt.objects()[pt.locations()[l].object];
    if (c_.program.facts.nodes[o.ref].kind != NodeKind::Global)
      strain += OfMain;
    return strain;
  };
  using Entry = std::pair<unsigned, Id>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  for (Id o : roots) {
    parent_[o] = None;
    strain_[o] = 0;
    open.push({0, o});
  }
  while (!open.empty()) {
    auto [strain, o] = open.top();
    open.pop();
    if (strain > strain_[o])
      continue;
    for (Id l : pt.locationsOf(o)) {
      if (pt.content(l).empty())
        continue;
      unsigned before = strain + (parentOf(o) == None ? rootStrain(l) : 0);
      for (Id target : targets(l)) {
        if (target == o || (pt.objects()[target].kind == Object::Variable &&
                            !isLastingVariable(target)))
          continue;
        unsigned sum = before + hopStrain(l, target);
        auto [at, fresh] = strain_.try_emplace(target, sum);
        if (!fresh && at->second <= sum)
          continue;
        at->second = sum;
        parent_[target] = l;
        open.push({sum, target});
      }
    }
  }
}

/// One store for each member and variable, by code that runs before the load
/// where there is some: what the load found there.
void LoadedState::collectEarlierStores() {
  const Facts &f = c_.program.facts;
  auto take = [&](IdMap<Hop> &stores, Id key, Id function, Loc loc) {
    if (function == None)
      return;
    auto [at, fresh] = stores.try_emplace(key);
    Hop &known = at->second;
    if (fresh || (!c_.loop.startUp.contains(known.function) &&
                  c_.loop.startUp.contains(function))) {
      known.function = function;
      known.loc = loc;
    }
  };
  for (const StaticWrite &w : f.staticWrites)
    if (w.path.empty())
      take(earlierVariables_, w.variable, w.function, w.loc);
    else
      take(earlierFields_, f.fields[w.path.back()].cell, w.function, w.loc);
  for (const Constraint &c : f.constraints) {
    if (c.flow != Flow::Store || c.dst == None)
      continue;
    if (Id member = AccessPath(c_.program, c.dst).member(); member != None)
      take(earlierFields_, f.fields[member].cell, c.function, c.loc);
  }
}

Hop LoadedState::storedBefore(Id l) const {
  const PointsTo &pt = c_.pointsTo;
  const Object &owner = pt.objects()[pt.locations()[l].object];
  if (Id field = pt.locations()[l].field; field != None)
    return earlierFields_.lookup(field);
  return owner.kind == Object::Variable ? earlierVariables_.lookup(owner.ref)
                                        : Hop();
}

Hop LoadedState::hop(Id l, Id target) const {
  const Facts &f = c_.program.facts;
  const PointsTo &pt = c_.pointsTo;
  Hop result;
  if (writesTo(l).empty()) {
    result = storedBefore(l);
  } else {
    const Write *stores = &proof(l);
    auto leadsThere = [&](const Write &w) {
      if (w.value != None)
        for (Id t : pt.pointsTo(w.value))
          if (pt.locations()[t].object == target)
            return true;
      return false;
    };
    if (const Write *w = writesTo(l).first(leadsThere))
      stores = w;
    result.function = stores->function;
    result.loc = stores->loc;
    result.duringLoad = true;
  }
  const Object &owner = pt.objects()[pt.locations()[l].object];
  Id field = pt.locations()[l].field;
  if (owner.kind == Object::Variable) {
    result.slot = f.nodes[owner.ref].name;
    if (field != None)
      for (Id k : c_.program.memberPath(
               c_.program.recordOf(f.nodes[owner.ref].type), field))
        result.slot += "." + f.fields[k].name;
  } else if (field != None) {
    result.slot =
        f.records[f.fields[field].record].name + "." + f.fields[field].name;
  } else {
    result.slot = "[]";
  }
  result.target = pt.describe(target);
  return result;
}

std::vector<Hop> LoadedState::chainTo(Id object) const {
  const Facts &f = c_.program.facts;
  const PointsTo &pt = c_.pointsTo;
  std::vector<Hop> chain;
  for (Id o = object; chain.size() < 64;) {
    Id l = parentOf(o);
    if (l == None) {
      if (chain.empty()) { // static memory itself
        const Node &n = f.nodes[pt.objects()[o].ref];
        chain.push_back({n.name, "", None, n.loc, false});
      }
      break;
    }
    chain.push_back(hop(l, o));
    o = pt.locations()[l].object;
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}
