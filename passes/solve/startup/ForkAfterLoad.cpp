//===- ForkAfterLoad.cpp - A daemon that loads before it becomes one ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   load(); daemon(0, 0); for (;;) serve();
//
// The process that calls nvm_restore() owns the pool. A child of later has but
// a copy, in which nothing is kept.
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(ForkBehindLoad)

using namespace nvmove;

namespace {

using ForkAfterLoadParts = View<const JudgedGuards>;

class ForkFinder {
public:
  ForkFinder(const SolveContext &c, const ForkAfterLoadParts &found)
      : c_(c), p_(c.program), f_(c.program.facts), out_(found) {}

  void run() {
    for (const LoadGuard &g : out_.guards)
      if (g.refused.empty() && f_.calls[g.call].function != None)
        for (Id at : c_.phases.wayTo(g.call))
          follow(f_.calls[at].function, at);
  }

private:
  /// What runs before the main loop: of a function, or of what it does after
  /// the call.
  void follow(Id function, Id call) {
    if (call == None && !followed_.insert(function).second)
      return;
    for (Id i : p_.callsOf(function)) {
      const Call &k = f_.calls[i];
      bool isAfter = call == None || c_.phases.order().mayPrecede(call, i);
      if (i == call || !isAfter || k.callee == None || p_.isDeadEnd(i) ||
          c_.loop.isInLoop(k) || c_.phases.isAfterLoops(i))
        continue;
      if (forks(k))
        report(k);
      else if (llvm::is_contained(c_.phases.callsToLoops(function), i))
        follow(k.callee, None);
      else
        helps(k, 0);
    }
  }

  /// become_daemon(), by which the program goes on; not a function that has
  /// another program run.
  void helps(const Call &call, unsigned depth) {
    const Id helper = call.callee;
    if (!f_.functions[helper].hasBody || !helpers_.insert(helper).second)
      return;
    bool runsAnother = llvm::any_of(p_.callsOf(helper), [&](Id i) {
      return p_.hasTraitOf(f_.calls[i], LibraryFunction::Executes);
    });
    if (runsAnother)
      return;
    for (Id i : p_.callsOf(helper))
      if (const Call &k = f_.calls[i]; k.callee != None && !p_.isDeadEnd(i)) {
        if (forks(k))
          report(k);
        else if (depth < 2)
          helps(k, depth + 1);
      }
  }

  bool forks(const Call &c) const {
    const Function &callee = f_.functions[c.callee];
    return !callee.hasBody && hasTrait(callee.name, LibraryFunction::Forks);
  }

  /// daemon(), and fork() behind which the parent ends.
  void report(const Call &c) {
    const std::string &name = f_.functions[c.callee].name;
    const bool isDaemon =
        c.goesOnInChild || !hasTrait(name, LibraryFunction::GivesProcess);
    Finding found{FindingId::ForkBehindLoad, c.loc, c.function,
                  "start-up calls " + name + "() after the load" +
                      (isDaemon ? ", and goes on in the child" : "") +
                      ": the child has a copy of the pool, and "
                      "nothing that it changes is kept"};
    if (isDaemon) {
      found.ownSeverity = Severity::Act;
      found.advice = "fork before the load";
    }
    out_.findings.report(std::move(found));
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  ForkAfterLoadParts out_;
  IdSet followed_, helpers_; ///< functions
};

} // namespace

namespace nvmove {

void reportForkAfterLoad(ForkAfterLoadParts a) {
  ForkFinder(a.context, a).run();
}

} // namespace nvmove
