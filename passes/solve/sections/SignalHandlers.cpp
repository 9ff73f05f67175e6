//===- SignalHandlers.cpp - What signal handlers change of what is kept ---===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A signal comes in the middle of a section, of a hook even, or in none:
//
//   static void on_alarm(int s) { current->runs++; }  <- reported
//   ..
//   signal(SIGALRM, on_alarm);
//
// A handler from which the program does not go on, since it exits, aborts or
// sends itself the signal with its default action, leaves nothing that somebody
// could rely on. Proof: what such a handler does on ways that come back to what
// was interrupted stands in blocks that lead to the return of each function on
// the way, and there no call in between ends the process. Where a jump or the
// end of a thread may be what ends a way, each block counts.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/program/BlockDataflow.h"
#include "passes/solve/sections/Changes.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(ChangedBySignal)

using namespace nvmove;

namespace {

using SignalHandlersParts = View<const Roots, const Scalars, const Allocations,
                                 const PlacedStores, const ReplacedCalls>;

class SignalHandlers {
public:
  SignalHandlers(const SolveContext &c, const SignalHandlersParts &found)
      : c_(c), p_(c.program), f_(c.program.facts), out_(found) {}

  void run() {
    const std::vector<Id> handlers = this->handlers();
    if (handlers.empty())
      return;
    for (Change &change : changesOf(out_))
      changes_[change.function].push_back(change);
    findJumps();
    for (Id handler : handlers)
      follow(handler);
  }

private:
  /// What signal() and sigaction() are handed, by name or in a record.
  std::vector<Id> handlers() const {
    std::vector<Id> result;
    auto add = [&](Id fn) {
      if (f_.functions[fn].hasBody && !llvm::is_contained(result, fn))
        result.push_back(fn);
    };
    for (const Call &c : f_.calls) {
      if (!p_.hasTraitOf(c, LibraryFunction::RunsOnSignal))
        continue;
      for (Id a : c.args)
        if (a != None) {
          llvm::for_each(c_.flow.functionsIn(c_.flow.atNode(a)), add);
          llvm::for_each(c_.flow.functionsInTable(a), add);
        }
    }
    return result;
  }

  /// Functions that may leave in another way than by their return, and go on.
  void findJumps() {
    std::vector<Id> jumping;
    for (const Call &c : f_.calls)
      if (p_.hasTraitOf(c, LibraryFunction::LongJump) ||
          p_.hasTraitOf(c, LibraryFunction::EndsThread))
        jumping.push_back(c.function);
    jumps_ = CallGraph(p_, c_.flow).reachedBy(jumping, {}).set();
  }

  /// One finding for a handler: the change that is nearest to it.
  void follow(Id handler) {
    const Change *nearest = nullptr;
    unsigned functions = 0;   // that change something
    auto calls = [&](Id fn) { // each function once, the nearest first
      std::vector<Id> result;
      for (const Definition *d : p_.definitionsOf(fn)) {
        const std::vector<bool> open = openBlocks(*d);
        if (const Change *first = firstChange(*d, open)) {
          nearest = nearest ? nearest : first;
          ++functions;
        }
        llvm::append_range(result, callsOn(*d, open));
      }
      return result;
    };
    CallGraph(p_, c_.flow).reach({handler}, {.fitting = true, .calls = calls});
    if (nearest)
      report(handler, *nearest, functions);
  }

  /// Each block of it may be on a way that comes back.
  bool isWholeOpen(const Definition &d) const {
    return d.blocks.empty()
               ? !p_.isNoReturn(d.function) || jumps_.contains(d.function)
               : jumps_.contains(d.function);
  }

  std::vector<Id> callsOn(const Definition &d,
                          const std::vector<bool> &open) const {
    std::vector<Id> result;
    if (isWholeOpen(d)) {
      for (Id k = d.calls.begin; k < d.calls.end; ++k)
        result.push_back(k);
      return result;
    }
    for (size_t b = 0; b < d.blocks.size(); ++b)
      if (open[b])
        for (uint32_t k : d.blocks[b].calls)
          result.push_back(d.calls.begin + k);
    return result;
  }

  /// Those from which the function returns, and that control gets to, by calls
  /// none of which ends the process.
  std::vector<bool> openBlocks(const Definition &d) {
    if (d.blocks.empty())
      return {};
    enum : uint8_t { Unreached, Default, Handled };
    std::vector<bool> ends(d.blocks.size());
    auto at = throughBlocks<uint8_t>(
        d, Handled, [](uint8_t a, uint8_t b) { return std::max(a, b); },
        [&](const Block &b, uint8_t state, auto goOn) {
          // The default action of a signal is chosen, and then it is sent.
          for (uint32_t k : b.calls) {
            const Call &c = f_.calls[d.calls.begin + k];
            if (choosesDefault(c))
              state = Default;
            if (isEnd(c) || (state == Default && sendsToItself(c))) {
              ends[&b - d.blocks.data()] = true;
              return;
            }
          }
          for (uint32_t to : b.successors)
            goOn(to, state);
        });
    std::vector<bool> open(d.blocks.size());
    for (bool grown = true; grown;) {
      grown = false;
      for (size_t b = 0; b < d.blocks.size(); ++b)
        if (!open[b] && at[b] != Unreached && !ends[b] &&
            (b == 0 || llvm::any_of(d.blocks[b].successors,
                                    [&](uint32_t to) { return open[to]; })))
          grown = open[b] = true;
    }
    return open;
  }

  /// It never comes back.
  bool isEnd(const Call &c) {
    if (c.callee == None)
      return false;
    if (!f_.functions[c.callee].hasBody)
      return p_.hasTraitOf(c, LibraryFunction::EndsProcess);
    auto [at, fresh] = ends_.try_emplace(c.callee, false);
    if (fresh && !jumps_.contains(c.callee)) {
      const bool ends =
          p_.isNoReturn(c.callee) ||
          llvm::all_of(p_.definitionsOf(c.callee), [&](const Definition *d) {
            return !d->blocks.empty() && !openBlocks(*d).front();
          });
      return ends_[c.callee] = ends;
    }
    return at->second;
  }

  /// signal(s, SIG_DFL); action.sa_handler = SIG_DFL; sigaction(s, &action, 0);
  bool choosesDefault(const Call &c) const {
    if (!p_.hasTraitOf(c, LibraryFunction::RunsOnSignal) || c.args.size() < 2)
      return false;
    if (c.argIsZeroOrNull[1] && c.args.size() == 2)
      return true;
    const Id action = AccessPath(p_, c.args[1]).variable();
    bool isDefault = false;
    for (const StaticWrite &w : f_.localWrites)
      if (w.variable == action && action != None && w.function == c.function &&
          !w.path.empty() &&
          p_.isFunctionPointer(f_.fields[w.path.back()].type)) {
        if (!w.isZero)
          return false;
        isDefault = true;
      }
    return isDefault;
  }

  /// raise(s), kill(getpid(), s)
  bool sendsToItself(const Call &c) const {
    if (!p_.hasTraitOf(c, LibraryFunction::SendsSignal))
      return false;
    if (c.args.size() < 2)
      return true;
    const Id call =
        c.args[0] == None ? None : c_.values.call(p_.origin(c.args[0]));
    return call != None &&
           p_.hasTraitOf(f_.calls[call], LibraryFunction::GivesOwnProcess);
  }

  bool isOn(const Change &change, const Definition &d,
            const std::vector<bool> &open) const {
    auto inSome = [&](auto holds) {
      for (size_t b = 0; b < d.blocks.size(); ++b)
        if (open[b] && holds(d.blocks[b]))
          return true;
      return false;
    };
    if (change.call != None)
      return llvm::is_contained(callsOn(d, open), change.call);
    if (isWholeOpen(d))
      return true;
    if (d.blocks.empty() || !open.front())
      return false;
    // Blocks from which nothing returns are not among these.
    const bool isWhole =
        llvm::all_of(open, [](bool is) { return is; }) &&
        llvm::none_of(llvm::ArrayRef(f_.calls).slice(
                          d.calls.begin, d.calls.end - d.calls.begin),
                      [](const Call &c) { return c.deadEnd; });
    if (isWhole)
      return true;
    if (change.store != None)
      return f_.stores[change.store].form == StoreForm::Atomic ||
             inSome([&](const Block &b) {
               return llvm::any_of(b.stores, [&](const BlockStore &s) {
                 return d.stores.begin + s.store == change.store;
               });
             });
    const StaticWrite &w = f_.staticWrites[change.write];
    const Id type = w.path.empty() ? f_.nodes[w.variable].type
                                   : f_.fields[w.path.back()].type;
    const bool isInBlocks = p_.kind(type) == TypeKind::Integer ||
                            (w.path.empty() && p_.isPointer(type));
    return !isInBlocks || inSome([&](const Block &b) {
      return llvm::any_of(b.writes, [&](const FlowWrite &in) {
        return in.field != None ? !w.path.empty() && w.path.back() == in.field
                                : w.path.empty() && w.variable == in.variable;
      });
    });
  }

  const Change *firstChange(const Definition &d,
                            const std::vector<bool> &open) const {
    auto at = changes_.find(d.function);
    if (at == changes_.end())
      return nullptr;
    const Change *first = nullptr;
    for (const Change &change : at->second) {
      const bool isHere =
          change.store != None
              ? d.stores.begin <= change.store && change.store < d.stores.end
          : change.call != None
              ? d.calls.begin <= change.call && change.call < d.calls.end
              : d.staticWrites.begin <= change.write &&
                    change.write < d.staticWrites.end;
      if (isHere && (!first || change.loc < first->loc) &&
          isOn(change, d, open))
        first = &change;
    }
    return first;
  }

  void report(Id handler, const Change &change, unsigned functions) {
    const std::string &name = f_.functions[handler].name;
    const bool isOwn = change.function == handler;
    std::string what =
        name + "(), which runs on a signal, " +
        (isOwn ? "changes" : "reaches this place, which changes") +
        " persistent state";
    if (functions > 1)
      what += ", one of " + std::to_string(functions) +
              " functions it calls that do";
    out_.findings.report(Finding{
        FindingId::ChangedBySignal, change.loc, change.function,
        what + ": a signal may arrive within a section or outside of sections, "
               "so that a crash loses the change or keeps half of it"}
                             .about(name));
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  SignalHandlersParts out_;
  IdMap<std::vector<Change>> changes_; ///< by function
  IdSet jumps_;                        ///< functions
  IdMap<bool> ends_;                   ///< functions
};

} // namespace

namespace nvmove {

void reportSignalHandlers(SignalHandlersParts a) {
  SignalHandlers(a.context, a).run();
}

} // namespace nvmove
