//===- LockEffects.cpp - What calls take and release ----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Callees before callers. Functions that call each other in a circle begin with
// nothing known, as if they did not return, and what is known grows until it
// stays as it is:
//
//   static void visit(struct node *n) {
//     lock(&n->mu);
//     if (n->next) visit(n->next);      first: not known, the other way counts
//     unlock(&n->mu);                   so the function changes nothing
//   }
//
// A function that never returns counts as one that changes nothing.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/sections/LockFlow.h"

namespace nvmove {

class LockEffects {
public:
  explicit LockEffects(LockFlow &flow)
      : flow_(flow), callees_(flow.callees_), p_(flow.p_),
        effects_(flow.effects_), users_(callees_.nodes()),
        isQueued_(callees_.nodes()), component_(callees_.nodes(), None) {}

  void run() {
    for (Id node = 0; node < callees_.nodes(); ++node)
      for (Id below : callees_.below(node))
        users_[below].push_back(node);
    for (const auto &[call, lock] : flow_.calls_)
      locking_.insert(p_.facts.calls[call].function);
    effects_.resize(callees_.nodes());
    flow_.position_.resize(callees_.nodes());
    Id position = 0, number = 0;
    for (const std::vector<Id> &component : callees_.components()) {
      for (Id node : component) {
        component_[node] = number;
        flow_.position_[node] = position++;
      }
      ++number;
      if (isNear(component))
        settle(component);
      else
        for (Id node : component)
          effects_[node] = HeldLocks::none();
    }
  }

private:
  /// Some lock is taken or released here, or by what this calls.
  bool isNear(llvm::ArrayRef<Id> component) const {
    return llvm::any_of(component, [&](Id node) {
      return (!callees_.isSet(node) && locking_.contains(node)) ||
             llvm::any_of(callees_.below(node), [&](Id below) {
               return !effects_[below].isNothing();
             });
    });
  }

  void settle(llvm::ArrayRef<Id> component) {
    for (Id node : component)
      if (!callees_.isSet(node) && !mayReturn(node))
        effects_[node] = HeldLocks::none();
      else
        queue(node);
    spread();
    // What is left only calls itself for ever.
    for (Id node : component)
      if (!effects_[node].isReached())
        grow(node, HeldLocks::none());
    spread();
  }

  bool mayReturn(Id function) const {
    return llvm::any_of(p_.definitionsOf(function), [](const Definition *d) {
      auto either = [](bool a, bool b) { return a || b; };
      auto on = [](const Block &b, bool, auto goOn) {
        for (uint32_t to : b.successors)
          goOn(to, true);
      };
      return !d->blocks.empty() &&
             throughBlocks<char>(*d, true, either, on).front();
    });
  }

  void queue(Id node) {
    if (!isQueued_[node])
      work_.push_back(node);
    isQueued_[node] = true;
  }

  void spread() {
    while (!work_.empty()) {
      const Id node = work_.front();
      work_.pop_front();
      isQueued_[node] = false;
      grow(node, callees_.isSet(node) ? ofSet(node) : ofFunction(node));
    }
  }

  void grow(Id node, const HeldLocks &by) {
    if (effects_[node].join(by))
      for (Id user : users_[node])
        if (component_[user] == component_[node])
          queue(user);
  }

  HeldLocks ofSet(Id node) const {
    HeldLocks result;
    for (Id function : callees_.below(node))
      result.join(effects_[function]);
    return result;
  }

  HeldLocks ofFunction(Id function) const {
    HeldLocks result;
    for (const Definition *d : p_.definitionsOf(function))
      if (!d->blocks.empty()) {
        const Block &last = d->blocks.front();
        HeldLocks held = flow_.through(*d, HeldLocks::none(), Lowest).front();
        if (held.isReached())
          flow_.pass(*d, last, held, Lowest, [](Id, const HeldLocks &) {});
        result.join(held);
      }
    return result;
  }

  static constexpr int Lowest = -HeldRange::Many;

  LockFlow &flow_;
  const CalleeSets &callees_;
  const Program &p_;
  std::vector<HeldLocks> &effects_;
  std::vector<std::vector<Id>> users_; ///< callers, by node
  IdSet locking_;                      ///< functions
  std::vector<bool> isQueued_;
  std::vector<Id> component_;
  std::deque<Id> work_;
};

void LockFlow::findEffects() { LockEffects(*this).run(); }

} // namespace nvmove
