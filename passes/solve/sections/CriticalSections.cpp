//===- CriticalSections.cpp - Locks that make sections --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   pthread_mutex_lock(&b->mu);     -> nvm_pthread_mutex_lock(&b->mu);
//   b->n++;
//   pthread_mutex_unlock(&b->mu);   -> nvm_pthread_mutex_unlock(&b->mu);
//
// A lock makes sections if a thread changes what is kept while it may hold it,
// or takes one that does: a thread must not have a lock and wait for a section
// that waits for the lock. All calls with that lock are replaced then, those of
// readers, too, who else would tell of what is not durable. (Atlas; NVthreads.)
//
//===----------------------------------------------------------------------===//

#include "passes/solve/sections/CriticalSections.h"
#include "passes/solve/flow/Streams.h"
#include "passes/solve/sites/PoolMembership.h"
#include "passes/solve/state/Analysis.h"

REPORTS(UneditableCall)

using namespace nvmove;

CriticalSections::CriticalSections(const ChangeSources &found,
                                   const PoolMembership &heap)
    : c_(found.context), changes_(found, heap), flow_(c_),
      sections_(flow_.locks()) {
  if (changes_.threads().empty() || flow_.calls().empty())
    return;
  std::vector<Id> threads;
  for (const Thread &t : changes_.threads())
    threads.push_back(t.function);
  const CallPaths paths(c_, CallPaths::ByTypes);
  threads_ = flow_.from(threads, paths);
  all_ = flow_.from(flow_.allRoots(std::move(threads)), paths);
  auto mark = [&](const HeldLocks &held, int8_t HeldRange::*count) {
    bool isNew = false;
    for (const auto &[lock, range] : held)
      if (range.*count > 0 && !sections_[lock])
        isNew = sections_[lock] = true;
    return isNew;
  };
  for (const ThreadChange &change : changes_.changes())
    if (change.isSure && !c_.options.restartPoints)
      mark(heldAt(change), &HeldRange::least);
  for (bool grown = any(); grown;) {
    grown = false;
    for (const auto &[fn, entry] : all_)
      flow_.eachCall(fn, all_, [&](Id call, const HeldLocks &held) {
        auto at = flow_.calls().find(call);
        if (at != flow_.calls().end() && sections_[at->second.lock] &&
            at->second.effect != LockUse::Releases)
          grown |= mark(held, &HeldRange::most);
      });
  }
}

HeldRange CriticalSections::among(const HeldLocks &held) const {
  HeldRange result;
  for (const auto &[lock, range] : held)
    if (sections_[lock]) {
      result.least = std::max(result.least, range.least);
      result.most = std::max(result.most, range.most);
    }
  return result;
}

HeldLocks CriticalSections::heldAt(const Change &change) const {
  return flow_.at(change.function, threads_, change.store, change.write,
                  change.call);
}

namespace {

using CriticalSectionsParts =
    View<const Roots, const Scalars, const Allocations, const Stores,
         const Pool, Critical, Sections, Threads, LockFields, ReplacedCalls>;

class CriticalSectionFinder {
public:
  explicit CriticalSectionFinder(const CriticalSectionsParts &a)
      : a_(a), c_(a.context), p_(c_.program), f_(p_.facts),
        critical_(*a.critical), flow_(critical_.flow()), out_(a) {}

  void run() {
    std::vector<Section> sections(flow_.locks());
    for (const auto &[call, use] : flow_.calls())
      if (critical_.isSection(use.lock))
        replace(call, use, sections[use.lock]);
    for (const auto &[fn, entry] : critical_.ofAll())
      look(fn, sections);
    const auto &changes = critical_.changes().changes();
    for (const ThreadChange &change : changes) {
      const HeldLocks held = critical_.heldAt(change);
      for (const auto &[lock, range] : held)
        sections[lock].share +=
            range.most > 0 ? 1.0 / double(changes.size()) : 0;
    }
    for (unsigned lock = 0; lock < sections.size(); ++lock)
      if (critical_.isSection(lock)) {
        Section &s = sections[lock];
        llvm::sort(s.calls);
        s.calls.erase(llvm::unique(s.calls), s.calls.end());
        s.share = std::min(s.share, 1.0);
        out_.sections.push_back(std::move(s));
      }
    out_.lockFields = flow_.fields();
    if (c_.options.restartPoints)
      takePart();
    if (critical_.any())
      replaceOutputs(a_, critical_.changes().reached());
  }

private:
  /// Threads that may change what is kept.
  void takePart() {
    IdSet changing;
    for (const Change &change : changesOf(out_))
      changing.insert(change.function);
    for (const Thread &t : critical_.changes().threads()) {
      if (llvm::none_of(reachedBy({t}, c_),
                        [&](Id fn) { return changing.contains(fn); }))
        continue;
      ThreadPart part;
      part.function = t.function;
      auto takesPart = [&](Id i) {
        return f_.calls[i].callee != None &&
               f_.functions[f_.calls[i].callee].name ==
                   RuntimeCall::ThreadBegin;
      };
      if (auto d = p_.definitionsOf(t.function);
          !d.empty() && llvm::none_of(p_.callsOf(t.function), takesPart))
        part.body = d.front()->body;
      out_.threads.push_back(std::move(part));
    }
  }

  void replace(Id call, const LockFlow::LockCall &use, Section &s) {
    s.kind = Section::Kind::Lock;
    s.name = flow_.nameOf(use.lock);
    if (s.function == None && use.effect != LockUse::Releases)
      s.function = f_.calls[call].function;
    s.locks.push_back(call);
    replaceBy(call, "what is done while " + s.name + " is held is a section");
  }

  void replaceBy(Id call, std::string why) {
    const Call &c = f_.calls[call];
    const std::string &name = f_.functions[c.callee].name;
    if (c.calleeSpan.valid())
      out_.replaced.push_back(
          {call, isRuntimeCall(name) ? name : "nvm_" + name, std::move(why)});
    else if (!isRuntimeCall(name))
      out_.findings.report(
          {FindingId::UneditableCall, c.loc, c.function,
           name + ": " + why +
               ", but the text of the call is not in one place"});
  }

  void look(Id function, std::vector<Section> &sections) {
    flow_.eachCall(
        function, critical_.ofAll(), [&](Id call, const HeldLocks &held) {
          if (call == None)
            return;
          if (auto at = flow_.calls().find(call); at != flow_.calls().end())
            return waits(call, at->second, held);
          for (const auto &[lock, range] : held)
            if (range.most > 0)
              sections[lock].calls.push_back(call);
        });
  }

  /// Who waits with another lock than those that make sections leaves these,
  /// too: the thread that ends the wait may have to wait for its turn.
  void waits(Id call, const LockFlow::LockCall &use, const HeldLocks &held) {
    if (use.effect == LockUse::Waits && !critical_.isSection(use.lock) &&
        critical_.among(held).most > 0)
      replaceBy(call, "waits with a lock that makes sections");
  }

  CriticalSectionsParts a_;
  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const CriticalSections &critical_;
  const LockFlow &flow_;
  CriticalSectionsParts out_;
};

} // namespace

std::vector<Section> nvmove::sectionsOfLoops(llvm::ArrayRef<Section> sections) {
  std::vector<Section> result;
  for (const Section &s : sections)
    if (s.kind != Section::Kind::Lock)
      result.push_back(s);
  return result;
}

void nvmove::replaceOutputs(View<ReplacedCalls> a, const IdSet &functions) {
  const Program &p = a.context.program;
  Streams streams(p, a.origins());
  IdSet known;
  for (const ReplacedCall &r : a.replaced)
    known.insert(r.call);
  for (Id fn : functions)
    for (Id i : p.callsOf(fn)) {
      const Call &c = p.facts.calls[i];
      if (!known.contains(i) && c.calleeSpan.valid() && streams.letOut(c))
        a.replaced.push_back({i, p.library(c)->formToCall(),
                              "output is written after its commit"});
    }
}

namespace nvmove {

void findCriticalSections(CriticalSectionsParts a) {
  a.critical = std::make_shared<const CriticalSections>(a, *a.pool);
  CriticalSectionFinder(a).run();
}

} // namespace nvmove
