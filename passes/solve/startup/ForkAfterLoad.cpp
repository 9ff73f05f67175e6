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

using namespace nvmove;

namespace {

class ForkFinder {
public:
  ForkFinder(const SolveContext &c, Solution &solution)
      : c_(c), p_(c.program), f_(c.program.facts), out_(solution) {}

  void run() {
    for (const LoadGuard &g : out_.guards)
      if (g.refused.empty())
        climb(g.call);
  }

private:
  /// Behind the load, in its function and those that lead there.
  void climb(Id call) {
    const Call &c = f_.calls[call];
    if (c.function == None || !climbed_.insert(call).second)
      return;
    follow(c.function, &c);
    for (Id up : p_.callersOf(c.function))
      if (c_.loop.startUp.contains(f_.calls[up].function) &&
          !c_.loop.isInLoop(f_.calls[up]))
        climb(up);
  }

  /// What runs before the main loop: of a function, or of what stands behind
  /// one of its calls.
  void follow(Id function, const Call *behind) {
    if (!behind && !followed_.insert(function).second)
      return;
    std::vector<Span> entries = c_.loop.entriesIn(function);
    auto isPast = [&](const Call &k) {
      return llvm::any_of(entries, [&](Span entry) {
        return entry.file == k.span.file && entry.begin < k.span.begin &&
               (!behind || entry.begin >= behind->span.end);
      });
    };
    for (Id i : p_.callsOf(function)) {
      const Call &k = f_.calls[i];
      bool isBehind = !behind || (behind->span.file == k.span.file &&
                                  behind->span.end <= k.span.begin &&
                                  !Program::exclude(behind->arms, k.arms));
      if (!isBehind || k.callee == None || p_.isDeadEnd(i) ||
          c_.loop.isInLoop(k) || isPast(k))
        continue;
      if (forks(k))
        tell(k);
      else if (llvm::is_contained(entries, k.span))
        follow(k.callee, nullptr);
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
      Id callee = f_.calls[i].callee;
      return callee != None &&
             llvm::StringRef(f_.functions[callee].name).starts_with("exec");
    });
    if (runsAnother)
      return;
    for (Id i : p_.callsOf(helper))
      if (const Call &k = f_.calls[i]; k.callee != None && !p_.isDeadEnd(i)) {
        if (forks(k))
          tell(k);
        else if (depth < 2)
          helps(k, depth + 1);
      }
  }

  bool forks(const Call &c) const {
    const Function &callee = f_.functions[c.callee];
    return !callee.hasBody &&
           llvm::is_contained({"fork", "vfork", "daemon"}, callee.name);
  }

  void tell(const Call &c) {
    if (told_.insert(c.loc).second)
      out_.findings.report(
          {FindingId::ForkBehindLoad, c.loc, c.function,
           "start-up calls " + f_.functions[c.callee].name +
               "() after the load: the child has a copy of the pool, and "
               "nothing that it changes is kept"});
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  Solution &out_;
  IdSet climbed_;            ///< calls
  IdSet followed_, helpers_; ///< functions
  std::set<Loc> told_;
};

} // namespace

void nvmove::reportForkAfterLoad(Analysis &a) {
  ForkFinder(a.context, a.solution).run();
}
