//===- LockChecks.cpp - Locks that make sections, and cannot --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A section that does not end lets nobody else begin one, and one that waits
// for a thread that waits for its turn never goes on:
//
//   pthread_mutex_lock(&b->mu);
//   if (!b->list) return;              <- lock-not-followed
//   pthread_cond_wait(&more, &jobs);   <- wait-in-section: b->mu stays taken
//   while (b->busy) usleep(10);        <- wait-in-section, too
//   pthread_exit(NULL);                <- thread-ends-in-section
//
//===----------------------------------------------------------------------===//

#include "passes/solve/sections/CriticalSections.h"
#include "passes/solve/sections/SectionWaits.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(LockNotFollowed, ThreadEndsInSection, WaitInSection)

using namespace nvmove;

namespace {

using LockChecksParts = View<const Critical>;

class LockChecks {
public:
  explicit LockChecks(const LockChecksParts &a)
      : c_(a.context), p_(c_.program), f_(p_.facts), origins_(a.origins()),
        critical_(*a.critical), flow_(critical_.flow()), out_(a) {}

  void run() {
    if (critical_.any())
      for (const auto &[fn, entry] : critical_.ofAll())
        flow_.eachCall(fn, critical_.ofAll(),
                       [&](Id call, const HeldLocks &held) {
                         call == None ? atReturn(fn, held) : atCall(call, held);
                       });
  }

private:
  void report(FindingRef id, Loc loc, Id function, std::string what,
              Severity severity) {
    out_.findings.report(
        Finding{id, loc, function, std::move(what)}.as(severity));
  }

  /// Of a thread: nobody is left who could release it.
  void atReturn(Id function, const HeldLocks &held) {
    auto is = [&](const Thread &t) { return t.function == function; };
    if (llvm::none_of(critical_.changes().threads(), is))
      return;
    for (const auto &[lock, range] : held)
      if (critical_.isSection(lock) &&
          (range.least > 0 || (range.most > 0 && takes(function, lock))))
        report(FindingId::LockNotFollowed, f_.functions[function].loc, function,
               f_.functions[function].name + "() " +
                   (range.least > 0 ? "returns" : "may return") + " with " +
                   flow_.nameOf(lock) +
                   " held, and the thread ends: then no section can begin any "
                   "more",
               range.least > 0 ? Severity::Act : Severity::Check);
  }

  /// By itself: what functions take for it on some of their ways is too much to
  /// ask about.
  bool takes(Id function, unsigned lock) const {
    return llvm::any_of(flow_.calls(), [&](const auto &call) {
      return call.second.lock == lock && call.second.effect == LockUse::Takes &&
             f_.calls[call.first].function == function;
    });
  }

  void atCall(Id call, const HeldLocks &held) {
    const Call &c = f_.calls[call];
    auto at = flow_.calls().find(call);
    const HeldRange all = critical_.among(held);
    if (at != flow_.calls().end()) {
      const unsigned lock = at->second.lock;
      const std::string &name = flow_.nameOf(lock);
      if (at->second.effect == LockUse::Releases && critical_.isSection(lock) &&
          held[lock].most == 0)
        report(FindingId::LockNotFollowed, c.loc, c.function,
               name +
                   " is released here, but no path was found on which this "
                   "thread acquires it: a section may end too early, or never",
               Severity::Check);
      if (at->second.effect == LockUse::Waits)
        waitsWith(c, lock, held);
      return;
    }
    if (c.callee == None || f_.functions[c.callee].hasBody || all.most == 0)
      return;
    const std::string &name = f_.functions[c.callee].name;
    if (hasTrait(name, LibraryFunction::EndsThread))
      report(FindingId::ThreadEndsInSection, c.loc, c.function,
             name + "() ends the thread while " + nameOf(held) +
                 (all.least > 0 ? " is" : " may be") +
                 " held: then no section can begin any more",
             all.least > 0 ? Severity::Act : Severity::Check);
    else if (waitsForThread(p_, origins_, c))
      report(FindingId::WaitInSection, c.loc, c.function,
             name + "() waits while " + nameOf(held) +
                 " is held, which makes a section: the thread that it waits "
                 "for may have to wait for the section",
             Severity::Check);
    else if (libraryFact(name, &LibraryFunction::kind) ==
             LibraryFunction::Sleep)
      report(FindingId::WaitInSection, c.loc, c.function,
             name + "() sleeps while " + nameOf(held) +
                 " is held, which makes a section: meanwhile no other thread "
                 "can begin a section, not even one that could end this wait",
             Severity::Check);
  }

  std::string nameOf(const HeldLocks &held) const {
    for (const auto &[lock, range] : held)
      if (critical_.isSection(lock) && range.most > 0)
        return flow_.nameOf(lock);
    return "";
  }

  /// With another lock taken, what that guards is committed as it is, and who
  /// wants it waits with the section.
  void waitsWith(const Call &c, unsigned lock, const HeldLocks &held) {
    for (const auto &[other, range] : held) {
      const int more = other == lock ? 1 : 0;
      if (!critical_.isSection(other) || range.most <= more)
        continue;
      report(FindingId::WaitInSection, c.loc, c.function,
             f_.functions[c.callee].name + "() waits while " +
                 flow_.nameOf(other) +
                 " stays held: what is done so far becomes durable, and if a "
                 "thread waits for that lock in a section, no thread can end "
                 "this wait",
             range.least > more ? Severity::Act : Severity::Check);
      return;
    }
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  ValueOrigins &origins_;
  const CriticalSections &critical_;
  const LockFlow &flow_;
  LockChecksParts out_;
};

} // namespace

namespace nvmove {

void reportLocks(LockChecksParts a) { LockChecks(a).run(); }

} // namespace nvmove
