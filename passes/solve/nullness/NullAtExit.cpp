//===- NullAtExit.cpp - Static pointers that the load leaves null ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/nullness/NullAtExit.h"
#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/nullness/ReturnSummary.h"
#include "passes/solve/program/BlockDataflow.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

// A large program does without the rest: pointers then count as set.
static constexpr size_t MostExitWork = 20'000'000;

NullAtExit::NullAtExit(const Program &program, const FieldFlow &flow,
                       const EventLoop &loop, const PreLoadNullness &nullness,
                       const std::vector<Id> &load, const IdSet &cut)
    : p_(program), f_(program.facts), flow_(flow), nullness_(nullness),
      cut_(cut), load_(load) {
  for (Id fn : load) {
    LoadAnswer answer = answerOf(program, loop, nullness, load, fn);
    if (answer.nothing && answer.loaded && answer.nothing != answer.loaded)
      nothing_[fn] = *answer.nothing;
  }
  const CallGraph::Reached seen = CallGraph(p_, flow_).reach(
      load, {.bodies = true,
             .follows = [&](Id k) { return !nullness_.neverRuns(k); },
             .enters =
                 [&](Id fn) {
                   return llvm::is_contained(load, fn) || !cut_.contains(fn);
                 }});
  functions_ = seen.functions();
  for (Id fn : functions_)
    for (Id k : p_.callsOf(fn))
      for (Id callee : flow_.callees(k))
        if (f_.functions[callee].hasBody && runs(k, callee))
          callers_[callee].push_back(fn);
  for (const StaticWrite &w : f_.staticWrites) {
    if (w.function == None || w.value == None || seen.contains(w.function))
      continue;
    // What leads to the load goes on after it: song = load();
    if (loop.startUp.contains(w.function))
      excluded_.insert(w.variable);
    if (nullness.isEarly(w.function))
      set_.insert(w.variable);
  }
  for (Id i : p_.constraintsOf(None)) // initialisers
    set_.insert(f_.constraints[i].dst);
  findLent();
  for (const auto &[call, all] : lent_)
    if (Id fn = f_.calls[call].function; !seen.contains(fn))
      for (const Lent &l : all) {
        if (loop.startUp.contains(fn))
          excluded_.insert(l.variable);
        if (nullness.isEarly(fn))
          set_.insert(l.variable);
      }
  findCandidates();
}

bool NullAtExit::contains(Id variable) const {
  auto [at, fresh] = answers_.try_emplace(variable, false);
  if (fresh && changers_.contains(variable) && !excluded_.contains(variable))
    at->second = check(variable);
  return at->second;
}

void NullAtExit::findCandidates() {
  for (const StaticWrite &w : f_.staticWrites) {
    if (w.value == None || !w.path.empty())
      continue;
    auto [at, fresh] = setTo_.try_emplace(w.variable, w.value);
    bool isOneValue = f_.nodes[w.value].kind == NodeKind::Temp;
    if (!isOneValue || (!fresh && at->second != w.value))
      at->second = None;
  }
  IdMap<std::vector<Id>> setBy; // value -> variables
  for (auto [variable, value] : setTo_)
    if (value != None)
      setBy[value].push_back(variable);
  IdSet nulled;
  for (Id fn : functions_) {
    auto changes = [&](Id variable) {
      auto &list = changers_[variable];
      if (list.empty() || list.back() != fn)
        list.push_back(fn);
    };
    if (const Definition *d = definitionOf(fn))
      for (const Block &b : d->blocks) {
        for (const FlowWrite &w : b.writes) {
          if (w.variable == None)
            continue;
          changes(w.variable);
          if (w.isZero())
            nulled.insert(w.variable);
        }
        if (b.tested != None)
          nulled.insert(b.tested);
      }
    for (Id k : p_.callsOf(fn)) {
      if (Id a = firstArgument(f_.calls[k]); a != None && frees(k, a)) {
        std::vector<Id> freed = setBy.lookup(a);
        freed.push_back(a);
        llvm::for_each(freed, changes);
        nulled.insert(freed.begin(), freed.end());
      }
      if (auto at = lent_.find(k); at != lent_.end())
        for (const Lent &l : at->second) {
          changes(l.variable);
          nulled.insert(l.variable);
        }
    }
  }
  IdSet inLoad(functions_.begin(), functions_.end());
  for (const StaticWrite &w : f_.staticWrites) // where there is no graph
    if (w.function != None && inLoad.contains(w.function) && w.path.empty())
      changers_[w.variable].push_back(w.function);
  for (const auto &[variable, functions] : changers_)
    if (const Node &n = f_.nodes[variable];
        !nulled.contains(variable) || kept_.contains(variable) ||
        n.kind != NodeKind::Global || !n.isDefined || n.isThreadLocal ||
        !p_.isPointer(n.type))
      excluded_.insert(variable);
}

/// The functions that may change the variable, and those that call them.
std::vector<Id> NullAtExit::affected(Id variable) const {
  std::vector<Id> result;
  IdSet seen;
  auto enter = [&](Id fn) {
    if (seen.insert(fn).second)
      result.push_back(fn);
  };
  llvm::for_each(changers_.at(variable), enter);
  for (size_t i = 0; i < result.size(); ++i)
    if (auto at = callers_.find(result[i]); at != callers_.end())
      llvm::for_each(at->second, enter);
  return result;
}

bool NullAtExit::check(Id variable) const {
  std::vector<Id> functions = affected(variable);
  summaries_.clear();
  for (Id fn : functions)
    summaries_[fn];
  IdSet dirty(functions.begin(), functions.end());
  while (!dirty.empty()) {
    for (Id fn : functions) {
      if (!dirty.erase(fn))
        continue;
      Summary now{leaves(fn, variable, Null), leaves(fn, variable, Anything)};
      if (now == summaries_[fn])
        continue;
      summaries_[fn] = now;
      if (now.ofNull == Anything && llvm::is_contained(load_, fn))
        return false; // it only becomes more
      if (auto at = callers_.find(fn); at != callers_.end())
        dirty.insert(at->second.begin(), at->second.end());
    }
    if (work_ > MostExitWork)
      return false;
  }
  // Each load keeps it null, and it is so before, or one makes it so.
  bool makes = !set_.contains(variable);
  for (Id fn : load_) {
    auto at = summaries_.find(fn);
    if (at == summaries_.end())
      continue;
    if (at->second.ofNull != Null)
      return false;
    makes |= at->second.ofAnything == Null;
  }
  return makes;
}

NullAtExit::State NullAtExit::leaves(Id function, Id variable,
                                     State found) const {
  const Definition *d = definitionOf(function);
  if (!d || d->blocks.empty())
    return Anything;
  auto through = [&](const Block &b, State state, auto goOn) {
    ++work_;
    auto written = [&](size_t calls) {
      for (const FlowWrite &w : b.writes)
        if (w.variable == variable && w.how != FlowWrite::Through &&
            w.calls == calls)
          state = w.isZero() ? Null : Anything;
    };
    // if (!open(&header)) return; what it leaves behind when it gives zero
    Outcome outcome;
    bool isSplit = false;
    for (size_t i = 0; i < b.calls.size() && state != Unreached; ++i) {
      written(i);
      Id k = d->calls.begin + b.calls[i];
      const Lent *lent = b.tested != None && b.tested == f_.calls[k].result &&
                                 i + 1 == b.calls.size() && !p_.isDeadEnd(k)
                             ? lentTo(k, variable)
                             : nullptr;
      isSplit = lent != nullptr;
      if (lent)
        outcome = behindLent(k, *lent, state);
      state = behindCall(k, variable, state);
    }
    if (state == Unreached || fails(function, b))
      return;
    isSplit &= llvm::none_of(b.writes, [&](const FlowWrite &w) {
      return w.variable == variable && w.calls == b.calls.size();
    });
    written(b.calls.size());
    bool isTested = b.tested == variable;
    for (uint32_t s : b.successors) {
      State there = state;
      if (isSplit)
        there = s == b.whenZero ? outcome.whenZero : outcome.otherwise;
      if (isTested && s == b.whenZero)
        there = Null;
      else if ((isTested && state == Null) || there == Unreached)
        continue; // it is null, or that is not returned
      goOn(s, there);
    }
  };
  return throughBlocks(*d, found, join, through).front();
}

NullAtExit::State NullAtExit::behindCall(Id call, Id variable,
                                         State state) const {
  const Call &c = f_.calls[call];
  if (p_.isDeadEnd(call))
    return Unreached;
  if (frees(call, variable))
    return Null;
  if (const Lent *lent = lentTo(call, variable)) {
    Outcome o = behindLent(call, *lent, state);
    return join(o.whenZero, o.otherwise);
  }
  if (f_.nodes[variable].kind != NodeKind::Global)
    return state; // a parameter
  State result = Unreached;
  for (Id callee : flow_.callees(call)) {
    const Function &fn = f_.functions[callee];
    auto at = runs(call, callee) ? summaries_.find(callee) : summaries_.end();
    if (at != summaries_.end()) {
      result = join(result,
                    state == Null ? at->second.ofNull : at->second.ofAnything);
      continue;
    }
    // It may come back here another time, or call what it is handed.
    bool calls = !fn.hasBody && llvm::any_of(c.args, [&](Id a) {
      return a != None && p_.isFunctionPointer(f_.nodes[a].type);
    });
    calls |= !fn.hasBody && hasTrait(fn.name, LibraryFunction::SetJump);
    result = join(result, calls ? Anything : state);
  }
  return flow_.callees(call).empty() ? state : result;
}

bool NullAtExit::runs(Id call, Id callee) const {
  return !cut_.contains(callee) && !nullness_.neverRuns(call);
}

/// It returns what it does when there is nothing to load.
bool NullAtExit::fails(Id function, const Block &block) const {
  auto at = nothing_.find(function);
  return block.returnsConstant && at != nothing_.end() &&
         at->second == block.returned;
}

/// Without its casts, which are made where the call is: free((char *)header).
Id NullAtExit::firstArgument(const Call &call) const {
  Id argument = call.args.empty() ? None : call.args[0];
  while (argument != None) {
    Id d = p_.definition(argument);
    if (d == None || f_.constraints[d].flow != Flow::Cast)
      break;
    argument = f_.constraints[d].src;
  }
  return argument;
}

/// free(header), or reader = r; .. free(r): whatever it points to then, nobody
/// looks at.
bool NullAtExit::frees(Id call, Id variable) const {
  const Call &c = f_.calls[call];
  Id what = firstArgument(c);
  if (what == None || c.callee == None)
    return false;
  auto to = setTo_.find(variable);
  return (what == variable || (to != setTo_.end() && what == to->second)) &&
         (p_.isLibrary(c, LibraryFunction::Free) || releases(c.callee) ||
          (c.args.size() == 1 && !f_.functions[c.callee].hasBody &&
           isLetGoBy(f_.functions[c.callee].name)));
}

/// void release(void *p) { if (p) free(p); }
bool NullAtExit::releases(Id function) const {
  const Function &fn = f_.functions[function];
  auto [at, fresh] = releases_.try_emplace(function, false);
  if (!fresh || !fn.hasBody || fn.params.empty() ||
      !p_.isPointer(f_.nodes[fn.params[0]].type) ||
      p_.isAddressTaken(fn.params[0]))
    return at->second;
  const std::vector<Id> &calls = p_.callsOf(function);
  if (calls.size() > 8 ||
      llvm::none_of(calls, [&](Id k) { return frees(k, fn.params[0]); }))
    return false;
  const Definition *d = definitionOf(function);
  bool result = d && d->blocks.empty()
                    ? llvm::any_of(calls,
                                   [&](Id k) {
                                     return frees(k, fn.params[0]) &&
                                            f_.calls[k].arms.empty() &&
                                            f_.calls[k].loop == None;
                                   })
                    : leaves(function, fn.params[0], Anything) == Null;
  return releases_[function] = result;
}
