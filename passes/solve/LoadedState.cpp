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

LoadedState::LoadedState(const SolveContext &context) : c_(context) {
  collectWrites();
  collectEarlierStores();
  spread();
  const Facts &f = c_.program.facts;
  for (const Constraint &c : f.constraints)
    if (c.flow == Flow::Member && c.function != None &&
        !c_.pointsTo.reached().contains(c.function))
      readOutside_.insert(f.fields[c.extra].record);
}

void LoadedState::collectWrites() {
  const Facts &f = c_.program.facts;
  const PointsTo &pt = c_.pointsTo;
  auto record = [&](Id address, Write w) {
    if (address == None)
      return;
    for (Id l : pt.pointsTo(address))
      if (pt.isMemory(l))
        writes_[l].push_back(w);
  };
  // Copying a record writes each of its fields; into bytes without a type,
  // those of what is copied: push(list, &item, sizeof item).
  auto copied = [&](const Constraint &c) {
    llvm::SmallVector<Id, 4> records;
    if (c.src != None)
      for (Id l : pt.pointsTo(c.src)) {
        const auto &from = pt.locations()[l];
        if (from.field == None)
          records.append(pt.recordsOf(from.object));
        else if (Id r = c_.program.recordOf(f.fields[from.field].type);
                 r != None)
          records.push_back(r);
      }
    return records;
  };
  auto recordWhole = [&](const Constraint &c, Write w) {
    std::optional<llvm::SmallVector<Id, 4>> copies;
    for (Id l : pt.pointsTo(c.dst)) {
      if (!pt.isMemory(l))
        continue;
      writes_[l].push_back(w);
      Id field = pt.locations()[l].field;
      Id inner =
          field == None ? None : c_.program.recordOf(f.fields[field].type);
      auto records = pt.recordsOf(pt.locations()[l].object);
      bool intoBytes = field == None && records.empty();
      if (intoBytes && !copies)
        copies = copied(c);
      if (intoBytes)
        records = *copies;
      if ((field != None && inner == None) ||
          (inner == None && records.empty()))
        continue; // a scalar, or bytes without a type: the cell itself
      for (Id m : pt.locationsOf(pt.locations()[l].object)) {
        Id k = pt.locations()[m].field;
        bool isCopied =
            k != None &&
            (inner != None
                 ? c_.program.contains(inner, f.fields[k].record)
                 : llvm::any_of(records, [&](Id r) {
                     return c_.program.contains(r, f.fields[k].record);
                   }));
        if (m != l && isCopied &&
            (!intoBytes || pt.holdsFileBytes(pt.content(m))))
          writes_[m].push_back(w);
      }
    }
  };
  for (auto &[fn, call] : pt.reached()) {
    for (Id i : c_.program.constraintsOf(fn)) {
      const Constraint &c = f.constraints[i];
      if (c.flow == Flow::Store)
        record(c.dst, {fn, c.loc, c.src, true});
      else if (c.flow == Flow::CopyMemory && c.dst != None)
        recordWhole(c, {fn, c.loc, None});
    }
  }
  // Constants too: flag = bit ? 1 : 0, count++. What was there before the load
  // is restored by them only in functions that see what is read.
  llvm::DenseSet<Id> reading;
  for (Id n = 0; n < f.nodes.size(); ++n)
    if (f.nodes[n].function != None && pt.holdsFileBytes(pt.pointsTo(n)))
      reading.insert(f.nodes[n].function);
  llvm::DenseSet<Id> valued; // addresses to which more than constants go
  for (const Constraint &c : f.constraints)
    if (c.flow == Flow::Store && c.src != None)
      valued.insert(c.dst);
  // A helper that is handed the object keeps it in order, whatever it sees.
  auto isHanded = [&](Id fn, Id object) {
    return llvm::any_of(f.functions[fn].params, [&](Id param) {
      for (Id l : pt.pointsTo(param))
        if (pt.locations()[l].object == object)
          return true;
      return false;
    });
  };
  for (auto &[fn, call] : pt.reached())
    for (Id i : c_.program.storesOf(fn))
      if (Id address = f.stores[i].address; address != None)
        for (Id l : pt.pointsTo(address))
          if (pt.isMemory(l) && (reading.contains(fn) ||
                                 pt.objects()[pt.locations()[l].object].kind ==
                                     PointsTo::Object::Heap))
            writes_[l].push_back({fn, f.stores[i].loc, None, true,
                                  reading.contains(fn) &&
                                      !valued.contains(address) &&
                                      !isHanded(fn, pt.locations()[l].object)});
  for (const StaticWrite &w : f.staticWrites) {
    if (w.function == None || !pt.reached().contains(w.function))
      continue;
    Id l = pt.find(w.variable, w.path.empty() ? None : w.path.back());
    if (l != None)
      writes_[l].push_back({w.function, w.loc, w.value, true});
  }
  for (auto [i, callee] : pt.libraryCallsReached()) {
    const Call &c = f.calls[i];
    const LibraryFunction *l = libraryFunction(f.functions[callee].name);
    if (!l || l->scatters || l->destination < 0 ||
        l->kind == LibraryFunction::Chance)
      continue;
    bool several = l->kind == LibraryFunction::Input &&
                   f.functions[callee].isVariadic; // scanf()
    for (size_t k = l->destination; k < c.args.size(); ++k)
      if (several || k == size_t(l->destination))
        record(c.args[k], {c.function, c.loc, None});
  }
  for (auto [l, call] : pt.fills())
    if (std::vector<Write> &writes = writes_[l]; writes.empty())
      writes.push_back({f.calls[call].function, f.calls[call].loc, None});
}

const std::vector<LoadedState::Write> &
LoadedState::writesTo(Id location) const {
  static const std::vector<Write> none;
  auto found = writes_.find(location);
  return found == writes_.end() ? none : found->second;
}

const LoadedState::Write &LoadedState::proof(Id location) const {
  const std::vector<Write> &writes = writesTo(location);
  for (const Write &w : writes)
    if (w.direct)
      return w;
  return writes.front();
}

bool LoadedState::isNew(Id location) const {
  const PointsTo &pt = c_.pointsTo;
  if (writesTo(location).empty())
    return false;
  if (llvm::any_of(writesTo(location), [](const Write &w) { return w.flag; }))
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

std::vector<Id> LoadedState::callPathTo(Id function) const {
  std::vector<Id> path;
  const auto &reached = c_.pointsTo.reached();
  for (Id fn = function; path.size() < 256;) {
    auto found = reached.find(fn);
    if (found == reached.end() || found->second == None)
      break;
    path.push_back(found->second);
    fn = c_.program.facts.calls[found->second].function;
  }
  std::reverse(path.begin(), path.end());
  return path;
}
