//===- CutUpdates.cpp - Commits in the middle of a command ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that is run, a child, or a thread that is waited for may tell what
// the section has done so far; so that is committed first:
//
//   static void order(struct stock *s, int n) {
//     s->asked += n;
//     system("./order.sh");     <- the section commits
//     s->orders++;              <- a crash before this leaves half of it
//   }
//
// Where a section changes something both before and behind such a call, it is
// reported: to act on, where one of the two is certain. The order is that of
// the basic blocks, of functions and of what they call directly: what is
// further away, or under another condition than the call, may be about
// something else, as in a main loop that does all that is due. So may what the
// next round of a loop does.
//
// What a thread changes that is waited for is committed by itself: a change
// behind the wait is cut off from that, too.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/sections/CriticalSections.h"
#include "passes/solve/sections/SectionChanges.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <optional>

REPORTS(CutUpdate)

using namespace nvmove;

namespace {

using CutUpdatesParts =
    View<const Roots, const Scalars, const Allocations, const PlacedStores,
         const ReplacedCalls, const Critical, const Sections, const PausedCalls,
         const Descriptors>;

/// A change.
struct ChangePlace {
  Loc loc;
  std::string name; ///< what is changed, or the function that is called
  bool isSure = false;
  bool isOfThread = false;  ///< a thread makes it meanwhile
  bool isAlways = true;     ///< on each way that leads to the commit
  unsigned depth = 0;       ///< in calls
  const Call *by = nullptr; ///< the first of these

  /// It is made here, or by a function that is called here.
  bool isNear() const { return depth <= 1; }
  auto rank() const {
    return std::make_tuple(isNear(), isAlways, depth == 0, isSure, !isOfThread);
  }
};
using PerhapsPlace = std::optional<ChangePlace>;

/// The better one of what is known.
void improve(PerhapsPlace &known, const PerhapsPlace &other) {
  if (other && (!known || known->rank() < other->rank()))
    known = other;
}
PerhapsPlace below(PerhapsPlace place, const Call &call) {
  if (place) {
    ++place->depth;
    place->by = &call;
  }
  return place;
}

/// Of a call that commits, or of a function that makes one.
struct Commit {
  Id call = None; ///< of the library; None: none
  unsigned depth = 0;
  PerhapsPlace before, behind; ///< a change in the same function
  bool isCut = false;          ///< in a function: both, on one way through it
};
Commit below(Commit commit, const Call &call) {
  ++commit.depth;
  commit.before = below(commit.before, call);
  commit.behind = below(commit.behind, call);
  return commit;
}

/// A commit with the change before it, and one behind it.
struct Cut {
  Commit commit;
  const Call *by; ///< in the function, leads to the commit
  ChangePlace behind;

  bool isInLoop; ///< the section is the body of a main loop

  /// Whoever makes the call comes to the place, too. A main loop does one thing
  /// after another.
  bool isAlongside(const ChangePlace &place) const {
    return place.depth == 0 || place.by == by ||
           (Program::isAlongside(place.by->arms, by->arms) &&
            !(isInLoop && place.by->arms.empty()));
  }
  /// None: what is far away, or under another condition, may well be about
  /// something else.
  std::optional<Severity> severity() const {
    const ChangePlace &before = *commit.before;
    if (commit.depth > 1 || !before.isNear() || !behind.isNear() ||
        !isAlongside(before) || !isAlongside(behind))
      return std::nullopt;
    if (before.isOfThread || behind.isOfThread) {
      const ChangePlace &other = before.isOfThread ? behind : before;
      if (commit.depth > 0 || other.depth > 0 || !other.isSure ||
          other.isOfThread)
        return std::nullopt;
    }
    return before.isAlways && (before.isSure || behind.isSure)
               ? Severity::Act
               : Severity::Check;
  }
};

class CutUpdateFinder {
public:
  explicit CutUpdateFinder(const CutUpdatesParts &a)
      : c_(a.context), p_(c_.program), f_(p_.facts), a_(a),
        critical_(*a.critical), changes_(a), commits_(f_.functions.size()) {}

  void run() {
    findWaits();
    const std::vector<Section> sections = sectionsOfLoops(a_.sections);
    const IdSet inside = c_.calledBy(sections);
    const std::vector<Id> committing = findCommitting();
    for (bool grows = !committing.empty(); grows;) {
      grows = false;
      for (Id fn : committing)
        for (const Definition *d : p_.definitionsOf(fn))
          grows |= Walk(*this, *d, {}).run();
    }
    for (Id fn : committing)
      for (const Definition *d : p_.definitionsOf(fn))
        if (inside.contains(fn)) {
          report(fn, Walk(*this, *d, {}));
        } else {
          for (const Section &s : sections)
            if (s.hasBody() && s.function == fn)
              report(fn, Walk(*this, *d, s.body));
        }
  }

private:
  /// Waits during which the section is left, and what others then change.
  void findWaits() {
    waits_.insert(a_.pausedCalls.begin(), a_.pausedCalls.end());
    for (const ReplacedCall &r : a_.replaced)
      if (libraryFact(r.replacement, &LibraryFunction::lock).effect ==
          LockUse::Waits)
        waits_.insert(r.call);
    for (Id i = 0; i < f_.calls.size(); ++i)
      if (const Call &c = f_.calls[i];
          c.callee != None && isRuntimeCall(f_.functions[c.callee].name) &&
          libraryFact(f_.functions[c.callee].name, &LibraryFunction::lock)
                  .effect == LockUse::Waits)
        waits_.insert(i);
    for (const ThreadChange &t : critical_.changes().changes())
      improve(ofThreads_, ChangePlace{t.loc, nameOf(t), t.isSure, true});
  }

  /// Calls of the library before which the section commits, though they answer
  /// nobody.
  bool commits(Id call) const {
    const Call &c = f_.calls[call];
    if (c.callee == None || f_.functions[c.callee].hasBody)
      return false;
    return waits_.contains(call) ||
           (p_.hasTraitOf(c, LibraryFunction::HandsOver) &&
            !p_.hasTraitOf(c, LibraryFunction::Executes));
  }

  Commit commitOf(Id call) const {
    if (!waits_.contains(call))
      return {.call = call};
    return {.call = call, .before = ofThreads_, .behind = ofThreads_};
  }
  /// Through a pointer anything may be called.
  unsigned depthOf(Id change) const {
    const Id callee = f_.calls[change].callee;
    return changes_.isCall(change)                    ? 0
           : callee != None && changes_.ownOf(callee) ? 1
                                                      : 2;
  }

  bool counts(Id call) const {
    return f_.calls[call].function != None && !p_.isDeadEnd(call) &&
           !p_.isInChild(call);
  }

  std::vector<Id> findCommitting() {
    std::vector<Id> makers;
    for (Id i = 0; i < f_.calls.size(); ++i)
      if (counts(i) && commits(i))
        makers.push_back(f_.calls[i].function);
    return CallGraph(p_, c_.flow)
        .reachedBy(makers,
                   {.pointers = false, .deadEnds = false, .children = false})
        .functions();
  }

  /// j->pid = fork(), l->socket = accept(): after a restart that is nobody's.
  bool isOfProcess(const Change &change) const {
    const Id field =
        change.store != None ? f_.stores[change.store].field : None;
    if (field != None && llvm::is_contained(a_.descriptors, field))
      return true;
    Id value = None;
    if (change.write != None)
      value = f_.staticWrites[change.write].value;
    else
      for (Id i : p_.constraintsOf(change.function))
        if (const Constraint &c = f_.constraints[i];
            c.flow == Flow::Store && c.dst == f_.stores[change.store].address)
          value = c.src;
    auto gives = [&](Id v) {
      const Id call = c_.values.call(p_.origin(v));
      return call != None &&
             p_.hasTraitOf(f_.calls[call], LibraryFunction::GivesProcess);
    };
    if (value == None)
      return false;
    const Id from = p_.origin(value);
    return gives(from) || (f_.nodes[from].kind == NodeKind::Local &&
                           llvm::any_of(c_.values.definitions(from), [&](Id i) {
                             return gives(f_.constraints[i].src);
                           }));
  }

  std::string nameOf(const Change &change) const {
    if (change.write != None) {
      const StaticWrite &w = f_.staticWrites[change.write];
      return p_.nameOf(w.variable, w.path);
    }
    if (change.store != None) {
      const StoreSite &s = f_.stores[change.store];
      if (s.record != None && s.field != None)
        return f_.records[s.record].name + "." + f_.fields[s.field].name;
      return "an object";
    }
    return nameOf(f_.calls[change.call]);
  }
  /// stats.adds by count_in()
  std::string whatChanges(const Call &c) const {
    const Change *own = c.callee == None ? nullptr : changes_.ownOf(c.callee);
    return (own ? nameOf(*own) + " by " : "") + nameOf(c);
  }
  std::string nameOf(const Call &c) const {
    return c.callee == None ? "a call" : f_.functions[c.callee].name + "()";
  }

  /// Through one function.
  class Walk {
  public:
    Walk(CutUpdateFinder &of, const Definition &d, Span within)
        : o_(of), d_(d), within_(within), own_(of.commits_[d.function]) {}

    std::map<Id, Cut> cuts; ///< by the call that commits

  private:
    auto known() const {
      auto rank = [](const PerhapsPlace &p) {
        return std::make_pair(p.has_value(), p.value_or(ChangePlace()).rank());
      };
      return std::make_tuple(own_.call == None, own_.depth, rank(own_.before),
                             rank(own_.behind), own_.isCut);
    }

  public:
    /// Whether more is known of the function now.
    bool run() {
      const auto before = known();
      std::vector<State> at(d_.blocks.size());
      for (uint32_t number = d_.blocks.size(); number-- > 0;) {
        State state = at[number];
        through(d_.blocks[number], state);
        for (uint32_t to : d_.blocks[number].successors)
          if (to < number)
            join(at[to], state);
          else // a further round, or the end of the loop
            for (uint32_t end : d_.blocks[to].successors)
              if (end < number)
                join(at[end], state);
      }
      own_.isCut |= !cuts.empty();
      return known() != before;
    }

  private:
    struct State {
      PerhapsPlace changed;
      Commit last; ///< one that has cut what changed before it, if there is one
      const Call *by = nullptr;
      bool isReached = false;
    };

    static void join(State &to, const State &from) {
      const bool isAlways =
          from.changed && from.changed->isAlways &&
          (!to.isReached || (to.changed && to.changed->isAlways));
      to.isReached = true;
      improve(to.changed, from.changed);
      if (to.changed)
        to.changed->isAlways = isAlways;
      if (to.last.call == None || (!to.last.before && from.last.before)) {
        to.last = from.last;
        to.by = from.by;
      }
    }

    bool covers(Span s) const { return !within_.valid() || within_.holds(s); }

    void through(const Block &b, State &state) {
      for (uint32_t k = 0; k <= b.calls.size(); ++k) {
        for (const BlockStore &s : b.stores)
          if (const Id i = d_.stores.begin + s.store;
              s.calls == k && o_.changes_.isStore(i))
            change({.function = d_.function,
                    .loc = o_.f_.stores[i].loc,
                    .span = o_.f_.stores[i].span,
                    .store = i},
                   state);
        for (const BlockStore &s : b.staticWrites)
          if (const Id i = d_.staticWrites.begin + s.store;
              s.calls == k && o_.changes_.isWrite(i))
            change({.function = d_.function,
                    .loc = o_.f_.staticWrites[i].loc,
                    .span = o_.f_.staticWrites[i].statement.span,
                    .write = i},
                   state);
        if (k < b.calls.size())
          call(d_.calls.begin + b.calls[k], state);
      }
    }

    void change(const Change &c, State &state) {
      if (covers(c.span) && !o_.isOfProcess(c))
        change(ChangePlace{c.loc, o_.nameOf(c), true}, state);
    }
    void change(const ChangePlace &p, State &state) {
      if (state.last.before)
        cut(state.last, *state.by, p);
      if (state.last.call != None)
        improve(own_.behind, p);
      improve(state.changed, p);
    }

    void cut(const Commit &commit, const Call &by, const ChangePlace &behind) {
      const Cut found{commit, &by, behind, within_.valid()};
      if (!found.severity())
        return;
      auto [known, isNew] = cuts.try_emplace(commit.call, found);
      if (!isNew && found.severity() < known->second.severity())
        known->second = found;
    }

    void call(Id i, State &state) {
      const Call &c = o_.f_.calls[i];
      if (!o_.counts(i) || !covers(c.span))
        return;
      if (c.callee != None &&
          (o_.f_.functions[c.callee].name == RuntimeCall::Begin ||
           o_.f_.functions[c.callee].name == RuntimeCall::End)) {
        state = {};
        return;
      }
      Commit commit;
      if (o_.commits(i))
        commit = o_.commitOf(i);
      else if (c.callee != None)
        commit = below(o_.commits_[c.callee], c);
      PerhapsPlace made;
      if (o_.changes_.mayBeChange(i))
        made = ChangePlace{.loc = c.loc,
                           .name = o_.whatChanges(c),
                           .isSure =
                               c.callee != None && o_.changes_.isSureChange(i),
                           .depth = o_.depthOf(i),
                           .by = &c};
      if (commit.call != None)
        commits(commit, c, made, state);
      else if (made)
        change(*made, state);
    }

    void commits(const Commit &commit, const Call &by, const PerhapsPlace &made,
                 State &state) {
      if (made && state.last.before)
        cut(state.last, *state.by, *made);
      const PerhapsPlace outer = state.changed;
      if (outer && commit.behind)
        cut({.call = commit.call, .depth = commit.depth, .before = outer}, by,
            *commit.behind);
      improve(own_.behind, commit.behind);
      if (own_.call == None || commit.depth < own_.depth) {
        own_.call = commit.call;
        own_.depth = commit.depth;
      }
      // What is cut in the function that is called is reported there.
      PerhapsPlace before = outer;
      if (!commit.isCut)
        improve(before, commit.before);
      improve(own_.before, outer);
      improve(own_.before, commit.before);
      state.last = {
          .call = commit.call, .depth = commit.depth, .before = before};
      state.by = &by;
      improve(state.changed, commit.before);
      improve(state.changed, commit.behind);
      improve(state.changed, made);
    }

    CutUpdateFinder &o_;
    const Definition &d_;
    const Span within_;
    Commit &own_;
  };
  friend class Walk;

  void report(Id function, Walk walk) {
    walk.run();
    for (const auto &[call, cut] : walk.cuts) {
      const Call &c = f_.calls[call];
      auto where = [&, at = cut.by->loc](Loc loc) {
        return loc.file == at.file ? "in line " + llvm::utostr(loc.line)
                                   : "at " + p_.describe(loc);
      };
      std::string what = nameOf(c) +
                         (waits_.contains(call) ? " leaves" : " commits") +
                         " a section";
      a_.findings.report(Finding{
          FindingId::CutUpdate, cut.by->loc, function,
          what + " in the middle of a change: " + cut.commit.before->name +
              " " + where(cut.commit.before->loc) + " comes before it, and " +
              cut.behind.name + " " + where(cut.behind.loc) +
              " after it; a crash between the two leaves half of it"}
                             .as(*cut.severity()));
    }
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  CutUpdatesParts a_;
  const CriticalSections &critical_;
  const SectionChanges changes_;
  std::vector<Commit> commits_; ///< by function
  IdSet waits_;                 ///< calls
  PerhapsPlace ofThreads_;      ///< what threads change
};

} // namespace

namespace nvmove {

void reportCutUpdates(CutUpdatesParts a) { CutUpdateFinder(a).run(); }

} // namespace nvmove
