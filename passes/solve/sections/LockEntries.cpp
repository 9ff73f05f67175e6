//===- LockEntries.cpp - Which locks are held where functions begin -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Callers before callees. What is held at calls through pointers is collected
// for all that lead to the same functions, and then handed to each of these:
//
//   with a->mu   t->run(a);  ─┐
//                             ├─► either, or none ─► start, stop, step
//   with none    u->run(b);  ─┘
//
// A function that calls back what the object at hand says (CallPaths.h) is also
// looked at for each call that enters it, by itself.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/sections/LockFlow.h"
#include <set>

namespace nvmove {

class LockEntries {
public:
  LockEntries(const LockFlow &flow, const CallPaths &paths, const IdSet &cut)
      : flow_(flow), paths_(paths), cut_(cut) {}

  LockFlow::Entries run(llvm::ArrayRef<Id> roots) {
    roots_.insert(roots.begin(), roots.end());
    for (Id fn : roots)
      enter(fn, HeldLocks::none());
    while (!work_.empty()) {
      const Place place = std::get<Place>(*work_.begin());
      work_.erase(work_.begin());
      follow(place);
    }
    return std::move(entries_);
  }

private:
  enum Kind : char { ToSet, Function, ByWay };
  /// A set of functions; a function; or one that a call has entered.
  struct Place {
    Kind kind;
    Id id, way;
    auto operator<=>(const Place &) const = default;
  };

  void queue(Place place, Id position) {
    work_.insert({None - position, place});
  }

  void enter(Id function, const HeldLocks &held) {
    if (entries_[function].join(held))
      queue({Function, function, None}, flow_.position_[function]);
  }

  void enterBy(Id way, Id function, const HeldLocks &held) {
    if (owning_[{function, way}].join(held))
      queue({ByWay, function, way}, flow_.position_[function]);
  }

  void follow(Place place) {
    if (place.kind == ToSet) {
      const HeldLocks held = atSets_[place.id];
      for (Id function : sets_[place.id])
        enter(function, held);
      return;
    }
    const Id function = place.id, way = place.way;
    const HeldLocks entry =
        place.kind == Function ? entries_[function] : owning_[{function, way}];
    flow_.eachCallFrom(function, entry, [&](Id call, const HeldLocks &held) {
      if (call == None || cut_.contains(call))
        return;
      if (!paths_.isOwned(call)) {
        if (place.kind == Function)
          leave(call, held);
      } else if (place.kind == ByWay || roots_.contains(function)) {
        paths_.eachCallee(call, way, [&](Id callee) {
          enter(callee, held);
          if (!paths_.ownedIn(callee).empty())
            enterBy(call, callee, held);
        });
      }
    });
  }

  /// By a call that leads to the same whoever makes it.
  void leave(Id call, const HeldLocks &held) {
    const Id set = setOf(call);
    if (set == None)
      return;
    if (atSets_[set].join(held))
      queue({ToSet, set, None}, above_[set]);
    for (Id function : sets_[set])
      if (!paths_.ownedIn(function).empty())
        enterBy(call, function, held);
  }

  Id setOf(Id call) {
    auto [at, isNew] = setOf_.try_emplace(call, None);
    if (!isNew)
      return at->second;
    std::vector<Id> callees;
    Id above = 0;
    paths_.eachCallee(call, None, [&](Id callee) {
      callees.push_back(callee);
      above = std::max(above, flow_.position_[callee]);
    });
    if (callees.empty())
      return None;
    at->second = sets_.of(std::move(callees));
    if (at->second == atSets_.size()) {
      atSets_.emplace_back();
      above_.push_back(above);
    }
    return at->second;
  }

  const LockFlow &flow_;
  const CallPaths &paths_;
  const IdSet &cut_;
  IdSet roots_;
  LockFlow::Entries entries_;
  std::map<std::pair<Id, Id>, HeldLocks> owning_; ///< function, call
  FunctionSets sets_;
  IdMap<Id> setOf_; ///< by call
  std::vector<HeldLocks> atSets_;
  std::vector<Id> above_; ///< set -> the last of its functions by position
  std::set<std::pair<Id, Place>> work_;
};

LockFlow::Entries LockFlow::from(llvm::ArrayRef<Id> roots,
                                 const CallPaths &paths,
                                 const IdSet &cut) const {
  return calls_.empty() ? Entries() : LockEntries(*this, paths, cut).run(roots);
}

} // namespace nvmove
