//===- RestartPoints.cpp - Where threads are at restart points ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static void *work(void *jobs) {        { NVM_THREAD();
//     for (;;) {                             nvm_restart_point();
//       read(*(int *)jobs, &job, n);         NVM_PAUSED(read(..));
//       lock(&b->mu);
//       b->sum += job.add;
//       while (!b->ready)
//         pthread_cond_wait(&more, &b->mu);  <- reported: half of an update
//       unlock(&b->mu);
//     }
//
// With --restart-points threads that change what is kept take part in restart
// points instead of having a section for each lock (ResPCT). They are at one at
// the beginning of each turn of a loop that holds no lock, and while they wait
// without one: what locks guard is whole there. A wait for a condition releases
// its lock; it is a restart point where that guards nothing half done.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/program/BlockDataflow.h"
#include "passes/solve/sections/CriticalSections.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

REPORTS(RestartPoint)

using namespace nvmove;

namespace {

using RestartPointsParts =
    View<const Roots, const Scalars, const Allocations, const Stores,
         const ReplacedCalls, const WrappedBuffers, const Critical,
         const Sections, ThreadsAtPoints>;

class RestartPoints {
public:
  explicit RestartPoints(const RestartPointsParts &a)
      : c_(a.context), p_(c_.program), f_(p_.facts), critical_(*a.critical),
        flow_(critical_.flow()), out_(a), graph_(p_, c_.flow) {}

  void run() {
    if (out_.threads.empty())
      return noThreads();
    findChanging();
    const IdSet inSections = c_.calledBy(sectionsOfLoops(out_.sections));
    for (const ReplacedCall &r : out_.replaced)
      filled_.insert(r.call);
    for (const WrappedBuffer &w : out_.wrapped)
      filled_.insert(w.call);
    for (ThreadPart &t : out_.threads)
      for (Id fn : reachedFrom(t.function)) {
        if (inSections.contains(fn))
          continue;
        const Places &places = placesIn(fn);
        llvm::append_range(t.turns, places.turns);
        llvm::append_range(t.waits, places.waits);
      }
  }

private:
  struct Places {
    std::vector<Id> turns, waits;
  };

  void report(Finding finding) { out_.findings.report(std::move(finding)); }

  void noThreads() {
    const Id main = c_.loop.mains.empty() ? None : c_.loop.mains.front();
    report({FindingId::RestartPoint,
            main == None ? Loc() : f_.functions[main].loc, main,
            "no thread was found that changes persistent state",
            "leave out --restart-points"});
  }

  /// Functions that change something, or wait, and those that lead there.
  void findChanging() {
    std::vector<Id> work;
    for (const Change &change : changesOf(out_)) {
      changes_[change.function].push_back(change);
      work.push_back(change.function);
    }
    changing_ = graph_.reachedBy(work, {}).set();
    for (Id i = 0; i < f_.calls.size(); ++i)
      if (f_.calls[i].function != None && waits(i))
        work.push_back(f_.calls[i].function);
    waiting_ = graph_.reachedBy(work, {}).set();
  }

  /// By calls, the nearest first; and how one gets there.
  std::vector<Id> reachedFrom(Id thread) {
    const IdSet &all = critical_.changes().reached();
    const CallGraph::Reached reached = graph_.reach(
        {thread}, {.deadEnds = false, .children = false, .enters = [&](Id fn) {
                     return fn == thread || all.contains(fn);
                   }});
    for (Id fn : reached.functions())
      if (Id call = reached.via(fn); call != None)
        calledBy_.try_emplace(fn, f_.calls[call].function);
    return reached.functions();
  }

  std::string wayTo(Id function) const {
    std::vector<std::string> names{f_.functions[function].name + "()"};
    for (auto at = calledBy_.find(function);
         at != calledBy_.end() && names.size() < 8;
         at = calledBy_.find(at->second))
      names.insert(names.begin(), f_.functions[at->second].name + "()");
    return llvm::join(names, " > ");
  }

  const Places &placesIn(Id function) {
    auto [at, isNew] = places_.try_emplace(function);
    if (!isNew)
      return at->second;
    IdMap<HeldLocks> held; // before each call
    bool isSeen = true;    // each call that takes or releases
    flow_.eachCall(function, critical_.ofAll(),
                   [&](Id call, const HeldLocks &there) {
                     if (call == None)
                       return;
                     held[call] = there;
                     isSeen &= f_.calls[call].span.valid() ||
                               flow_.lockOf(call) == nullptr;
                   });
    if (flow_.locks() == 0) // as if none of them were reached
      for (Id call : p_.callsOf(function))
        held[call];
    for (auto &[call, there] : held)
      if (waits(call))
        wait(call, there, at->second.waits);
    llvm::sort(at->second.waits);
    if (isSeen)
      for (Id loop : p_.loopsOf(function))
        turn(loop, held, at->second.turns);
    return at->second;
  }

  /// Its first call has what its first statement has.
  void turn(Id number, const IdMap<HeldLocks> &held, std::vector<Id> &turns) {
    const Loop &loop = f_.loops[number];
    if (loop.body.empty())
      return;
    const Span body{loop.body.front().file, loop.body.front().begin,
                    loop.body.back().end};
    const HeldLocks *first = nullptr;
    uint32_t begin = 0;
    bool isAbout =
        llvm::any_of(changesOfFunction(loop.function),
                     [&](const Change &c) { return body.holds(c.span); });
    for (const auto &[call, there] : held) {
      const Call &c = f_.calls[call];
      if (!body.holds(c.span))
        continue;
      if (!first || c.span.begin < begin) {
        first = &there;
        begin = c.span.begin;
      }
      isAbout |= waits(call) || leadsTo(call, waiting_);
    }
    if (isAbout && first && nameOfOne(*first, flow_.locks()).empty())
      turns.push_back(number);
  }

  /// One that is held but for `but`, which is held at most once; "": none.
  std::string nameOfOne(const HeldLocks &held, unsigned but) const {
    for (const auto &[lock, range] : held)
      if (range.most > (lock == but ? 1 : 0))
        return flow_.nameOf(lock);
    return "";
  }

  bool waits(Id call) const {
    const Call &c = f_.calls[call];
    if (c.callee == None || f_.functions[c.callee].hasBody ||
        p_.isDeadEnd(call))
      return false;
    if (const LockFlow::LockCall *lock = flow_.lockOf(call))
      return lock->effect == LockUse::Waits;
    const std::string &name = f_.functions[c.callee].name;
    if (hasTrait(name, LibraryFunction::MainLoop) ||
        hasTrait(name, LibraryFunction::WaitsForThreads))
      return true;
    const LibraryFunction *l = p_.library(c);
    return l && (l->kind == LibraryFunction::Wait ||
                 l->kind == LibraryFunction::Sleep ||
                 l->kind == LibraryFunction::Output ||
                 l->kind == LibraryFunction::Input);
  }

  void wait(Id call, const HeldLocks &held, std::vector<Id> &waits) {
    const Call &c = f_.calls[call];
    const LockFlow::LockCall *lock = flow_.lockOf(call);
    const unsigned own = lock ? lock->lock : unsigned(flow_.locks());
    const LibraryFunction *l = p_.library(c);
    // A file or a terminal that takes its time is nothing to ask about.
    const bool mayBeLong = !l || l->kind != LibraryFunction::Output;
    auto atNone = [&](const std::string &what, Severity severity) {
      report(Finding{FindingId::RestartPoint, c.loc, c.function,
                     f_.functions[c.callee].name + "() " + what +
                         ", so it is not at a restart point: nothing becomes "
                         "durable until the wait ends: " +
                         wayTo(c.function)}
                 .as(severity));
    };
    if (std::string other = nameOfOne(held, own); !other.empty()) {
      if (mayBeLong)
        atNone("waits while " + other + " is held",
               lock ? Severity::Act : Severity::Check);
    } else if (lock && mayBeHalf(call, own)) {
      atNone("waits when something may have been changed under " +
                 flow_.nameOf(own) + " that is not complete yet",
             Severity::Act);
    } else if ((filled_.contains(call) && l &&
                l->kind == LibraryFunction::Input) ||
               changesWithin(call)) {
      atNone("writes persistent state, or its arguments do", Severity::Check);
    } else if (c.span.valid()) {
      waits.push_back(call);
    }
  }

  /// Do its arguments?
  bool changesWithin(Id call) const {
    const Call &c = f_.calls[call];
    return llvm::any_of(changesOfFunction(c.function),
                        [&](const Change &change) {
                          return change.call != call &&
                                 c.span.holds(change.span);
                        }) ||
           llvm::any_of(p_.callsOf(c.function), [&](Id i) {
             return i != call && c.span.holds(f_.calls[i].span) &&
                    leadsTo(i, changing_);
           });
  }

  bool leadsTo(Id call, const IdSet &functions) const {
    return llvm::any_of(c_.flow.callees(call),
                        [&](Id callee) { return functions.contains(callee); });
  }

  llvm::ArrayRef<Change> changesOfFunction(Id function) const {
    auto at = changes_.find(function);
    if (at == changes_.end())
      return {};
    return at->second;
  }

  /// Has the thread changed something since it took the lock?
  bool mayBeHalf(Id call, unsigned lock) const {
    enum : char { Nowhere, Whole, Half };
    const Id fn = f_.calls[call].function;
    auto entry = critical_.ofAll().find(fn);
    const bool isHeldBefore =
        entry == critical_.ofAll().end() || entry->second[lock].most > 0;
    bool result = false;
    for (const Definition *d : p_.definitionsOf(fn)) {
      if (call < d->calls.begin || call >= d->calls.end)
        continue;
      if (d->blocks.empty())
        return true;
      auto pass = [&](const Block &b, char state) {
        for (size_t k = 0; k <= b.calls.size(); ++k) {
          if (changesBetween(*d, b, k))
            state = Half;
          if (k == b.calls.size())
            break;
          const Id i = d->calls.begin + b.calls[k];
          if (i == call && state == Half)
            result = true;
          if (flow_.changes(i, lock))
            state = Whole;
          else if (isChange(i) || leadsTo(i, changing_))
            state = Half;
        }
        return state;
      };
      throughBlocks<char>(
          *d, isHeldBefore ? Half : Whole,
          [](char a, char b) { return std::max(a, b); },
          [&](const Block &b, char state, auto goOn) {
            state = pass(b, state);
            for (uint32_t to : b.successors)
              goOn(to, state);
          });
    }
    return result;
  }

  bool isChange(Id call) const {
    return llvm::any_of(changesOfFunction(f_.calls[call].function),
                        [&](const Change &c) { return c.call == call; });
  }

  /// Behind so many calls of the block, before the next.
  bool changesBetween(const Definition &d, const Block &b, size_t calls) const {
    return llvm::any_of(changesOfFunction(d.function), [&](const Change &c) {
      return llvm::any_of(b.stores,
                          [&](const BlockStore &s) {
                            return s.calls == calls &&
                                   d.stores.begin + s.store == c.store;
                          }) ||
             llvm::any_of(b.writes, [&](const FlowWrite &w) {
               return w.calls == calls && c.write != None &&
                      isWriteOf(w, f_.staticWrites[c.write]);
             });
    });
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const CriticalSections &critical_;
  const LockFlow &flow_;
  RestartPointsParts out_;
  const CallGraph graph_;
  IdMap<std::vector<Change>> changes_; ///< by function
  IdSet changing_, waiting_; ///< functions that do, or lead to one; the latter
                             ///< also those that wait
  IdSet filled_; ///< calls that are handed what is kept, or that are replaced
  IdMap<Id> calledBy_;
  IdMap<Places> places_;
};

} // namespace

namespace nvmove {

void findRestartPoints(RestartPointsParts a) {
  if (a.context.options.restartPoints)
    RestartPoints(a).run();
}

} // namespace nvmove
