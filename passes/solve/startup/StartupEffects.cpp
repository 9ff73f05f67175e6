//===- StartupEffects.cpp - What runs around the load at each start -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A restart skips the load alone. What start-up does beside it runs again, on
// what came back from the pool:
//
//   for (i = 0; i < 2; i++) {
//     queues[i] = create();      overwrites what came back at i == 0
//     start(queues[i]);          which loads
//   }
//   fixup();                     adds to what it added in the run before
//   while (wait()) ..
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/startup/RootInsertions.h"
#include "passes/solve/startup/StartupRefusals.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/RestoredStatics.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

REPORTS(BeforeLoad, BehindLoad, LoadOnRequest, LoadRunsAgain)

using namespace nvmove;

namespace {

using StartupEffectsParts =
    View<const Types, const Roots, const Scalars, const PlacedStores,
         const VolatileFields, JudgedGuards>;

class StartupEffectChecker {
public:
  StartupEffectChecker(const SolveContext &c, const StartupEffectsParts &found)
      : c_(c), p_(c.program), f_(c.program.facts), out_(found),
        kept_(found.roots, found.scalars), adders_(found) {
    for (auto [fn, call] : c.pointsTo.reached())
      loading_.insert(fn);
  }

  void run() {
    for (LoadGuard &g : out_.guards) {
      checkRepeated(g);
      checkOnRequest(g);
    }
    if (c_.loop.loop == None || !c_.loop.loadsAtStart)
      return;
    collectWrites();
    for (const LoadGuard &g : out_.guards)
      if (f_.calls[g.call].function != None && g.refused.empty())
        checkBehind(g);
  }

private:
  /// In the first of them: another, that reads a script before it, runs at each
  /// start.
  bool isInMainLoop(Id loop) const {
    return c_.loop.loop != None && c_.loop.within(loop, c_.loop.loop);
  }
  bool isInMainLoop(const Call &c) const { return isInMainLoop(c.loop); }

  bool mayPrecede(Id first, Id second) const {
    return c_.phases.order().mayPrecede(first, second);
  }

  static bool exclude(const Call &a, const Call &b) {
    return a.function == b.function && Program::exclude(a.arms, b.arms);
  }

  //===-- The load runs more than once ------------------------------------===//

  void checkRepeated(LoadGuard &g) {
    for (Id at : c_.phases.wayTo(g.call)) {
      const Call &c = f_.calls[at];
      if (g.wholeStatement) {
        if (c.loop == None || !g.refused.empty())
          continue;
        g.refused = overwritten(at);
        if (g.refused.empty() && isAroundMainLoop(at))
          out_.findings.report(
              {FindingId::LoadOnRequest, c.loc, c.function,
               "when the main loop has ended, the loop around both gets here "
               "again, and does not load what it is asked to: once the pool is "
               "restored, the load is skipped here",
               "load with a function of its own in later iterations"});
        continue;
      }
      const std::vector<Id> &callers = c_.phases.startUpCallersOf(c.function);
      const bool several = isCalledAgain(callers);
      if ((at == g.call || c.loop == None) && !several)
        continue;
      out_.findings.report(
          {FindingId::LoadRunsAgain, f_.calls[g.call].loc,
           f_.calls[g.call].function,
           "the result of the load is used, and start-up gets here more than "
           "once, by " +
               p_.describe(several ? f_.calls[callers.back()].loc : c.loc) +
               ": NVM_LOAD() keeps one result for all",
           "keep one result for each object in what the load creates, and call "
           "the load only if nvm_restore() is 0"});
      return;
    }
  }

  bool isCalledAgain(const std::vector<Id> &callers) const {
    for (Id a : callers)
      for (Id b : callers)
        if (a < b && !exclude(f_.calls[a], f_.calls[b]))
          return true;
    return false;
  }

  /// One of several loads, or start-up comes here again: which of the calls is
  /// the last of start-up is not known.
  bool isNotOnce(const LoadGuard &g) const {
    return out_.guards.size() > 1 ||
           llvm::any_of(c_.phases.wayTo(g.call), [&](Id at) {
             const Call &c = f_.calls[at];
             return c.loop != None ||
                    isCalledAgain(c_.phases.startUpCallersOf(c.function));
           });
  }

  /// What it would load on request is skipped at start-up alone.
  void checkOnRequest(LoadGuard &g) {
    const Call &c = f_.calls[g.call];
    if (!g.refused.empty() || !c_.phases.handled.contains(c.function))
      return;
    g.onRequest = !isNotOnce(g);
    if (!g.onRequest || (g.isGuarded && !asksWhetherAtStart(c.function)))
      out_.findings.report(
          {FindingId::LoadOnRequest, c.loc, c.function,
           "the main loop may run " + f_.functions[c.function].name +
               ", too, which then does not load what it is asked to: once the "
               "pool is restored, the load is skipped here",
           g.onRequest
               ? "use nvm_restore_at_start() there"
               : "call it at start-up from a function that does nothing else"});
  }

  bool asksWhetherAtStart(Id function) const {
    return llvm::any_of(p_.callsOf(function), [&](Id k) {
      Id callee = f_.calls[k].callee;
      return callee != None &&
             f_.functions[callee].name == RuntimeCall::RestoreAtStart;
    });
  }

  /// while (!quit) { load(); serve(); }
  bool isAroundMainLoop(Id at) const {
    const Call &c = f_.calls[at];
    return llvm::any_of(p_.callsOf(c.function), [&](Id k) {
      return c_.loop.within(f_.calls[k].loop, p_.outermost(c.loop)) &&
             isMainLoopAfter(k, at);
    });
  }

  bool isMainLoopAfter(Id call, Id load) const {
    const Call &c = f_.calls[call];
    return mayPrecede(load, call) && c.callee != None &&
           c_.phases.leadsToLoop(c.callee);
  }

  /// What else the loop around the call does to what the pool keeps, which came
  /// back when it was first run; empty: nothing.
  std::string overwritten(Id call) {
    const Call &c = f_.calls[call];
    Id loop = p_.outermost(c.loop);
    auto why = [&](const StaticWrite &w) {
      return "it is called in a loop that also writes " + nameOf(w) + " (" +
             p_.describe(w.loc) +
             "), which is restored by then; create these, and load, in a "
             "function of its own that is called only if nvm_restore() is 0";
    };
    std::vector<Id> others;
    for (Id k : p_.callsOf(c.function))
      if (k != call && !c_.phases.isDeadEnd(k) &&
          c_.loop.within(f_.calls[k].loop, loop) && !isMainLoopAfter(k, call))
        others.push_back(k);
    IdSet beside;
    for (Id fn : c_.loop.reachableFrom(others))
      if (!loading_.contains(fn) && !c_.loop.startUp.contains(fn))
        beside.insert(fn);
    for (const StaticWrite &w : f_.staticWrites) {
      if (w.function == None || !kept_.holds(w))
        continue;
      bool inLoop = w.function == c.function && w.loop != None &&
                    c_.loop.within(w.loop, loop) &&
                    !p_.isCopyOf(w.value, c.result);
      if (inLoop || (beside.contains(w.function) && isPointer(w)))
        return why(w);
    }
    return "";
  }

  bool isPointer(const StaticWrite &w) const {
    return p_.isPointer(p_.typeOf(w.variable, w.path));
  }

  std::string nameOf(const StaticWrite &w) const {
    return p_.nameOf(w.variable, w.path);
  }

  //===-- What stands after the load -------------------------------------===//

  /// A change that each start makes once more.
  struct Change {
    std::string what;
    Loc loc;
    Id loop = None;      ///< innermost one around it
    bool ofRoot = false; ///< it writes the root `variable` ..
    Id variable = None;
    bool frees = false; ///< what the field leads to, and leaves it there
  };

  void collectWrites() {
    findPushed();
    for (const AnnouncedStore &a : out_.stores) {
      const StoreSite &s = f_.stores[a.store];
      if (s.function != None && (s.readModifyWrite || isPushed(s)))
        changes_[s.function].push_back({s.field == None
                                            ? "a persistent object"
                                            : f_.records[s.record].spelling +
                                                  "." + f_.fields[s.field].name,
                                        s.loc, loopAround(s)});
    }
    for (const StaticWrite &w : f_.staticWrites)
      if (w.function != None && kept_.holds(w) &&
          (w.readModifyWrite || isPointer(w)))
        changes_[w.function].push_back({nameOf(w), w.loc, w.loop,
                                        !w.readModifyWrite && !isPushed(w),
                                        w.variable});
    for (const StaticWrite &w : f_.staticWrites)
      if (w.function != None && w.value != None && isPointer(w))
        makes_[w.function].push_back(w.variable);
    for (const Call &c : f_.calls)
      if (Id field = leftDead(c); field != None)
        changes_[c.function].push_back(
            {f_.records[f_.fields[field].record].spelling + "." +
                 f_.fields[field].name,
             c.loc, c.loop, false, None, true});
  }

  /// The innermost loop around the store; None also where no statement of the
  /// loop's body can be edited.
  Id loopAround(const StoreSite &s) {
    Id innermost = None;
    for (Id l : p_.loopsOf(s.function))
      if (llvm::any_of(f_.loops[l].body,
                       [&](Span b) {
                         return b.file == s.span.file &&
                                b.begin <= s.span.begin && s.span.end <= b.end;
                       }) &&
          (innermost == None || c_.loop.within(l, innermost)))
        innermost = l;
    return innermost;
  }

  /// free(room->text): the member of a persistent object whose block is freed,
  /// where the function sets it to nothing else, and does not free such an
  /// object as a whole; None.
  Id leftDead(const Call &c) const {
    if (c.function == None || c.args.empty() ||
        !p_.isLibrary(c, LibraryFunction::Free))
      return None;
    const Id field = memberRead(c.args[0]);
    if (field == None || llvm::none_of(out_.types, [&](const auto &type) {
          return type.record == f_.fields[field].record;
        }))
      return None;
    for (Id i : p_.storesOf(c.function))
      if (Id to = f_.stores[i].field;
          to != None && f_.fields[to].cell == f_.fields[field].cell)
        return None;
    for (Id k : p_.callsOf(c.function)) {
      const Call &other = f_.calls[k];
      if (p_.isLibrary(other, LibraryFunction::Free) && !other.args.empty() &&
          other.args[0] != None &&
          p_.pointeeRecord(f_.nodes[p_.origin(other.args[0])].type) ==
              f_.fields[field].record)
        return None;
    }
    return field;
  }

  /// The member that the value is read from, also an element of it; None.
  Id memberRead(Id value) const {
    Id d = value == None ? None : p_.definition(p_.origin(value));
    if (d == None || f_.constraints[d].flow != Flow::Load)
      return None;
    for (Id at = f_.constraints[d].src; at != None;) {
      Id from = p_.definition(at);
      if (from == None)
        return None;
      const Constraint &k = f_.constraints[from];
      if (k.flow == Flow::Member)
        return k.extra;
      if (k.flow != Flow::Index && k.flow != Flow::Copy && k.flow != Flow::Cast)
        return None;
      at = k.src;
    }
    return None;
  }

  /// node->next = list->first, or table = realloc(table, more): what the
  /// member, or the variable, held goes on in what is put there instead.
  void findPushed() {
    for (const Call &c : f_.calls)
      if (c.function != None && !c.args.empty() && c.args[0] != None &&
          c_.allocators.reallocates(c))
        if (Id value = p_.origin(c.args[0]);
            f_.nodes[value].kind == NodeKind::Global &&
            p_.pointeeRecord(f_.nodes[value].type) != None) // no text
          pushed_.insert({c.function, value});
    for (const Constraint &k : f_.constraints) {
      if (k.flow != Flow::Store || k.function == None)
        continue;
      Id value = k.src;
      const Constraint *from = nullptr;
      while (value != None && f_.nodes[value].kind != NodeKind::Global) {
        Id d = p_.definition(value);
        from = d == None ? nullptr : &f_.constraints[d];
        value = p_.copied(value);
      }
      if (value != None)
        pushed_.insert({k.function, value});
      else if (Id d = from && from->flow == Flow::Load
                          ? p_.definition(from->src)
                          : None;
               d != None && f_.constraints[d].flow == Flow::Member)
        pushedFields_.insert(
            {k.function, f_.fields[f_.constraints[d].extra].cell});
    }
  }

  bool isPushed(const StoreSite &s) const {
    return s.field != None && p_.isPointer(f_.fields[s.field].type) &&
           pushedFields_.count({s.function, f_.fields[s.field].cell});
  }

  bool isPushed(const StaticWrite &w) const {
    return w.path.empty() ? pushed_.count({w.function, w.variable})
                          : pushedFields_.count(
                                {w.function, f_.fields[w.path.back()].cell});
  }

  void checkBehind(const LoadGuard &g) {
    made_.clear();
    IdSet entered;
    std::vector<Id> before;
    const std::vector<Id> way = c_.phases.wayTo(g.call);
    for (Id at : way) {
      const Call &c = f_.calls[at];
      // Of dead ends it is not known where goto leads between them.
      llvm::copy_if(
          p_.callsOf(c.function), std::back_inserter(before), [&](Id k) {
            return k != at && mayPrecede(k, at) &&
                   (c_.phases.order().isInBlock(k) || f_.calls[k].loc < c.loc);
          });
      for (const StaticWrite &w : f_.staticWrites)
        if (w.function == c.function && w.value != None &&
            c_.phases.order().mayPrecede(w.loc, w.loop, at))
          made_.insert(w.variable);
    }
    for (Id below : c_.loop.reachableFrom(before))
      if (!loading_.contains(below))
        for (Id variable : makes_[below])
          made_.insert(variable);
    for (Id k : before)
      reportBefore(k);
    for (Id at : way)
      if (reportBehind(f_.calls[at].function, at, entered))
        break;
  }

  /// add("built in"); load();  The list comes back as it was.
  void reportBefore(Id call) {
    const Call &c = f_.calls[call];
    if (c_.phases.isDeadEnd(call) || c.callee == None || isInMainLoop(c) ||
        c_.loop.leadsToLoad(call, out_.load))
      return;
    IdSet seen{c.function, c.callee};
    std::vector<Id> level{c.callee};
    for (unsigned depth = 0; !level.empty(); ++depth) {
      std::vector<Id> next;
      for (Id fn : level) {
        if (p_.isNoReturn(fn))
          continue;
        if (depth < 4)
          for (const StaticWrite *w : pushes(fn))
            if (Id record = p_.pointeeRecord(p_.typeOf(w->variable, w->path));
                !comesBackItself(w->variable, record, seen, c))
              reportAddedBefore(call, c.callee, nameOf(*w), w->loc, record);
        for (const RootInsertions::Added &x : adders_.in(fn))
          if (!comesBackItself(x.variable, x.made, seen, c) &&
              variablesAddedTo_.insert(x.variable).second)
            reportAddedBefore(call, fn, x.root, x.loc, x.record);
        for (Id k : p_.callsOf(fn))
          if (Id to = f_.calls[k].callee;
              to != None && !c_.phases.isDeadEnd(k) && seen.insert(to).second)
            next.push_back(to);
      }
      level = std::move(next);
    }
  }

  void reportAddedBefore(Id call, Id by, const std::string &root, Loc loc,
                         Id record) {
    const Call &c = f_.calls[call];
    if (!addedBefore_.insert(root).second)
      return;
    std::string cleared;
    for (Id k : out_.volatileFields)
      if (f_.fields[k].record == record)
        cleared += (cleared.empty() ? "" : ", ") + f_.fields[k].name;
    out_.findings.report(
        {FindingId::BeforeLoad, c.loc, c.function,
         f_.functions[c.callee].name +
             "() runs at each start before the load, and " +
             (by == c.callee ? "adds" : "may add") + " to the root " + root +
             " (" + p_.describe(loc) + "): the restored state replaces it" +
             (cleared.empty() ? ""
                              : ", with what earlier starts added, in which " +
                                    cleared + " may be null")});
  }

  /// standard = find_or_make("default"): what the call adds is what another
  /// root leads to, and comes back as well.
  bool comesBackItself(Id variable, Id record, const IdSet &in, const Call &c) {
    return record != None &&
           llvm::any_of(f_.staticWrites, [&](const StaticWrite &w) {
             bool isOfCall =
                 w.function == c.function
                     ? c.result != None && p_.isCopyOf(w.value, c.result)
                     : in.contains(w.function);
             return isOfCall && w.variable != variable && kept_.holds(w) &&
                    isPointer(w) &&
                    p_.pointeeRecord(p_.typeOf(w.variable, w.path)) == record &&
                    !isAddedTo(w.variable, in);
           });
  }

  bool isAddedTo(Id variable, const IdSet &in) {
    return llvm::any_of(in, [&](Id fn) {
      return llvm::any_of(adders_.in(fn), [&](const RootInsertions::Added &x) {
        return x.variable == variable;
      });
    });
  }

  /// What puts something before what a root led to.
  const std::vector<const StaticWrite *> &pushes(Id function) {
    if (pushes_.empty()) {
      pushes_.try_emplace(None);
      for (const StaticWrite &w : f_.staticWrites)
        if (w.function != None && kept_.holds(w) && isPointer(w) &&
            w.value != None && isPushed(w))
          pushes_[w.function].push_back(&w);
    }
    return pushes_[function];
  }

  bool goesToLoop(Id call, Id caller) {
    const Call &c = f_.calls[call];
    return c.callee != None && c.callee != caller &&
           !c_.phases.isDeadEnd(call) && !c_.loop.startUp.contains(c.callee) &&
           c_.phases.leadsToLoop(c.callee);
  }

  /// By direct calls that come back, beside what the load runs: through a table
  /// of functions everything would be.
  std::vector<Id> surelyReached(Id call) {
    return CallGraph(p_, c_.flow)
        .reach(c_.flow.callees(call),
               {.pointers = false,
                .bodies = true,
                .follows = [&](Id k) { return !c_.phases.isDeadEnd(k); },
                .enters =
                    [&](Id fn) {
                      return !loading_.contains(fn) && !p_.isNoReturn(fn);
                    }})
        .functions();
  }

  /// In `fn`, behind the call `at` (None: from its beginning) and before the
  /// main loop. True when that is reached.
  bool reportBehind(Id fn, Id at, IdSet &entered) {
    if (!entered.insert(fn).second)
      return false;
    std::vector<Id> toLoop; // calls in the main loop, or that lead to it
    Id last = None;         // of these that lead there
    for (Id k : p_.callsOf(fn))
      if (k != at && (at == None || mayPrecede(at, k))) {
        const bool goes = goesToLoop(k, fn);
        if (goes || isInMainLoop(f_.calls[k]))
          toLoop.push_back(k);
        if (goes)
          last = k;
      }
    for (Id k : p_.callsOf(fn)) {
      const Call &c = f_.calls[k];
      if (k == at || k == last || (at != None && !mayPrecede(at, k)) ||
          c_.phases.isAfter(k, toLoop) || isInMainLoop(c) ||
          c_.phases.isDeadEnd(k) || isAlternative(c) || dependsOnRestore(k) ||
          c_.loop.leadsToLoad(k, out_.load))
        continue;
      if (goesToLoop(k, fn)) {
        reportBehind(c.callee, None, entered);
        continue;
      }
      std::vector<const Change *> found;
      const std::vector<Id> reached = surelyReached(k);
      for (Id below : reached)
        changesIn(below, found);
      const std::string who = c.callee == None
                                  ? "what is called here"
                                  : f_.functions[c.callee].name + "()";
      const auto refusal = StartupRefusals(c_, kept_).in(reached);
      if (refusal && (!found.empty() || addsTo(c.callee)))
        reportRefusal(*refusal, c.loc, fn, who);
      else if (!found.empty())
        report(found, c.loc, fn, who);
      else if (isBesides(c, at))
        reportAddedBehind(k);
    }
    std::vector<const Change *> own;
    if (!loading_.contains(fn) && !asksForRestore(fn))
      changesIn(fn, own);
    const CallOrder &order = c_.phases.order();
    const Loop &loop = f_.loops[c_.loop.loop];
    auto isPastLoop = [&](const Change &x) {
      return (x.loop == None && loop.function == fn && loop.loc < x.loc) ||
             c_.phases.isAfter(x.loc, x.loop, toLoop);
    };
    for (const Change *x : own)
      if ((at == None || order.mayFollow(x->loc, x->loop, at)) &&
          !isInMainLoop(x->loop) && !isPastLoop(*x))
        report({x}, x->loc, fn, "the code after the load");
    if (last != None)
      reportBehind(f_.calls[last].callee, None, entered);
    return last != None || loop.function == fn;
  }

  /// Whenever the call `at`, or the function, is run.
  bool isBesides(const Call &c, Id at) const {
    return c.arms.empty() ||
           (at != None && Program::isAlongside(c.arms, f_.calls[at].arms));
  }

  /// What it adds to roots, also by functions that the load runs, too: load();
  /// add("built in");
  template <class See> void eachAdded(Id function, See see) {
    std::vector<Id> work{function};
    for (IdSet seen; !work.empty();) {
      Id fn = work.back();
      work.pop_back();
      if (fn == None || p_.isNoReturn(fn) || !seen.insert(fn).second)
        continue;
      for (const RootInsertions::Added &x : adders_.in(fn))
        see(x, fn);
      for (Id k : p_.callsOf(fn))
        if (!c_.phases.isDeadEnd(k))
          work.push_back(f_.calls[k].callee);
    }
  }

  bool addsTo(Id function) {
    bool adds = false;
    eachAdded(function,
              [&](const RootInsertions::Added &, Id) { adds = true; });
    return adds;
  }

  void reportAddedBehind(Id call) {
    const Call &c = f_.calls[call];
    eachAdded(c.callee, [&](const RootInsertions::Added &x, Id fn) {
      if (addedBehind_.insert(x.root).second)
        out_.findings.report(
            {FindingId::BehindLoad, c.loc, c.function,
             f_.functions[c.callee].name +
                 "() runs at each start, on restored state, and " +
                 (fn == c.callee ? "adds" : "may add") + " to the root " +
                 x.root + " (" + p_.describe(x.loc) + ")",
             "run it only if nvm_restore() was 0, or add only what is not "
             "there yet"});
    });
  }

  /// It stands in another arm of an if than the main loop.
  bool isAlternative(const Call &c) const {
    return llvm::any_of(c_.loop.loops.front().waits,
                        [&](Id wait) { return exclude(c, f_.calls[wait]); });
  }

  /// By hand: somebody has thought of what is behind.
  bool asksForRestore(Id function) const {
    return llvm::any_of(p_.callsOf(function), [&](Id k) {
      Id callee = f_.calls[k].callee;
      return callee != None && asksWhetherRestored(f_.functions[callee].name);
    });
  }

  /// In if (!nvm_restore()) { load(); fixup(); }, or alone in such an if.
  bool dependsOnRestore(Id call) const {
    const Call &c = f_.calls[call];
    return llvm::any_of(p_.callsOf(c.function), [&](Id k) {
      const Call &r = f_.calls[k];
      if (r.callee == None || !asksWhetherRestored(f_.functions[r.callee].name))
        return false;
      if (r.result != None && llvm::is_contained(c.zero, r.result))
        return true;
      return mayPrecede(k, call) && r.arms.size() < c.arms.size() &&
             llvm::any_of(
                 p_.callsOf(c.function),
                 [&](Id i) {
                   const Call &load = f_.calls[i];
                   return mayPrecede(k, i) &&
                          load.arms.size() > r.arms.size() &&
                          load.arms[r.arms.size()] == c.arms[r.arms.size()] &&
                          c_.loop.leadsToLoad(i, out_.load);
                 });
    });
  }

  void changesIn(Id function, std::vector<const Change *> &found) {
    auto at = changes_.find(function);
    if (at == changes_.end())
      return;
    for (const Change &x : at->second)
      if ((!x.ofRoot || made_.contains(x.variable)) &&
          reported_.insert(x.loc).second)
        found.push_back(&x);
  }

  /// It changes restored state, too, so what it finds may be its own.
  void reportRefusal(const StartupRefusals::Refusal &refusal, Loc loc,
                     Id function, const std::string &who) {
    const Call &finds = f_.calls[refusal.finds], &ends = f_.calls[refusal.ends];
    out_.findings.report(Finding{
        FindingId::BehindLoad, loc, function,
        who +
            " runs at each start, on restored state, which it changes, "
            "and ends the program by " +
            f_.functions[ends.callee].name + "() (" + p_.describe(ends.loc) +
            ") if " + f_.functions[finds.callee].name +
            "() finds something, as what the start before has added: "
            "the program starts once",
        "run it only if nvm_restore() was 0, or let it skip what is "
        "there"}
                             .as(Severity::Act));
  }

  void report(const std::vector<const Change *> &found, Loc loc, Id function,
              const std::string &who) {
    if (found.empty())
      return;
    const Change &x =
        **llvm::min_element(found, [](const Change *a, const Change *b) {
          return a->loc < b->loc;
        });
    std::string more =
        found.size() == 1
            ? ""
            : ", and " + std::to_string(found.size() - 1) + " more";
    out_.findings.report(
        {FindingId::BehindLoad, loc, function,
         who + " runs at each start, on restored state, and " +
             (x.frees ? "frees what " + x.what +
                            " points to, which is then a dead pointer"
              : x.ofRoot
                  ? "writes the root " + x.what +
                        ", which code before the load also creates"
                  : "changes " + x.what + " depending on its old value") +
             " (" + p_.describe(x.loc) + more + ")"});
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  StartupEffectsParts out_;
  RestoredStatics kept_;
  RootInsertions adders_;
  IdSet loading_; ///< functions
  IdSet made_;    ///< variables that code before the load sets
  std::set<std::pair<Id, Id>> pushed_, pushedFields_; ///< by function
  IdMap<std::vector<Change>> changes_;                ///< by function
  IdMap<std::vector<const StaticWrite *>> pushes_;    ///< by function
  IdSet variablesAddedTo_;                            ///< likewise
  std::set<std::string> addedBefore_, addedBehind_; ///< roots, reported already
  std::set<Loc> reported_;       ///< of changes, each with its first call
  IdMap<std::vector<Id>> makes_; ///< variables, by function
};

} // namespace

namespace nvmove {

void checkStartupEffects(StartupEffectsParts a) {
  StartupEffectChecker(a.context, a).run();
}

} // namespace nvmove
