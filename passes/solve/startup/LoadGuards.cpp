//===- LoadGuards.cpp - Where the load is skipped after a restart --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   main ─► start-up ─► [ read_state(file) ─► load function ]
//
// The call that does nothing but load is made only where the pool is new, and
// where its result is used, a restart answers for it. What it answers, and what
// would be lost by skipping it, is reported.
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/facts/StaticNames.h"
#include "passes/solve/nullness/ReturnSummary.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/RestoredStatics.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

REPORTS(LoadAnswers, LoadNotGuarded, LoadResult, SeveralLoads, SeveralMains)

using namespace nvmove;

namespace {

using LoadGuardsParts = View<const Types, const Roots, const Scalars,
                             const KeptScalars, FoundGuards>;

class GuardFinder {
public:
  GuardFinder(const SolveContext &c, const LoadGuardsParts &found)
      : c_(c), p_(c.program), f_(c.program.facts), out_(found),
        kept_(found.roots, found.scalars) {}

  // From each load function up through its start-up callers to the first call
  // whose result nobody uses: everything that the program does to load is then
  // skipped together. Not beyond a function that does more.
  void run() {
    std::map<Id, Id> chosen; // call -> load function's call below it
    for (Id load : out_.load)
      for (Id i : startUpCallsOf(load))
        climb(i, i, chosen, 0);
    if (chosen.empty())
      throughPointers(chosen);
    leaveBehindLoop(chosen);
    if (std::map<Id, Id> high; !areTogether(chosen)) {
      for (auto [call, below] : chosen)
        climbHigh(call, below, None, high, 0);
      leaveBelowOthers(high);
      if (areTogether(high))
        chosen = high;
    }
    leaveBelowOthers(chosen);
    if (chosen.empty())
      out_.findings.report(
          {FindingId::LoadNotGuarded,
           {},
           None,
           "no call on the path from main calls only load functions",
           "put nvm_start, nvm_restore and nvm_ready into main by hand"});
    IdMap<Id> lastIn;
    IdSet functions;
    for (auto &[call, below] : chosen) {
      const Call &c = f_.calls[call];
      LoadGuard g;
      g.call = call;
      g.wholeStatement =
          c.statement.isWholeExpression && c.statement.span.valid();
      g.main = c_.loop.mains.empty() ? None : c_.loop.mains.front();
      g.last = false;
      if (const std::vector<Id> from = callsInMain(g); from.size() == 1)
        g.inMain = from.front();
      g.loops = loopsBehind(call);
      g.loopsInMain = loopsBehind(g.inMain);
      g.isGuarded = isGuarded(below, 0);
      functions.insert(c.function);
      auto [at, fresh] = lastIn.try_emplace(c.function, out_.guards.size());
      if (const Id known = fresh ? call : out_.guards[at->second].call;
          mayPrecede(known, call) || !mayPrecede(call, known))
        at->second = out_.guards.size();
      out_.guards.push_back(g);
    }
    for (auto &[fn, index] : lastIn) {
      LoadGuard &g = out_.guards[index];
      g.leadsOn = leadsOn(g, functions);
      g.last = g.leadsOn == None;
    }
    for (LoadGuard &g : out_.guards) {
      g.refused = whatIsLost();
      if (g.refused.empty() && !g.wholeStatement)
        findLoop(g);
      if (g.refused.empty() && g.loop == None &&
          fillsKeptRecord(f_.calls[g.call]))
        g.wholeStatement = g.isAssigned = true;
      if (g.refused.empty() && !g.wholeStatement && g.loop == None)
        g.refused = whyNoAnswer(f_.calls[g.call]);
      reportAnswers(g);
    }
    reportSeveral(functions.size() > 1);
    for (Id i = 1; i < c_.loop.mains.size(); ++i)
      out_.findings.report({FindingId::SeveralMains,
                            f_.functions[c_.loop.mains[i]].loc,
                            c_.loop.mains[i],
                            "a second main reaches the load function; only the "
                            "first gets the pool"});
  }

private:
  void reportSeveral(bool inFunctions) {
    if (!inFunctions && !isBetweenGuards())
      return;
    const Loc loc = f_.calls[out_.guards.front().call].loc;
    const LoadGuard *early = nullptr, *late = nullptr;
    for (const LoadGuard &a : out_.guards)
      for (const LoadGuard &b : out_.guards)
        if (!early && isApart(a, b)) {
          early = &a;
          late = &b;
        }
    if (!early)
      return out_.findings.report(
          {FindingId::SeveralLoads, loc, None,
           "the state is loaded from more than one place at start-up: all of "
           "it is restored at the first, and what runs before the last may "
           "undo it"});
    out_.findings.report(
        Finding{FindingId::SeveralLoads, loc, None,
                "the state is loaded from more than one place at start-up (" +
                    p_.describe(f_.calls[early->call].loc) + ", " +
                    p_.describe(f_.calls[late->call].loc) +
                    "), and committed at each: if the program is killed before "
                    "the last, a later start restores what there is, and never "
                    "loads the rest"}
            .as(Severity::Act));
  }

  /// The first ends the start-up section, and the program may go on to the
  /// second.
  bool isApart(const LoadGuard &first, const LoadGuard &second) const {
    const Id fn = f_.calls[first.call].function;
    if (!first.last || fn == f_.calls[second.call].function ||
        p_.isInChild(first.call) || p_.isInChild(second.call) ||
        (fn != None && p_.isNoReturn(fn)))
      return false;
    for (Id a : callsInMain(first))
      for (Id b : callsInMain(second))
        if (a == b || (mayPrecede(a, b) &&
                       !Program::exclude(f_.calls[a].arms, f_.calls[b].arms)))
          return true;
    return false;
  }

  bool mayPrecede(Id first, Id second) const {
    return c_.phases.order().mayPrecede(first, second);
  }

  bool isBefore(Id first, Id second) const {
    return first == second ||
           (f_.calls[first].function == f_.calls[second].function &&
            mayPrecede(first, second));
  }

  /// What no start would have again that does not load: all hangs from locals,
  /// or nothing is kept; empty: nothing.
  std::string whatIsLost() const {
    std::string lost;
    for (const Root &r : out_.roots)
      if (r.kept() && f_.nodes[r.variable].kind != NodeKind::Local)
        return "";
      else if (r.notKept == Root::InLocal && lost.empty())
        lost = r.path + " is reachable from a local variable, which the pool "
                        "cannot keep; make that a static at file scope";
    bool keepsAny =
        !out_.types.empty() || !out_.scalars.empty() || !out_.kept.empty();
    return !lost.empty() || keepsAny ? lost
                                     : "nothing that it creates is kept, so "
                                       "each start must create it";
  }

  /// if (!read_settings()) ..; if (!serve()) ..: the last call in main that
  /// leads to the next of several loads; not one that runs the main loop.
  Id leadsOn(const LoadGuard &g, const IdSet &loading) {
    if (g.inMain == None || f_.calls[g.inMain].loop != None)
      return None;
    const Call &c = f_.calls[g.inMain];
    const Id function = f_.calls[g.call].function;
    Id last = None;
    for (Id k : p_.callsOf(c.function)) {
      const Call &next = f_.calls[k];
      if (!mayPrecede(g.inMain, k) || next.callee == None ||
          next.loop != None || !next.span.valid() ||
          next.span.file != c.span.file || !isAtStartUp(k) ||
          c_.loop.frames.contains(next.callee) ||
          llvm::any_of(g.loopsInMain,
                       [&](Span loop) { return loop.begin < next.span.end; }))
        continue;
      IdSet below = c_.loop.reachableFrom({k});
      if (llvm::any_of(
              loading,
              [&](Id fn) { return fn != function && below.contains(fn); }) &&
          (last == None || mayPrecede(last, k)))
        last = k;
    }
    return last;
  }

  std::vector<Span> loopsBehind(Id call) const {
    std::vector<Span> loops;
    if (call == None || f_.calls[call].function == None)
      return loops;
    const Call &c = f_.calls[call];
    for (Span entry : c_.loop.entriesIn(c.function))
      if (entry.file == c.span.file && entry.begin >= c.span.end)
        loops.push_back(entry);
    return loops;
  }

  /// By which main comes to the guarded call, or that.
  std::vector<Id> callsInMain(const LoadGuard &g) const {
    std::vector<Id> found = c_.phases.wayTo(g.call);
    llvm::erase_if(found,
                   [&](Id at) { return f_.calls[at].function != g.main; });
    return found;
  }

  /// load(); serve(); save(), which loads again what it will write: where one
  /// comes before the main loop, one after it loads on request.
  void leaveBehindLoop(std::map<Id, Id> &chosen) const {
    auto isBehind = [&](const auto &at) {
      return c_.phases.isAfterLoops(at.first);
    };
    if (!llvm::all_of(chosen, isBehind))
      std::erase_if(chosen, isBehind);
  }

  /// All in one function, or in functions each of which main calls once, and
  /// none that start-up comes to in a loop: one start-up section holds what
  /// they load.
  bool areTogether(const std::map<Id, Id> &chosen) {
    IdSet functions, seen;
    for (auto [call, below] : chosen)
      functions.insert(f_.calls[call].function);
    return llvm::none_of(functions, [&](Id fn) {
      return isInLoops(fn, seen) || (functions.size() > 1 && !isCalledOnce(fn));
    });
  }

  bool isCalledOnce(Id function) {
    const std::vector<Id> calls = startUpCallsOf(function);
    return calls.empty() ||
           (calls.size() == 1 &&
            llvm::is_contained(c_.loop.mains, f_.calls[calls[0]].function));
  }

  bool isInLoops(Id function, IdSet &seen) {
    return function != None && seen.insert(function).second &&
           llvm::any_of(startUpCallsOf(function), [&](Id i) {
             return f_.calls[i].loop != None ||
                    isInLoops(f_.calls[i].function, seen);
           });
  }

  /// Above that, as far as functions do nothing but load: the last call whose
  /// result nobody uses.
  void climbHigh(Id call, Id below, Id best, std::map<Id, Id> &chosen,
                 unsigned depth) {
    const Call &c = f_.calls[call];
    if (c.statement.isWholeExpression && c.statement.span.valid() &&
        !c_.phases.handled.contains(c.function))
      best = call;
    const std::vector<Id> up = startUpCallsOf(c.function);
    if (up.empty() || depth > 16 || runsLoop(c.function) || doesMore(call)) {
      chosen.try_emplace(best == None ? call : best, below);
      return;
    }
    for (Id i : up)
      climbHigh(i, below, best, chosen, depth + 1);
  }

  bool runsLoop(Id function) const {
    return c_.loop.loop != None && c_.loop.frames.contains(function);
  }

  /// load_all() { while (..) if (!load(..)) ..; add(..); }, where add() is
  /// named with --load, too: what start-up comes to through another one alone.
  void leaveBelowOthers(std::map<Id, Id> &chosen) {
    auto isBelow = [&](auto &&self, Id call, IdSet &seen) -> bool {
      const Id function = f_.calls[call].function;
      if (function == None || !seen.insert(function).second)
        return true;
      const std::vector<Id> up = startUpCallsOf(function);
      return !up.empty() && llvm::all_of(up, [&](Id i) {
        return chosen.count(i) || self(self, i, seen);
      });
    };
    std::erase_if(chosen, [&](const auto &at) {
      IdSet seen;
      return isBelow(isBelow, at.first, seen);
    });
  }

  /// Calls of pointers to load functions and nothing else.
  void throughPointers(std::map<Id, Id> &chosen) {
    for (Id fn : c_.loop.startUp)
      for (Id i : p_.callsOf(fn)) {
        const auto &callees = c_.flow.callees(i);
        if (!callees.empty() && llvm::all_of(callees, [&](Id callee) {
              return llvm::is_contained(out_.load, callee);
            }))
          climb(i, i, chosen, 0);
      }
  }

  /// if (!nvm_restore()) load(), here or in each of those that lead here at
  /// start-up.
  bool isGuarded(Id call, unsigned depth) {
    if (isSkippedWhenRestored(f_.calls[call]))
      return true;
    const std::vector<Id> up = startUpCallsOf(f_.calls[call].function);
    return !up.empty() && depth < 16 &&
           llvm::all_of(up, [&](Id i) { return isGuarded(i, depth + 1); });
  }

  bool isSkippedWhenRestored(const Call &c) const {
    if (c.function == None)
      return false;
    for (Id i : p_.callsOf(c.function)) {
      const Call &k = f_.calls[i];
      if (k.callee == None || !asksWhetherRestored(f_.functions[k.callee].name))
        continue;
      // What is done with its answer is followed where it is tested at once.
      bool isKept = !k.statement.isWholeExpression && !isTested(k.result);
      if (llvm::is_contained(c.zero, k.result) || (isKept && !c.arms.empty()))
        return true;
    }
    return false;
  }

  /// Some call is made only where this is zero.
  bool isTested(Id result) const {
    return llvm::any_of(f_.calls, [&](const Call &c) {
      return llvm::is_contained(c.zero, result);
    });
  }

  /// Not one that the main loop makes: a file that is opened on request. Nor
  /// one of what that runs, by another loop that waits.
  bool isAtStartUp(Id call) {
    const Call &c = f_.calls[call];
    return c_.loop.startUp.contains(c.function) && !c_.loop.isInLoop(c) &&
           !isInLoopBeside(c);
  }

  std::vector<Id> startUpCallsOf(Id function) {
    std::vector<Id> calls = p_.callersOf(function);
    llvm::erase_if(calls, [&](Id i) { return !isAtStartUp(i); });
    return calls;
  }

  bool isInLoopBeside(const Call &c) {
    return c.callee != None &&
           llvm::any_of(
               c_.loop.left,
               [&](Id loop) { return c_.loop.within(c.loop, loop); }) &&
           c_.phases.handled.contains(c.callee);
  }

  /// Beside this call, and whether or not it is made, its function sets up
  /// something else that a start without it would lack.
  bool doesMore(Id call) {
    const Call &c = f_.calls[call];
    if (c.function == None)
      return false;
    for (const StaticWrite &w : f_.staticWrites)
      if (w.function == c.function && isOwn(w) && !isResultOf(c, w.value))
        return true;
    for (Id k : p_.callsOf(c.function)) {
      const Call &other = f_.calls[k];
      if (k != call && Program::isAlongside(other.arms, c.arms) &&
          (setsUp(k) || fillsStatic(k)))
        return true;
    }
    return false;
  }

  /// for (i = 1; i < argc; i++) if (load(argv[i]) < 0) ..: the outermost loop
  /// around the call, if it does nothing more.
  void findLoop(LoadGuard &g) {
    const Call &c = f_.calls[g.call];
    Id loop = c.loop;
    while (loop != None && f_.loops[loop].parent != None)
      loop = f_.loops[loop].parent;
    if (loop == None || f_.loops[loop].isEntered)
      return;
    for (const StaticWrite &w : f_.staticWrites)
      if (w.function == c.function && c_.loop.within(w.loop, loop) &&
          isOwn(w) && !isResultOf(c, w.value))
        return;
    for (Id k : c_.loop.callsIn(loop)) {
      if (k != g.call && !p_.isDeadEnd(k) && (setsUp(k) || fillsStatic(k)))
        return;
      const Call &other = f_.calls[k];
      for (size_t i = 0; i < other.args.size(); ++i)
        if (const Id to = p_.variableAt(other.args[i]);
            to != None && !isReadOnly(other, i))
          g.writtenInLoop.push_back(to);
    }
    g.loop = loop;
  }

  static bool isReadOnly(const Call &c, size_t arg) {
    return arg < c.argIsReadOnly.size() && c.argIsReadOnly[arg];
  }

  /// What the call gives; of a record, where that lies.
  bool isResultOf(const Call &c, Id value) const {
    return c.result != None && value != None &&
           (p_.isCopyOf(value, c.result) || p_.variableAt(value) == c.result);
  }

  /// A pointer, or a number that does not come back.
  bool isOwn(const StaticWrite &w) const {
    bool isPointer = w.value != None && p_.isPointer(f_.nodes[w.value].type);
    return isPointer || (w.isScalar && !kept_.holds(w));
  }

  /// world = load(f); where each member of world comes back: the assignment is
  /// skipped as a whole.
  bool fillsKeptRecord(const Call &c) const {
    const StatementSpan &s = c.statement;
    const StaticWrite *to = nullptr;
    for (const auto *writes : {&f_.staticWrites, &f_.localWrites})
      for (const StaticWrite &w : *writes)
        if (w.function == c.function && w.statement.span == s.span) {
          if (to || !isResultOf(c, w.value))
            return false;
          to = &w;
        }
    return to && s.span.valid() && !s.isDeclaration &&
           c.span.end + 1 == s.span.end && !isInArray(*to) &&
           p_.recordOf(p_.typeOf(to->variable, to->path)) != None &&
           isKeptWhole(to->variable, to->path);
  }

  bool isKeptWhole(Id variable, const std::vector<Id> &path) const {
    const Id record = p_.recordOf(p_.typeOf(variable, path));
    if (record == None || f_.records[record].isUnion)
      return kept_.holds(variable, path);
    return llvm::all_of(f_.records[record].fields, [&](Id field) {
      std::vector<Id> member = path;
      member.push_back(field);
      return isKeptWhole(variable, member);
    });
  }

  /// strcpy(greeting, ..), of which nothing comes back.
  bool fillsStatic(Id call) const {
    const Call &c = f_.calls[call];
    const LibraryFunction *l = p_.library(c);
    if (!l || l->destination < 0 || size_t(l->destination) >= c.args.size())
      return false;
    Id to = p_.variableAt(c.args[l->destination]);
    return to != None && f_.nodes[to].kind == NodeKind::Global &&
           !kept_.holds(to, {});
  }

  /// Something below the call that is not loading puts pointers into statics.
  bool setsUp(Id call) {
    for (Id fn : c_.loop.reachableFrom({call}))
      if (!c_.phases.loading.contains(fn) && writers().contains(fn))
        return true;
    return false;
  }

  /// Functions that put pointers into statics.
  const IdSet &writers() {
    if (writers_.empty())
      for (const StaticWrite &w : f_.staticWrites)
        if (w.function != None && w.value != None &&
            p_.isPointer(f_.nodes[w.value].type))
          writers_.insert(w.function);
    return writers_;
  }

  /// Something that is not loading stands between the first and the last.
  bool isBetweenGuards() {
    if (out_.guards.size() < 2)
      return false;
    for (Id k : p_.callsOf(f_.calls[out_.guards.front().call].function)) {
      auto isFirst = [&](const LoadGuard &g) { return isBefore(g.call, k); };
      auto isNext = [&](const LoadGuard &g) { return isBefore(k, g.call); };
      if (llvm::any_of(out_.guards, isFirst) &&
          llvm::any_of(out_.guards, isNext) &&
          !llvm::is_contained(out_.load, f_.calls[k].callee) && setsUp(k))
        return true;
    }
    return false;
  }

  /// What it gives is none of the numbers and pointers that a restart can give
  /// again; empty: it is one, or nothing.
  std::string whyNoAnswer(const Call &c) const {
    if (c.result == None)
      return "";
    const Type &type = f_.types[f_.nodes[c.result].type];
    bool isRecord = type.kind == TypeKind::Record;
    if (!isRecord && type.kind != TypeKind::Floating &&
        type.size_bytes <= sizeof(uint64_t))
      return "";
    return std::string("its result is ") +
           (isRecord ? "a struct or union"
                     : "neither an integer nor a pointer") +
           ", which cannot be returned again at a later start: put it into a "
           "static variable in a function of its own without a result, and "
           "call that function";
  }

  /// int generate; load(&generate); and if (!load()) create();
  void reportAnswers(LoadGuard &g) {
    const Call &c = f_.calls[g.call];
    if (!g.wholeStatement && g.loop == None && c.callee != None &&
        c.result != None && g.refused.empty()) {
      g.answer = restoredFrom(c);
      LoadAnswer loaded =
          answerOf(c_.program, c_.loop, c_.nullness, out_.load, c.callee);
      if (loaded.isCount && !g.last) // NVM_LOAD_PART() keeps what was counted
        loaded = {};
      bool isKnown = !g.answer.empty() || loaded.isConstant ||
                     (loaded.nothing && loaded.loaded);
      if (g.answer.empty() && isKnown && loaded.nothing != loaded.loaded) {
        g.answer = std::to_string(*loaded.loaded);
        g.nothing = std::to_string(*loaded.nothing);
      }
      if (!isKnown)
        out_.findings.report(
            {FindingId::LoadResult, c.loc, c.function,
             "the result of " + f_.functions[c.callee].name +
                 " is used, and its text does not show which value means that "
                 "there was nothing to load: later runs get the result of the "
                 "first run. If there was nothing to load then, and the "
                 "program creates new state in that case, the new state "
                 "replaces what the pool has",
             std::string("write NVM_LOAD_OR(call, nothing, loaded)") +
                 (g.last ? ""
                         : ", or NVM_LOAD_PART_AS(call, loaded) instead of "
                           "NVM_LOAD_PART()")});
    }
    for (size_t k = 0; k < c.args.size(); ++k) {
      Id to = p_.variableAt(c.args[k]);
      if (to == None || isReadOnly(c, k))
        continue;
      const Node &n = f_.nodes[to];
      bool isRoot = llvm::any_of(out_.roots, [&](const Root &r) {
        return r.kept() && r.variable == to;
      });
      if (n.kind == NodeKind::Local && n.type != None && !isRoot &&
          p_.kind(n.type) != TypeKind::Array)
        out_.findings.report({FindingId::LoadAnswers, c.loc, c.function,
                              "the load may also return a value through &" +
                                  n.name +
                                  ", which it does not do when it is skipped"});
    }
  }

  bool isPutInto(const Call &c, Id local) const {
    return llvm::any_of(p_.constraintsOf(c.function), [&](Id i) {
      const Constraint &k = f_.constraints[i];
      return k.flow == Flow::Copy && k.dst == local &&
             p_.isCopyOf(k.src, c.result);
    });
  }

  /// The root that the result is put into, as it is written in C.
  std::string restoredFrom(const Call &c) const {
    // A local of main, registered where it is declared.
    for (const Root &r : out_.roots)
      if (r.kept() && r.container == None && r.fields.empty() &&
          f_.nodes[r.variable].kind == NodeKind::Local &&
          !c.statement.isDeclaration && isPutInto(c, r.variable))
        return r.path;
    for (const auto *writes : {&f_.staticWrites, &f_.localWrites})
      for (const StaticWrite &w : *writes)
        if (w.function == c.function && w.value != None &&
            p_.isCopyOf(w.value, c.result) && isKept(w) && !isInArray(w))
          return w.path.empty()
                     ? f_.nodes[w.variable].name
                     : f_.nodes[w.variable].name + "." + nameOfWay(f_, w.path);
    return "";
  }

  bool isKept(const StaticWrite &w) const {
    auto isWritten = [&](const auto &kept) {
      return kept.variable == w.variable && kept.fields == w.path;
    };
    return llvm::any_of(out_.roots,
                        [&](const Root &r) {
                          return r.kept() && r.container == None &&
                                 isWritten(r);
                        }) ||
           llvm::any_of(out_.scalars, isWritten);
  }

  /// table[n] = ..: its text does not say which one.
  bool isInArray(const StaticWrite &w) const {
    auto isArray = [&](Id type) { return p_.kind(type) == TypeKind::Array; };
    return isArray(f_.nodes[w.variable].type) ||
           llvm::any_of(w.path,
                        [&](Id k) { return isArray(f_.fields[k].type); });
  }

  /// Not in a function that loads on request, too, where that can be helped.
  void climb(Id call, Id below, std::map<Id, Id> &chosen, unsigned depth) {
    const Call &c = f_.calls[call];
    const bool onRequest = c_.phases.handled.contains(c.function);
    const bool isStatement =
        c.statement.isWholeExpression && c.statement.span.valid();
    if (isStatement && !onRequest) {
      chosen.try_emplace(call, below);
      return;
    }
    const std::vector<Id> up = startUpCallsOf(c.function);
    if (up.empty() && llvm::any_of(p_.callersOf(c.function), [&](Id i) {
          return isInLoopBeside(f_.calls[i]);
        }))
      return;
    if (up.empty() || depth > 16 || runsLoop(c.function) || doesMore(call)) {
      // The result is used: replay it. A way through pointers into what
      // handlers run is hardly one of start-up: there it loads on request.
      if (!onRequest || !c_.loop.isByPointers())
        chosen.try_emplace(isStatement ? call : below, below);
      return;
    }
    for (Id i : up)
      climb(i, onRequest ? i : below, chosen, depth + 1);
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  LoadGuardsParts out_;
  const RestoredStatics kept_;
  IdSet writers_; ///< functions
};

} // namespace

namespace nvmove {

void findLoadGuards(LoadGuardsParts a) { GuardFinder(a.context, a).run(); }

} // namespace nvmove
