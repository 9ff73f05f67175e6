//===- SectionBalance.cpp - Does every section end? -----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A section that does not end takes all that follows into it: nothing is
// committed any more. Paths are those of the facts, which leave out what ends
// the process.
//
// Tested by: test/lit/tool/verify_conversion.c
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

REPORTS(LoadCondition, SectionNotBegun, SectionNotEnded, StartNotEnded)

using namespace nvmove;

namespace {

class SectionChecker {
public:
  explicit SectionChecker(const View<const Guards> &a)
      : c_(a.context), p_(c_.program), f_(p_.facts), out_(a) {}

  std::vector<Finding> run() {
    for (const Definition &d : f_.definitions)
      if (d.function != None && !d.blocks.empty())
        balance(d);
    if (calls(RuntimeCall::Start))
      startUp();
    return std::move(unannounced_);
  }

  /// In the function that makes the load the rewriter sees to it that each way
  /// ends the section; above, behind the statement that leads there.
  void endWaysAround(std::vector<LoadGuard> &guards) {
    LoadGuard *last = nullptr;
    for (LoadGuard &g : guards)
      if (g.refused.empty() && f_.calls[g.call].function != None) {
        last = &g;
        if (!g.isGuarded) // by hand: the rewriter leaves that to the hand
          ending_.insert(f_.calls[g.call].function);
      }
    if (!last)
      return;
    const Id guard = last->call;
    if (c_.phases.isAfterLoops(guard))
      out_.findings.report(
          {FindingId::LoadCondition, f_.calls[guard].loc,
           f_.calls[guard].function,
           "the main loop is before this load: the section that nvm_start() "
           "begins is open in it, and nothing is committed before the load",
           "put nvm_restore(); nvm_ready(); before the loop, or load first"});
    covered_ = ending_;
    findLooping();
    reportWaysBefore();
    const bool mayReturn = !last->isGuarded && returnsBefore(*last);
    for (Id main : c_.loop.mains)
      if ((looping_.contains(main) || mayReturn) && !endsAbove(main, *last))
        out_.findings.report(
            Finding{FindingId::LoadCondition, f_.calls[guard].loc,
                    f_.calls[guard].function,
                    "start-up may reach the main loop without this load: the "
                    "section that nvm_start() begins then never ends, and "
                    "nothing is committed",
                    "put nvm_restore(); nvm_ready(); before the loop, on each "
                    "path there without the load"}
                .as(Severity::Act));
  }

private:
  /// if (!file) return; load(file);  in a function that does not tell its
  /// caller.
  bool returnsBefore(const LoadGuard &guard) const {
    for (Id at : c_.phases.wayTo(guard.call)) {
      const Id fn = f_.calls[at].function;
      if (fn == None || llvm::is_contained(c_.loop.mains, fn) ||
          f_.functions[fn].result != None || !c_.loop.entriesIn(fn).empty())
        continue; // or one that runs the loop itself
      for (const Definition &d : f_.definitions)
        if (d.function == fn && returnsWithout(d, at))
          return true;
    }
    return false;
  }
  /// By a return that is not at its end.
  bool returnsWithout(const Definition &d, Id call) const {
    if (d.blocks.empty() || llvm::count_if(d.blocks, [](const Block &b) {
                              return llvm::is_contained(b.successors, 0u);
                            }) < 2)
      return false;
    return comesTo(d, [&](uint32_t number) {
      if (number == 0)
        return Way::Found;
      return llvm::any_of(d.blocks[number].calls,
                          [&](uint32_t k) {
                            const Id i = d.calls.begin + k;
                            return i == call || p_.isDeadEnd(i);
                          })
                 ? Way::Blocked
                 : Way::Ahead;
    });
  }

  /// init(argv); for (;;) serve();  Behind the statement with init() the
  /// section ends on all ways through the function.
  bool endsAbove(Id main, LoadGuard &guard) {
    if (guard.isGuarded)
      return false;
    for (Id at : c_.phases.wayTo(guard.call)) {
      const Call &c = f_.calls[at];
      if (c.function == None || at == guard.call || c.loop != None)
        continue;
      const std::vector<Span> entries = c_.loop.entriesIn(c.function);
      if (!c.statement.span.valid() || leadsToLoop(at) || entries.empty() ||
          !llvm::all_of(entries, [&](Span entry) {
            return entry.file == c.span.file &&
                   entry.begin >= c.statement.span.end;
          }))
        continue;
      covered_.insert(c.function);
      looping_.clear();
      findLooping();
      if (looping_.contains(main))
        return false; // past that function
      guard.endsBehind = at;
      guard.loopsBehind = entries;
      return true;
    }
    return false;
  }

  /// In the function that makes the load, what comes before it.
  void reportWaysBefore() {
    for (const LoadGuard &g : out_.guards) {
      const Call &load = f_.calls[g.call];
      if (!g.refused.empty() || g.onRequest || c_.phases.isAfterLoops(g.call))
        continue;
      for (Id i : p_.callsOf(load.function))
        if (c_.phases.order().mayPrecede(i, g.call) && !ends(i) &&
            leadsToLoop(i)) {
          out_.findings.report(
              {FindingId::LoadCondition, f_.calls[i].loc, load.function,
               "start-up may reach the main loop through this call, before the "
               "load: the section that nvm_start() begins is open in it, and "
               "nothing is committed until the call returns",
               "load first, or do not wait for input there"});
          break;
        }
    }
  }

  llvm::StringRef callee(Id call) const {
    Id fn = f_.calls[call].callee;
    return fn == None ? llvm::StringRef()
                      : llvm::StringRef(f_.functions[fn].name);
  }
  bool calls(llvm::StringRef name) const {
    for (Id i = 0; i < f_.calls.size(); ++i)
      if (callee(i) == name)
        return true;
    return false;
  }
  void add(FindingRef id, Id call, std::string why) {
    const Call &c = f_.calls[call];
    unannounced_.push_back({id, c.loc, c.function, std::move(why)});
  }

  //===-- Sections ----------------------------------------------------------//

  /// The calls of nvm_begin() whose sections are open.
  using Open = std::vector<Id>;

  /// Whether each section that the function begins ends in it, and the other
  /// way round.
  void balance(const Definition &d) {
    IdSet unended, unbegun;
    std::vector<std::set<Open>> at(d.blocks.size());
    std::vector<std::pair<uint32_t, Open>> work;
    auto enter = [&](uint32_t block, const Open &open) {
      if (at[block].insert(open).second)
        work.push_back({block, open});
    };
    enter(d.blocks.size() - 1, {});
    while (!work.empty()) {
      auto [number, open] = work.back();
      work.pop_back();
      bool isDead = false; // a function of another file ends the process
      for (uint32_t k : d.blocks[number].calls) {
        Id call = d.calls.begin + k;
        isDead |= p_.isDeadEnd(call);
        if (callee(call) == RuntimeCall::Begin) {
          if (llvm::is_contained(open, call))
            unended.insert(call); // in a loop
          else
            open.push_back(call);
        } else if (callee(call) == RuntimeCall::End) {
          if (open.empty())
            unbegun.insert(call);
          else
            open.pop_back();
        }
      }
      if (isDead)
        continue;
      if (number == 0 && !d.isNoReturn)
        unended.insert(open.begin(), open.end());
      for (uint32_t s : d.blocks[number].successors)
        enter(s, open);
    }
    for (Id call : unended)
      add(FindingId::SectionNotEnded, call,
          "no nvm_end() follows on some path from here: everything after it "
          "belongs to this section, and nothing is committed any more");
    for (Id call : unbegun)
      add(FindingId::SectionNotBegun, call,
          "no nvm_begin() precedes on some path to here: this ends a section "
          "of the caller");
  }

  //===-- The start-up section ----------------------------------------------//

  /// The call ends it. Where a function does so on some of its ways, the others
  /// give back an error, which its callers take for the end of the program.
  bool ends(Id call) const {
    return endsStartUp(callee(call)) ||
           llvm::any_of(c_.flow.callees(call),
                        [&](Id fn) { return ending_.contains(fn); });
  }
  /// The main loop is behind the call, and may be reached with it open. One
  /// that a load enters, to ask or to complain, runs within the section and
  /// comes back.
  bool leadsToLoop(Id call) const {
    if (llvm::any_of(out_.guards,
                     [&](const LoadGuard &g) { return g.call == call; }))
      return false;
    return c_.loop.isInLoop(f_.calls[call]) ||
           llvm::any_of(c_.flow.callees(call),
                        [&](Id fn) { return looping_.contains(fn); });
  }

  /// Some way through the function leads to the main loop, and none of the
  /// calls on it ends the section.
  bool leadsToLoop(const Definition &d) const {
    return comesTo(d, [&](uint32_t number) {
      for (uint32_t k : d.blocks[number].calls) {
        Id call = d.calls.begin + k;
        if (leadsToLoop(call))
          return Way::Found;
        if (ends(call))
          return Way::Blocked;
      }
      return Way::Ahead;
    });
  }

  /// Some way from the entry of the function leads to a block that is `Found`,
  /// past none that is `Blocked`.
  enum class Way : uint8_t { Ahead, Blocked, Found };
  template <class See> static bool comesTo(const Definition &d, See see) {
    std::vector<bool> seen(d.blocks.size());
    std::vector<uint32_t> work;
    auto enter = [&](uint32_t block) {
      if (!seen[block])
        work.push_back(block);
      seen[block] = true;
    };
    if (!d.blocks.empty())
      enter(d.blocks.size() - 1);
    while (!work.empty()) {
      const uint32_t number = work.back();
      work.pop_back();
      const Way way = see(number);
      if (way == Way::Found)
        return true;
      if (way == Way::Ahead)
        llvm::for_each(d.blocks[number].successors, enter);
    }
    return false;
  }

  void findLooping() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Id i = 0; i < f_.calls.size(); ++i)
        if (f_.calls[i].function != None && ends(i))
          changed |= ending_.insert(f_.calls[i].function).second;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const Definition &d : f_.definitions)
        if (d.function != None && !looping_.contains(d.function) &&
            !covered_.contains(d.function) && leadsToLoop(d))
          changed |= looping_.insert(d.function).second;
    }
  }

  void startUp() {
    findLooping();
    for (Id i = 0; i < f_.calls.size(); ++i) {
      Id fn = f_.calls[i].function;
      if (callee(i) == RuntimeCall::Start &&
          (ending_.empty() || looping_.contains(fn)))
        add(FindingId::StartNotEnded, i,
            "the main loop may be reached without nvm_ready(): the section "
            "that begins here then never ends, and nothing is committed; call "
            "nvm_ready() after the guarded load");
    }
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  View<const Guards> out_;
  std::vector<Finding> unannounced_;
  IdSet ending_;  ///< functions that may end the start-up section
  IdSet covered_; ///< the rewriter ends it on each way through these
  IdSet looping_; ///< that lead to the main loop and do not end it before
};

} // namespace

namespace nvmove {

void reportOpenSections(View<const Guards, Unannounced> a) {
  llvm::append_range(a.unannounced, SectionChecker(a).run());
}

void endStartUpAroundLoad(View<Guards> a) {
  SectionChecker(a).endWaysAround(a.guards);
}

} // namespace nvmove
