//===- LoadedState.cpp - What the load wrote, and what of it stays -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/LoadedState.h"
#include "passes/facts/IdSet.h"
#include "passes/solve/state/DanglingLocals.h"
#include "passes/solve/state/ObservedState.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace nvmove;

/// Gathers what the functions of the load write.
class LoadedState::Collector {
public:
  explicit Collector(LoadedState &state)
      : s_(state), c_(state.c_), f_(c_.program.facts), pt_(c_.pointsTo) {}

  void run() {
    IdSet never; // results of calls that are not made
    for (Id call : pt_.neverRun())
      never.insert(f_.calls[call].result);
    never.erase(None);
    const DanglingLocals gone(c_);
    for (auto &[fn, call] : pt_.reached())
      for (Id i : c_.program.constraintsOf(fn)) {
        const Constraint &c = f_.constraints[i];
        if (c.flow == Flow::Store && !never.contains(c.src) &&
            !gone.contains(c.src))
          through(c.dst, {fn, c.loc, c.src, true});
        else if (c.flow == Flow::CopyMemory && c.dst != None)
          copy(c, {fn, c.loc, None});
      }
    passing();
    constants();
    variables();
    inputs();
    for (auto &[key, group] : groups_)
      for (Id l : *std::get<0>(key))
        if (pt_.isMemory(l) && passes(key, l))
          s_.writesTo_[l].push_back(group);
    for (auto &[l, groups] : s_.writesTo_)
      llvm::sort(groups); // the sets lie elsewhere in each run
    for (auto [l, call] : pt_.fills())
      if (s_.writesTo(l).empty())
        at(l, {f_.calls[call].function, f_.calls[call].loc, None});
  }

private:
  /// Where the writes of a group go: to what is in the set, if it is a block
  /// where that is asked for, and if it is (not) handed to the function.
  enum class To : uint8_t { All, Blocks, Handed, NotHanded, Fed, Lasting };
  using Key = std::tuple<const PointsTo::Set *, To, Id>;

  uint32_t add(Write w) {
    s_.writes_.push_back(w);
    return s_.writes_.size() - 1;
  }

  void group(Key key, Write w) {
    if (!s_.hasRun(w.function))
      return;
    auto [at, fresh] = groups_.try_emplace(key, s_.groups_.size());
    if (fresh)
      s_.groups_.emplace_back();
    s_.groups_[at->second].push_back(add(w));
  }

  void through(Id address, Write w, To to = To::All, Id function = None) {
    if (address != None)
      group({&pt_.pointsTo(address), to, function}, w);
  }

  void at(Id location, Write w) {
    if (!s_.hasRun(w.function))
      return;
    s_.writesTo_[location].push_back(s_.groups_.size());
    s_.groups_.push_back({add(w)});
  }

  bool passes(const Key &key, Id l) {
    Id object = pt_.locations()[l].object;
    switch (std::get<1>(key)) {
    case To::All:
      return true;
    case To::Blocks:
      return pt_.objects()[object].kind == PointsTo::Object::Heap;
    case To::Handed:
      return isHanded(std::get<2>(key), object);
    case To::NotHanded:
      return !isHanded(std::get<2>(key), object);
    case To::Fed:
      return feeds(std::get<2>(key), object);
    case To::Lasting:
      return isLasting(object);
    }
    llvm_unreachable("no such group");
  }

  // What leads to the load may store what was loaded: count = load()->count.
  // The rest of what it writes, it writes at each start.
  void passing() {
    for (const Constraint &c : f_.constraints) {
      if (c.function == None || c.dst == None || c.src == None ||
          !pt_.isPassing(c.function))
        continue;
      if (c.flow == Flow::Store && s_.isLoadedValue(pt_.pointsTo(c.src)))
        through(c.dst, {c.function, c.loc, c.src, true},
                c_.program.isPointer(f_.nodes[c.src].type) ? To::Lasting
                                                           : To::All);
      else if (c.flow == Flow::CopyMemory && leadsToLoaded(c.src))
        copy(c, {c.function, c.loc, None}, To::Lasting);
    }
  }

  /// Not a single record that what leads to the load makes at each start, and
  /// which a root leads through: server = malloc(..); server->items = load().
  /// Its nodes of a list or a tree, which are as many as what was loaded, are.
  bool isLasting(Id object) const {
    const auto &o = pt_.objects()[object];
    return o.kind != PointsTo::Object::Preexisting ||
           (o.record != None &&
            llvm::any_of(f_.records[o.record].fields, [&](Id k) {
              return c_.program.pointeeRecord(f_.fields[k].type) == o.record;
            }));
  }

  bool leadsToLoaded(Id pointer) const {
    for (Id l : pt_.pointsTo(pointer))
      if (llvm::any_of(pt_.locationsOf(pt_.locations()[l].object),
                       [&](Id m) { return s_.isLoadedValue(pt_.content(m)); }))
        return true;
    return false;
  }

  // Copying a record writes each of its fields; into bytes without a type, or
  // behind a record in its block, those of what is copied:
  // push(list, &item, sizeof item).
  llvm::SmallVector<Id, 4> copied(const Constraint &c) const {
    llvm::SmallVector<Id, 4> records;
    if (c.src != None)
      for (Id l : pt_.pointsTo(c.src)) {
        const auto &from = pt_.locations()[l];
        if (from.field == None)
          records.append(pt_.recordsOf(from.object));
        else if (Id r = c_.program.recordOf(f_.fields[from.field].type);
                 r != None)
          records.push_back(r);
      }
    return records;
  }

  void copy(const Constraint &c, Write w, To to = To::All) {
    if (!s_.hasRun(w.function))
      return;
    uint32_t group = s_.groups_.size();
    w.copied = true;
    s_.groups_.push_back({add(w)});
    auto write = [&](Id l) {
      std::vector<uint32_t> &groups = s_.writesTo_[l];
      if (groups.empty() || groups.back() != group)
        groups.push_back(group);
    };
    std::optional<llvm::SmallVector<Id, 4>> copies;
    for (Id l : pt_.pointsTo(c.dst)) {
      if (!pt_.isMemory(l) ||
          (to == To::Lasting && !isLasting(pt_.locations()[l].object)))
        continue;
      write(l);
      Id field = pt_.locations()[l].field;
      Id inner =
          field == None ? None : c_.program.recordOf(f_.fields[field].type);
      if (field != None && inner == None)
        continue; // a scalar: the cell itself
      Id object = pt_.locations()[l].object;
      llvm::SmallVector<Id, 4> records;
      if (inner != None)
        records.push_back(inner);
      else
        records = pt_.recordsOf(object);
      if (field == None && !copies)
        copies = copied(c);
      for (Id m : pt_.locationsOf(object)) {
        Id k = pt_.locations()[m].field;
        if (m != l && k != None &&
            (isPart(records, k) || (field == None && isPart(*copies, k) &&
                                    pt_.holdsFileBytes(pt_.content(m)))))
          write(m);
      }
    }
  }

  bool isPart(llvm::ArrayRef<Id> records, Id field) const {
    return llvm::any_of(records, [&](Id r) {
      return c_.program.contains(r, f_.fields[field].record);
    });
  }

  // Constants too: flag = bit ? 1 : 0, count++. What was there before the load
  // is restored by them only in functions that see what is read, or that put
  // what was loaded there: list->items[list->count++] = item.
  void constants() {
    for (auto &[fn, call] : pt_.reached())
      for (Id i : c_.program.storesOf(fn)) {
        const StoreSite &store = f_.stores[i];
        if (pt_.neverDone(store.nonNull, fn))
          continue;
        Write w{fn, store.loc, None, true};
        if (!c_.program.takesValues(store.address)) {
          w.flag = w.counts = store.readModifyWrite;
          through(store.address, w, To::Fed, fn);
          w.flag = w.counts = false;
        }
        if (!s_.seesFile(fn)) {
          through(store.address, w, To::Blocks);
        } else if (c_.program.takesValues(store.address)) {
          through(store.address, w);
        } else {
          through(store.address, w, To::Handed, fn);
          w.flag = true;
          through(store.address, w, To::NotHanded, fn);
        }
      }
  }

  /// The function stores something loaded in the object, or in what that leads
  /// to: a header and its table.
  bool feeds(Id fn, Id object) {
    if (pt_.objects()[object].kind == PointsTo::Object::Heap)
      return false;
    auto [at, fresh] = fed_.try_emplace(fn);
    if (fresh)
      for (Id i : c_.program.constraintsOf(fn)) {
        const Constraint &c = f_.constraints[i];
        if (c.flow == Flow::Store && c.dst != None && c.src != None &&
            s_.isLoadedValue(pt_.pointsTo(c.src)))
          at->second |= pt_.pointsTo(c.dst);
      }
    const PointsTo::Set &fed = at->second;
    return !fed.empty() && llvm::any_of(pt_.locationsOf(object), [&](Id l) {
      return fed.test(l) || pt_.content(l).intersects(fed);
    });
  }

  // A helper that is handed the object keeps it in order, whatever it sees.
  bool isHanded(Id fn, Id object) {
    auto [at, fresh] = handed_.try_emplace(fn);
    if (fresh)
      for (Id param : f_.functions[fn].params)
        for (Id l : pt_.pointsTo(param))
          at->second.insert(pt_.locations()[l].object);
    return at->second.contains(object);
  }

  void variables() {
    for (const StaticWrite &w : f_.staticWrites) {
      bool isLoad = w.function != None && pt_.reached().contains(w.function);
      if ((!isLoad &&
           (w.function == None || !pt_.isPassing(w.function) ||
            w.value == None || !s_.isLoadedValue(pt_.pointsTo(w.value)))) ||
          pt_.neverDone(w))
        continue;
      Id l = pt_.find(w.variable, w.path.empty() ? None : w.path.back());
      if (l != None)
        at(l, {w.function, w.loc, w.value, true});
    }
    for (const StaticWrite &w : f_.localWrites)
      if (Id l = pt_.find(w.variable, w.path.empty() ? None : w.path.back());
          l != None && pt_.reached().contains(w.function) &&
          !pt_.neverDone(w.nonNull, w.function))
        at(l, {w.function, w.loc, w.value, true});
  }

  void inputs() {
    for (auto [i, callee] : pt_.libraryCallsReached()) {
      const Call &c = f_.calls[i];
      const LibraryFunction *l = c_.program.libraryOf(callee);
      if (!l || l->scatters || l->destination < 0 ||
          l->kind == LibraryFunction::Nondeterministic ||
          l->kind == LibraryFunction::Allocate)
        continue;
      bool several = l->kind == LibraryFunction::Input &&
                     f_.functions[callee].isVariadic; // scanf()
      for (size_t k = l->destination; k < c.args.size(); ++k)
        if (several || k == size_t(l->destination))
          through(c.args[k], {c.function, c.loc, None});
    }
  }

  LoadedState &s_;
  const SolveContext &c_;
  const Facts &f_;
  const PointsTo &pt_;
  std::map<Key, uint32_t> groups_;
  std::map<Id, IdSet> handed_;      ///< objects, by function
  std::map<Id, PointsTo::Set> fed_; ///< locations, by function
};

bool SolveContext::mayBeOfLoad(Id value) const {
  for (unsigned t : flow.atNode(value)) {
    const FieldFlow::Token &k = flow.tokens()[t];
    Id fn = k.kind == FieldFlow::Token::Site
                ? program.facts.calls[allocators.sites()[k.ref].call].function
                : None;
    if (fn != None && pointsTo.reached().contains(fn))
      return true;
  }
  return false;
}

IdSet SolveContext::calledBy(llvm::ArrayRef<Section> sections) const {
  std::vector<Id> calls;
  for (const Section &s : sections)
    llvm::append_range(calls, s.calls);
  return loop.reachableFrom(calls);
}

LoadedState::LoadedState(const SolveContext &context,
                         const ObservedState *observed)
    : c_(context), observed_(observed) {
  if (observed_)
    isSeenWritten_.resize(c_.pointsTo.locations().size());
  Collector(*this).run();
  isNew_.resize(c_.pointsTo.locations().size());
  isLoaded_.resize(c_.pointsTo.objects().size());
  targets_.resize(c_.pointsTo.locations().size());
  findCallPaths();
  collectEarlierStores();
  spread();
  const Facts &f = c_.program.facts;
  for (const Constraint &c : f.constraints)
    if (c.flow == Flow::Member && c.function != None &&
        !c_.pointsTo.reached().contains(c.function))
      readOutside_.insert(f.fields[c.extra].record);
}

bool LoadedState::hasRun(Id function) const {
  return !observed_ || observed_->hasRun(function);
}

LoadedState::Writes LoadedState::writesTo(Id location) const {
  auto found = writesTo_.find(location);
  if (observed_ && found != writesTo_.end()) {
    std::optional<bool> &isSeen = isSeenWritten_[location];
    if (!isSeen) // of what leads to the load, also what it stores later
      isSeen = observed_->isWritten(location) ||
               (observed_->isChanged(location) &&
                Writes(*this, found->second).any([&](const Write &w) {
                  return c_.pointsTo.isPassing(w.function);
                }));
    if (!*isSeen)
      found = writesTo_.end();
  }
  return {*this, found == writesTo_.end() ? llvm::ArrayRef<uint32_t>()
                                          : llvm::ArrayRef(found->second)};
}

const LoadedState::Write *LoadedState::Writes::first(
    llvm::function_ref<bool(const Write &)> holds) const {
  uint32_t best = ~0u;
  for (uint32_t group : groups_)
    for (uint32_t w : state_.groups_[group])
      if (w >= best)
        break;
      else if (holds(state_.writes_[w]))
        best = w;
  return best == ~0u ? nullptr : &state_.writes_[best];
}

const LoadedState::Write &LoadedState::proof(Id location) const {
  Writes writes = writesTo(location);
  const Write *direct = writes.first([](const Write &w) { return w.direct; });
  return direct ? *direct : *writes.first([](const Write &) { return true; });
}

bool LoadedState::seesFile(Id function) const {
  const Facts &f = c_.program.facts;
  if (seeing_.empty()) {
    seeing_.insert(None);
    for (Id n = 0; n < f.nodes.size(); ++n)
      if (c_.pointsTo.holdsFileBytes(c_.pointsTo.pointsTo(n)))
        seeing_.insert(f.nodes[n].function);
  }
  return function != None && seeing_.contains(function);
}

bool LoadedState::isNew(Id location) const {
  if (!isNew_[location])
    isNew_[location] = judgeNew(location);
  return *isNew_[location];
}

bool LoadedState::judgeNew(Id location) const {
  if (writesTo(location).empty())
    return false;
  return writesTo(location).any([](const Write &w) { return w.flag; }) ||
         isLoadedValue(c_.pointsTo.content(location)) ||
         !putAside(location).empty();
}

const std::vector<LoadedState::Write> &
LoadedState::putAside(Id location) const {
  const PointsTo &pt = c_.pointsTo;
  auto [known, isNew] = putAside_.try_emplace(location);
  std::vector<Write> &puts = known->second;
  if (!isNew || pt.objects()[pt.locations()[location].object].kind !=
                    PointsTo::Object::Variable)
    return puts;
  for (Id l : copies().sourcesOf({location})) {
    const Id object = pt.locations()[l].object;
    auto sees = [&](const Write &w) {
      return !w.copied && seesFile(w.function);
    };
    auto isLoadedAt = [&](Id m) {
      return isLoadedValue(pt.content(m)) || writesTo(m).any(sees);
    };
    if (llvm::none_of(pt.locationsOf(object), isLoadedAt))
      continue;
    if (const auto &o = pt.objects()[object];
        o.kind == PointsTo::Object::Heap) {
      const Call &c = c_.program.facts.calls[c_.allocators.sites()[o.ref].call];
      puts.push_back({c.function, c.loc});
    }
    for (Id m : pt.locationsOf(object))
      if (m == l || pt.locations()[m].field == None)
        writesTo(m).any([&](const Write &w) {
          if (!w.copied)
            puts.push_back(w);
          return false;
        });
  }
  return puts;
}

bool LoadedState::isLoadedValue(const PointsTo::Set &set) const {
  const PointsTo &pt = c_.pointsTo;
  if (pt.holdsFileBytes(set))
    return true;
  for (Id l : set)
    if (pt.objects()[pt.locations()[l].object].kind == PointsTo::Object::Heap)
      return true;
  return false;
}

bool LoadedState::isUntypedBlock(Id object) const {
  const PointsTo::Object &o = c_.pointsTo.objects()[object];
  return reachable(object) && o.kind == PointsTo::Object::Heap &&
         !c_.allocators.sites()[o.ref].hasOwnRecord;
}

bool LoadedState::isLoaded(Id object) const {
  if (!isLoaded_[object])
    isLoaded_[object] = judgeLoaded(object);
  return *isLoaded_[object];
}

bool LoadedState::judgeLoaded(Id object) const {
  const PointsTo &pt = c_.pointsTo;
  if (pt.objects()[object].kind == PointsTo::Object::Heap)
    return true;
  return llvm::any_of(pt.locationsOf(object), [&](Id l) { return isNew(l); });
}

bool LoadedState::isIndexOfLoaded(const Constraint &c) const {
  const PointsTo &pt = c_.pointsTo;
  if (c.flow != Flow::Index || c.extra == None || c.src == None)
    return false;
  for (Id l : pt.pointsTo(c.src)) {
    Id object = pt.locations()[l].object;
    auto kind = pt.objects()[object].kind;
    if (reachable(object)
            ? kind == PointsTo::Object::Preexisting ||
                  (kind != PointsTo::Object::Function && isLoaded(object))
            : isCopied(object))
      return true;
  }
  return false;
}

const RecordCopies &LoadedState::copies() const {
  if (!copies_)
    copies_.emplace(c_);
  return *copies_;
}

/// struct world tmp; .. world = tmp;
bool LoadedState::isCopied(Id object) const {
  const PointsTo &pt = c_.pointsTo;
  if (!copied_) {
    copied_.emplace();
    std::vector<Id> kept;
    for (Id l = 0; l < pt.locations().size(); ++l)
      if (reachable(pt.locations()[l].object))
        kept.push_back(l);
    for (Id from : copies().sourcesOf(std::move(kept)))
      copied_->insert(pt.locations()[from].object);
  }
  return copied_->contains(object);
}

std::vector<Id> LoadedState::callPathTo(Id function) const {
  std::vector<Id> path;
  for (auto at = paths_.find(function);
       at != paths_.end() && at->second.call != None;
       at = paths_.find(c_.program.facts.calls[at->second.call].function))
    path.push_back(at->second.call);
  std::reverse(path.begin(), path.end());
  return path;
}
