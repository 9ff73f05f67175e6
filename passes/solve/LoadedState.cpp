//===- LoadedState.cpp - What the load wrote, and what of it stays -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/Verdict.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace nvmove;

/// Gathers what the functions of the load write.
class LoadedState::Collector {
public:
  explicit Collector(LoadedState &state)
      : s_(state), c_(state.c_), f_(c_.program.facts), pt_(c_.pointsTo) {}

  void run() {
    for (auto &[fn, call] : pt_.reached())
      for (Id i : c_.program.constraintsOf(fn)) {
        const Constraint &c = f_.constraints[i];
        if (c.flow == Flow::Store)
          through(c.dst, {fn, c.loc, c.src, true});
        else if (c.flow == Flow::CopyMemory && c.dst != None)
          copy(c, {fn, c.loc, None});
      }
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
  enum class To : uint8_t { All, Blocks, Handed, NotHanded };
  using Key = std::tuple<const PointsTo::Set *, To, Id>;

  uint32_t add(Write w) {
    s_.writes_.push_back(w);
    return s_.writes_.size() - 1;
  }

  void group(Key key, Write w) {
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
    }
    llvm_unreachable("no such group");
  }

  // Copying a record writes each of its fields; into bytes without a type,
  // those of what is copied: push(list, &item, sizeof item).
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

  void copy(const Constraint &c, Write w) {
    uint32_t group = s_.groups_.size();
    s_.groups_.push_back({add(w)});
    auto write = [&](Id l) {
      std::vector<uint32_t> &groups = s_.writesTo_[l];
      if (groups.empty() || groups.back() != group)
        groups.push_back(group);
    };
    std::optional<llvm::SmallVector<Id, 4>> copies;
    for (Id l : pt_.pointsTo(c.dst)) {
      if (!pt_.isMemory(l))
        continue;
      write(l);
      Id field = pt_.locations()[l].field;
      Id inner =
          field == None ? None : c_.program.recordOf(f_.fields[field].type);
      auto records = pt_.recordsOf(pt_.locations()[l].object);
      bool intoBytes = field == None && records.empty();
      if (intoBytes && !copies)
        copies = copied(c);
      if (intoBytes)
        records = *copies;
      if ((field != None && inner == None) ||
          (inner == None && records.empty()))
        continue; // a scalar, or bytes without a type: the cell itself
      for (Id m : pt_.locationsOf(pt_.locations()[l].object)) {
        Id k = pt_.locations()[m].field;
        bool isCopied =
            k != None &&
            (inner != None
                 ? c_.program.contains(inner, f_.fields[k].record)
                 : llvm::any_of(records, [&](Id r) {
                     return c_.program.contains(r, f_.fields[k].record);
                   }));
        if (m != l && isCopied &&
            (!intoBytes || pt_.holdsFileBytes(pt_.content(m))))
          write(m);
      }
    }
  }

  // Constants too: flag = bit ? 1 : 0, count++. What was there before the load
  // is restored by them only in functions that see what is read.
  void constants() {
    llvm::DenseSet<Id> reading;
    for (Id n = 0; n < f_.nodes.size(); ++n)
      if (f_.nodes[n].function != None && pt_.holdsFileBytes(pt_.pointsTo(n)))
        reading.insert(f_.nodes[n].function);
    llvm::DenseSet<Id> valued; // addresses to which more than constants go
    for (const Constraint &c : f_.constraints)
      if (c.flow == Flow::Store && c.src != None)
        valued.insert(c.dst);
    for (auto &[fn, call] : pt_.reached())
      for (Id i : c_.program.storesOf(fn)) {
        const StoreSite &store = f_.stores[i];
        Write w{fn, store.loc, None, true};
        if (!reading.contains(fn)) {
          through(store.address, w, To::Blocks);
        } else if (valued.contains(store.address)) {
          through(store.address, w);
        } else {
          through(store.address, w, To::Handed, fn);
          w.flag = true;
          through(store.address, w, To::NotHanded, fn);
        }
      }
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
      if (w.function == None || !pt_.reached().contains(w.function))
        continue;
      Id l = pt_.find(w.variable, w.path.empty() ? None : w.path.back());
      if (l != None)
        at(l, {w.function, w.loc, w.value, true});
    }
  }

  void inputs() {
    for (auto [i, callee] : pt_.libraryCallsReached()) {
      const Call &c = f_.calls[i];
      const LibraryFunction *l = libraryFunction(f_.functions[callee].name);
      if (!l || l->scatters || l->destination < 0 ||
          l->kind == LibraryFunction::Chance)
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
  std::map<Id, llvm::DenseSet<Id>> handed_; ///< objects, by function
};

LoadedState::LoadedState(const SolveContext &context) : c_(context) {
  Collector(*this).run();
  findCallPaths();
  collectEarlierStores();
  spread();
  const Facts &f = c_.program.facts;
  for (const Constraint &c : f.constraints)
    if (c.flow == Flow::Member && c.function != None &&
        !c_.pointsTo.reached().contains(c.function))
      readOutside_.insert(f.fields[c.extra].record);
}

LoadedState::Writes LoadedState::writesTo(Id location) const {
  auto found = writesTo_.find(location);
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

bool LoadedState::isNew(Id location) const {
  const PointsTo &pt = c_.pointsTo;
  if (writesTo(location).empty())
    return false;
  if (writesTo(location).any([](const Write &w) { return w.flag; }))
    return true;
  const auto &content = pt.content(location);
  if (pt.holdsFileBytes(content))
    return true;
  for (Id l : content)
    if (pt.objects()[pt.locations()[l].object].kind == PointsTo::Object::Heap)
      return true;
  return false;
}

bool LoadedState::isLoaded(Id object) const {
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
    auto kind = pt.objects()[pt.locations()[l].object].kind;
    if (kind == PointsTo::Object::Heap ||
        kind == PointsTo::Object::Preexisting ||
        (kind == PointsTo::Object::Variable && isNew(l)))
      return true;
  }
  return false;
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
