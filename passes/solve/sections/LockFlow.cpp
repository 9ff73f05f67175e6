//===- LockFlow.cpp - Which locks are held where --------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/sections/CriticalSections-locks.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/sections/LockFlow.h"
#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/flow/BackwardSlice.h"
#include "passes/solve/program/BlockDataflow.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace nvmove;

namespace {

/// The statics and members that an address of a lock is of.
struct LockNames : BackwardSlice {
  LockNames(const ProgramContext &c, const FieldFlow::Callers &callers)
      : BackwardSlice(c.program, c.values,
                      {.flows = Copies | Flow::Index,
                       .results = true,
                       .parameters = true}),
        callers(callers) {}
  Step value(Id n) override {
    const AccessPath path(p_, n, AccessPath::Loads);
    if (Id member = path.member(); member != None) {
      fields.insert(member);
      if (!path.ends(Flow::Load))
        locks.insert(member);
    } else if (path.isAddress || f_.nodes[path.base].kind == NodeKind::Global) {
      variables.insert(path.base);
    } else {
      return Follow;
    }
    return Skip;
  }
  llvm::ArrayRef<Id> callersOf(Id function) override {
    return FieldFlow::callersIn(callers, function);
  }
  const FieldFlow::Callers &callers;
  std::set<Id> fields, variables;
  std::set<Id> locks; ///< fields that are some, and no pointers to them
};

} // namespace

bool nvmove::isWriteOf(const FlowWrite &w, const StaticWrite &of) {
  return w.field != None ? !of.path.empty() && of.path.back() == w.field
                         : of.path.empty() && of.variable == w.variable;
}

std::string LockFlow::nameOfField(Id field) const {
  llvm::StringRef record = f_.records[f_.fields[field].record].spelling;
  if (!record.consume_front("struct "))
    record.consume_front("union ");
  return (record + "." + f_.fields[field].name).str();
}

LockFlow::LockFlow(const ProgramContext &context)
    : c_(context), p_(c_.program), f_(p_.facts), callers_(c_.flow.callers()),
      callees_(p_, c_.flow) {
  findCalls();
  findEffects();
}

void LockFlow::findCalls() {
  std::vector<Id> found;
  for (Id i = 0; i < f_.calls.size(); ++i) {
    const Call &c = f_.calls[i];
    if (c.callee == None || c.function == None ||
        f_.functions[c.callee].hasBody)
      continue;
    const LockUse use =
        libraryFact(f_.functions[c.callee].name, &LibraryFunction::lock);
    if (use.effect == LockUse::None || size_t(use.argument) >= c.args.size())
      continue;
    calls_[i] = {use.effect, unsigned(found.size())};
    found.push_back(i);
  }
  llvm::IntEqClasses classes(found.size());
  std::map<std::pair<bool, Id>, unsigned> named;
  std::map<std::pair<Id, uint32_t>, unsigned> spelled; // by macros
  std::vector<std::string> names(found.size());
  for (auto &[i, call] : calls_) {
    const Call &c = f_.calls[i];
    if (Span s = c.calleeSpan; s.valid())
      classes.join(
          spelled.try_emplace({s.file, s.begin}, call.lock).first->second,
          call.lock);
    LockNames slice(c_, callers_);
    const Id address =
        c.args[libraryFact(f_.functions[c.callee].name, &LibraryFunction::lock)
                   .argument];
    if (address != None)
      slice.run(address);
    auto note = [&](bool isField, Id id, std::string name) {
      const unsigned same =
          named.try_emplace({isField, id}, call.lock).first->second;
      classes.join(same, call.lock);
      if (names[same].empty())
        names[same] = std::move(name);
    };
    fields_.insert(slice.locks.begin(), slice.locks.end());
    for (Id field : slice.fields)
      note(true, field, nameOfField(field));
    for (Id variable : slice.variables)
      note(false, variable, f_.nodes[variable].name);
  }
  classes.compress();
  names_.resize(classes.getNumClasses());
  for (auto &[i, call] : calls_) {
    const unsigned before = call.lock;
    call.lock = classes[before];
    if (names_[call.lock].empty())
      names_[call.lock] = names[before];
  }
  for (auto &[i, call] : calls_)
    if (names_[call.lock].empty())
      names_[call.lock] = "lock at " + p_.describe(f_.calls[i].loc);
}

const HeldLocks &LockFlow::effectOf(Id call) const {
  static const HeldLocks nothing = HeldLocks::none();
  const Id set = callees_.setOf(call);
  return set == None ? nothing : effects_[callees_.nodeOf(set)];
}

bool LockFlow::changes(Id call, unsigned lock) const {
  if (const LockCall *own = lockOf(call))
    return own->lock == lock && own->effect != LockUse::Waits;
  return effectOf(call)[lock] != HeldRange();
}

bool LockFlow::keeps(Id call, unsigned lock) const {
  return !lockOf(call) && effectOf(call)[lock].least > 0;
}

/// The block ends by asking whether a lock was taken.
const LockFlow::LockCall *LockFlow::triedLast(const Definition &d,
                                              const Block &b) const {
  if (b.tested == None)
    return nullptr;
  for (uint32_t k : b.calls)
    if (auto at = calls_.find(d.calls.begin + k);
        at != calls_.end() && at->second.effect == LockUse::Tries &&
        f_.calls[at->first].result == b.tested)
      return &at->second;
  return nullptr;
}

void LockFlow::pass(const Definition &d, const Block &b, HeldLocks &held,
                    int lowest, See see) const {
  const LockCall *tried = triedLast(d, b);
  for (uint32_t k : b.calls) {
    const Id call = d.calls.begin + k;
    see(call, held);
    auto at = calls_.find(call);
    if (at == calls_.end()) {
      held.add(effectOf(call), lowest);
      continue;
    }
    const LockCall &lock = at->second;
    switch (lock.effect) {
    case LockUse::Takes:
      held.add(lock.lock, {1, 1}, lowest);
      break;
    case LockUse::Tries:
      if (&lock != tried)
        held.add(lock.lock, {0, 1}, lowest);
      break;
    case LockUse::Releases:
      held.add(lock.lock, {-1, -1}, lowest);
      break;
    case LockUse::Waits:
    case LockUse::None:
      break;
    }
  }
}

std::vector<HeldLocks> LockFlow::through(const Definition &d,
                                         const HeldLocks &entry,
                                         int lowest) const {
  auto join = [](HeldLocks a, const HeldLocks &b) { return a.join(b), a; };
  return throughBlocks<HeldLocks>(
      d, entry, join, [&](const Block &b, HeldLocks held, auto goOn) {
        pass(d, b, held, lowest, [](Id, const HeldLocks &) {});
        const LockCall *tried = triedLast(d, b);
        for (uint32_t to : b.successors) {
          HeldLocks there = held;
          if (tried && to == b.whenZero)
            there.add(tried->lock, {1, 1}, lowest);
          goOn(to, there);
        }
      });
}

std::vector<Id> LockFlow::allRoots(std::vector<Id> threads) const {
  for (Id fn = 0; fn < f_.functions.size(); ++fn)
    if (f_.functions[fn].hasBody && !callers_.count(fn) &&
        !llvm::is_contained(threads, fn))
      threads.push_back(fn);
  return threads;
}

void LockFlow::eachCallFrom(Id function, const HeldLocks &entry,
                            See see) const {
  for (const Definition *d : p_.definitionsOf(function)) {
    if (d->blocks.empty())
      continue;
    std::vector<HeldLocks> at = through(*d, entry, 0);
    for (size_t b = d->blocks.size(); b-- > 0;) {
      if (!at[b].isReached())
        continue;
      pass(*d, d->blocks[b], at[b], 0, see);
      if (b == 0)
        see(None, at[b]);
    }
  }
}

void LockFlow::eachCall(Id function, const Entries &entries, See see) const {
  if (auto entry = entries.find(function); entry != entries.end())
    eachCallFrom(function, entry->second, see);
}

HeldLocks LockFlow::at(Id function, const Entries &entries, Id store, Id write,
                       Id call) const {
  auto entry = entries.find(function);
  if (entry == entries.end())
    return {};
  HeldLocks result;
  auto isIn = [](Range r, Id i) { return r.begin <= i && i < r.end; };
  for (const Definition *d : p_.definitionsOf(function)) {
    if (!(call != None    ? isIn(d->calls, call)
          : store != None ? isIn(d->stores, store)
                          : isIn(d->staticWrites, write)))
      continue;
    if (d->blocks.empty())
      return entry->second;
    std::vector<HeldLocks> at = through(*d, entry->second, 0);
    // Behind so many calls of a block; or else behind the last call that
    // stands before it in the text.
    using Place = std::pair<size_t, size_t>;
    std::vector<Place> places;
    std::optional<Place> before;
    const Loc loc = call != None    ? f_.calls[call].loc
                    : store != None ? f_.stores[store].loc
                                    : f_.staticWrites[write].loc;
    Loc last;
    for (size_t b = 0; b < d->blocks.size(); ++b) {
      const Block &block = d->blocks[b];
      for (size_t k = 0; k < block.calls.size(); ++k) {
        const Id other = d->calls.begin + block.calls[k];
        if (other == call)
          places.push_back({b, k});
        if (const Loc l = f_.calls[other].loc;
            l < loc && (!before || last < l)) {
          before = {b, k + 1};
          last = l;
        }
      }
      for (const BlockStore &s : block.stores)
        if (store != None && d->stores.begin + s.store == store)
          places.push_back({b, s.calls});
      for (const FlowWrite &w : block.writes)
        if (write != None && isWriteOf(w, f_.staticWrites[write]))
          places.push_back({b, w.calls});
    }
    if (places.empty() && !before)
      return entry->second;
    if (places.empty())
      places.push_back(*before);
    for (auto [b, count] : places) {
      HeldLocks held = at[b];
      if (!held.isReached())
        continue;
      Block part = d->blocks[b];
      part.calls.resize(std::min(count, part.calls.size()));
      pass(*d, part, held, 0, [](Id, const HeldLocks &) {});
      result.join(held);
    }
  }
  return result;
}
