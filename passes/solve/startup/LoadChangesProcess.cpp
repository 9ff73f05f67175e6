//===- LoadChangesProcess.cpp - What the load sets up of the process ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   void load(FILE *in) { umask(0); signal(SIGHUP, reopen); .. setenv(n, v, 1);
//
// Memory comes back, the process is a new one: it has its old mask, no handler
// and no such variable in its environment. What the load itself undoes is no
// matter: old = umask(077); .. umask(old);
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/Streams.h"
#include "passes/solve/sections/CriticalSections.h"
#include "passes/solve/startup/SkippedCalls.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/RestoredStatics.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

REPORTS(LoadChangesProcess)

using namespace nvmove;

namespace {

using LoadChangesProcessParts =
    View<const Roots, const Scalars, const Guards, const Critical>;

class ProcessChanges {
public:
  explicit ProcessChanges(const LoadChangesProcessParts &a)
      : a_(a), c_(a.context), p_(c_.program), f_(p_.facts),
        streams_(p_, a.origins()), skipped_(c_), kept_(a.roots, a.scalars) {}

  void run() {
    for (const LoadGuard &g : a_.guards)
      if (g.refused.empty()) {
        std::vector<Id> calls = skipped_.below(g);
        reportSettings(calls);
        reportLocks(g);
      }
  }

private:
  void reportSettings(std::vector<Id> calls) {
    llvm::erase_if(calls, [&](Id i) {
      return !sets(f_.calls[i]) || isUndone(i) || isMadeOnUse(f_.calls[i]);
    });
    const auto byHandlers =
        std::stable_partition(calls.begin(), calls.end(), [&](Id i) {
          return !isOfHandlersToo(f_.calls[i]);
        });
    const bool isSure = byHandlers != calls.begin();
    if (isSure)
      calls.erase(byHandlers, calls.end());
    if (calls.empty())
      return;
    const Call &first = f_.calls[calls.front()];
    std::string what = "the load also changes the process, by " +
                       listOfCalls(p_, calls) +
                       ": a later start skips the load, and lacks that";
    Finding found{FindingId::LoadChangesProcess, first.loc, first.function,
                  what};
    if (!isSure) {
      found.advice = "must it be so before a handler calls it again? Then "
                     "call it at each start, after the load; else nothing";
      found.ownSeverity = Severity::Check;
    }
    a_.findings.report(std::move(found));
  }

  /// Handlers make the same call, and hand it the same: signal(SIGINT, SIG_IGN)
  bool isOfHandlersToo(const Call &c) const {
    return llvm::all_of(c.args, [&](Id a) { return isConstant(a); }) &&
           c_.phases.handled.contains(c.function) &&
           libraryFact(f_.functions[c.callee].name, &LibraryFunction::thread)
                   .function < 0;
  }

  bool isConstant(Id value) const {
    if (value == None || p_.variableAt(value) != None)
      return true;
    Id from = p_.origin(value);
    return f_.nodes[from].kind == NodeKind::Temp &&
           c_.values.definitions(from).empty();
  }

  /// if (!is_open) { openlog(..); is_open = 1; }: the next to need it does so.
  bool isMadeOnUse(const Call &c) const {
    return c_.phases.handled.contains(c.function) &&
           llvm::any_of(c.statics, [&](const StaticTest &t) {
             return t.isZero && !kept_.holds(t.variable, t.path);
           });
  }

  void reportLocks(const LoadGuard &g) {
    const LockFlow &flow = a_.critical->flow();
    for (unsigned lock = 0; lock < flow.locks(); ++lock)
      if (const Call &c = f_.calls[g.call]; flow.keeps(g.call, lock))
        a_.findings.report(
            {FindingId::LoadChangesProcess, c.loc, c.function,
             "the load takes " + flow.nameOf(lock) +
                 " and returns with it held: a later start skips "
                 "the load, and does not hold that lock"});
  }

  bool sets(const Call &c) {
    const LibraryFunction *l = rowOf(p_, c);
    if (!l)
      return false;
    if (l->setsUpProcess() || setsStandardFile(c, *l))
      return true;
    return (l->traits & LibraryFunction::MakesLock) && !makesDefault(c) &&
           isHandedStatic(p_, c);
  }

  /// dup2(log, 2), freopen(name, "w", stderr), setvbuf(stdout, ..).
  bool setsStandardFile(const Call &c, const LibraryFunction &l) {
    if (l.sameFileAs >= 0) {
      auto descriptor = c.constantAt(unsigned(l.sameFileAs) + 1);
      return descriptor && *descriptor <= 2;
    }
    int stream = l.buffering.says != StreamBuffering::Nothing ? 0 : -1;
    return stream >= 0 && !c.args.empty() && c.args[0] != None &&
           isStandard(streams_.of(c, stream));
  }
  static bool isStandard(const Stream &s) { return s.in || s.out; }

  /// As a static is that nobody has written.
  bool makesDefault(const Call &c) const {
    for (size_t i = 1; i < c.args.size(); ++i)
      if (!c.argIsZeroOrNull[i] && c.constantAt(i) != 0)
        return false;
    return c.args.size() > 1;
  }

  /// The same function sets behind it what this one gave back or has put
  /// somewhere, or nothing: umask(old), sigprocmask(SIG_SETMASK, &old, NULL),
  /// alarm(0); or it is such a call.
  bool isUndone(Id call) const {
    for (Id other : p_.callsOf(f_.calls[call].function))
      if (other != call && f_.calls[other].callee == f_.calls[call].callee &&
          (undoes(call, other) || undoes(other, call)))
        return true;
    return false;
  }
  bool undoes(Id first, Id second) const {
    const Call &a = f_.calls[first], &b = f_.calls[second];
    if (!c_.phases.order().mayPrecede(first, second))
      return false;
    auto isOld = [&](Id arg) {
      if (arg == None)
        return false;
      Id at = p_.variableAt(arg);
      return (a.result != None && p_.isCopyOf(arg, a.result)) ||
             (a.result != None && holds(arg, a.result)) ||
             (at != None && f_.nodes[at].kind == NodeKind::Local &&
              llvm::any_of(a.args, [&](Id given) {
                return given != None && p_.variableAt(given) == at;
              }));
    };
    return llvm::any_of(b.args, isOld) ||
           (!b.argIsZeroOrNull.empty() && b.args.size() == 1 &&
            b.argIsZeroOrNull[0] && !a.argIsZeroOrNull[0]);
  }
  /// A local that is assigned the result.
  bool holds(Id value, Id result) const {
    Id from = p_.origin(value);
    return llvm::any_of(c_.values.definitions(from), [&](Id i) {
      const Constraint &k = f_.constraints[i];
      return k.flow == Flow::Copy && p_.isCopyOf(k.src, result);
    });
  }

  const LoadChangesProcessParts a_;
  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  Streams streams_;
  SkippedCalls skipped_;
  const RestoredStatics kept_;
};

} // namespace

namespace nvmove {

void reportLoadChangesProcess(LoadChangesProcessParts a) {
  ProcessChanges(a).run();
}

} // namespace nvmove
