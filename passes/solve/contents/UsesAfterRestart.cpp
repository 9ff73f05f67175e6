//===- UsesAfterRestart.cpp - Who relies on a field when it is null? ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/contents/UsesAfterRestart.h"
#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/program/Library.h"

using namespace nvmove;

UsesAfterRestart::UsesAfterRestart(const SolveContext &context,
                                   const PoolMembership &pool,
                                   ValueOrigins &origins,
                                   const std::vector<Id> &load)
    : c_(context), p_(context.program), f_(p_.facts), pool_(pool),
      origins_(origins) {
  findRunning(load);
  findBesideLoad();
  findUses();
  findUsedParameters();
  findSets();
}

//===-- After a restart ---------------------------------------------------===//

void UsesAfterRestart::findRunning(const std::vector<Id> &load) {
  // What libraries are handed runs when they say so.
  auto handed = [&](const Call &c, CallGraph::Policy::Lead lead) {
    if (c.callee == None || f_.functions[c.callee].hasBody ||
        hasTrait(f_.functions[c.callee].name, LibraryFunction::RunsAtExit))
      return;
    for (Id a : c.args) {
      if (a == None)
        continue;
      if (p_.isFunctionPointer(f_.nodes[a].type))
        llvm::for_each(c_.flow.functionsIn(c_.flow.atNode(a)), lead);
      llvm::for_each(c_.flow.functionsInTable(a), lead);
    }
  };
  std::vector<Id> first;
  auto enter = [&](Id fn) { first.push_back(fn); };
  for (const Call &c : f_.calls)
    if (c.function != None && !c_.pointsTo.reached().contains(c.function))
      handed(c, enter);
  for (Id k : c_.loop.handlerCalls)
    llvm::for_each(c_.flow.callees(k), enter);
  for (const MainLoop &loop : c_.loop.loops)
    llvm::for_each(loop.dispatcher, enter);
  running_ = CallGraph(p_, c_.flow)
                 .reach(first, {.deadEnds = false,
                                .bodies = true,
                                .enters =
                                    [&](Id fn) {
                                      return !p_.isNoReturn(fn) &&
                                             !llvm::is_contained(load, fn);
                                    },
                                .also =
                                    [&](Id fn, CallGraph::Policy::Lead lead) {
                                      for (Id k : p_.callsOf(fn))
                                        if (!p_.isDeadEnd(k))
                                          handed(f_.calls[k], lead);
                                    }})
                 .set();
  running_.insert(c_.phases.afterLoad.begin(), c_.phases.afterLoad.end());
}

/// Behind the load, and not behind the main loops.
bool UsesAfterRestart::runs(Id function, Loc place) const {
  if (running_.contains(function))
    return true;
  return c_.loop.startUp.contains(function) &&
         c_.phases.isAfterLoad(function, place, None) &&
         !c_.phases.isAfter(place, None, c_.phases.callsToLoops(function));
}

//===-- Before the load has ended -----------------------------------------===//

bool UsesAfterRestart::runsBeforeLoadEnds(Id function, Loc place) const {
  return c_.pointsTo.reached().contains(function) ||
         besideLoad_.contains(function) ||
         (c_.phases.atStart.contains(function) &&
          !c_.phases.afterLoad.contains(function)) ||
         (c_.loop.startUp.contains(function) &&
          !c_.phases.isAfterLoad(function, place, None));
}

/// state = open(name); load(state); in a function that main() calls.
void UsesAfterRestart::findBesideLoad() {
  std::vector<Id> calls;
  for (Id fn : c_.loop.startUp)
    if (!c_.loop.frames.contains(fn))
      llvm::append_range(calls, p_.callsOf(fn));
  auto follows = [&](Id k) {
    return !c_.pointsTo.neverDone(f_.calls[k].nonNull, f_.calls[k].function);
  };
  besideLoad_ =
      CallGraph(p_, c_.flow)
          .reachFrom(calls,
                     {.pointers = false, .deadEnds = false, .follows = follows})
          .set();
}

void UsesAfterRestart::findSets() {
  IdSet values; // addresses at which something that is not null is stored
  for (const Constraint &c : f_.constraints)
    if (c.flow == Flow::Store && c.src != None)
      values.insert(c.dst);
  for (Id i = 0; i < f_.stores.size(); ++i) {
    const StoreSite &s = f_.stores[i];
    Id field = memberAt(p_, p_.origin(s.address));
    if (field == None || s.function == None || s.readModifyWrite ||
        !p_.isPointer(s.valueType))
      continue;
    bool isNull = !values.contains(s.address);
    if (isNull)
      madeNull_.insert(field);
    if (!runsBeforeLoadEnds(s.function, s.loc))
      continue;
    if (isNull)
      leftNull_.insert(field);
    else if (isPassedOver(i))
      setPerhaps_.insert(field);
    else
      set_.insert(field);
  }
  for (const StaticWrite &w : f_.staticWrites)
    if (!w.path.empty() && w.value == None && !w.readModifyWrite)
      madeNull_.insert(w.path.back());
}

/// if (found) p->field = found: some path goes past it to what follows it.
bool UsesAfterRestart::isPassedOver(Id store) const {
  for (const Definition *d : p_.definitionsOf(f_.stores[store].function)) {
    if (store < d->stores.begin || store >= d->stores.end)
      continue;
    auto holds = [&](const Block &b) {
      return llvm::any_of(b.stores, [&](const BlockStore &s) {
        return d->stores.begin + s.store == store;
      });
    };
    size_t at = llvm::find_if(d->blocks, holds) - d->blocks.begin();
    if (at == d->blocks.size())
      return false;
    auto reach = [&](size_t from, size_t past) {
      std::vector<bool> seen(d->blocks.size());
      for (std::vector<size_t> work{from}; !work.empty();) {
        size_t b = work.back();
        work.pop_back();
        if (b != past)
          for (uint32_t next : d->blocks[b].successors)
            if (!seen[next]) {
              seen[next] = true;
              work.push_back(next);
            }
      }
      return seen;
    };
    const size_t entry = d->blocks.size() - 1;
    std::vector<bool> beside = reach(entry, at),
                      behind = reach(at, d->blocks.size());
    // The first is where the function returns; the head of a loop around the
    // store is on every way to it.
    for (size_t b = 1; b < d->blocks.size(); ++b)
      if (b != at && beside[b] && behind[b] && reach(entry, b)[at])
        return true;
  }
  return false;
}

/// Of text and the like all allocations count, else those of its type.
bool UsesAfterRestart::mayLast(Id field) {
  Id pointee = p_.pointeeRecord(p_.element(f_.fields[field].type));
  const auto &sites = c_.allocators.sites();
  auto lasts = [&](const Allocators::Site &site) {
    return !pool_.whySite(&site - sites.data()).empty() &&
           (pointee == None || site.records.empty() ||
            llvm::any_of(site.records,
                         [&](Id r) { return p_.compatible(r, pointee); }));
  };
  // What is cut out of a mapping has no allocation.
  if (pool_.mappedIn(c_.flow.inField(field)) != None)
    for (unsigned t : c_.flow.inField(field))
      if (const FieldFlow::Token &k = c_.flow.tokens()[t];
          k.kind == FieldFlow::Token::Site && lasts(sites[k.ref]))
        return true;
  return llvm::any_of(origins_.ofField(field), [&](const auto &o) {
    const Allocators::Site *site =
        o.call == None ? nullptr : c_.allocators.siteOf(o.call);
    return site && lasts(*site);
  });
}

//===-- Uses --------------------------------------------------------------===//

void UsesAfterRestart::findUses() {
  for (const Definition &d : f_.definitions)
    for (const PointerUse &u : d.pointerUses) {
      if (u.field != None) {
        ofField_[u.field].push_back({&d, &u});
      } else if (u.isTested) {
        continue;
      } else if (u.result != None) {
        Id call = c_.values.call(u.result);
        if (call != None && f_.calls[call].callee != None)
          ofResult_[f_.calls[call].callee].push_back({&d, &u});
      } else if (auto at = llvm::find(d.params, u.param);
                 at != d.params.end()) {
        ofParameters_.push_back(
            {{&d, &u}, {d.function, uint32_t(at - d.params.begin())}});
      }
    }
}

void UsesAfterRestart::findUsedParameters() {
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto &[u, parameter] : ofParameters_)
      grown |=
          !used_.count(parameter) && isUse(u) && used_.insert(parameter).second;
  }
}

bool UsesAfterRestart::isUse(const Use &u) const {
  switch (u.use->how) {
  case PointerUse::Followed:
  case PointerUse::Compared:
    return true;
  case PointerUse::Handed:
    return usesArgument(u.call(), u.use->arg);
  case PointerUse::Returned:
    return false;
  }
  return false;
}

/// Of a library, free() and the like take a null.
bool UsesAfterRestart::usesArgument(Id call, uint32_t arg) const {
  const Call &c = f_.calls[call];
  if (c.callee != None && !f_.functions[c.callee].hasBody) {
    const LibraryFunction *known = libraryEntry(f_.functions[c.callee].name);
    return known && known->kind != LibraryFunction::Free &&
           known->kind != LibraryFunction::Reallocate;
  }
  return llvm::any_of(c_.flow.callees(call), [&](Id callee) {
    return used_.count({callee, arg}) && p_.takesArgumentsOf(callee, c);
  });
}

/// Each call of the function is made where some object's field was found not to
/// be null.
bool UsesAfterRestart::isBehindTest(Id function, Id field,
                                    unsigned depth) const {
  const std::vector<Id> &callers = p_.callersOf(function);
  return depth && !callers.empty() &&
         !p_.isAddressTaken(f_.functions[function].node) &&
         llvm::all_of(callers, [&](Id k) {
           const Call &c = f_.calls[k];
           return llvm::any_of(
                      c.nonNull,
                      [&](Id n) { return memberRead(p_, n) == field; }) ||
                  (c.function != None && c.function != function &&
                   isBehindTest(c.function, field, depth - 1));
         });
}

std::vector<Loc> UsesAfterRestart::usesOf(Id field, bool isNull) {
  bool isSet = set_.contains(field) ||
               (setPerhaps_.contains(field) && !leftNull_.contains(field));
  if (!isSet || mayLast(field))
    return {};
  constexpr unsigned levels = 4;
  Id pointee = p_.pointeeRecord(p_.element(f_.fields[field].type));
  // Which stream it is means nothing to another process; and where the program
  // itself makes the field null, a null is not equal for a reason.
  bool isIdentity = pointee != None && p_.isProgramRecord(pointee) &&
                    !madeNull_.contains(field);
  std::vector<Use> work;
  IdSet givers; // functions that give it back
  auto add = [&](const IdMap<std::vector<Use>> &uses, Id key) {
    if (auto at = uses.find(key); at != uses.end())
      work.insert(work.end(), at->second.begin(), at->second.end());
  };
  std::set<Loc> places;
  for (add(ofField_, field); !work.empty();) {
    Use u = work.back();
    work.pop_back();
    Id fn = u.definition->function;
    if ((u.use->isTested && isNull) ||
        (u.use->how == PointerUse::Compared && !isIdentity))
      continue;
    if (u.use->how == PointerUse::Returned) {
      if (givers.insert(fn).second)
        add(ofResult_, fn);
    } else if (runs(fn, u.use->loc) && isUse(u) &&
               !(isNull && isBehindTest(fn, field, levels))) {
      places.insert({u.use->loc.file, u.use->loc.line, 0});
    }
  }
  return {places.begin(), places.end()};
}

std::vector<Loc> UsesAfterRestart::readersOf(Id record) const {
  std::set<Loc> places;
  for (const Call &c : f_.calls) {
    const LibraryFunction *known =
        c.callee == None || f_.functions[c.callee].hasBody
            ? nullptr
            : libraryEntry(f_.functions[c.callee].name);
    if (!known || (known->traits & LibraryFunction::FollowsNothing) ||
        known->kind == LibraryFunction::Assign || c.function == None ||
        !runs(c.function, c.loc))
      continue;
    for (Id a : c.args)
      if (a != None && p_.pointeeRecord(f_.nodes[a].type) == record &&
          pool_.liesBehind(a))
        places.insert({c.loc.file, c.loc.line, 0});
  }
  return {places.begin(), places.end()};
}
