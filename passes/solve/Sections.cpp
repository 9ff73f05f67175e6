//===- Sections.cpp - What becomes durable together, and where the load is
// skipped -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/Answers.h"
#include "passes/solve/CallDominators.h"
#include "passes/solve/KeptStatics.h"
#include "passes/solve/LoopBody.h"
#include "passes/solve/Verdict.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace nvmove;

namespace {

class SectionFinder {
public:
  SectionFinder(const SolveContext &c, Solution &solution)
      : c_(c), p_(c.program), f_(c.program.facts), out_(solution),
        storesIn_(f_.functions.size(), 0), kept_(solution) {
    for (const MainLoop &loop : c.loop.loops)
      bodies_.push_back({LoopBody(c.program, c.loop, loop), {}, false});
    auto count = [&](Id fn, Span place) {
      if (fn == None)
        return;
      ++storesIn_[fn];
      note(fn, place);
    };
    for (const AnnouncedStore &s : out_.stores)
      count(f_.stores[s.store].function, f_.stores[s.store].span);
    for (const ReplacedCall &r : out_.replaced)
      if (!p_.isLibrary(f_.calls[r.call], LibraryFunction::Output))
        count(f_.calls[r.call].function, f_.calls[r.call].calleeSpan);
    for (const AllocationSite &a : out_.allocations)
      count(f_.calls[a.call].function, f_.calls[a.call].span);
    changesIn_ = storesIn_;
    for (const StaticWrite &w : f_.staticWrites)
      if (w.function != None && kept_.holds(w)) {
        ++changesIn_[w.function];
        note(w.function, w.statement.span);
      }
  }

  void run() {
    guards();
    for (size_t i = 0; i < bodies_.size(); ++i)
      body(bodies_[i], c_.loop.loops[i]);
    dispatcher();
    inner();
    user();
    if (out_.sections.empty())
      noSections();
    else
      handedOver();
  }

private:
  void noSections() {
    bool found = c_.loop.loop != None;
    Id fn = found ? f_.loops[c_.loop.loop].function : None;
    out_.notCovered.push_back(
        {"no-sections", found ? f_.loops[c_.loop.loop].loc : Loc(), fn,
         (found ? "the loop that waits for input makes no call that could be "
                  "a section and is seen to change persistent state"
                : "no loop that waits for input was found below main") +
             std::string("; name the functions that change the state with "
                         "--section")});
  }

  /// A loop of a library calls handlers that no loop of the program does:
  /// watch(fd, got_packet); run().
  void handedOver() {
    std::vector<Id> calls;
    for (const Section &s : out_.sections)
      calls.insert(calls.end(), s.calls.begin(), s.calls.end());
    const IdSet inside = c_.loop.reachableFrom(calls);
    const std::set<Id> bracketed(calls.begin(), calls.end());
    IdSet told;
    auto see = [&](const Call &c, Id handler) {
      if (inside.contains(handler) || c_.pointsTo.reached().contains(handler) ||
          !changesOutside(handler, bracketed) || !told.insert(handler).second)
        return;
      out_.notCovered.push_back(
          {"store-outside-section", c.loc, c.function,
           f_.functions[handler].name + " is handed to " +
               f_.functions[c.callee].name +
               "(), and changes persistent state in no section: it becomes "
               "durable with the next commit, if there is one; name what it "
               "calls with --section"});
    };
    for (const Call &c : f_.calls) {
      if (c.callee == None || f_.functions[c.callee].hasBody ||
          c.function == None || inside.contains(c.function) ||
          c_.pointsTo.reached().contains(c.function) ||
          f_.functions[c.callee].name == "atexit")
        continue; // it may be called at once, or last
      for (Id a : c.args) {
        if (a == None)
          continue;
        if (p_.isFunctionPointer(f_.nodes[a].type))
          for (Id fn : c_.flow.functionsIn(c_.flow.atNode(a)))
            see(c, fn);
        for (Id fn : c_.flow.functionsInTable(a))
          see(c, fn);
      }
    }
  }

  /// Below it, and not below calls that are sections.
  bool changesOutside(Id function, const std::set<Id> &bracketed) const {
    std::vector<Id> work{function};
    IdSet seen;
    while (!work.empty()) {
      Id fn = work.back();
      work.pop_back();
      if (!seen.insert(fn).second)
        continue;
      if (changesIn_[fn])
        return true;
      for (Id i : p_.callsOf(fn))
        if (!bracketed.count(i))
          llvm::append_range(work, c_.flow.callees(i));
    }
    return false;
  }

  static unsigned reached(const std::vector<unsigned> &in,
                          const IdSet &functions) {
    unsigned n = 0;
    for (Id fn : functions)
      n += in[fn];
    return n;
  }
  unsigned storesReached(const IdSet &functions) const {
    return reached(storesIn_, functions);
  }

  unsigned changesBelow(Id call) {
    return reached(changesIn_, c_.loop.reachableFrom({call}));
  }

  /// Of a loop.
  struct Body {
    LoopBody part;
    std::vector<Span> places; ///< where its function makes changes
    bool isSection;
  };

  void note(Id function, Span place) {
    for (Body &b : bodies_)
      if (function == b.part.function)
        b.places.push_back(place);
  }

  /// The loop carries out commands by itself, or calls what does where no
  /// statement could be bracketed.
  void body(Body &b, const MainLoop &loop) {
    const LoopBody &part = b.part;
    unsigned own =
        llvm::count_if(b.places, [&](Span s) { return part.covers(s); });
    std::vector<Id> calls;
    bool isNeeded = own;
    for (Id i : loop.handlerCalls)
      if (part.covers(i) && changesBelow(i)) {
        calls.push_back(i);
        isNeeded |= !f_.calls[i].statement.span.valid();
      }
    // Where what waits serves events, too, the loop does no more than the rest.
    for (Id i : loop.handlerCalls)
      isNeeded &= f_.calls[i].function == part.function || !changesBelow(i);
    for (Id fn : loop.dispatcher)
      isNeeded &= changesIn_[fn] == 0;
    if ((isNeeded || part.isSection) && part.loop != None) {
      unsigned below = reached(changesIn_, c_.loop.reachableFrom(calls)),
               all = reached(changesIn_,
                             c_.loop.reachableFrom(loop.handlerCalls));
      Section s{};
      s.kind = Section::Kind::Body;
      s.function = part.function;
      s.loop = part.loop;
      s.calls = std::move(calls);
      s.body = part.span;
      s.share = double(own + below) / std::max(1u, own + all);
      s.name = "loop of " + f_.functions[s.function].name;
      out_.sections.push_back(std::move(s));
      b.isSection = true;
    }
    for (Span s : b.places)
      if (part.isBeside(s) || (!b.isSection && part.covers(s)))
        return out_.notCovered.push_back(
            {"store-outside-section", f_.loops[loop.loop].loc, part.function,
             "the loop that waits for input changes persistent state by "
             "itself, where no section can be put around: it becomes durable "
             "with the next commit, if there is one; do it in a function"});
  }

  void dispatcher() {
    if (c_.loop.loop == None)
      return;
    unsigned total = std::max(
        1u, reached(changesIn_, c_.loop.reachableFrom(c_.loop.handlerCalls)));
    for (Id i : c_.loop.handlerCalls) {
      const Call &c = f_.calls[i];
      unsigned n = changesBelow(i);
      if (n == 0 || llvm::any_of(bodies_, [&](const Body &b) {
            return b.isSection && b.part.covers(i);
          }))
        continue;
      if (!c.statement.span.valid()) {
        out_.notCovered.push_back({"section-not-bracketed", c.loc, c.function,
                                   "this call changes persistent state but "
                                   "does not stand in a statement of its own"});
        continue;
      }
      Section s{};
      s.kind = Section::Kind::Dispatcher;
      s.call = i;
      s.function = c.function;
      s.calls = {i};
      s.share = double(n) / total;
      s.name = nameOf(c);
      out_.sections.push_back(std::move(s));
    }
    llvm::sort(out_.sections, [](const Section &a, const Section &b) {
      return a.share > b.share;
    });
    // Functions below the loop must not store outside the sections.
    IdSet dispatchers;
    for (const MainLoop &loop : c_.loop.loops)
      dispatchers.insert(loop.dispatcher.begin(), loop.dispatcher.end());
    for (Id fn : dispatchers)
      if (storesIn_[fn])
        out_.notCovered.push_back(
            {"store-outside-section", f_.functions[fn].loc, fn,
             f_.functions[fn].name +
                 " changes persistent state between sections; it becomes "
                 "durable with the next commit"});
  }

  // Output inside a handler commits what the handler has done so far. So that
  // it never commits half an update, the function that most updates go through
  // is a section inside the handler's. Shared primitives (a hash table's
  // insert) are dominated by nothing but the loop, so no share of all stores
  // decides: from the heaviest subtree of the dominator tree the walk goes down
  // as long as one child keeps half of it and still reaches nearly all stores.
  void inner() {
    if (c_.loop.loop == None)
      return;
    CallDominators dominators(p_, c_.flow, c_.loop.handlerCalls);
    IdMap<unsigned> below;
    IdMap<Id> heaviest; // child of each function
    auto offer = [&](Id parent, Id child) {
      auto [at, fresh] = heaviest.try_emplace(parent, child);
      if (!fresh && below[child] > below[at->second])
        at->second = child;
    };
    Id entry = None;
    for (auto i = dominators.order().rbegin(); i != dominators.order().rend();
         ++i) {
      below[*i] += storesIn_[*i];
      Id up = dominators.immediate(*i);
      if (up != None) {
        below[up] += below[*i];
        offer(up, *i);
      } else if (entry == None || below[*i] > below[entry]) {
        entry = *i;
      }
    }
    if (entry == None)
      return;
    unsigned total = std::max(
        1u, storesReached(c_.loop.reachableFrom(c_.loop.handlerCalls)));
    auto share = [&](Id fn) {
      IdSet reached = c_.loop.reachableFrom(p_.callsOf(fn));
      reached.insert(fn);
      return double(storesReached(reached)) / total;
    };
    Id best = entry;
    for (auto child = heaviest.find(best);
         child != heaviest.end() && below[child->second] * 2 >= below[best] &&
         share(child->second) >= 0.9 * share(best);
         child = heaviest.find(best))
      best = child->second;
    if (share(best) < 0.5 || !mayOutput(best))
      return;
    Section s{};
    s.kind = Section::Kind::Inner;
    s.function = best;
    s.share = share(best);
    s.name = f_.functions[best].name;
    for (Id i : p_.callersOf(best))
      if (f_.calls[i].statement.span.valid())
        s.calls.push_back(i);
      else
        out_.notCovered.push_back(
            {"section-not-bracketed", f_.calls[i].loc, f_.calls[i].function,
             "the call of " + s.name +
                 " does not stand in a statement of its own; an output below "
                 "it may commit half an update"});
    out_.sections.push_back(std::move(s));
  }

  bool mayOutput(Id function) const {
    IdSet below = c_.loop.reachableFrom(p_.callsOf(function));
    below.insert(function);
    return llvm::any_of(out_.replaced, [&](const ReplacedCall &r) {
      const Call &c = f_.calls[r.call];
      return p_.isLibrary(c, LibraryFunction::Output) &&
             below.contains(c.function);
    });
  }

  std::string nameOf(const Call &c) const {
    if (c.callee != None)
      return f_.functions[c.callee].name;
    Id d = p_.definition(c.target);
    if (d != None && f_.constraints[d].flow == Flow::Load)
      d = p_.definition(f_.constraints[d].src);
    if (d != None && f_.constraints[d].flow == Flow::Member)
      return f_.fields[f_.constraints[d].extra].name;
    return f_.nodes[c.target].name.empty() ? "call at " + p_.describe(c.loc)
                                           : f_.nodes[c.target].name;
  }

  void user() {
    for (const std::string &name : c_.options.section) {
      Id fn = p_.functionNamed(name);
      if (fn == None)
        continue; // solve() has complained
      Section s{};
      s.kind = Section::Kind::User;
      s.function = fn;
      s.name = name;
      for (Id i : p_.callersOf(fn))
        if (f_.calls[i].statement.span.valid())
          s.calls.push_back(i);
        else
          out_.notCovered.push_back(
              {"section-not-bracketed", f_.calls[i].loc, f_.calls[i].function,
               "the call of " + name +
                   " does not stand in a statement of its own"});
      out_.sections.push_back(std::move(s));
    }
  }

  // From each load function up through its start-up callers to the first call
  // whose result nobody uses: everything that the program does to load is then
  // skipped together. Not beyond a function that does more.
  void guards() {
    std::map<Id, Id> chosen; // call -> load function's call below it
    for (Id load : out_.load)
      for (Id i : p_.callersOf(load))
        if (isAtStartUp(i))
          climb(i, i, chosen, 0);
    if (chosen.empty())
      throughPointers(chosen);
    if (chosen.empty())
      out_.notCovered.push_back(
          {"load-not-guarded",
           {},
           None,
           "no call on the way from main calls load functions and nothing "
           "else; "
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
      if (c.function != None)
        for (Span entry : c_.loop.entriesIn(c.function))
          if (entry.file == c.span.file && entry.begin >= c.span.end)
            g.loops.push_back(entry);
      g.isGuarded = isGuarded(below, 0);
      functions.insert(c.function);
      auto [at, fresh] = lastIn.try_emplace(c.function, out_.guards.size());
      if (!fresh && f_.calls[out_.guards[at->second].call].loc < c.loc)
        at->second = out_.guards.size();
      out_.guards.push_back(g);
    }
    for (auto &[fn, index] : lastIn)
      out_.guards[index].last = true;
    for (LoadGuard &g : out_.guards) {
      g.refused = whatIsLost();
      if (g.refused.empty() && !g.wholeStatement)
        g.refused = whyNoAnswer(f_.calls[g.call]);
      tellAnswers(g);
    }
    if (functions.size() > 1 || isBetweenGuards())
      out_.notCovered.push_back(
          {"several-loads", f_.calls[out_.guards.front().call].loc, None,
           "the state is loaded from more than one place at start-up: the pool "
           "gives all of it back at the first, and what runs before the last "
           "may undo it; make one function that loads all of it"});
    for (Id i = 1; i < c_.loop.mains.size(); ++i)
      out_.notCovered.push_back({"several-mains",
                                 f_.functions[c_.loop.mains[i]].loc,
                                 c_.loop.mains[i],
                                 "a second main reaches the load function; "
                                 "only the first is given the pool"});
  }

  /// What no start would have again that does not load: all hangs from locals,
  /// or nothing is kept; empty: nothing.
  std::string whatIsLost() const {
    std::string lost;
    for (const Root &r : out_.roots)
      if (r.kept() && f_.nodes[r.variable].kind != NodeKind::Local)
        return "";
      else if (r.notKept == Root::InLocal && lost.empty())
        lost = r.path + " hangs from a local variable, which the pool cannot "
                        "keep; make that a static at file scope";
    bool keepsAny =
        !out_.types.empty() || !out_.scalars.empty() || !out_.kept.empty();
    return !lost.empty() || keepsAny
               ? lost
               : "nothing of what it makes is kept, so each start must make it";
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
  bool isGuarded(Id call, unsigned depth) const {
    if (isSkippedWhenRestored(f_.calls[call]))
      return true;
    std::vector<Id> up;
    for (Id i : p_.callersOf(f_.calls[call].function))
      if (isAtStartUp(i))
        up.push_back(i);
    return !up.empty() && depth < 16 &&
           llvm::all_of(up, [&](Id i) { return isGuarded(i, depth + 1); });
  }

  bool isSkippedWhenRestored(const Call &c) const {
    if (c.function == None)
      return false;
    for (Id i : p_.callsOf(c.function)) {
      const Call &k = f_.calls[i];
      if (k.callee == None || f_.functions[k.callee].name != "nvm_restore")
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

  /// Not one that the main loop makes: a file that is opened on request.
  bool isAtStartUp(Id call) const {
    const Call &c = f_.calls[call];
    return c_.loop.startUp.contains(c.function) && !c_.loop.isInLoop(c);
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
      if (k != call && isAlongside(other, c) && (setsUp(k) || fillsStatic(k)))
        return true;
    }
    return false;
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
      if (!loading().contains(fn) && writers().contains(fn))
        return true;
    return false;
  }

  const IdSet &loading() {
    if (loading_.empty())
      for (Id load : out_.load) {
        loading_.insert(load);
        for (Id below : c_.loop.reachableFrom(p_.callsOf(load)))
          loading_.insert(below);
      }
    return loading_;
  }

  /// Whoever gets to `c` has made, or will make, the other call: it stands in
  /// no arm of an if that `c` does not stand in.
  static bool isAlongside(const Call &other, const Call &c) {
    return other.arms.size() <= c.arms.size() &&
           std::equal(other.arms.begin(), other.arms.end(), c.arms.begin());
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
    Loc first = f_.calls[out_.guards.front().call].loc, last = first;
    for (const LoadGuard &g : out_.guards) {
      first = std::min(first, f_.calls[g.call].loc);
      last = std::max(last, f_.calls[g.call].loc);
    }
    for (Id k : p_.callsOf(f_.calls[out_.guards.front().call].function)) {
      const Call &c = f_.calls[k];
      if (first <= c.loc && c.loc <= last &&
          !llvm::is_contained(out_.load, c.callee) && setsUp(k))
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
           (isRecord ? "a struct or union" : "no integer and no pointer") +
           ", which a later start cannot be given again: put it into a static "
           "variable, in a function of its own that gives nothing, and call "
           "that";
  }

  /// int generate; load(&generate); and if (!load()) create();
  void tellAnswers(LoadGuard &g) {
    const Call &c = f_.calls[g.call];
    if (!g.wholeStatement && c.callee != None && c.result != None &&
        g.refused.empty()) {
      g.answer = restoredFrom(c);
      LoadAnswer loaded =
          answerOf(c_.program, c_.loop, c_.unfilled, out_.load, c.callee);
      bool isKnown = !g.answer.empty() || loaded.isConstant ||
                     (loaded.nothing && loaded.loaded);
      if (g.answer.empty() && isKnown && loaded.nothing != loaded.loaded) {
        g.answer = std::to_string(*loaded.loaded);
        g.nothing = std::to_string(*loaded.nothing);
      }
      if (!isKnown)
        out_.notCovered.push_back(
            {"load-result", c.loc, c.function,
             "the result of " + f_.functions[c.callee].name +
                 " is used, and not clear from its text are what it is when "
                 "there is nothing to load and when there is: later runs get "
                 "that of the first again. If there was nothing then, and the "
                 "program makes new state where it is told so, that replaces "
                 "what the pool has: write NVM_LOAD_OR(call, nothing, "
                 "loaded)"});
    }
    for (size_t k = 0; k < c.args.size(); ++k) {
      Id to = p_.variableAt(c.args[k]);
      bool isReadOnly = k < c.argIsReadOnly.size() && c.argIsReadOnly[k];
      if (to == None || isReadOnly)
        continue;
      const Node &n = f_.nodes[to];
      bool isRoot = llvm::any_of(out_.roots, [&](const Root &r) {
        return r.kept() && r.variable == to;
      });
      if (n.kind == NodeKind::Local && n.type != None && !isRoot &&
          p_.kind(n.type) != TypeKind::Array)
        out_.notCovered.push_back(
            {"load-answers", c.loc, c.function,
             "the load may also answer through &" + n.name +
                 ", which it does not do when it is skipped: give it its value "
                 "there"});
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
    for (const StaticWrite &w : f_.staticWrites) {
      if (w.function != c.function || w.value == None ||
          !p_.isCopyOf(w.value, c.result))
        continue;
      auto isWritten = [&](const auto &kept) {
        return kept.variable == w.variable && kept.fields == w.path &&
               kept.path.find_first_of("[>") == std::string::npos;
      };
      auto spelled = [](const std::string &path) { // without "file.c:"
        return path.substr(path.rfind(':') + 1);
      };
      for (const Root &r : out_.roots)
        if (r.kept() && r.container == None && isWritten(r))
          return spelled(r.path);
      for (const RestoredScalar &s : out_.scalars)
        if (isWritten(s))
          return spelled(s.path);
    }
    return "";
  }

  void climb(Id call, Id below, std::map<Id, Id> &chosen, unsigned depth) {
    const Call &c = f_.calls[call];
    if (c.statement.isWholeExpression && c.statement.span.valid()) {
      chosen.try_emplace(call, below);
      return;
    }
    std::vector<Id> up;
    for (Id i : p_.callersOf(c.function))
      if (isAtStartUp(i))
        up.push_back(i);
    bool runsLoop = c_.loop.loop != None && c_.loop.frames.contains(c.function);
    if (up.empty() || depth > 16 || runsLoop || doesMore(call)) {
      chosen.try_emplace(below, below); // the result is used: replay it
      return;
    }
    for (Id i : up)
      climb(i, below, chosen, depth + 1);
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  Solution &out_;
  std::vector<unsigned> storesIn_;  ///< the heap, by function
  std::vector<unsigned> changesIn_; ///< these, and roots and scalars
  KeptStatics kept_;
  std::vector<Body> bodies_; ///< of EventLoop::loops
  IdSet loading_, writers_;  ///< functions
};

} // namespace

void nvmove::findSections(const SolveContext &context, Solution &solution) {
  SectionFinder(context, solution).run();
}
