//===- ProgramPhases.cpp - What start-up runs beside the load -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/ProgramPhases.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

bool isBehindLoop(const SolveContext &context, const Call &call) {
  const Facts &f = context.program.facts;
  return llvm::any_of(context.loop.loops, [&](const MainLoop &l) {
    return f.loops[l.loop].function == call.function &&
           f.loops[l.loop].loc < call.loc;
  });
}

/// if (saved) load(); else begin();
bool isInsteadOfLoad(const SolveContext &context, const Call &call,
                     const std::vector<Id> &load) {
  const Program &p = context.program;
  return llvm::any_of(p.callsOf(call.function), [&](Id k) {
    return Program::exclude(call.arms, p.facts.calls[k].arms) &&
           context.loop.leadsToLoad(k, load);
  });
}

/// Through a table of functions everything would be.
void addBelow(const Program &program, Id call, bool isSure,
              ProgramPhases &result) {
  const Call &c = program.facts.calls[call];
  if (c.callee == None || program.isDeadEnd(call) ||
      program.isNoReturn(c.callee))
    return;
  isSure &= c.arms.empty() && c.loop == None;
  bool fresh = result.all.insert(c.callee).second;
  if ((isSure && result.always.insert(c.callee).second) || fresh)
    for (Id k : program.callsOf(c.callee))
      addBelow(program, k, isSure, result);
}

} // namespace

ProgramPhases::ProgramPhases(const SolveContext &context,
                             const std::vector<Id> &load) {
  const Program &p = context.program;
  const EventLoop &loop = context.loop;
  const IdSet later = loop.reachableFrom(loop.handlerCalls);
  IdSet seen;
  std::vector<Id> way; // from main to the load, and to the main loop
  auto enter = [&](Id fn) {
    if (!context.pointsTo.reached().contains(fn) &&
        !loop.dispatcher.contains(fn) &&
        (!later.contains(fn) || llvm::is_contained(loop.mains, fn)) &&
        seen.insert(fn).second)
      way.push_back(fn);
  };
  llvm::for_each(loop.startUp, enter);
  for (size_t i = 0; i < way.size(); ++i)
    for (Id k : p.callsOf(way[i])) {
      const Call &c = p.facts.calls[k];
      if (loop.isInLoop(c) || isBehindLoop(context, c) || p.isDeadEnd(k) ||
          loop.leadsToLoad(k, load) || isInsteadOfLoad(context, c, load))
        continue;
      IdSet below = loop.reachableFrom({k});
      if (llvm::any_of(loop.loops, [&](const MainLoop &l) {
            return below.contains(p.facts.loops[l.loop].function);
          })) {
        llvm::for_each(context.flow.callees(k), enter);
        continue;
      }
      addBelow(p, k, true, *this);
    }
}

static void addBelow(const Program &program, std::vector<Id> calls,
                     const IdSet &among, IdSet &below) {
  for (size_t i = 0; i < calls.size(); ++i)
    if (Id callee = program.facts.calls[calls[i]].callee;
        callee != None && among.contains(callee) && below.insert(callee).second)
      llvm::append_range(calls, program.callsOf(callee));
}

AroundLoad::AroundLoad(const SolveContext &context, const std::vector<Id> &load)
    : c_(context), load_(load) {
  const Program &p = context.program;
  const ProgramPhases atStart(context, load);
  std::vector<Id> callsBefore, callsBehind;
  for (Id fn : context.loop.startUp)
    for (Id way : p.callsOf(fn))
      for (Id k : p.callsOf(fn))
        if (const Call &c = p.facts.calls[k], &l = p.facts.calls[way];
            k != way && isToLoad(way, c.loc.file) &&
            !Program::exclude(c.arms, l.arms))
          (c.loc < l.loc ? callsBefore : callsBehind).push_back(k);
  addBelow(p, callsBefore, atStart.all, before);
  addBelow(p, callsBehind, atStart.all, behind);
}

bool AroundLoad::isToLoad(Id call, Id file) const {
  const Call &c = c_.program.facts.calls[call];
  return c.loc.file == file && !c_.loop.isInLoop(c) &&
         c_.loop.leadsToLoad(call, load_);
}

bool AroundLoad::isBefore(const StaticWrite &w) const {
  if (!c_.loop.startUp.contains(w.function))
    return before.contains(w.function) && !behind.contains(w.function);
  return llvm::any_of(c_.program.callsOf(w.function), [&](Id k) {
    return w.loc < c_.program.facts.calls[k].loc && isToLoad(k, w.loc.file);
  });
}

bool AroundLoad::isBehind(const StaticWrite &w) const {
  if (!c_.loop.startUp.contains(w.function))
    return behind.contains(w.function);
  return w.loop == None &&
         llvm::any_of(c_.program.callsOf(w.function), [&](Id k) {
           return c_.program.facts.calls[k].loc < w.loc &&
                  isToLoad(k, w.loc.file);
         });
}
