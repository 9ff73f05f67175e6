//===- OutputCommits.cpp - Sections that wait for the next output ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With --commit-at-output the end of a section commits nothing: that is for the
// next output, or for the call that waits for what comes next. It is right
// where each output is a call that the rewriter sees:
//
//  - not where a library runs the loop, since it may also write what handlers
//    have put into its buffers;
//  - not where stdio does, when the buffer of a stream is full that somebody
//    reads (stdout alone is looked at when a section ends);
//  - not where the loop waits by reading: the last sections would never be
//    committed while nothing comes;
//  - not where there are threads and something is let out with a lock held that
//    a thread takes, too: it would have to wait for the section of another
//    thread, which may wait for that lock; nor where a thread prints to a
//    stream that somebody reads.
//
// With it sections of threads run beside each other. A lock that threads only
// take and give back at once, to be stopped by whoever holds it, is none that a
// section waits for.
//
// Functions of other libraries that are handed something they may change could
// do the same. Which of them do is not known: they are named.
//
//===----------------------------------------------------------------------===//

#include "passes/facts/Library.h"
#include "passes/solve/flow/Streams.h"
#include "passes/solve/program/Library.h"
#include "passes/solve/sections/LockFlow.h"
#include "passes/solve/sections/ThreadChanges.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/StringExtras.h"

REPORTS(CommitAtOutput)

using namespace nvmove;

namespace {

using OutputCommitsParts = View<CommitsAtOutput>;

class OutputCommits {
public:
  explicit OutputCommits(const OutputCommitsParts &a)
      : c_(a.context), p_(c_.program), f_(p_.facts), streams_(p_, a.origins()),
        out_(a) {}

  void run() {
    if (c_.loop.loops.empty())
      return report(None,
                    "sections commit at their ends: no main loop was found "
                    "that waits");
    for (Id i = 0; i < f_.calls.size(); ++i)
      if (std::string why = whyNot(f_.calls[i]); !why.empty())
        return report(i, "sections commit at their ends: " + why);
    if (auto [i, why] = outputBesideThreads(); i != None)
      return report(i, "sections commit at their ends: " + why);
    for (const MainLoop &loop : c_.loop.loops)
      if (!waitsForEvents(loop))
        return report(loop.waits.empty() ? None : loop.waits.front(),
                      "sections commit at their ends: the main loop waits by a "
                      "read, or by an unknown call");
    out_.commitsAtOutput = true;
    nameUnknown();
    for (Id flag : takenToHold_)
      out_.findings.report(
          {FindingId::CommitAtOutput, f_.nodes[flag].loc, None,
           "threads print nothing, and output nothing while they hold a lock, "
           "if " +
               f_.nodes[flag].name + " does not change while they work",
           "does another thread change it meanwhile? Then leave out "
           "--commit-at-output"});
  }

private:
  bool isOutside(const Call &c) const {
    return c.callee != None && c.function != None &&
           !f_.functions[c.callee].hasBody;
  }

  const std::string &nameOf(const Call &c) const {
    return f_.functions[c.callee].name;
  }

  std::string whyNot(const Call &c) {
    if (!isOutside(c))
      return "";
    if (hasTrait(nameOf(c), LibraryFunction::MainLoop))
      return nameOf(c) + "() runs the main loop, and may itself write out what "
                         "handlers have queued";
    int stream = streamArgument(nameOf(c), false);
    const LibraryFunction *l = p_.library(c);
    if (stream < 0 || stream == StandardStream ||
        (l && l->kind == LibraryFunction::Output))
      return "";
    if (Stream s = streams_.of(c, unsigned(stream)); s.other && !s.file)
      return "what " + nameOf(c) +
             "() prints to this stream is written out when its buffer is full";
    return "";
  }

  /// A call that cannot wait for the sections of others, and why.
  std::pair<Id, std::string> outputBesideThreads() {
    std::vector<Id> threads;
    for (const Thread &t : threadsOf(c_))
      threads.push_back(t.function);
    if (threads.empty())
      return {None, ""};
    const CallPaths paths(c_, CallPaths::Taken);
    const CallPaths::Reach reach = paths.from(threads);
    for (Id function : reach.functions)
      for (Id i : p_.callsOf(function))
        if (const Call &c = f_.calls[i]; isOutside(c) && !paths.isDeadEnd(i) &&
                                         !reach.cut.contains(i) && prints(c))
          return {i, "what a thread prints with " + nameOf(c) +
                         "() is written out when its buffer is full"};
    takenToHold_.assign(reach.flags.begin(), reach.flags.end());
    llvm::sort(takenToHold_);
    return outputWithLock(threads, paths, reach);
  }

  bool prints(const Call &c) {
    int stream = streamArgument(nameOf(c), false);
    return stream == StandardStream ||
           (stream >= 0 && streams_.of(c, unsigned(stream)).answers());
  }

  std::pair<Id, std::string> outputWithLock(const std::vector<Id> &threads,
                                            const CallPaths &paths,
                                            const CallPaths::Reach &reach) {
    const LockFlow flow(c_);
    const LockFlow::Entries entries = flow.from(flow.allRoots(threads), paths);
    const std::vector<bool> waitedFor = locksOf(threads, flow, paths, reach);
    std::pair<Id, std::string> found{None, ""};
    for (Id fn = 0; fn < f_.functions.size() && found.first == None; ++fn)
      flow.eachCall(fn, entries, [&](Id call, const HeldLocks &held) {
        if (call == None || found.first != None || paths.isDeadEnd(call) ||
            !isOutside(f_.calls[call]) || !streams_.letOut(f_.calls[call]))
          return;
        for (const auto &[lock, range] : held)
          if (range.most > 0 && waitedFor[lock]) {
            found = {call, nameOf(f_.calls[call]) + "() writes output while " +
                               flow.nameOf(lock) + " is held"};
            return;
          }
      });
    return found;
  }

  /// Locks that a thread may hold while it does something, or wait for in a
  /// section: all that it takes, but those that it gives back at once.
  std::vector<bool> locksOf(const std::vector<Id> &threads,
                            const LockFlow &flow, const CallPaths &paths,
                            const CallPaths::Reach &reach) const {
    std::vector<bool> result(flow.locks());
    const IdSet handlers = c_.loop.reachableFrom(c_.loop.handlerCalls);
    for (Id thread : threads) {
      const LockFlow::Entries entries = flow.from({thread}, paths, reach.cut);
      const bool hasLoop = llvm::any_of(
          entries, [&](const auto &e) { return paths.hasLoop(e.first); });
      for (const auto &[fn, entry] : entries) {
        const bool isInSection = hasLoop || handlers.contains(fn);
        addLocks(fn, isInSection ? IdSet() : passedThrough(fn, flow), flow,
                 entries, result);
      }
    }
    return result;
  }

  void addLocks(Id function, const IdSet &passed, const LockFlow &flow,
                const LockFlow::Entries &entries,
                std::vector<bool> &result) const {
    for (Id k : p_.callsOf(function))
      if (const LockFlow::LockCall *lock = flow.lockOf(k);
          lock && !passed.contains(k))
        result[lock->lock] = true;
    flow.eachCall(function, entries, [&](Id call, const HeldLocks &held) {
      const LockFlow::LockCall *lock =
          call == None ? nullptr : flow.lockOf(call);
      if (lock && llvm::any_of(held, [&](const HeldLocks::Item &other) {
            return other.range.most > 0 && other.lock != lock->lock;
          }))
        result[lock->lock] = true;
    });
  }

  /// lock(&stopped); unlock(&stopped);
  IdSet passedThrough(Id function, const LockFlow &flow) const {
    IdSet result;
    for (const Definition *d : p_.definitionsOf(function))
      for (const Block &b : d->blocks)
        for (size_t i = 0; i + 1 < b.calls.size(); ++i) {
          const Id call = d->calls.begin + b.calls[i],
                   next = d->calls.begin + b.calls[i + 1];
          const LockFlow::LockCall *takes = flow.lockOf(call),
                                   *gives = flow.lockOf(next);
          auto isBetween = [&](const auto &w) { return w.calls == i + 1; };
          if (takes && gives && takes->lock == gives->lock &&
              takes->effect == LockUse::Takes &&
              gives->effect == LockUse::Releases &&
              llvm::none_of(b.writes, isBetween) &&
              llvm::none_of(b.stores, isBetween))
            result.insert(call), result.insert(next);
        }
    return result;
  }

  bool waitsForEvents(const MainLoop &loop) const {
    auto waits = [&](Id i) {
      return p_.isLibrary(f_.calls[i], LibraryFunction::Wait);
    };
    return llvm::any_of(loop.waits, waits) ||
           llvm::any_of(c_.loop.reachableFrom(loop.waits), [&](Id function) {
             return llvm::any_of(p_.callsOf(function), waits);
           });
  }

  /// All functions of the C library that may write through an argument are
  /// known.
  bool isUnknown(const Call &c) const {
    if (!isOutside(c) || libraryEntry(nameOf(c)) || isRuntimeCall(nameOf(c)))
      return false;
    for (size_t k = 0; k < c.args.size(); ++k)
      if (c.args[k] != None && !c.argIsReadOnly[k])
        return true;
    return false;
  }

  void nameUnknown() {
    std::set<std::string> names;
    Id first = None;
    for (Id i = 0; i < f_.calls.size(); ++i)
      if (isUnknown(f_.calls[i]) && names.insert(nameOf(f_.calls[i])).second &&
          first == None)
        first = i;
    if (names.empty())
      return;
    constexpr size_t Shown = 6;
    std::vector<std::string> shown;
    for (const std::string &name : names)
      if (shown.size() < Shown)
        shown.push_back(name + "()");
    std::string rest = names.size() > Shown
                           ? " and " + std::to_string(names.size() - Shown) +
                                 " other functions"
                           : "";
    report(first, "nothing is known of what " + llvm::join(shown, ", ") + rest +
                      " of other libraries may output");
  }

  void report(Id call, const std::string &what) {
    Loc at;
    Id function = c_.loop.mains.empty() ? None : c_.loop.mains.front();
    if (call != None) {
      at = f_.calls[call].loc;
      function = f_.calls[call].function;
    } else if (function != None) {
      at = f_.functions[function].loc;
    }
    out_.findings.report({FindingId::CommitAtOutput, at, function, what});
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  Streams streams_;
  OutputCommitsParts out_;
  std::vector<Id> takenToHold_; ///< statics that other threads might change
};

} // namespace

namespace nvmove {

void findOutputCommits(OutputCommitsParts a) {
  if (a.context.options.commitAtOutput)
    OutputCommits(a).run();
}

} // namespace nvmove
