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
#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/flow/Streams.h"
#include "passes/solve/program/BlockDataflow.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/RestoredStatics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>
#include <set>

REPORTS(ChangedAfterAnswer)

using namespace nvmove;

namespace {

using CutHandlersParts = View<const Roots, const Scalars, const PlacedStores,
                              const ReplacedCalls, const Sections>;

class HandlerCutFinder {
public:
  HandlerCutFinder(const SolveContext &c, ValueOrigins &origins,
                   const CutHandlersParts &found)
      : c_(c), p_(c.program), f_(c.program.facts), origins_(origins),
        streams_(c.program, origins), kept_(found.roots, found.scalars),
        out_(found), answersIn_(f_.functions.size()),
        changesIn_(f_.functions.size()), surelyIn_(f_.functions.size()) {
    for (Id i = 0; i < f_.calls.size(); ++i)
      if (f_.calls[i].function != None && !p_.isDeadEnd(i) && answers(i))
        answering_.insert(i);
    for (const AnnouncedStore &s : out_.stores)
      changed_.insert(s.store);
    for (const ReplacedCall &r : out_.replaced)
      if (const LibraryFunction *l = p_.library(f_.calls[r.call]);
          l && !l->letsOutOrWaits() && l->kind != LibraryFunction::Allocate &&
          l->kind != LibraryFunction::Free)
        changing_.insert(r.call);
    findKept();
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
  /// How many bytes an allocator has given out is nothing that an answer would
  /// be about.
  void findKept() {
    std::set<std::pair<Id, std::vector<Id>>> counted;
    for (const StaticWrite &w : f_.staticWrites)
      if (w.function != None && c_.allocators.isWrapper(w.function) &&
          !c_.allocators.isLinking(w.function))
        counted.insert({w.variable, w.path});
    for (const StaticWrite &w : f_.staticWrites)
      if (w.function != None && kept_.holds(w) &&
          !counted.count({w.variable, w.path}))
        keptIn_[w.function].push_back(&w);
  }

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

  /// Functions that change what is kept, themselves or by what they call; and
  /// those whose call is an answer.
  void findBelow() {
    const CallGraph graph(p_, c_.flow);
    // Whether it holds of a function depends on those that it calls.
    auto spread = [&](std::vector<bool> &in, const std::vector<Id> &from,
                      auto holds) {
      graph.reachedBy(from, {.deadEnds = false, .enters = [&](Id fn) {
                               in[fn] = holds(fn);
                               return bool(in[fn]);
                             }});
    };
    std::vector<Id> change, answer;
    for (Id i : changing_)
      change.push_back(f_.calls[i].function);
    for (Id i : changed_)
      change.push_back(f_.stores[i].function);
    for (const auto &[fn, writes] : keptIn_)
      change.push_back(fn);
    for (Id i : answering_)
      answer.push_back(f_.calls[i].function);
    spread(surelyIn_, change, [&](Id fn) { return surelyChanges(fn); });
    spread(changesIn_, change, [](Id) { return true; });
    spread(answersIn_, answer, [&](Id fn) {
      return changesIn_[fn] ? surelyAnswers(fn) : mayAnswer(fn);
    });
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

  /// On each way through the function such a block is met.
  template <class Holds> bool surely(Id function, Holds holds) const {
    return llvm::any_of(p_.definitionsOf(function), [&](const Definition *d) {
      if (d->blocks.empty())
        return false;
      enum : uint8_t { Unreached, Silent };
      auto at = throughBlocks<uint8_t>(
          *d, Silent, [](uint8_t a, uint8_t b) { return std::max(a, b); },
          [&](const Block &b, uint8_t state, auto goOn) {
            if (holds(*d, b))
              return;
            for (uint32_t to : b.successors)
              goOn(to, state);
          });
      return at.front() == Unreached;
    });
  }

  bool surelyAnswers(Id function) const {
    return surely(function, [&](const Definition &d, const Block &b) {
      return llvm::any_of(
          b.calls, [&](uint32_t k) { return isAnswer(d.calls.begin + k); });
    });
  }

  /// By itself, or by a call that does: a static, or what it is handed. What it
  /// has made may never be anywhere.
  bool surelyChanges(Id function) const {
    return surely(function, [&](const Definition &d, const Block &b) {
      return llvm::any_of(b.stores,
                          [&](const BlockStore &s) {
                            const Id store = d.stores.begin + s.store;
                            return changed_.contains(store) &&
                                   isHanded(function, f_.stores[store]);
                          }) ||
             llvm::any_of(
                 b.writes,
                 [&](const FlowWrite &w) { return keptBy(d, w) != nullptr; }) ||
             llvm::any_of(b.calls, [&](uint32_t k) {
               return isChange(d.calls.begin + k);
             });
    });
  }
  bool isHanded(Id function, const StoreSite &s) const {
    return llvm::is_contained(f_.functions[function].params,
                              AccessPath(p_, s.address).base);
  }
  bool isChange(Id call) const {
    const auto &callees = c_.flow.callees(call);
    return !callees.empty() &&
           llvm::all_of(callees, [&](Id fn) { return surelyIn_[fn]; });
  }

  bool mayChange(Id call) const {
    return changing_.contains(call) ||
           llvm::any_of(c_.flow.callees(call),
                        [&](Id fn) { return changesIn_[fn]; });
  }

  /// `within`: only what stands there; not valid, all. Where the function holds
  /// its own section, that begins with a call.
  void walk(const Definition &d, Span within, bool begins) {
    auto covers = [&](Span s) { return !within.valid() || within.holds(s); };
    std::vector<Id> answered(d.blocks.size(), None); // a call, on the way there
    std::optional<Cut> unsure;
    for (uint32_t number = d.blocks.size(); number-- > 0;) {
      const Block &b = d.blocks[number];
      Id answer = answered[number];
      auto change = [&](Loc loc, bool isSure) {
        if (answer == None)
          return false;
        isSure &= f_.calls[answer].callee != None;
        if (isSure)
          report(d.function, {answer, loc}, Severity::Check);
        else if (!unsure)
          unsure = {answer, loc};
        return isSure;
      };
      for (uint32_t k = 0; k <= b.calls.size(); ++k) {
        for (const BlockStore &s : b.stores)
          if (Id store = d.stores.begin + s.store;
              s.calls == k && changed_.contains(store) &&
              covers(f_.stores[store].span) &&
              change(f_.stores[store].loc, true))
            return;
        for (const FlowWrite &w : b.writes)
          if (const StaticWrite *kept = w.calls == k ? keptBy(d, w) : nullptr;
              kept && covers(kept->statement.span) && change(kept->loc, true))
            return;
        if (k == b.calls.size())
          break;
        const Id call = d.calls.begin + b.calls[k];
        const Call &c = f_.calls[call];
        if (!covers(c.span))
          continue;
        // While it loads it may say how far it is.
        const bool isSure =
            changing_.contains(call) ||
            (isChange(call) && !c_.pointsTo.reached().contains(d.function));
        if (mayChange(call) && change(c.loc, isSure))
          return;
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
    if (unsure)
      report(d.function, *unsure, Severity::Note);
  }

  const StaticWrite *keptBy(const Definition &d, const FlowWrite &w) const {
    auto at = keptIn_.find(d.function);
    if (at == keptIn_.end() || w.how == FlowWrite::Through)
      return nullptr;
    for (const StaticWrite *s : at->second)
      if (w.field != None ? !s->path.empty() && s->path.back() == w.field
                          : s->path.empty() && s->variable == w.variable)
        return s;
    return nullptr;
  }

  struct Cut {
    Id answer;
    Loc change;
  };
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
  RestoredStatics kept_;
  CutHandlersParts out_;
  IdSet answering_, changing_; ///< calls
  IdSet changed_;              ///< stores
  IdMap<std::vector<const StaticWrite *>> keptIn_;
  std::vector<bool> answersIn_, changesIn_, surelyIn_; ///< by function
};

} // namespace

namespace nvmove {

void reportCutHandlers(CutHandlersParts a) {
  HandlerCutFinder(a.context, a.origins(), a).run();
}

} // namespace nvmove
