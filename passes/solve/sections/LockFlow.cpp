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
    : c_(context), p_(c_.program), f_(p_.facts), callers_(c_.flow.callers()) {
  findCalls();
  if (!calls_.empty())
    findSummaries();
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

HeldLocks LockFlow::joined(const HeldLocks &a, const HeldLocks &b) {
  if (a.empty() || b.empty())
    return a.empty() ? b : a;
  HeldLocks result = a;
  for (size_t i = 0; i < a.size(); ++i)
    result[i] = {std::min(a[i].least, b[i].least),
                 std::max(a[i].most, b[i].most)};
  return result;
}

void LockFlow::add(HeldLocks &held, unsigned lock, HeldRange by,
                   bool isAbsolute) const {
  const int lowest = isAbsolute ? 0 : -HeldRange::Many;
  auto sum = [&](int8_t a, int8_t b) {
    return int8_t(std::clamp(a + b, lowest, int(HeldRange::Many)));
  };
  held[lock] = {sum(held[lock].least, by.least), sum(held[lock].most, by.most)};
}

void LockFlow::add(HeldLocks &held, const Effect &effect,
                   bool isAbsolute) const {
  for (unsigned lock = 0; lock < effect.size(); ++lock)
    add(held, lock, effect[lock], isAbsolute);
}

/// What callees that are functions of the program take and release for it.
LockFlow::Effect LockFlow::effectOf(Id call) const {
  Effect result;
  bool isFirst = true;
  for (Id callee : c_.flow.callees(call)) {
    if (!f_.functions[callee].hasBody ||
        !p_.takesArgumentsOf(callee, f_.calls[call]))
      continue;
    auto at = summaries_.find(callee);
    Effect effect = at == summaries_.end() ? Effect(names_.size()) : at->second;
    result = isFirst ? effect : joined(result, effect);
    isFirst = false;
  }
  return result;
}

bool LockFlow::changes(Id call, unsigned lock) const {
  if (const LockCall *own = lockOf(call))
    return own->lock == lock && own->effect != LockUse::Waits;
  const Effect effect = effectOf(call);
  return !effect.empty() && effect[lock] != HeldRange();
}

bool LockFlow::keeps(Id call, unsigned lock) const {
  const Effect effect = lockOf(call) ? Effect() : effectOf(call);
  return !effect.empty() && effect[lock].least > 0;
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
                    bool isAbsolute,
                    llvm::function_ref<void(Id, const HeldLocks &)> see) const {
  const LockCall *tried = triedLast(d, b);
  for (uint32_t k : b.calls) {
    const Id call = d.calls.begin + k;
    see(call, held);
    auto at = calls_.find(call);
    if (at == calls_.end()) {
      add(held, effectOf(call), isAbsolute);
      continue;
    }
    const LockCall &lock = at->second;
    switch (lock.effect) {
    case LockUse::Takes:
      add(held, lock.lock, {1, 1}, isAbsolute);
      break;
    case LockUse::Tries:
      if (&lock != tried)
        add(held, lock.lock, {0, 1}, isAbsolute);
      break;
    case LockUse::Releases:
      add(held, lock.lock, {-1, -1}, isAbsolute);
      break;
    case LockUse::Waits:
    case LockUse::None:
      break;
    }
  }
}

std::vector<HeldLocks> LockFlow::through(const Definition &d,
                                         const HeldLocks &entry,
                                         bool isAbsolute) const {
  return throughBlocks<HeldLocks>(
      d, entry, joined, [&](const Block &b, HeldLocks held, auto goOn) {
        pass(d, b, held, isAbsolute, [](Id, const HeldLocks &) {});
        const LockCall *tried = triedLast(d, b);
        for (uint32_t to : b.successors) {
          HeldLocks there = held;
          if (tried && to == b.whenZero)
            add(there, tried->lock, {1, 1}, isAbsolute);
          goOn(to, there);
        }
      });
}

LockFlow::Effect LockFlow::summaryOf(const Definition &d) const {
  if (d.blocks.empty())
    return {};
  HeldLocks held = through(d, HeldLocks(names_.size()), false).front();
  if (!held.empty())
    pass(d, d.blocks.front(), held, false, [](Id, const HeldLocks &) {});
  return held; // empty: it never returns
}

void LockFlow::findSummaries() {
  std::vector<Id> work;
  for (const auto &[i, call] : calls_)
    work.push_back(f_.calls[i].function);
  IdMap<unsigned> rounds;
  while (!work.empty()) {
    const Id fn = work.back();
    work.pop_back();
    Effect effect;
    for (const Definition *d : p_.definitionsOf(fn))
      effect = joined(effect, summaryOf(*d));
    auto at = summaries_.find(fn);
    const Effect before =
        at == summaries_.end() ? Effect(names_.size()) : at->second;
    if (effect.empty() || effect == before || ++rounds[fn] > 8)
      continue;
    summaries_[fn] = effect;
    if (auto callers = callers_.find(fn); callers != callers_.end())
      for (Id k : callers->second)
        if (f_.calls[k].function != None)
          work.push_back(f_.calls[k].function);
  }
}

std::vector<Id> LockFlow::allRoots(std::vector<Id> threads) const {
  for (Id fn = 0; fn < f_.functions.size(); ++fn)
    if (f_.functions[fn].hasBody && !callers_.count(fn) &&
        !llvm::is_contained(threads, fn))
      threads.push_back(fn);
  return threads;
}

LockFlow::Entries LockFlow::from(std::vector<Id> roots, const CallPaths &paths,
                                 const IdSet &cut) const {
  using Entry = std::pair<Id, Id>; // a function, by a call
  Entries entries;
  std::map<Entry, HeldLocks> owning; // functions with callbacks of objects
  std::vector<Entry> work;
  auto enter = [&](Id function, Id way, const HeldLocks &held) {
    auto note = [&](HeldLocks &there, Entry entry) {
      if (HeldLocks both = joined(there, held); both != there) {
        there = std::move(both);
        work.push_back(entry);
      }
    };
    note(entries[function], {function, None});
    if (way != None && !paths.ownedIn(function).empty())
      note(owning[{function, way}], {function, way});
  };
  const IdSet isRoot(roots.begin(), roots.end());
  for (Id fn : roots)
    enter(fn, None, HeldLocks(names_.size()));
  while (!work.empty()) {
    const auto [fn, way] = work.back();
    work.pop_back();
    Entries here;
    here[fn] = way == None ? entries[fn] : owning[{fn, way}];
    eachCall(fn, here, [&](Id call, const HeldLocks &held) {
      if (call == None || cut.contains(call) ||
          (paths.isOwned(call) ? way == None && !isRoot.contains(fn)
                               : way != None))
        return;
      paths.eachCallee(call, way,
                       [&](Id callee) { enter(callee, call, held); });
    });
  }
  return entries;
}

void LockFlow::eachCall(
    Id function, const Entries &entries,
    llvm::function_ref<void(Id call, const HeldLocks &held)> see) const {
  auto entry = entries.find(function);
  if (entry == entries.end())
    return;
  const HeldLocks held = entry->second; // `see` may change it
  for (const Definition *d : p_.definitionsOf(function)) {
    if (d->blocks.empty())
      continue;
    std::vector<HeldLocks> at = through(*d, held, true);
    for (size_t b = d->blocks.size(); b-- > 0;) {
      if (at[b].empty())
        continue;
      pass(*d, d->blocks[b], at[b], true, see);
      if (b == 0)
        see(None, at[b]);
    }
  }
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
    std::vector<HeldLocks> at = through(*d, entry->second, true);
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
      if (held.empty())
        continue;
      Block part = d->blocks[b];
      part.calls.resize(std::min(count, part.calls.size()));
      pass(*d, part, held, true, [](Id, const HeldLocks &) {});
      result = joined(result, held);
    }
  }
  return result;
}
