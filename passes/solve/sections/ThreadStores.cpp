//===- ThreadStores.cpp - Threads that change what is kept in no section --===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static void *work(void *unused) {
//     read(jobs, &job, sizeof job);
//     find(job.name)->sum += job.add;   <- reported
//     write(done, "x", 1);
//   }
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/sections/CriticalSections.h"
#include "passes/solve/sites/PoolMembership.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(ChangedByThread, StoreOutsideSection)

using namespace nvmove;

namespace {

using ThreadStoresParts =
    View<const Roots, const Scalars, const Allocations, const PlacedStores,
         const ReplacedCalls, const Critical, const Sections>;

class ThreadStores {
public:
  explicit ThreadStores(const ThreadStoresParts &a)
      : c_(a.context), p_(c_.program), f_(p_.facts), out_(a),
        critical_(*a.critical), changes_(critical_.changes()),
        graph_(p_, c_.flow) {
    if (changes_.threads().empty())
      return;
    for (const Section &s : out_.sections)
      bracketed_.insert(s.calls.begin(), s.calls.end());
    inSections_ = c_.calledBy(sectionsOfLoops(out_.sections));
    for (const Change &change : changesOf(out_))
      if (changes_.reached().contains(change.function) &&
          heldAt(change).least == 0)
        changing_.insert(change.function);
    for (const ThreadChange &change : changes_.changes()) {
      const HeldRange held = heldAt(change);
      if (held.least > 0)
        continue;
      const bool isOpen = held.most == 0 && change.isSure &&
                          !inSections_.contains(change.function);
      (isOpen ? open_ : maybe_)[change.function].push_back(&change);
    }
  }

  void run() {
    for (const Thread &t : changes_.threads()) {
      if (c_.options.restartPoints)
        continue; // it takes part
      unsigned functions = 0;
      if (const Change *first = nearest(t.function, open_, functions))
        report(t, *first, functions, Severity::Act);
      else if ((first = nearest(t.function, maybe_, functions)))
        report(t, *first, functions, Severity::Check);
      else if (mayChange(t.function))
        reportByTypes(t);
    }
  }

private:
  using ByFunction = IdMap<std::vector<const Change *>>;

  HeldRange heldAt(const Change &change) const {
    return critical_.among(critical_.heldAt(change));
  }

  /// The first in the function that is the fewest calls away.
  const Change *nearest(Id thread, const ByFunction &all,
                        unsigned &functions) const {
    const Change *result = nullptr;
    auto isReached = [&](Id fn) {
      return fn == thread || changes_.reached().contains(fn);
    };
    for (Id fn : graph_.reach({thread}, {.enters = isReached}).functions())
      if (auto at = all.find(fn); at != all.end()) {
        result = result ? result : at->second.front();
        ++functions;
      }
    return result;
  }

  /// As the types say.
  bool mayChange(Id thread) const {
    if (inSections_.contains(thread) || c_.pointsTo.reached().contains(thread))
      return false;
    return graph_
               .reach({thread},
                      {.follows = [&](Id k) { return !bracketed_.contains(k); },
                       .until = [&](Id fn) { return changing_.contains(fn); }})
               .last() != None;
  }

  void reportByTypes(const Thread &thread) {
    for (Id start : thread.starts) {
      const Call &c = f_.calls[start];
      if (c_.pointsTo.reached().contains(c.function) ||
          inSections_.contains(c.function))
        continue;
      out_.findings.report(
          {FindingId::StoreOutsideSection, c.loc, c.function,
           f_.functions[thread.function].name + " is passed to " +
               f_.functions[c.callee].name +
               "(), and may change persistent state outside of sections: the "
               "change becomes durable with the next commit, if there is one",
           "name what it calls with --section"});
      return;
    }
  }

  void report(const Thread &thread, const Change &change, unsigned functions,
              Severity severity) {
    const std::string &name = f_.functions[thread.function].name;
    std::string what = name + "(), which runs as a thread (" +
                       p_.describe(f_.calls[thread.starts.front()].loc) +
                       "), " +
                       (change.function == thread.function
                            ? "changes"
                            : "reaches this place, which changes") +
                       " persistent state outside of sections";
    if (functions > 1)
      what += ", one of " + std::to_string(functions) +
              " functions it calls that do";
    what += severity == Severity::Act
                ? ": the change becomes durable with the next commit, if there "
                  "is one, and a crash may keep half of it"
                : ", possibly: without a lock on some path, or by a store "
                  "whose type leaves the target open, or in a function that "
                  "sections of the main loop also run";
    out_.findings.report(Finding{FindingId::ChangedByThread, change.loc,
                                 change.function, std::move(what)}
                             .about(name)
                             .as(severity));
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  ThreadStoresParts out_;
  const CriticalSections &critical_;
  const ThreadChanges &changes_;
  const CallGraph graph_;
  IdSet inSections_; ///< functions, of sections of the main loop
  IdSet bracketed_;  ///< calls
  IdSet changing_;   ///< functions that change objects of persistent types
  ByFunction open_, maybe_; ///< that sections run, too: the latter
};

} // namespace

namespace nvmove {

void reportThreadStores(ThreadStoresParts a) { ThreadStores(a).run(); }

} // namespace nvmove
