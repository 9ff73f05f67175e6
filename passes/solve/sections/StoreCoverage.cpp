//===- StoreCoverage.cpp - Is every store to the heap announced? ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types come from the load, as in the program before it was rewritten; the
// hooks are what is judged, and count as evidence for nothing else.
//
// Tested by: test/lit/tool/verify.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/CommitPoints.h"
#include "passes/solve/sites/PoolMembership.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(CommitBeforeStore, NotKnown, StoreAcrossOutput, UnannouncedCall,
        UnannouncedStore)

using namespace nvmove;

namespace {

/// With the sections that are found, if they will be put where they are not.
CommitPoints commitsOf(const SolveContext &c,
                       llvm::ArrayRef<ReplacedCall> replaced,
                       llvm::ArrayRef<Section> sections = {}) {
  const Facts &f = c.program.facts;
  std::vector<Id> outputs;
  for (const ReplacedCall &r : replaced)
    if (c.program.isLibrary(f.calls[r.call], LibraryFunction::Output))
      outputs.push_back(r.call);
  IdSet functions;
  auto add = [&](const Section &s) {
    // A lock that is taken within a section ends none; a wait does.
    auto commits = [&](Id call) {
      return libraryFact(f.functions[f.calls[call].callee].name,
                         &LibraryFunction::lock)
                 .effect == LockUse::Waits;
    };
    for (Id call : s.locks)
      if (commits(call))
        functions.insert(f.calls[call].function);
    if (s.kind == Section::Kind::Lock)
      return;
    for (Id call : s.calls)
      functions.insert(f.calls[call].function);
    if (s.call != None)
      functions.insert(f.calls[s.call].function);
    if (s.loop != None)
      functions.insert(f.loops[s.loop].function);
  };
  llvm::for_each(sections, add);
  return CommitPoints(c.program, c.flow, outputs, functions);
}

using Coverage = View<const Pool, const ReplacedCalls, Unannounced>;

class CoverageChecker {
public:
  explicit CoverageChecker(const Coverage &a)
      : c_(a.context), heap_(*a.pool), p_(c_.program), f_(p_.facts),
        commits_(commitsOf(c_, a.replaced)), out_(a) {}

  void run() {
    for (Id fn = 0; fn < f_.functions.size(); ++fn)
      for (Id i : p_.storesOf(fn))
        store(f_.stores[i]);
    for (const Call &c : f_.calls)
      call(c);
    for (const AddressUse &use : f_.addressUses)
      writerAsValue(use);
    for (const Gap &g : f_.gaps)
      if (g.kind == Gap::Kind::InlineAsm)
        add(FindingId::NotKnown, g.loc, g.function,
            "inline assembly: what it writes besides its operands is not seen");
  }

private:
  void add(FindingRef id, Loc loc, Id function, std::string why,
           Id record = None, Id field = None) {
    out_.unannounced.push_back(
        {id, loc, function, std::move(why), {}, record, field});
  }

  std::string nameOf(Id function) const { return f_.functions[function].name; }

  void store(const StoreSite &s) {
    std::string why = heap_.whyStore(s);
    auto complain = [&](FindingRef id, const std::string &text) {
      add(id, s.loc, s.function, text, s.record, s.field);
    };
    if (why.empty())
      return;
    if (Id fn = commits_.among(s.within); s.hooked && fn != None)
      return complain(FindingId::CommitBeforeStore,
                      why + ", but " + nameOf(fn) +
                          ", which computes the value, may commit between the "
                          "hook and the store");
    if (s.hooked)
      return;
    if (!s.announcedBefore && s.record == None &&
        !heap_.unknownOrigin(s.address).empty())
      return complain(FindingId::NotKnown,
                      why + "; no hook announces the store");
    if (!s.announcedBefore)
      return complain(
          FindingId::UnannouncedStore,
          why +
              ", and no hook announces all of its bytes on every path to here");
    if (Id fn = commits_.among(s.since); fn != None)
      complain(FindingId::CommitBeforeStore,
               why + ", but " + nameOf(fn) +
                   " may commit between the hook before it and the store");
  }

  void call(const Call &c) {
    for (const PoolMembership::Written &w : heap_.writtenBy(c))
      add(heap_.liesBehind(c.args[w.argument]) ? FindingId::UnannouncedCall
                                               : FindingId::NotKnown,
          c.loc, c.function, w.why,
          p_.pointeeRecord(f_.nodes[c.args[w.argument]].type));
  }

  void writerAsValue(const AddressUse &use) {
    if (std::string why = heap_.whyThroughPointers(use); !why.empty())
      add(FindingId::NotKnown, use.loc, use.function,
          nameOf(p_.functionOf(use.variable)) + " is used as a value: " + why);
  }

  const SolveContext &c_;
  const PoolMembership &heap_;
  const Program &p_;
  const Facts &f_;
  const CommitPoints commits_;
  Coverage out_;
};

} // namespace

namespace nvmove {

void reportUnannouncedStores(Coverage a) { CoverageChecker(a).run(); }

void checkStores(
    View<const ReplacedCalls, const Sections, PlacedStores> found) {
  const Facts &f = found.context.program.facts;
  CommitPoints commits =
      commitsOf(found.context, found.replaced, found.sections);
  for (AnnouncedStore &a : found.stores) {
    const StoreSite &s = f.stores[a.store];
    a.done = s.hooked || (s.announcedBefore && commits.among(s.since) == None);
    Id fn = commits.among(s.within);
    if (!s.before.empty() && fn == None)
      fn = commits.among(s.since);
    if (fn == None || (a.done && !s.hooked))
      continue;
    if (a.done)
      found.findings.report({FindingId::StoreAcrossOutput, s.loc, s.function,
                             acrossOutput(f.functions[fn])});
    else
      a.behind = fn;
  }
}

} // namespace nvmove

std::string nvmove::acrossOutput(const Function &by) {
  return "the value stored here is computed by " + by.name +
         ", which may write to a file or end a section, and so commit; the "
         "store may then follow that commit without being announced";
}
