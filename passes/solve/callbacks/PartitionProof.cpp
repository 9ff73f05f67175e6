//===- PartitionProof.cpp - What is reached from one part alone -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/callbacks/PerObjectCallbacks-owned_callbacks.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/callbacks/PartitionProof.h"
#include "passes/solve/program/LocalFixpoint.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

// The further the stored values are followed, the more members are links; the
// more are, the more blocks are seen to be put into a part.
bool PartitionProof::holds() {
  bool isProved = false;
  for (size_t known = ~size_t(0); known != links_.size();) {
    known = links_.size();
    places_.clear();
    fresh_.clear();
    registrations_.clear();
    const std::set<Id> functions = users();
    if (functions.contains(None)) // an initialiser: of whose part?
      return false;
    for (Id fn : functions) {
      analyse(fn);
      findFresh(fn);
      analyse(fn);
    }
    isProved = !isGivenAway();
    for (Id fn : functions)
      isProved &= holdsIn(fn);
    if (llvm::any_of(uses_.copies,
                     [&](Id i) { return overwrites(f_.constraints[i]); }))
      return false;
  }
  return isProved && llvm::all_of(links_, [&](Id k) {
           return f_.fields[k].cell == k &&
                  !f_.records[f_.fields[k].record].isUnion;
         });
}

std::set<Id> PartitionProof::users() const {
  std::set<Id> all;
  for (Id link : links_)
    if (auto at = uses_.ofField.find(link); at != uses_.ofField.end())
      all.insert(at->second.begin(), at->second.end());
  return all;
}

PartitionProof::Place PartitionProof::startOf(Id node) const {
  auto at = fresh_.find(node);
  return at == fresh_.end() ? start(node) : Place{Place::Part, at->second};
}

PartitionProof::Place PartitionProof::of(Id node) const {
  auto at = places_.find(node);
  return at == places_.end() ? startOf(node) : at->second;
}

void PartitionProof::analyse(Id function) {
  settlePlaces(
      p_, function, places_, [&](Id node) { return startOf(node); }, join,
      [&](const Constraint &c) { return follow(c); });
}

PartitionProof::Place PartitionProof::join(Place a, Place b) {
  bool isAddress = a.isAddress || b.isAddress;
  if (a.kind == Place::Null)
    a = b;
  else if (a.kind == Place::Outside || b.kind == Place::Outside)
    a = {Place::Outside};
  else if (b.kind != Place::Null && (a.kind != b.kind || a.key != b.key))
    a = {Place::Some};
  a.isAddress = isAddress;
  return a;
}

void PartitionProof::need(Id node) {
  std::vector<Id> work{node};
  for (IdSet seen; !work.empty();) {
    Id n = work.back();
    work.pop_back();
    if (!seen.insert(n).second)
      continue;
    for (Id i : values_.definitions(n)) {
      const Constraint &c = f_.constraints[i];
      if (c.flow == Flow::AddressOf)
        continue;
      if (c.flow == Flow::Member && mayBeLink(c.extra, of(c.src)))
        links_.insert(c.extra);
      work.push_back(c.src);
    }
  }
}

/// e = malloc(sizeof *e); .. l->first = e;
void PartitionProof::findFresh(Id function) {
  IdMap<Id> keys; // None: of several
  for (Id i : p_.constraintsOf(function)) {
    const Constraint &c = f_.constraints[i];
    if (c.flow != Flow::Store || c.src == None)
      continue;
    Place to = of(c.dst);
    if (!to.isAddress || to.kind != Place::Part)
      continue;
    for (Id block : newBlocks(c.src)) {
      auto [at, isFirst] = keys.try_emplace(block, to.key);
      if (!isFirst && at->second != to.key)
        at->second = None;
    }
  }
  for (auto [block, key] : keys)
    if (key != None && key != block)
      fresh_[block] = key;
}

bool PartitionProof::holdsIn(Id function) {
  bool isProved = true;
  for (Id i : p_.constraintsOf(function)) {
    const Constraint &c = f_.constraints[i];
    isProved &= c.flow == Flow::Store ? isRight(c) : !escapes(c);
  }
  return isProved && llvm::none_of(p_.callsOf(function), [&](Id i) {
           const Call &c = f_.calls[i];
           return !isHarmless(c) && llvm::any_of(c.args, [&](Id a) {
             return a != None && of(a).isAddress;
           });
         });
}

/// The address of a link goes where it is not followed.
bool PartitionProof::escapes(const Constraint &c) const {
  if ((c.flow != Flow::Copy && c.flow != Flow::Cast && c.flow != Flow::Index &&
       c.flow != Flow::Arith) ||
      c.src == None || c.dst == None || !of(c.src).isAddress)
    return false;
  Place to = of(c.dst);
  if (to.isAddress && to.kind != Place::Outside)
    return false;
  // What memset() gives back, and nobody reads.
  Id call = values_.call(c.dst);
  return call == None || !isHarmless(f_.calls[call]) ||
         llvm::any_of(p_.constraintsOf(f_.nodes[c.dst].function),
                      [&](Id i) { return f_.constraints[i].src == c.dst; });
}

bool PartitionProof::holdsLink(Id record) const {
  return llvm::any_of(links_, [&](Id link) {
    return p_.contains(record, f_.fields[link].record);
  });
}

/// Memory is copied over a link, or a record with one.
bool PartitionProof::overwrites(const Constraint &copy) const {
  auto isOver = [&](Id record) { return record != None && holdsLink(record); };
  return of(copy.dst).isAddress ||
         isOver(copy.extra == None ? None : p_.recordOf(copy.extra)) ||
         isOver(p_.pointeeRecord(f_.nodes[copy.dst].type)) ||
         isOver(p_.pointeeRecord(f_.nodes[p_.origin(copy.dst)].type));
}
