//===- FirstCommands.cpp - Commands before the main loop ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   load(f);
//   if (fgets(line, sizeof line, stdin))
//     handle(line);                           <- changes what is kept
//   while (fgets(line, sizeof line, stdin))
//     handle(line);
//
// What start-up does for somebody who waits for an answer is in no section, and
// what it sets there is taken for what each start sets: nobody asks whether it
// is to be kept.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/Streams.h"
#include "passes/solve/sections/SectionChanges.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

REPORTS(StoreOutsideSection)

using namespace nvmove;

namespace {

using FirstCommandsParts = View<const Roots, const Scalars, const Allocations,
                                const PlacedStores, const ReplacedCalls>;

class FirstCommands {
public:
  explicit FirstCommands(const FirstCommandsParts &a)
      : c_(a.context), p_(c_.program), f_(p_.facts), a_(a), changes_(a),
        streams_(p_, a.origins()) {}

  void run() {
    for (Id fn : c_.loop.startUp)
      if (const std::vector<Id> &loops = c_.phases.callsToLoops(fn);
          !loops.empty() && !c_.loop.dispatcher.contains(fn))
        look(fn, loops);
  }

private:
  bool isBefore(Id call, const std::vector<Id> &loops) const {
    return !c_.loop.isInLoop(f_.calls[call]) && !p_.isDeadEnd(call) &&
           llvm::any_of(loops, [&](Id k) {
             return c_.phases.order().mayPrecede(call, k);
           });
  }

  void look(Id function, const std::vector<Id> &loops) {
    for (Id read : llvm::reverse(p_.callsOf(function))) {
      if (!isBefore(read, loops) || !isOfUser(f_.calls[read]) ||
          !isBehindLoad(read))
        continue;
      for (Id call : p_.callsOf(function))
        if (isBefore(call, loops) && !llvm::is_contained(loops, call) &&
            !c_.loop.leadsToLoad(call, a_.load) &&
            c_.phases.order().mayPrecede(read, call) && isCommand(call))
          return report(read, call);
    }
  }

  /// As the main loops read, or from the standard input.
  bool isOfUser(const Call &c) {
    if (c.callee == None)
      return false;
    const bool isOfLoop = llvm::any_of(c_.loop.loops, [&](const MainLoop &l) {
      return llvm::any_of(l.waits, [&](Id k) {
        return f_.calls[k].callee == c.callee && f_.functions[c.callee].hasBody;
      });
    });
    if (isOfLoop || p_.isLibrary(c, LibraryFunction::Wait))
      return true;
    const LibraryFunction *l = p_.library(c);
    if (!l || l->kind != LibraryFunction::Input)
      return false;
    if (l->readsStream == LibraryFunction::StandardStream ||
        (l->readsDescriptor >= 0 &&
         c.constantAt(uint32_t(l->readsDescriptor)) == 0))
      return true;
    return l->readsStream >= 0 && streams_.of(c, unsigned(l->readsStream)).in;
  }

  bool isBehindLoad(Id call) const {
    return llvm::any_of(p_.callsOf(f_.calls[call].function), [&](Id k) {
      return c_.loop.leadsToLoad(k, a_.load) &&
             c_.phases.order().mayPrecede(k, call);
    });
  }

  /// What handlers call, too, and may change something.
  bool isCommand(Id call) const {
    return changes_.mayBeChange(call) &&
           llvm::any_of(c_.flow.callees(call), [&](Id fn) {
             return c_.phases.handled.contains(fn) && changes_.mayChange(fn);
           });
  }

  void report(Id read, Id call) {
    const Call &c = f_.calls[call];
    const std::string name =
        c.callee == None ? "this call" : f_.functions[c.callee].name + "()";
    a_.findings.report(
        Finding{FindingId::StoreOutsideSection, c.loc, c.function,
                "start-up reads a command in line " +
                    llvm::utostr(f_.calls[read].loc.line) +
                    ", before the main "
                    "loop, and carries it out by " +
                    name +
                    ", as handlers do: what that changes is in no section, and "
                    "statics that it sets are not asked about",
                "let the main loop read the first command, too"}
            .as(Severity::Act));
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  FirstCommandsParts a_;
  const SectionChanges changes_;
  Streams streams_;
};

} // namespace

namespace nvmove {

void reportFirstCommands(FirstCommandsParts a) { FirstCommands(a).run(); }

} // namespace nvmove
