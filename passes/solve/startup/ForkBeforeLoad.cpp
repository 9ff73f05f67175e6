//===- ForkBeforeLoad.cpp - A helper that works on what is kept, too ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   pid_t child = fork();
//   if (child > 0) return collect_notes();    <- changes what is kept
//   load();
//
// A pool belongs to one process. Both have it open here, since nvm_start() is
// the first thing that main does, and the second to use it ends.
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/program/RuntimeCalls.h"
#include "passes/solve/sections/Changes.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(ForkBeforeLoad)

using namespace nvmove;

namespace {

using ForkBeforeLoadParts =
    View<const Roots, const Scalars, const Allocations, const PlacedStores,
         const ReplacedCalls, const JudgedGuards>;

class HelperFinder {
public:
  HelperFinder(const SolveContext &c, const ForkBeforeLoadParts &found)
      : p_(c.program), f_(c.program.facts), phases_(c.phases),
        graph_(c.program, c.flow), out_(found) {}

  void run() {
    std::vector<Id> parting;
    for (Id i = 0; i < f_.calls.size(); ++i)
      if (isOfOneProcess(i))
        parting.push_back(f_.calls[i].function);
    if (parting.empty())
      return;
    leading_ = graph_.reachedBy(parting, {.pointers = false}).set();
    findChanging();
    for (const LoadGuard &g : out_.guards)
      if (g.refused.empty() && f_.calls[g.call].function != None)
        for (Id at : phases_.wayTo(g.call))
          if (visited_.insert(at).second)
            look(at);
  }

private:
  bool isOfOneProcess(Id call) const {
    return p_.isInChild(call) || p_.isInParent(call);
  }

  void findChanging() {
    std::vector<Id> functions;
    for (const Change &change : changesOf(out_)) {
      functions.push_back(change.function);
      if (change.call != None)
        changing_.insert(change.call);
    }
    for (Id fn : graph_.reachedBy(functions, {.fitting = true}).functions())
      for (Id i : FieldFlow::callersIn(graph_.callers(), fn))
        changing_.insert(i);
  }

  /// The function of a call by which start-up comes to the load, and what it
  /// calls before that.
  void look(Id at) {
    const Id function = f_.calls[at].function;
    for (Id i : p_.callsOf(function))
      if (isOfOneProcess(i) && isApart(i, at))
        judge(i, forkOf(i), at);
    for (Id i : p_.callsOf(function))
      if (i != at && phases_.order().mayPrecede(i, at))
        lookInto(i, at);
  }

  /// start_helper(); load();
  void lookInto(Id before, Id at) {
    auto leads = [&](Id function) { return leading_.contains(function); };
    auto helpers = graph_.reachFrom(
        {before}, {.pointers = false, .bodies = true, .enters = leads});
    for (Id helper : helpers.functions())
      for (Id i : p_.callsOf(helper))
        if (isOfProcessThatEnds(i) && !phases_.order().mayReturnAfter(i))
          judge(i, before, at);
  }

  /// The other process goes on to where the function returns.
  bool isOfProcessThatEnds(Id call) const {
    return p_.isInChild(call) ||
           (p_.isInParent(call) && f_.calls[forkOf(call)].goesOnInChild);
  }

  /// Who makes the call is the one process, and who comes to `at` the other.
  bool isApart(Id call, Id at) const {
    const bool isChild = p_.isInChild(call);
    if (isChild ? p_.isInParent(at) : p_.isInChild(at))
      return true;
    if (isChild ? p_.isInChild(at) : p_.isInParent(at))
      return false;
    return !phases_.order().mayPrecede(at, call) &&
           (p_.isDeadEnd(call) || !phases_.order().mayPrecede(call, at));
  }

  /// The first call that forked before this one.
  Id forkOf(Id call) const {
    const Call &c = f_.calls[call];
    for (Id i : p_.callsOf(c.function))
      if (f_.calls[i].result != None &&
          (llvm::is_contained(c.inParentOf, f_.calls[i].result) ||
           llvm::is_contained(c.inChildOf, f_.calls[i].result)))
        return i;
    return call;
  }

  /// nvm_start() stands between the two.
  bool startsBetween(Id fork, Id at) const {
    return llvm::any_of(p_.callsOf(f_.calls[at].function), [&](Id i) {
      const Id callee = f_.calls[i].callee;
      return callee != None &&
             f_.functions[callee].name == RuntimeCall::Start &&
             phases_.order().mayPrecede(fork, i) &&
             !phases_.order().mayPrecede(i, fork);
    });
  }

  /// `fork`: in the function of `at`, it forks or leads to what does.
  void judge(Id call, Id fork, Id at) {
    if (!changing_.contains(call) || startsBetween(fork, at) ||
        !reported_.insert(fork).second)
      return;
    const Call &c = f_.calls[call], &from = f_.calls[fork];
    const std::string by = c.callee == None
                               ? "a function that a pointer holds"
                               : f_.functions[c.callee].name + "()";
    out_.findings.report(Finding{
        FindingId::ForkBeforeLoad, from.loc, from.function,
        "start-up forks before the load, and both processes change persistent "
        "state: the one that comes to the load, and its " +
            std::string(p_.isInParent(call) ? "parent" : "child") + " by " +
            by +
            ": the pool belongs to one process, and the second to use it "
            "ends"});
  }

  const Program &p_;
  const Facts &f_;
  const ProgramPhases &phases_;
  const CallGraph graph_;
  ForkBeforeLoadParts out_;
  /// Functions in which one of two processes makes calls, or that lead there.
  IdSet leading_;
  IdSet changing_;           ///< calls that change what is kept, or lead there
  IdSet visited_, reported_; ///< calls
};

} // namespace

namespace nvmove {

void reportForkBeforeLoad(ForkBeforeLoadParts a) {
  HelperFinder(a.context, a).run();
}

} // namespace nvmove
