//===- ExitTeardown.cpp - State that the program frees before it ends -----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   while (serve(server)) ..
//   save(server);
//   free_all(server);
//
// A program that frees all it has before it ends, as checkers of memory want
// it, empties the pool with it: a stop loses what a crash would not. From the
// first such call behind the last save on, nothing has to reach the pool: the
// program as it was loses it, too.
//
// Where the program ends: after the main loops, if none of them is entered
// again; before exit(); in functions that exit() calls.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/flow/Streams.h"
#include "passes/solve/startup/DetachOrder.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

REPORTS(DetachedAtExit, DetachedEarly, FreedAtExit)

using namespace nvmove;

namespace {

using ExitTeardownParts = View<const Types, const Roots, const FoundGuards,
                               Detaches, SectionsBeforeEnd>;

class ExitTeardown {
public:
  ExitTeardown(const SolveContext &context, const std::vector<Id> &save,
               const ExitTeardownParts &found)
      : c_(context), p_(context.program), f_(p_.facts), out_(found),
        save_(save.begin(), save.end()) {}

  void run() {
    for (const PersistentType &t : out_.types) {
      persistent_.insert(t.record);
      if (t.byValue)
        byValue_.insert(t.record);
    }
    findWritten();
    findFrees();
    if (freeing_.empty() && written_.empty())
      return;
    order_.emplace(c_, out_.guards);
    if (!freeing_.empty())
      findPlaces();
    settle();
  }

private:
  void findPlaces() {
    findSaves();
    findAroundLoops();
    findEnds();
    std::vector<Id> late = c_.loop.handlerCalls;
    for (Id main : c_.loop.mains)
      llvm::append_range(late, behindLoops(main));
    late_ = c_.loop.reachableFrom(late);
    for (Id main : c_.loop.mains) {
      visit(behindLoops(main));
      visitBeforeLoops(main);
    }
    for (Id fn = 0; fn < f_.functions.size(); ++fn) {
      if (c_.pointsTo.reached().contains(fn))
        continue;
      visit(runByExit_.contains(fn) ? p_.callsOf(fn) : beforeExit(fn));
      const Span end = endOfLoops(fn);
      for (Id i : p_.callsOf(fn))
        if (isBehind(i, end) && !seen_.contains(i) && tearsDown(i) &&
            !detaches(i))
          reportKept(i, "at the next start the pool would not contain them");
    }
  }

  /// A call that nvm_detach() is put before, perhaps together with other
  /// statements, unless it turns out that something follows.
  struct Place {
    Id call;
    std::vector<Detach> detaches;
    bool ifReturns = false;
  };

  bool isDetach(const Call &c) const {
    return c.callee != None &&
           f_.functions[c.callee].name == RuntimeCall::Detach;
  }
  /// Calls of nvm_detach() that are there already.
  void findWritten() {
    for (Id i = 0; i < f_.calls.size(); ++i)
      if (const Call &c = f_.calls[i]; c.function != None && isDetach(c)) {
        detaching_.insert(c.function);
        if (!p_.isInChild(i))
          written_.insert(i);
      }
  }

  /// Of what is written already, and what would be, that stays which nothing
  /// follows. Which sections there are depends on it, and the other way round:
  /// each place that goes may bring sections back that another one had in the
  /// way.
  void settle() {
    for (;;) {
      IdSet puts;
      for (const Place &place : places_)
        if (!place.ifReturns)
          puts.insert(place.call);
      const DetachedCalls detached(c_, order_->loops(), puts, written_);
      std::vector<Section> sections = detached.without(out_.sections);
      order_->setSections(sections);
      inSections_.clear();
      for (const Section &s : sections) {
        inSections_.insert(s.call);
        inSections_.insert(s.calls.begin(), s.calls.end());
      }
      if (refuseOne())
        continue;
      out_.sections = std::move(sections);
      break;
    }
    for (const Place &place : places_) {
      llvm::append_range(out_.detaches, place.detaches);
      if (!place.ifReturns)
        report(
            FindingId::DetachedAtExit, place.call,
            "nvm_detach() is put before it, and later changes do not reach the "
            "pool");
    }
  }

  /// The first that something follows; false: there is none.
  bool refuseOne() {
    for (Id i : written_)
      if (Id next = order_->followed(i, /*isBefore=*/false); next != None) {
        const Call &c = f_.calls[i];
        out_.findings.report(
            {FindingId::DetachedEarly, c.loc, c.function,
             "the program may go on to load, to wait for input or to begin a "
             "section after nvm_detach(): by the call at " +
                 p_.describe(f_.calls[next].loc)});
        written_.erase(i);
        return true;
      }
    for (auto place = places_.begin(); place != places_.end(); ++place)
      if (Id next = order_->followed(place->call, /*isBefore=*/true);
          next != None) {
        if (!servesAlone(place->call))
          reportKept(
              place->call,
              "nvm_detach() cannot be put before it, as a section may begin "
              "after it, by the call at " +
                  p_.describe(f_.calls[next].loc) +
                  ": at the next start the pool would not contain them");
        places_.erase(place);
        return true;
      }
    return false;
  }

  /// Another mode of the program: it takes input, and frees in sections alone,
  /// which is no teardown.
  bool servesAlone(Id call) const {
    IdSet seen;
    return !freesBesides(call, seen) &&
           llvm::any_of(c_.loop.reachableFrom({call}), [&](Id fn) {
             return llvm::any_of(p_.callsOf(fn), [&](Id i) {
               return p_.isLibrary(f_.calls[i], LibraryFunction::Input);
             });
           });
  }
  bool freesBesides(Id call, IdSet &seen) const {
    if (inSections_.contains(call) || p_.isDeadEnd(call))
      return false;
    if (freesItself(call))
      return true;
    return llvm::any_of(c_.flow.callees(call), [&](Id fn) {
      return seen.insert(fn).second && llvm::any_of(p_.callsOf(fn), [&](Id i) {
               return freesBesides(i, seen);
             });
    });
  }

  /// free(), and functions that hand a parameter on to it.
  void findFrees() {
    for (bool grown = true; grown;) {
      grown = false;
      for (Id i = 0; i < f_.calls.size(); ++i) {
        const Call &c = f_.calls[i];
        Id a = freed(c);
        if (a == None || c.function == None)
          continue;
        const std::vector<Id> &params = f_.functions[c.function].params;
        auto at = llvm::find(params, p_.origin(a));
        if (at != params.end())
          grown |= wrappers_.insert({c.function, at - params.begin()}).second;
        if (isPersistent(a))
          freeing_.insert(c.function);
      }
    }
  }

  /// The functions that were named, or that open a file and print to it what
  /// persistent objects hold.
  void findSaves() {
    if (!save_.empty())
      return;
    IdSet looking, printing, opening;
    for (const Constraint &k : f_.constraints)
      if (k.flow == Flow::Member && k.function != None &&
          persistent_.contains(f_.fields[k.extra].record))
        looking.insert(k.function);
    for (const Call &c : f_.calls) {
      if (c.function == None || c.callee == None)
        continue;
      llvm::StringRef name = f_.functions[c.callee].name;
      if (p_.isLibrary(c, LibraryFunction::Output) ||
          streamArgument(name, false) >= 0 ||
          (!f_.functions[c.callee].hasBody && mayWriteFile(name)))
        printing.insert(c.function);
      if (beginsFile(name))
        opening.insert(c.function);
    }
    auto any = [](const IdSet &in, const IdSet &of) {
      return llvm::any_of(in, [&](Id fn) { return of.contains(fn); });
    };
    for (Id fn : opening) {
      IdSet below = c_.loop.reachableFrom(p_.callsOf(fn));
      below.insert(fn);
      if (!c_.pointsTo.reached().contains(fn) && any(below, looking) &&
          any(below, printing))
        save_.insert(fn);
    }
  }

  void findAroundLoops() {
    std::vector<Id> functions;
    for (const MainLoop &loop : c_.loop.loops)
      if (loop.loop != None)
        functions.push_back(f_.loops[loop.loop].function);
    auto isOutside = [&](Id fn) { return !c_.phases.handled.contains(fn); };
    aroundLoops_ =
        CallGraph(p_, c_.flow)
            .reachedBy(functions, {.pointers = false, .enters = isOutside})
            .set();
  }

  /// The argument that the call frees; None.
  Id freed(const Call &c) const {
    if (p_.isLibrary(c, LibraryFunction::Free))
      return c.args.empty() ? None : c.args[0];
    for (size_t k = 0; c.callee != None && k < c.args.size(); ++k)
      if (wrappers_.count({c.callee, k}))
        return c.args[k];
    return None;
  }

  /// By the type that it is a pointer to before it becomes a void *.
  bool isPersistent(Id node) const { return isOne(node, persistent_); }
  bool isOne(Id node, const IdSet &records) const {
    for (; node != None; node = p_.copied(node))
      if (Id r = p_.pointeeRecord(f_.nodes[node].type); r != None)
        return records.contains(r);
    return false;
  }

  bool freesItself(Id call) const {
    Id a = freed(f_.calls[call]);
    return a != None && isPersistent(a);
  }
  /// The first function that frees what the call makes free; None.
  Id freeingBelow(Id call) const {
    Id by = None;
    for (Id fn : c_.loop.reachableFrom({call}))
      if (freeing_.contains(fn) && (by == None || fn < by))
        by = fn;
    return by;
  }
  bool saves(Id call) const { return leadsTo(call, save_); }
  bool detaches(Id call) const {
    return isDetach(f_.calls[call]) || leadsTo(call, detaching_);
  }

  /// It is there to free many of them, or is done when the program ends: not a
  /// log that may drop a message, nor a load, which puts others there, but a
  /// save that loads before.
  bool tearsDown(Id call) {
    if (c_.loop.leadsToLoad(call, out_.load) && !saves(call))
      return false;
    IdSet seen;
    return tearsDown(call, f_.calls[call].loop != None, 2, seen);
  }
  bool tearsDown(Id call, bool inLoop, unsigned depth, IdSet &seen) {
    const Call &c = f_.calls[call];
    if (freesItself(call) &&
        (isOne(freed(c), byValue_) || inLoop || isRoot(p_.origin(freed(c))) ||
         aroundLoops_.contains(c.function)))
      return true;
    if (c.callee == None || !f_.functions[c.callee].hasBody ||
        llvm::is_contained(out_.load, c.callee) ||
        !seen.insert(c.callee).second)
      return false;
    bool isLast = isOnlyAtEnd(c.callee);
    if (!isLast && depth == 0)
      return false;
    auto isRecursion = [&](Id i) { return f_.calls[i].callee == c.callee; };
    inLoop |= llvm::any_of(p_.callsOf(c.callee), isRecursion);
    return llvm::any_of(p_.callsOf(c.callee), [&](Id i) {
      return tearsDown(i, inLoop || f_.calls[i].loop != None,
                       isLast ? depth : depth - 1, seen);
    });
  }
  bool isRoot(Id node) const {
    Id k = node == None ? None : p_.definition(node);
    if (k == None || f_.constraints[k].flow != Flow::Load)
      return false;
    Id from = f_.constraints[k].src, m = p_.definition(from);
    return holdsRoot(p_.variableAt(from)) ||
           (m != None && f_.constraints[m].flow == Flow::Member &&
            llvm::any_of(out_.roots, [&](const Root &r) {
              return r.kept() &&
                     llvm::any_of(r.containerFields, [&](const auto &way) {
                       return way.back() == f_.constraints[m].extra;
                     });
            }));
  }
  /// Nothing calls it but what is behind the loops, or ends the program.
  bool isOnlyAtEnd(Id function) {
    auto [at, fresh] = onlyAtEnd_.try_emplace(function, true);
    if (!fresh)
      return at->second;
    bool result =
        !p_.isAddressTaken(f_.functions[function].node) &&
        llvm::all_of(p_.callersOf(function), [&](Id i) {
          Id caller = f_.calls[i].function;
          return caller != None &&
                 (p_.isDeadEnd(i) || runByExit_.contains(caller) ||
                  isBehind(i, endOfLoops(caller)) || isOnlyAtEnd(caller));
        });
    return onlyAtEnd_[function] = result;
  }

  bool isBehind(Id call, Span end) const {
    const Span s = f_.calls[call].span;
    return end.valid() && s.file == end.file && s.begin >= end.end;
  }

  /// Of the last statement in `function` that is a main loop, or leads to one;
  /// or to the load, behind a loop that reads what it needs.
  Span endOfLoops(Id function) const {
    Span end;
    if (!aroundLoops_.contains(function))
      return end;
    auto add = [&](Span s) {
      if (!end.valid() || s.end > end.end)
        end = s;
    };
    llvm::for_each(c_.loop.entriesIn(function), add);
    // while (fgets(..)) configure(); load(); library_main(); free_all();
    for (Id i : p_.callsOf(function))
      if (isBehind(i, end) && c_.loop.leadsToLoad(i, out_.load) && !saves(i))
        add(f_.calls[i].span);
    return end;
  }

  bool isCalledOnce(Id function) const {
    return p_.callersOf(function).size() == 1 &&
           !p_.isAddressTaken(f_.functions[function].node);
  }

  /// The calls that are made once the last main loop has ended, in order: of
  /// `function` and, before them, of what it calls once to run the loop.
  std::vector<Id> behindLoops(Id function) const {
    const Span end = endOfLoops(function);
    std::vector<Id> result;
    for (Id i : p_.callsOf(function)) {
      const Call &c = f_.calls[i];
      if (isBehind(i, end))
        result.push_back(i);
      else if (c.span == end && c.loop == None && c.callee != None &&
               isCalledOnce(c.callee))
        llvm::append_range(result, behindLoops(c.callee));
    }
    return result;
  }

  void findEnds() {
    for (const Call &c : f_.calls) {
      if (c.callee == None || c.function == None)
        continue;
      llvm::StringRef name = f_.functions[c.callee].name;
      if (hasTrait(name, LibraryFunction::CallsAtExit))
        exiting_.insert(c.function);
      if (hasTrait(name, LibraryFunction::RunsAtExit) && !c.args.empty() &&
          c.args[0] != None)
        if (Id at = p_.variableAt(c.args[0]); at != None)
          if (Id fn = p_.functionOf(at); fn != None)
            runByExit_.insert(fn);
    }
  }

  bool leadsTo(Id call, const IdSet &functions) const {
    return !functions.empty() &&
           llvm::any_of(c_.loop.reachableFrom({call}),
                        [&](Id fn) { return functions.contains(fn); });
  }

  /// Where it is _exit() or abort(), nothing is committed; nor in a child.
  bool exits(Id call) const {
    Id callee = f_.calls[call].callee;
    if (callee == None || p_.isInChild(call))
      return false;
    return f_.functions[callee].hasBody
               ? p_.isNoReturn(callee) && leadsTo(call, exiting_)
               : hasTrait(f_.functions[callee].name,
                          LibraryFunction::CallsAtExit);
  }

  /// free_all(); exit(0);
  std::vector<Id> beforeExit(Id function) const {
    std::vector<Id> ends, result;
    for (Id i : p_.callsOf(function))
      if (exits(i))
        ends.push_back(i);
    const bool always = p_.isNoReturn(function) &&
                        !aroundLoops_.contains(function) &&
                        (late_.contains(function) ||
                         p_.isAddressTaken(f_.functions[function].node));
    for (Id i : p_.callsOf(function)) {
      const Call &c = f_.calls[i];
      if ((always || p_.isDeadEnd(i)) && !exits(i) && !p_.isInChild(i) &&
          llvm::any_of(ends, [&](Id end) {
            const Call &last = f_.calls[end];
            return c.loc.file == last.loc.file && c.loc < last.loc &&
                   !Program::exclude(c.arms, last.arms);
          }))
        result.push_back(i);
    }
    return result;
  }

  /// Instead of a call that both saves and frees, those that it leads to.
  std::vector<Id> spread(const std::vector<Id> &calls) {
    std::vector<Id> result;
    for (Id i : calls) {
      Id callee = f_.calls[i].callee;
      if (callee != None && f_.functions[callee].hasBody &&
          isCalledOnce(callee) && f_.calls[i].loop == None && tearsDown(i) &&
          saves(i) && seen_.insert(i).second)
        llvm::append_range(result, spread(p_.callsOf(callee)));
      else
        result.push_back(i);
    }
    return result;
  }

  /// Calls behind which the program ends.
  void visit(std::vector<Id> calls) {
    calls = spread(calls);
    auto excluded = [&](Id a, Id b) {
      return f_.calls[a].function == f_.calls[b].function &&
             Program::exclude(f_.calls[a].arms, f_.calls[b].arms);
    };
    std::vector<Id> detached;
    for (size_t at = 0; at < calls.size(); ++at) {
      const Id i = calls[at];
      if (!seen_.insert(i).second)
        continue;
      if (detaches(i))
        detached.push_back(i);
      // void quit(void) { free_all(); exit(0); } sees to it.
      Id callee = f_.calls[i].callee;
      bool sees = exits(i) && f_.functions[callee].hasBody &&
                  !c_.pointsTo.reached().contains(callee);
      if (sees || !tearsDown(i) ||
          llvm::any_of(detached, [&](Id d) { return runsBefore(d, i); }))
        continue;
      // It serves requests, and frees on the way: that is no end.
      if (order_->goesOn(i, /*isBefore=*/true) != None)
        continue;
      // What it frees is not in what is saved after it.
      bool saved = false;
      for (size_t k = at + 1; k < calls.size() && !saved; ++k)
        saved =
            !excluded(i, calls[k]) && saves(calls[k]) && !tearsDown(calls[k]);
      if (saved)
        continue;
      detached.push_back(i);
      detach(i, at == 0 ? None : calls[at - 1]);
    }
  }

  /// if (listen(fd) < 0) { free_all(); return 1; }
  void visitBeforeLoops(Id main) {
    std::vector<Id> detached;
    for (Id i : p_.callsOf(main)) {
      const Call &c = f_.calls[i];
      if (detaches(i))
        detached.push_back(i);
      if (!seen_.contains(i) && c.loop == None && !c.arms.empty() &&
          !p_.isDeadEnd(i) && tearsDown(i) &&
          order_->goesOn(i, /*isBefore=*/true) == None &&
          llvm::none_of(detached, [&](Id d) { return runsBefore(d, i); }))
        places_.push_back({i, {{c.statement, c.loc, main, None, true}}, true});
    }
  }

  /// Also where roots are cleared behind the call before: next = items; items =
  /// NULL; free_all(next);
  void detach(Id call, Id before) {
    const Call &c = f_.calls[call];
    Place place{call, {}};
    auto add = [&](const StatementSpan &s, Loc loc, Id loop) {
      place.detaches.push_back({s, loc, c.function, loop});
    };
    const bool isSame =
        before != None && f_.calls[before].function == c.function;
    const Span end = endOfLoops(c.function);
    for (const StaticWrite &w : f_.staticWrites)
      if (w.function == c.function && w.loc.file == c.loc.file &&
          w.loc < c.loc && holdsRoot(w.variable) && w.statement.span.valid() &&
          (isSame ? f_.calls[before].loc < w.loc
                  : !end.valid() || end.end <= w.statement.span.begin))
        add(w.statement, w.loc, loopAround(call, w.loop));
    add(c.statement, c.loc, loopAround(call, c.loop));
    places_.push_back(std::move(place));
  }

  /// The outermost loop around `loop` in which control stays behind the call,
  /// as in one that frees one object after the other: not one that waits, or
  /// opens files, in which the program ends.
  Id loopAround(Id call, Id loop) const {
    Id around = None;
    for (; loop != None && !c_.loop.isInLoop(loop) &&
           order_->loops().goesRound(call, loop);
         loop = f_.loops[loop].parent)
      around = loop;
    return around;
  }

  bool holdsRoot(Id variable) const {
    return llvm::any_of(out_.roots, [&](const Root &r) {
      return r.kept() && r.variable == variable;
    });
  }

  /// Whenever `call` is made.
  bool runsBefore(Id first, Id call) const {
    const Call &a = f_.calls[first], &b = f_.calls[call];
    return a.function != b.function || Program::isAlongside(a.arms, b.arms);
  }

  void reportKept(Id call, const std::string &what) {
    if (reportedIn_.insert(f_.calls[call].function).second)
      report(FindingId::FreedAtExit, call, what);
  }
  void report(const FindingKind &id, Id call, const std::string &what) {
    const Call &c = f_.calls[call];
    std::string by =
        freesItself(call)
            ? ""
            : " (in " + f_.functions[freeingBelow(call)].name + ")";
    out_.findings.report(
        {id, c.loc, c.function,
         f_.functions[c.function].name +
             " continues to the end of the program here, and frees persistent "
             "objects" +
             by + ": " + what});
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  ExitTeardownParts out_;
  IdSet byValue_;     ///< records of start-up's own
  IdSet persistent_;  ///< records
  IdSet save_;        ///< functions
  IdSet aroundLoops_; ///< functions that run main loops, and their callers
  std::set<std::pair<Id, size_t>> wrappers_; ///< function, parameter
  IdSet freeing_; ///< functions that free persistent objects themselves
  IdSet late_;    ///< functions that run once the main loop does
  IdSet exiting_, detaching_, runByExit_; ///< functions
  IdMap<bool> onlyAtEnd_;
  IdSet seen_;       ///< calls
  IdSet reportedIn_; ///< functions
  std::optional<DetachOrder> order_;
  IdSet written_;             ///< calls of nvm_detach()
  std::vector<Place> places_; ///< of others
  IdSet inSections_;          ///< calls that sections consist of
};

} // namespace

namespace nvmove {

void findExitTeardown(ExitTeardownParts a) {
  ExitTeardown(a.context, a.save, a).run();
}

} // namespace nvmove
