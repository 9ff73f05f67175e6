//===- CutHandlers.cpp - Handlers that answer before they are done --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An answer commits what the section has done so far. What it does after that
// may be lost, though somebody has read that it was done:
//
//   static void put(struct bucket *b) {
//     dprintf(fd, "ok\n");
//     b->count++;            <- a crash before this keeps the answer alone
//   }
//
// The order is that of the basic blocks. What the next round of a loop does is
// no part of what this round has answered.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/flow/Streams.h"
#include "passes/solve/sections/SectionChanges.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

REPORTS(ChangedAfterAnswer, CutUpdate)

using namespace nvmove;

namespace {

using CutHandlersParts =
    View<const Roots, const Scalars, const Allocations, const PlacedStores,
         const ReplacedCalls, const Sections>;

class HandlerCutFinder {
public:
  HandlerCutFinder(const SolveContext &c, ValueOrigins &origins,
                   const CutHandlersParts &found)
      : c_(c), p_(c.program), f_(c.program.facts), origins_(origins),
        streams_(c.program, origins), out_(found), changes_(found),
        answersIn_(f_.functions.size()) {
    for (Id i = 0; i < f_.calls.size(); ++i)
      if (f_.calls[i].function != None && !p_.isDeadEnd(i) && answers(i))
        answering_.insert(i);
    findBelow();
  }

  void run() {
    const IdSet inside = c_.calledBy(out_.sections);
    for (const Definition &d : f_.definitions) {
      if (d.function == None || d.blocks.empty())
        continue;
      if (inside.contains(d.function)) {
        walk(d, {}, false);
        continue;
      }
      for (const Section &s : out_.sections)
        if (s.hasBody() && s.function == d.function)
          walk(d, s.body, true);
    }
  }

private:
  /// What it says is for somebody who waits for it: it goes to no log and to no
  /// file that is known to be one.
  bool answers(Id call) {
    const Call &c = f_.calls[call];
    const LibraryFunction *l = p_.library(c);
    if (!l || l->kind != LibraryFunction::Output)
      return false;
    if (l->printsTo != -1)
      return streams_.of(c, l->printsTo).answers();
    if (!l->form)
      return l->traits & LibraryFunction::Answers;
    constexpr uint64_t log = 2; // stderr
    return c.constantAt(0) != log && !isOfFile(c);
  }

  /// write(fd, ..), write(log->fd, ..): open() gave it.
  bool isOfFile(const Call &c) {
    if (c.args.empty() || c.args[0] == None)
      return false;
    return llvm::any_of(
        origins_.ofVariable(c.args[0]), [&](const ValueOrigins::Origin &o) {
          const Id callee = o.call == None ? None : f_.calls[o.call].callee;
          return callee != None && hasTrait(f_.functions[callee].name,
                                            LibraryFunction::OpensFile);
        });
  }

  /// Functions whose call is an answer: it depends on those that they call.
  void findBelow() {
    std::vector<Id> answer;
    for (Id i : answering_)
      answer.push_back(f_.calls[i].function);
    CallGraph(p_, c_.flow)
        .reachedBy(answer, {.deadEnds = false, .enters = [&](Id fn) {
                              answersIn_[fn] = changes_.mayChange(fn)
                                                   ? surelyAnswers(fn)
                                                   : mayAnswer(fn);
                              return bool(answersIn_[fn]);
                            }});
  }

  bool isAnswer(Id call) const {
    const auto &callees = c_.flow.callees(call);
    return answering_.contains(call) ||
           (!callees.empty() &&
            llvm::all_of(callees, [&](Id fn) { return answersIn_[fn]; }));
  }

  /// What changes nothing is there to answer: write_all() in a loop, reply() if
  /// the client is not a quiet one.
  bool mayAnswer(Id function) const {
    return llvm::any_of(p_.callsOf(function),
                        [&](Id call) { return isAnswer(call); });
  }

  bool surelyAnswers(Id function) const {
    return changes_.surely(function, [&](const Definition &d, const Block &b) {
      return llvm::any_of(
          b.calls, [&](uint32_t k) { return isAnswer(d.calls.begin + k); });
    });
  }

  /// `within`: only what stands there; not valid, all. Where the function holds
  /// its own section, that begins with a call.
  void walk(const Definition &d, Span within, bool begins) {
    auto covers = [&](Span s) { return !within.valid() || within.holds(s); };
    std::vector<Id> answered(d.blocks.size(), None); // a call, on the way there
    std::optional<Cut> sure, unsure;                 // the first ones
    for (uint32_t number = d.blocks.size(); number-- > 0;) {
      const Block &b = d.blocks[number];
      Id answer = answered[number];
      auto change = [&](Loc loc, bool isSure) {
        if (answer == None)
          return;
        isSure &= f_.calls[answer].callee != None;
        std::optional<Cut> &first = isSure ? sure : unsure;
        if (!first)
          first = {answer, loc};
      };
      for (uint32_t k = 0; k <= b.calls.size(); ++k) {
        for (const BlockStore &s : b.stores)
          if (Id store = d.stores.begin + s.store;
              s.calls == k && changes_.isStore(store) &&
              covers(f_.stores[store].span)) {
            const Loc loc = f_.stores[store].loc;
            if (answer != None && isBegun(d, store, answer, covers))
              return reportHalf(d.function, {answer, loc}, store);
            change(loc, true);
          }
        for (const BlockStore &s : b.staticWrites)
          if (Id write = d.staticWrites.begin + s.store;
              s.calls == k && changes_.isWrite(write) &&
              covers(f_.staticWrites[write].statement.span))
            change(f_.staticWrites[write].loc, true);
        if (k == b.calls.size())
          break;
        const Id call = d.calls.begin + b.calls[k];
        const Call &c = f_.calls[call];
        if (!covers(c.span))
          continue;
        // While it loads it may say how far it is.
        const bool isSure = changes_.isCall(call) ||
                            (changes_.isSureChange(call) &&
                             !c_.pointsTo.reached().contains(d.function));
        if (changes_.mayBeChange(call))
          change(c.loc, isSure);
        if (answer == None && isAnswer(call))
          answer = call;
        if (begins && c.callee != None &&
            f_.functions[c.callee].name == RuntimeCall::Begin)
          answer = None;
      }
      // Those that come before it in the text begin a further round.
      for (uint32_t to : b.successors)
        if (to < number && answered[to] == None)
          answered[to] = answer;
    }
    if (sure)
      report(d.function, *sure, Severity::Check);
    else if (unsure)
      report(d.function, *unsure, Severity::Note);
  }

  /// box->n += v; answer(); box->n++; where the first leads to the answer.
  bool isBegun(const Definition &d, Id store, Id answer,
               llvm::function_ref<bool(Span)> covers) const {
    const AccessPath path(p_, f_.stores[store].address);
    if (path.member() == None)
      return false;
    std::vector<bool> leads(d.blocks.size()); // to the answer
    for (uint32_t number = 0; number < d.blocks.size(); ++number) {
      const Block &b = d.blocks[number];
      const auto at = llvm::find(b.calls, answer - d.calls.begin);
      const size_t before = at - b.calls.begin(); // so many calls
      leads[number] =
          at != b.calls.end() || llvm::any_of(b.successors, [&](uint32_t to) {
            return to < number && leads[to];
          });
      if (leads[number] && llvm::any_of(b.stores, [&](const BlockStore &s) {
            const Id other = d.stores.begin + s.store;
            return s.calls <= before && changes_.isStore(other) &&
                   covers(f_.stores[other].span) &&
                   AccessPath(p_, f_.stores[other].address) == path;
          }))
        return true;
    }
    return false;
  }

  struct Cut {
    Id answer;
    Loc change;
  };
  void reportHalf(Id function, Cut cut, Id store) {
    const Field &member =
        f_.fields[AccessPath(p_, f_.stores[store].address).member()];
    out_.findings.report({FindingId::CutUpdate, cut.change, function,
                          f_.records[member.record].name + "." + member.name +
                              " is changed before and after an "
                              "answer of the same section, sent in line " +
                              llvm::utostr(f_.calls[cut.answer].loc.line) +
                              ": a crash between the two leaves half of the "
                              "change"});
  }
  void report(Id function, Cut cut, Severity severity) {
    const Call &c = f_.calls[cut.answer];
    const std::string name =
        c.callee == None ? "a call" : f_.functions[c.callee].name + "()";
    out_.findings.report(Finding{
        FindingId::ChangedAfterAnswer, cut.change, function,
        "the change here comes after an answer of the same section, sent by " +
            name + " in line " + llvm::utostr(c.loc.line) +
            ": a crash between the two keeps the answer and loses the "
            "change"}
                             .as(severity));
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  ValueOrigins &origins_;
  Streams streams_;
  CutHandlersParts out_;
  const SectionChanges changes_;
  IdSet answering_;             ///< calls
  std::vector<bool> answersIn_; ///< by function
};

} // namespace

namespace nvmove {

void reportCutHandlers(CutHandlersParts a) {
  HandlerCutFinder(a.context, a.origins(), a).run();
}

} // namespace nvmove
