//===- SecondaryLoops.cpp - Loops that wait beside the main loop ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/phases/EventLoop.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

/// Those after the load that are not run by a loop that is known. They wait as
/// it does, or for what the user types: a server reads files in loops, too.
void EventLoop::findOthers(const std::vector<Id> &load) {
  Waiting alike = waiting_, typed{LibraryFunction::Input, false, false, true};
  alike.standard = false;
  const Positions loading = positionsOf(load);
  for (Waiting waiting : {alike, typed}) {
    measureWaits(load, waiting);
    for (const Candidate &c : candidates(load))
      if (isOther(c, load, loading))
        addLoop(c.loop, load);
  }
}

/// if (n == 1) for (;;) recv(..); else for (;;) poll(..): one of them runs,
/// which may wait in any way.
void EventLoop::findAlternatives(const std::vector<Id> &load) {
  const Positions loading = positionsOf(load);
  auto isOne = [&](const Candidate &c) {
    return isAlternativeToAll(c.loop) && isOther(c, load, loading);
  };
  for (size_t known = 0; known != loops.size();) {
    known = loops.size();
    if (Id found = mostCertain(load, isOne); found != None)
      addLoop(found, load);
  }
}

/// What is left: a server reads files in loops, too.
void EventLoop::findLeft(const std::vector<Id> &load) {
  using Kind = LibraryFunction::Kind;
  const Positions loading = positionsOf(load);
  for (Kind kind : {Kind::Wait, Kind::Sleep, Kind::Input}) {
    measureWaits(load, {kind, false, false, false});
    std::vector<Candidate> all = candidates(load);
    dropOwn(all, load);
    for (const Candidate &c : all)
      if (isApart(c) &&
          (isAfterLoad(c.loop, loading, false) ||
           (isLast(c.loop) && isAfterLoad(c.loop, loading, true))) &&
          !llvm::is_contained(left, c.loop))
        left.push_back(c.loop);
  }
}

bool EventLoop::isAlternativeToAll(Id loop) const {
  return llvm::all_of(
      loops, [&](const MainLoop &l) { return areAlternatives(loop, l.loop); });
}

/// Calls of each function that lead to the loop, or stand in it.
IdMap<std::vector<Id>> EventLoop::waysTo(Id loop, bool deadEnds) const {
  const Id function = p_.facts.loops[loop].function;
  IdMap<std::vector<Id>> result = callsTowards(function, deadEnds);
  llvm::append_range(result[function], callsIn(loop));
  return result;
}

/// In a function that leads to both they stand in two arms of an if, or main
/// ends the process between them: if (n == 1) { serve(); exit(0); } ask();
bool EventLoop::areAlternatives(Id loop, Id other) const {
  const Facts &f = p_.facts;
  for (bool deadEnds : {false, true}) {
    const IdMap<std::vector<Id>> others = waysTo(other, deadEnds);
    for (const auto &[function, calls] : waysTo(loop, deadEnds)) {
      auto at = others.find(function);
      if (at == others.end() || (deadEnds && !p_.isMain(function)))
        continue;
      auto exclude = [&](Id a, Id b) {
        return Program::exclude(f.calls[a].arms, f.calls[b].arms) ||
               (deadEnds && (endsBefore(a, b) || endsBefore(b, a)));
      };
      if (llvm::all_of(calls, [&](Id a) {
            return llvm::all_of(at->second,
                                [&](Id b) { return exclude(a, b); });
          }))
        return true;
    }
  }
  return false;
}

/// No loop that is known follows it in main: a mode that ends by exit().
bool EventLoop::isLast(Id loop) const {
  const Facts &f = p_.facts;
  const IdMap<std::vector<Id>> here = waysTo(loop, true);
  auto mayFollow = [&](Id a, Id b) {
    const Call &from = f.calls[a], &to = f.calls[b];
    return from.loc < to.loc && !Program::exclude(from.arms, to.arms) &&
           !endsBefore(a, b);
  };
  return llvm::none_of(loops, [&](const MainLoop &l) {
    return llvm::any_of(waysTo(l.loop, true), [&](const auto &way) {
      auto at = here.find(way.first);
      return at != here.end() && p_.isMain(way.first) &&
             llvm::any_of(at->second, [&](Id a) {
               return llvm::any_of(way.second,
                                   [&](Id b) { return mayFollow(a, b); });
             });
    });
  });
}

/// Whoever made the call gets to an exit() that stands before the other.
bool EventLoop::endsBefore(Id call, Id other) const {
  const Call &from = p_.facts.calls[call], &to = p_.facts.calls[other];
  return from.deadEnd && from.loc.file == to.loc.file &&
         p_.endsAfter(call, [&](const Call &end) { return end.loc < to.loc; });
}

/// The function that it stands in, or one that it stands in another arm of an
/// if of, may run a loop that is known; its calls must not: that would be a
/// section without end.
bool EventLoop::isApart(const Candidate &c) const {
  const Facts &f = p_.facts;
  Id function = f.loops[c.loop].function;
  IdSet reached = reachableFrom(c.calls);
  return llvm::none_of(loops, [&](const MainLoop &l) {
    Id other = f.loops[l.loop].function;
    return l.loop == c.loop ||
           (other != function &&
            (reached.contains(other) ||
             reachableFrom(callsIn(l.loop)).contains(function)));
  });
}

bool EventLoop::isAfterLoad(Id loop, const Positions &loading,
                            bool deadEnds) const {
  const Loop &l = p_.facts.loops[loop];
  return loading.empty() ||
         isBehind(positions(l.function, l.loc, deadEnds), loading);
}

bool EventLoop::isOther(const Candidate &c, const std::vector<Id> &load,
                        const Positions &loading) const {
  auto isAlternative = [&](const MainLoop &l) {
    return areAlternatives(c.loop, l.loop);
  };
  return isApart(c) &&
         (isAfterLoad(c.loop, loading, false) ||
          (llvm::any_of(loops, isAlternative) && loadsIn(c, load)) ||
          (isAlternativeToAll(c.loop) && isAfterLoad(c.loop, loading, true)));
}
