//===- SettledRoots.cpp - Roots that only start-up writes -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static struct object *integers[10000];
//   static struct number one;
//   void make(void) { one.value = 1; for (..) integers[i] = .. }   at start
//   .. use(integers[n], one) ..                                    in handlers
//
// The pool keeps them, and each commit would look for what has changed there.
// Where all writes are by name, in what runs up to the load and never again,
// and nobody has the address, there is nothing to look for.
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/RestoredStatics.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

class SettledRoots {
public:
  explicit SettledRoots(Analysis &a)
      : c_(a.context), p_(c_.program), f_(p_.facts), out_(a.solution) {}

  void run() {
    if (c_.loop.mains.empty())
      return;
    for (const AddressUse &use : f_.addressUses)
      if (!use.inHook)
        lent_.insert(use.variable);
    findLater();
    for (Root &r : out_.roots)
      r.isSettled =
          r.kept() && r.container == None && r.slotType != None && isSettled(r);
    for (RestoredScalar &s : out_.scalars)
      s.isSettled = isSettled(s);
  }

private:
  template <typename Kept> bool isSettled(const Kept &kept) const {
    if (lent_.contains(kept.variable) ||
        f_.nodes[kept.variable].kind != NodeKind::Global)
      return false;
    RestoredStatics place;
    place.add(kept);
    return llvm::none_of(f_.staticWrites, [&](const StaticWrite &w) {
      return w.function != None && place.holds(w) && isLater(w);
    });
  }

  bool isLater(const StaticWrite &w) const {
    return later_.contains(w.function) || c_.loop.isInLoop(w.loop) ||
           isBehindLoad(w.function, [&](Id k) {
             return w.loc.file != f_.calls[k].loc.file ||
                    c_.phases.order().mayFollow(w.loc, w.loop, k);
           });
  }

  /// The function leads to the load, and `follows` one of the calls that do.
  bool isBehindLoad(Id function, llvm::function_ref<bool(Id)> follows) const {
    return c_.loop.startUp.contains(function) &&
           llvm::any_of(p_.callsOf(function), [&](Id k) {
             return c_.loop.leadsToLoad(k, out_.load) && follows(k);
           });
  }

  /// Who is about to end the process changes no state; a program without a main
  /// loop does all its work on the way to its end, and threads have ends, too.
  bool mayEndProcess() const {
    return c_.loop.loop != None && llvm::none_of(f_.calls, [&](const Call &c) {
             return c.callee != None && hasTrait(f_.functions[c.callee].name,
                                                 LibraryFunction::EndsThread);
           });
  }

  /// Whatever a pointer may call, what follows the load, and what these call.
  void findLater() {
    std::vector<Id> work;
    auto add = [&](Id function) {
      if (function != None && later_.insert(function).second)
        work.push_back(function);
    };
    for (Id fn = 0; fn < f_.functions.size(); ++fn)
      if (Id node = f_.functions[fn].node;
          node == None || p_.isAddressTaken(node))
        add(fn);
    for (Id i = 0; i < f_.calls.size(); ++i)
      if (const Call &c = f_.calls[i];
          c_.loop.isInLoop(c) || isBehindLoad(c.function, [&](Id k) {
            return c_.phases.order().mayPrecede(k, i);
          }))
        add(c.callee);
    const bool skips = mayEndProcess();
    while (!work.empty()) {
      Id fn = work.back();
      work.pop_back();
      for (Id i : p_.callsOf(fn))
        if (!skips || !c_.phases.isDeadEnd(i))
          add(f_.calls[i].callee);
    }
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  Solution &out_;
  IdSet lent_;  ///< variables of which somebody has the address
  IdSet later_; ///< functions that may run after the load
};

} // namespace

void nvmove::findSettledRoots(Analysis &a) { SettledRoots(a).run(); }
