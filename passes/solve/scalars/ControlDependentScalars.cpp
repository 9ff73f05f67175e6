//===- ControlDependentScalars.cpp - Constants that say what the load saw ===//
//===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/scalars/ScalarFinder.h"
#include <map>

using namespace nvmove;

// count = n; ready = 1: nothing but the load sets the flag, and that does not
// run again. Elsewhere it may tell of something that is gone with the
// process: the connection to the log is open. What start-up runs, too, sets
// it at each start.
void ScalarFinder::flags() {
  std::set<StaticPlace> elsewhere; // or not to a constant
  std::set<StaticPlace> byLoad;    // not at each start
  std::map<StaticPlace, unsigned> times;
  IdSet restoring(load_.begin(), load_.end());
  IdMap<const StaticWrite *> making; // functions that make a root
  for (const StaticWrite &w : f_.staticWrites)
    if (w.function != None && pt_.reached().contains(w.function) &&
        a_.statics.restored().holds(w) && isMadeAnew(w))
      making.try_emplace(w.function, &w);
  for (const StaticWrite &w : f_.staticWrites) {
    if (w.function == None)
      continue;
    if (!pt_.reached().contains(w.function) || !isChosen(w))
      elsewhere.insert({w.variable, w.path});
    else if (!c_.phases.alwaysAtStart.contains(w.function))
      byLoad.insert({w.variable, w.path});
    if (restores(w))
      restoring.insert(w.function);
  }
  for (const StaticWrite *w : writes_)
    ++times[{w->variable, w->path}];
  for (const StaticWrite *w : writes_) {
    StaticPlace number{w->variable, w->path};
    bool alone = !elsewhere.count(number) && byLoad.count(number);
    if (statics_.isRestored(number))
      continue;
    // Not: loading = 1; ..; loading = 0;
    bool set = isSetting(*w) || (alone && !isElement(*w));
    // level_exists[n] = 1: which one is data.
    alone &= isElement(*w) || !c_.phases.atStart.contains(w->function);
    const StaticWrite *made = making.lookup(w->function);
    if (set && alone && times[number] == 1 && restoring.contains(w->function))
      add(w->variable, w->path, Evidence::SetByNothingElse, w->loc);
    else if (made && w->value == None && !w->isZero && !isElement(*w) &&
             !c_.phases.atStart.contains(w->function) && makesOnly(w->function))
      add(w->variable, w->path, Evidence::SetWithRoot, w->loc);
    else if (set)
      reportSet(*w, alone && !isElement(*w), made);
  }
  for (const StaticWrite *w : inArrays_)
    if (isSetting(*w) && !a_.statics.restored().holds(*w))
      reportSet(*w, false);
}

/// Which value it is may be said by the file: a constant where data of it is
/// seen, or what a function is handed there: set_level(levels[i].number).
bool ScalarFinder::isSetting(const StaticWrite &w) {
  // options[n] = what: which one says the file.
  if (isChosen(w) || isElement(w))
    return s_.seesFile(w.function);
  Id param = origin(w.value);
  if (Id call = values_.call(param); call != None)
    return !llvm::is_contained(load_, f_.calls[call].callee) &&
           lookUps_.chooses(call);
  if (!llvm::is_contained(f_.functions[w.function].params, param))
    return lookUps_.chooseFor(param);
  return llvm::any_of(c_.program.callersOf(w.function), [&](Id k) {
    Id caller = f_.calls[k].function;
    return caller != None && pt_.reached().contains(caller) &&
           (s_.seesFile(caller) ||
            llvm::any_of(f_.functions[caller].params,
                         [&](Id p) { return lookUps_.isText(p); }));
  });
}

/// `made`: a root that the same function makes, or nullptr.
void ScalarFinder::reportSet(const StaticWrite &w, bool alone,
                             const StaticWrite *made) {
  bool runsLater = c_.phases.handled.contains(w.function) &&
                   !llvm::is_contained(load_, w.function);
  Observation seen{!alone      ? Evidence::SetByLoad
                   : runsLater ? Evidence::SetByLoadLater
                               : Evidence::SetByLoadAlone,
                   w.loc, w.function};
  if (made && runsLater)
    seen.detail = ": if that runs again, it may create " +
                  c_.program.nameOf(made->variable, made->path) +
                  " anew and lose the restored data";
  statics_.note({w.variable, w.path}, std::move(seen));
}

/// table = calloc(..); not: item = malloc(..); item->next = list; list =
/// item;
bool ScalarFinder::isMadeAnew(const StaticWrite &w) {
  Id call = w.value == None ? None : values_.call(origin(w.value));
  if (call == None || !c_.allocators.allocates(f_.calls[call]))
    return false;
  return llvm::none_of(c_.program.constraintsOf(w.function), [&](Id i) {
    const Constraint &c = f_.constraints[i];
    return c.flow == Flow::Store && c.src != None && isOfPlace(c.src, w);
  });
}

/// The value is what the static held before.
bool ScalarFinder::isOfPlace(Id value, const StaticWrite &w) {
  value = origin(value);
  if (w.path.empty())
    return value == w.variable;
  Id d = c_.program.definition(value);
  if (d == None || f_.constraints[d].flow != Flow::Load)
    return false;
  d = c_.program.definition(f_.constraints[d].src);
  return d != None && f_.constraints[d].flow == Flow::Member &&
         f_.constraints[d].extra == w.path.back();
}

// if (ready) return; table = calloc(..); ready = 1: the next run has the
// table, so it needs the flag. Not where something is made besides that ends
// with the process.
bool ScalarFinder::makesOnly(Id function, unsigned depth) {
  if (depth > 3 || f_.functions[function].hasInlineAsm)
    return false;
  for (const Definition *d : c_.program.definitionsOf(function))
    for (Id i = d->staticWrites.begin; i < d->staticWrites.end; ++i) {
      const StaticWrite &w = f_.staticWrites[i];
      bool isFlag = w.isScalar && w.value == None && !w.readModifyWrite;
      if (!isFlag && !a_.statics.restored().holds(w))
        return false;
    }
  return llvm::all_of(c_.program.callsOf(function), [&](Id k) {
    const Call &call = f_.calls[k];
    if (c_.allocators.allocates(call) || c_.program.isDeadEnd(k))
      return true;
    if (call.callee == None)
      return false;
    const Function &callee = f_.functions[call.callee];
    if (callee.hasBody)
      return makesOnly(call.callee, depth + 1);
    const LineEffect bytes = libraryFact(callee.name, &LibraryFunction::lines);
    return bytes == LineEffect::Fills || bytes == LineEffect::Copies ||
           c_.program.isNoReturn(call.callee);
  });
}

/// It writes what is restored, and does not only count.
bool ScalarFinder::restores(const StaticWrite &w) const {
  Decision d = statics_.of({w.variable, w.path});
  return d.verdict == Verdict::Restored && d.by != Evidence::CountsLoaded &&
         d.by != Evidence::MovesOnInLoad;
}
