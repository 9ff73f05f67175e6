//===- OnceGuards.cpp - What is made behind a flag, and the flag ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   if (!ready) { regcomp(&shape, ..); ready = 1; }
//
// A flag never comes back without all that it guards, nor what it guards
// without the flag. What the guarded code does decides:
//
//   it makes data                       both come back
//   it computes, or has a library       each start makes both, on first use;
//     make something                    where only the load runs it, what is
//                                       computed comes back
//   both, or what no start makes again  reported
//
// Where handlers take it for made that do not make it, what is computed comes
// back, and what the library made is reported.
//
// Tested by: test/lit/solve/scalars/OnceGuards-once.c
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/facts/Library.h"
#include "passes/solve/scalars/GuardedUses.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace nvmove;

namespace {

using OnceGuardsParts = View<const Types, ServedStatics>;

/// What runs where a static is found to be as the program began, until it is
/// set there.
struct Region {
  bool isZero = false; ///< it begins so
  IdSet functions;     ///< that test it
  std::vector<const StaticWrite *> writes;
  std::vector<const StoreSite *> stores;
  std::vector<Id> calls;
};

class OnceGuards {
public:
  explicit OnceGuards(const OnceGuardsParts &a)
      : a_(a), c_(a.context), p_(c_.program), f_(p_.facts), pt_(c_.pointsTo),
        uses_(a) {
    for (const PersistentType &t : a.types)
      persistent_.insert(t.record);
  }

  void run() {
    for (const StaticWrite &w : f_.staticWrites)
      if (w.function != None)
        writes_[{w.variable, w.path}].push_back(&w);
    for (auto &[place, all] : writes_)
      if (f_.nodes[place.variable].isDefined)
        if (bool toZero = all.front()->isZero; llvm::all_of(
                all, [&](const StaticWrite *w) { return w->isZero == toZero; }))
          flags_[place].isZero = !toZero;
    collect();
    for (auto &[flag, region] : flags_)
      if (!region.functions.empty()) {
        enclose(region);
        if (isOnce(region, writes_[flag]) && isReached(writes_[flag]))
          look(flag, region, writes_[flag]);
      }
  }

private:
  void collect() {
    auto each = [&](const auto &site, Id function, auto enter) {
      for (const StaticTest &t : site.statics)
        if (auto at = flags_.find({t.variable, t.path});
            function != None && at != flags_.end() &&
            at->second.isZero == t.isZero) {
          at->second.functions.insert(function);
          enter(at->second);
        }
    };
    for (const StaticWrite &w : f_.staticWrites)
      each(w, w.function, [&](Region &r) { r.writes.push_back(&w); });
    for (const StoreSite &s : f_.stores)
      each(s, s.function, [&](Region &r) { r.stores.push_back(&s); });
    for (Id k = 0; k < f_.calls.size(); ++k)
      each(f_.calls[k], f_.calls[k].function,
           [&](Region &r) { r.calls.push_back(k); });
  }

  /// Functions that nothing but the region calls are of it.
  void enclose(Region &r) {
    IdSet calls(r.calls.begin(), r.calls.end()), within;
    for (size_t i = 0; i < r.calls.size(); ++i) {
      const Id g = f_.calls[r.calls[i]].callee;
      if (g == None || !f_.functions[g].hasBody || within.contains(g) ||
          !llvm::all_of(p_.callersOf(g),
                        [&](Id k) { return calls.contains(k); }))
        continue;
      within.insert(g);
      for (const Definition *d : p_.definitionsOf(g)) {
        for (Id w = d->staticWrites.begin; w < d->staticWrites.end; ++w)
          r.writes.push_back(&f_.staticWrites[w]);
        for (Id s = d->stores.begin; s < d->stores.end; ++s)
          r.stores.push_back(&f_.stores[s]);
      }
      for (Id k : p_.callsOf(g))
        if (calls.insert(k).second)
          r.calls.push_back(k);
    }
  }

  /// All that sets the flag is of the region, or counts it in the test.
  bool isOnce(const Region &r, llvm::ArrayRef<const StaticWrite *> writes) {
    return llvm::all_of(writes, [&](const StaticWrite *w) {
      return llvm::is_contained(r.writes, w) ||
             (writes.size() == 1 && w->readModifyWrite &&
              r.functions.contains(w->function));
    });
  }

  /// The load may be what makes it.
  bool isReached(llvm::ArrayRef<const StaticWrite *> sets) const {
    return llvm::any_of(sets, [&](const StaticWrite *w) {
      return pt_.reached().contains(w->function) && !pt_.neverDone(*w);
    });
  }

  void look(const StaticPlace &flag, const Region &r,
            llvm::ArrayRef<const StaticWrite *> sets) {
    process_ = None;
    data_.clear();
    IdSet seen;
    for (Id k : r.calls) {
      follow(k, seen);
      const Call &call = f_.calls[k];
      if (call.callee != None && !f_.functions[call.callee].hasBody &&
          isKept(k, r) && endsWithProcess(call, p_.library(call)))
        process_ = call.callee;
    }
    for (const StoreSite *s : r.stores)
      see(*s);
    std::map<StaticPlace, Observation> guarded;
    Id pointer = None; // that ends with the process
    auto guard = [&](StaticPlace place, Loc loc, Id function) {
      guarded.try_emplace(std::move(place), Observation{{}, loc, function});
    };
    for (const StaticWrite *w : r.writes) {
      StaticPlace place{w->variable, w->path};
      if (place == flag)
        continue;
      if (isData(*w) || isChangedElsewhere(*w, r))
        data_ = p_.nameOf(w->variable, w->path);
      if (isData(*w))
        continue;
      if (w->value != None && c_.values.call(w->value) != None &&
          p_.isPointer(p_.typeOf(w->variable, w->path)))
        pointer = w->variable;
      guard(std::move(place), w->loc, w->function);
    }
    for (Id k : r.calls)
      for (Id variable : filledBy(f_.calls[k]))
        if (StaticPlace place{variable, {}}; isRestoredAsData(place))
          data_ = p_.nameOf(variable, {});
        else
          guard(std::move(place), f_.calls[k].loc, f_.calls[k].function);
    const bool isCounted = llvm::all_of(
        sets, [](const StaticWrite *w) { return w->readModifyWrite; });
    if (isRestoredAsData(flag) && !isCounted)
      data_ = p_.nameOf(flag.variable, flag.path);
    const StaticWrite &set = *sets.front();
    auto note = [&](Evidence seen) {
      guarded.try_emplace(flag, Observation{{}, set.loc, set.function});
      for (auto &[place, where] : guarded)
        if (seen == Evidence::MadeOnUse ||
            !p_.isPointer(p_.typeOf(place.variable, place.path)))
          a_.statics.note(place, {seen, where.loc, where.function});
    };
    const bool runsAgain = llvm::any_of(r.functions, [&](Id fn) {
      return c_.phases.handled.contains(fn) || c_.phases.atStart.contains(fn);
    });
    const Id relying = runsAgain ? relyingOnLoad(flag, r, guarded) : None;
    auto report = [&](const std::string &what) {
      a_.statics.note(
          flag,
          {Evidence::SplitsGuarded, set.loc, set.function,
           what + ", which ends with the process" +
               (!data_.empty()    ? ", and " + data_ + ", which is restored"
                : relying != None ? ", and " + f_.functions[relying].name +
                                        "() uses it without creating it"
                                  : ", and only the load creates it")});
    };
    const bool comesBack = !data_.empty() || relying != None;
    if (process_ == None && pointer != None && comesBack) {
      report(p_.nameOf(pointer, {}));
    } else if (process_ != None && (comesBack || !runsAgain)) {
      report("what " + f_.functions[process_].name + "() returns");
    } else if (!comesBack && runsAgain) {
      note(Evidence::MadeOnUse);
    } else if (!guarded.empty() || relying != None || linksStatics(r)) {
      note(Evidence::SetWithFlag);
    }
  }

  /// Not of a pointer that is tested itself: without it handlers do as they do
  /// before the first use.
  Id relyingOnLoad(const StaticPlace &flag, const Region &r,
                   const std::map<StaticPlace, Observation> &guarded) {
    if (p_.isPointer(p_.typeOf(flag.variable, flag.path)))
      return None;
    std::set<StaticPlace> places{flag};
    for (const auto &[place, where] : guarded)
      places.insert(place);
    return uses_.relyingOnLoad(places, r.functions);
  }

  /// free = &pool[i]; add(&free, &pool[i]): what comes back leads to more that
  /// does, and would be linked once more.
  bool linksStatics(const Region &r) const {
    auto isRestored = [&](Id n) {
      return a_.statics.restored().holdsPartOf(n);
    };
    return llvm::any_of(r.writes,
                        [&](const StaticWrite *w) { return isData(*w); }) ||
           llvm::any_of(r.calls, [&](Id k) {
             const Call &call = f_.calls[k];
             for (size_t i = 0; i < call.args.size(); ++i)
               if (!call.argIsReadOnly[i] &&
                   llvm::any_of(staticsBehind(call, int(i)), isRestored))
                 return true;
             return false;
           });
  }

  void see(const StoreSite &s) {
    if (s.record != None && persistent_.contains(s.record))
      data_ = "a " + f_.records[s.record].spelling;
  }

  /// What the call does, by way of others, too.
  void follow(Id k, IdSet &seen) {
    const Call &call = f_.calls[k];
    if (call.callee == None || !seen.insert(k).second || p_.isDeadEnd(k))
      return;
    if (f_.functions[call.callee].hasBody) {
      for (Id inner : p_.callsOf(call.callee))
        follow(inner, seen);
      for (const Definition *d : p_.definitionsOf(call.callee))
        for (Id s = d->stores.begin; s < d->stores.end; ++s)
          see(f_.stores[s]);
      return;
    }
    const LibraryFunction *l = p_.library(call);
    if (l && l->kind == LibraryFunction::Input)
      data_ = "what " + f_.functions[call.callee].name + "() reads";
  }

  /// In a static, by the region, or in the library itself.
  bool isKept(Id k, const Region &r) const {
    const Call &call = f_.calls[k];
    const int into = libraryFact(f_.functions[call.callee].name,
                                 &LibraryFunction::keepsMemoryIn);
    return !staticsBehind(call, into).empty() ||
           llvm::any_of(r.writes, [&](const StaticWrite *w) {
             return w->value != None && c_.values.call(w->value) == k;
           });
  }

  /// The library keeps something for this process alone, or what it gives
  /// differs from run to run.
  bool endsWithProcess(const Call &call, const LibraryFunction *l) const {
    if (!l || l->kind == LibraryFunction::Plain)
      l = libraryEntry(f_.functions[call.callee].name);
    if (l)
      return l->endsWithProcess();
    // Of another library: openlog(..), SSL_library_init(); not: sin(x).
    for (size_t i = 0; i < call.args.size(); ++i)
      if (call.args[i] != None && !call.argIsReadOnly[i] &&
          p_.isPointer(f_.nodes[call.args[i]].type))
        return true;
    return call.args.empty() || call.result == None ||
           p_.isPointer(f_.nodes[call.result].type);
  }

  /// Statics that the library function writes.
  std::vector<Id> filledBy(const Call &call) const {
    std::vector<Id> found;
    const LibraryFunction *l = p_.library(call);
    if (!l)
      return found;
    llvm::SmallVector<int, 8> filled{l->destination, l->flow.to};
    for (const WrittenArg &w : l->written)
      filled.push_back(w.argument);
    for (int i : filled)
      llvm::append_range(found, staticsBehind(call, i));
    llvm::erase_if(found, [&](Id n) { return !f_.nodes[n].isDefined; });
    return found;
  }

  /// Those that the argument may point to.
  std::vector<Id> staticsBehind(const Call &call, int argument) const {
    std::vector<Id> found;
    if (argument >= 0 && size_t(argument) < call.args.size() &&
        call.args[argument] != None)
      for (Id at : pt_.pointsTo(call.args[argument]))
        if (const auto &o = pt_.objects()[pt_.locations()[at].object];
            o.kind == PointsTo::Object::Variable &&
            f_.nodes[o.ref].kind == NodeKind::Global)
          found.push_back(o.ref);
    return found;
  }

  /// By itself, not as a constant that says what the load did.
  bool isRestoredAsData(const StaticPlace &place) const {
    return a_.statics.isRestored(place) && !isFlagLike(place);
  }
  bool isFlagLike(const StaticPlace &place) const {
    const Decision d = a_.statics.of(place);
    return d.verdict == Verdict::Restored &&
           llvm::is_contained({Evidence::SetByNothingElse,
                               Evidence::SetByHelper, Evidence::SetWithRoot},
                              d.by);
  }
  bool isData(const StaticWrite &w) const {
    return a_.statics.restored().holds(w) && !isFlagLike({w.variable, w.path});
  }

  /// next = 1; here, and next++ where the state changes.
  bool isChangedElsewhere(const StaticWrite &w, const Region &r) const {
    return llvm::any_of(writes_.at({w.variable, w.path}),
                        [&](const StaticWrite *o) {
                          return c_.phases.handled.contains(o->function) &&
                                 !llvm::is_contained(r.writes, o);
                        });
  }

  OnceGuardsParts a_;
  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  GuardedUses uses_;
  IdSet persistent_; ///< records
  std::map<StaticPlace, std::vector<const StaticWrite *>> writes_;
  std::map<StaticPlace, Region> flags_;
  // Of the region that is looked at:
  Id process_ = None; ///< a function that makes what ends with the process
  std::string data_;  ///< what comes back, by name
};

} // namespace

namespace nvmove {

void findOnceGuards(OnceGuardsParts a) { OnceGuards(a).run(); }

} // namespace nvmove
