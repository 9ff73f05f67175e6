//===- SizeScalars.cpp - Numbers that say how large, or where ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/scalars/ScalarFinder.h"
#include <optional>

using namespace nvmove;

// table = calloc(n, ..); size = n; .. table[hash % size]: a number that the
// load sets, from wherever, and that says how large what it made is, or where
// in it things lie.
void ScalarFinder::measures() {
  for (const StaticWrite *w : writes_) {
    std::optional<Evidence> why = measures_.of(w->value, w->function);
    if (measures_.choose(placeOf(*w)))
      why = Evidence::SaysWhere;
    if (why)
      add(w->variable, w->path, *why, w->loc);
  }
  // Through pointers: vector->capacity *= 2.
  for (auto &[fn, call] : pt_.reached()) {
    IdSet addresses;
    for (Id i : c_.program.storesOf(fn)) {
      const StoreSite &s = f_.stores[i];
      addresses.insert(s.address);
      eachNumberWritten(s, [&](Id l, const std::vector<Id> &path) {
        if (std::optional<Evidence> why = measures_.of(placeAt(l)))
          add(placeAt(l).first, path, *why, s.loc);
      });
    }
    for (Id i : c_.program.constraintsOf(fn)) {
      const Constraint &c = f_.constraints[i];
      if (c.flow == Flow::CopyMemory)
        copied(c);
      if (c.flow != Flow::Store || !addresses.contains(c.dst))
        continue;
      std::optional<std::optional<Evidence>> why; // once asked
      eachNumberBehind(c.dst, [&](Id l, const std::vector<Id> &path) {
        stored_.insert(l);
        if (!why)
          why = measures_.of(c.src, fn);
        if (*why)
          add(placeAt(l).first, path, **why, c.loc);
      });
    }
  }
}

// *table = larger: the numbers in a record that is copied as one.
void ScalarFinder::copied(const Constraint &c) {
  Id record = c.extra == None ? None : c_.program.recordOf(c.extra);
  if (record == None || c.dst == None)
    return;
  for (Id to : pt_.pointsTo(c.dst)) {
    if (!pt_.isMemory(to) || !stays(pt_.objects()[pt_.locations()[to].object]))
      continue;
    for (Id l : pt_.locationsOf(pt_.locations()[to].object)) {
      Id field = pt_.locations()[l].field;
      if (field == None ||
          !c_.program.contains(record, f_.fields[field].record))
        continue;
      for (const std::vector<Id> &path : numbersAt(l)) {
        if (!s_.writesTo(l).empty())
          stored_.insert(l);
        if (std::optional<Evidence> why = measures_.of(placeAt(l)))
          add(placeAt(l).first, path, *why, c.loc);
      }
    }
  }
}
