//===- SectionWaits.cpp - Sections that wait for other threads ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   nvm_begin();
//   handle(line) ─► pthread_create(&t, NULL, double_it, box);
//                   pthread_join(t, NULL);     -> NVM_PAUSED(pthread_join(..))
//   nvm_end();
//
// The thread waits for its turn to begin a section, and this one for the
// thread. A section of the main loop is left during such a wait, as one that a
// lock makes is during a wait for a condition: what it has done so far is
// committed. Not one that the user asked for: that is to be whole, and what
// waits in it is a question. With a lock held that makes sections it is not
// left (LockChecks.cpp).
//
//===----------------------------------------------------------------------===//

#include "passes/solve/sections/SectionWaits.h"
#include "passes/solve/sections/CriticalSections.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(WaitInSection)

using namespace nvmove;

bool nvmove::waitsForThread(const Program &program, ValueOrigins &origins,
                            const Call &c) {
  const Facts &f = program.facts;
  if (hasTrait(f.functions[c.callee].name, LibraryFunction::WaitsForThreads))
    return true;
  const LibraryFunction *l = program.library(c);
  if (!l || l->kind != LibraryFunction::Input || l->readsStream != -1 ||
      c.args.empty() || c.args[0] == None)
    return false;
  return llvm::any_of(
      origins.ofVariable(c.args[0]), [&](const ValueOrigins::Origin &o) {
        return o.call != None && o.isBehind &&
               program.hasTraitOf(f.calls[o.call], LibraryFunction::MakesPipe);
      });
}

namespace {

using SectionWaitsParts =
    View<const Stores, const WrappedBuffers, const Critical, const Sections,
         ReplacedCalls, PausedCalls>;

class SectionWaits {
public:
  explicit SectionWaits(const SectionWaitsParts &a)
      : c_(a.context), p_(c_.program), f_(p_.facts), origins_(a.origins()),
        critical_(*a.critical), flow_(critical_.flow()),
        ofLoops_(sectionsOfLoops(a.sections)), out_(a) {}

  void run() {
    if (!critical_.any() && !threadsBeginSections())
      return;
    for (const auto &[fn, entry] : critical_.ofAll())
      flow_.eachCall(fn, critical_.ofAll(),
                     [&](Id call, const HeldLocks &held) {
                       if (call != None && critical_.among(held).least > 0)
                         locked_.insert(call);
                     });
    std::vector<Section> asked;
    for (const Section &s : ofLoops_)
      if (s.kind == Section::Kind::User)
        asked.push_back(s);
    whole_ = c_.calledBy(asked);
    for (Id fn : c_.calledBy(ofLoops_))
      for (Id call : p_.callsOf(fn))
        see(call);
    for (const Section &s : ofLoops_)
      if (s.hasBody() && s.body.valid())
        for (Id call : p_.callsOf(s.function))
          if (s.body.holds(f_.calls[call].span))
            see(call);
  }

private:
  /// Such a section waits for its turn, as one that a lock makes does.
  bool threadsBeginSections() const {
    const IdSet &reached = critical_.changes().reached();
    auto inThread = [&](Id call) {
      return reached.contains(f_.calls[call].function);
    };
    return llvm::any_of(ofLoops_, [&](const Section &s) {
      return s.hasBody() ? reached.contains(s.function)
                         : (s.call != None && inThread(s.call)) ||
                               llvm::any_of(s.calls, inThread);
    });
  }

  void see(Id call) {
    const Call &c = f_.calls[call];
    if (c.callee == None || f_.functions[c.callee].hasBody ||
        locked_.contains(call) || p_.isDeadEnd(call) ||
        !seen_.insert(call).second)
      return;
    const LockFlow::LockCall *lock = flow_.lockOf(call);
    if (lock ? lock->effect != LockUse::Waits : !waitsForThread(c))
      return;
    const bool isWhole = whole_.contains(c.function);
    report(c, isWhole,
           !isWhole && (lock ? leaveByLock(call, *lock) : pause(call)));
  }

  bool waitsForThread(const Call &c) {
    return nvmove::waitsForThread(p_, origins_, c) || asksAgain(c);
  }

  /// while (!done) usleep(10);
  bool asksAgain(const Call &c) const {
    return c.loop != None &&
           libraryFact(f_.functions[c.callee].name, &LibraryFunction::kind) ==
               LibraryFunction::Sleep;
  }

  /// The runtime's wait leaves the section, and releases the lock where it
  /// waits for its turn.
  bool leaveByLock(Id call, const LockFlow::LockCall &lock) {
    const Call &c = f_.calls[call];
    const std::string &name = f_.functions[c.callee].name;
    if (critical_.isSection(lock.lock) || isRuntimeCall(name))
      return true;
    if (!c.calleeSpan.valid())
      return false;
    auto is = [&](const ReplacedCall &r) { return r.call == call; };
    if (llvm::none_of(out_.replaced, is))
      out_.replaced.push_back(
          {call, "nvm_" + name, "waits in a section of the main loop"});
    return true;
  }

  /// Not where the call itself changes what is kept: that belongs to a section.
  bool pause(Id call) {
    const Call &c = f_.calls[call];
    auto isIn = [&](Id other) { return c.span.holds(f_.calls[other].span); };
    if (!c.span.valid() ||
        llvm::any_of(out_.stores,
                     [&](const AnnouncedStore &s) {
                       return c.span.holds(f_.stores[s.store].span);
                     }) ||
        llvm::any_of(out_.wrapped,
                     [&](const WrappedBuffer &w) { return isIn(w.call); }) ||
        llvm::any_of(out_.replaced,
                     [&](const ReplacedCall &r) { return isIn(r.call); }))
      return false;
    out_.pausedCalls.push_back(call);
    return true;
  }

  void report(const Call &c, bool isWhole, bool isLeft) {
    Finding found{FindingId::WaitInSection, c.loc, c.function,
                  f_.functions[c.callee].name + "() waits in a section of "
                                                "the main loop"};
    if (isLeft) {
      found.what += ": the section commits what it has done so far before the "
                    "wait, and goes on after it";
      found.advice = "is an update incomplete then? Then wait before it or "
                     "after it; else nothing";
    } else {
      found.what += ": the thread that it waits for may have to wait for the "
                    "section";
      if (!isWhole)
        found.ownSeverity = Severity::Act;
    }
    out_.findings.report(std::move(found));
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  ValueOrigins &origins_;
  const CriticalSections &critical_;
  const LockFlow &flow_;
  const std::vector<Section> ofLoops_;
  SectionWaitsParts out_;
  IdSet locked_; ///< calls that are made with a lock held that makes sections
  IdSet seen_;   ///< calls
  IdSet whole_;  ///< functions in sections that the user asked for
};

} // namespace

namespace nvmove {

void findSectionWaits(SectionWaitsParts a) { SectionWaits(a).run(); }

} // namespace nvmove
