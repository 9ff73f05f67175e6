//===- StoredCounters.cpp - Numbers copied into persistent objects --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static unsigned tickets;   item->ticket = ++tickets;
//
// The load does not write the number, so it would begin anew, while the
// tickets that were given come back. A number that one step moves comes back,
// too. One with more steps may go down as well, and count what ends with the
// process: it is reported.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/IndicesAndSizes.h"
#include "passes/solve/state/PersistentParts.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace nvmove;

namespace {

using StoredCountersParts = View<const MarkedTypes, ServedStatics>;

class StoredCounters {
public:
  explicit StoredCounters(const StoredCountersParts &a)
      : a_(a), c_(a.context), p_(c_.program), f_(p_.facts),
        origins_(p_, c_.pointsTo, a.context.values, ScalarOrigins::Calls::All) {
  }

  void run() {
    findNumbers();
    if (numbers_.empty())
      return;
    findStored();
    for (auto &[place, writes] : numbers_)
      if (stored_.contains(place))
        consider(place, writes);
  }

private:
  using Place = ScalarOrigins::Place;
  using Writes = std::vector<const StaticWrite *>;

  bool isStep(const StaticWrite &w, Place place) const {
    return w.value != None && origins_.isFrom(w.value, place);
  }

  /// Nothing but steps and constants is put there.
  void findNumbers() {
    for (const StaticWrite &w : f_.staticWrites) {
      const Node &n = f_.nodes[w.variable];
      Id type = p_.typeOf(w.variable, w.path);
      if (w.isScalar && w.function != None && n.isDefined && type != None &&
          (p_.kind(type) == TypeKind::Integer ||
           p_.kind(type) == TypeKind::Byte) &&
          p_.kind(n.type) != TypeKind::Array && !a_.statics.restored().holds(w))
        numbers_[{w.variable,
                  w.path.empty() ? None : f_.fields[w.path.back()].cell}]
            .push_back(&w);
    }
    std::erase_if(numbers_, [&](const auto &number) {
      bool isStepped = false, isOther = false;
      for (const StaticWrite *w : number.second) {
        bool step = isStep(*w, number.first);
        isStepped |= step;
        isOther |= !step && w->value != None;
      }
      return !isStepped || isOther;
    });
  }

  /// What is copied into persistent records.
  void findStored() {
    const PersistentParts parts(p_, a_.types);
    IdSet addresses;
    for (const StoreSite &s : f_.stores)
      if (s.record != None && s.field != None && parts.contains(s.record))
        addresses.insert(s.address);
    std::vector<Id> values;
    for (const Constraint &c : f_.constraints)
      if (c.flow == Flow::Store && addresses.contains(c.dst))
        values.push_back(c.src);
    origins_.addCopied(values, stored_);
  }

  void consider(Place place, const Writes &writes) {
    const StaticWrite *moved = nullptr;
    unsigned steps = 0;
    bool isReset = false;
    for (const StaticWrite *w : writes)
      if (isStep(*w, place)) {
        ++steps;
        if (!moved && c_.phases.isHandled(w->function, w->loop))
          moved = w;
      } else if (!c_.phases.atStart.contains(w->function) ||
                 c_.phases.isHandled(w->function, w->loop))
        isReset = true;
    if (!moved)
      return;
    bool goesOn = steps == 1 && !isReset && !p_.isAddressTaken(place.first);
    a_.statics.note({place.first, moved->path},
                    {goesOn ? Evidence::CountsStored : Evidence::StoredButReset,
                     moved->loc, moved->function});
  }

  StoredCountersParts a_;
  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const ScalarOrigins origins_;
  std::map<Place, Writes> numbers_;
  ScalarOrigins::Places stored_;
};

} // namespace

namespace nvmove {

void findStoredCounters(StoredCountersParts a) { StoredCounters(a).run(); }

} // namespace nvmove
