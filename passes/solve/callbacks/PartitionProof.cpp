//===- PartitionProof.cpp - What is reached from one object alone ---------===//
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

Id PartitionProof::ownerOf(Id call) {
  const Call &c = f_.calls[call];
  analyse(c.function);
  Place at = of(c.target);
  if (at.kind != Place::Owned || at.isAddress ||
      !uses_.params.contains(at.key) ||
      p_.pointeeRecord(f_.nodes[at.key].type) != record_)
    return None;
  need(c.target);
  return at.key;
}

// The further the stored values are followed, the more members are links; the
// more are, the more blocks are seen to be linked.
bool PartitionProof::holds() {
  bool isProved = false;
  for (size_t known = ~size_t(0); known != links_.size();) {
    known = links_.size();
    places_.clear();
    fresh_.clear();
    registrations_.clear();
    std::set<Id> users;
    for (Id link : links_) {
      const Field &member = f_.fields[link];
      if (member.cell != link || f_.records[member.record].isUnion)
        return false;
      if (auto at = uses_.ofField.find(link); at != uses_.ofField.end())
        users.insert(at->second.begin(), at->second.end());
    }
    if (users.contains(None)) // an initialiser, of whose object?
      return false;
    for (Id fn : users) {
      analyse(fn);
      findFresh(fn);
      analyse(fn);
    }
    isProved = !isGivenAway();
    for (Id fn : users)
      isProved &= holdsIn(fn);
    if (llvm::any_of(uses_.copies,
                     [&](Id i) { return overwrites(f_.constraints[i]); }))
      return false;
  }
  return isProved;
}

/// A function that is not known, insque(), may change the links.
bool PartitionProof::isGivenAway() const {
  return llvm::any_of(uses_.givenRecords, [&](Id record) {
    return llvm::any_of(links_, [&](Id link) {
      return p_.contains(record, f_.fields[link].record);
    });
  });
}

/// What holds such an object as a part belongs to no one object of that type.
bool PartitionProof::mayOwn(Id record) const {
  return record != None && (record == record_ || !p_.contains(record, record_));
}

/// What a node is before its definitions are looked at.
PartitionProof::Place PartitionProof::start(Id node) const {
  const Node &n = f_.nodes[node];
  if (auto at = fresh_.find(node); at != fresh_.end())
    return {Place::Owned, at->second};
  if (p_.isAddressTaken(node))
    return {Place::Outside};
  if (uses_.params.contains(node))
    return values_.definitions(node).empty() && mayOwn(p_.pointeeRecord(n.type))
               ? Place{Place::Owned, node}
               : Place{Place::Outside};
  if (Id call = values_.call(node); call != None)
    // In a loop it is not always the same one.
    return isNewBlock(node) && f_.calls[call].loop == None
               ? Place{Place::Owned, node}
               : Place{Place::Outside};
  bool isDefined =
      n.kind == NodeKind::Temp && !values_.definitions(node).empty();
  return n.kind == NodeKind::Local || isDefined ? Place{}
                                                : Place{Place::Outside};
}

/// The block holds records that are known, and none that holds an object that
/// callbacks are registered with as a part.
bool PartitionProof::isNewBlock(Id node) const {
  Id call = values_.call(node);
  const Allocators::Site *site = call == None ? nullptr : a_.siteOf(call);
  return site && site->hasOwnRecord && makers_.givesNewBlock(f_.calls[call]) &&
         llvm::all_of(site->records, [&](Id record) { return mayOwn(record); });
}

PartitionProof::Place PartitionProof::of(Id node) const {
  auto at = places_.find(node);
  return at == places_.end() ? start(node) : at->second;
}

void PartitionProof::analyse(Id function) {
  settlePlaces(
      p_, function, places_, [&](Id node) { return start(node); }, join,
      [&](const Constraint &c) { return follow(c); });
}

PartitionProof::Place PartitionProof::join(Place a, Place b) {
  bool isAddress = a.isAddress || b.isAddress;
  if (a.kind == Place::Null)
    a = b;
  else if (b.kind != Place::Null && (a.kind != b.kind || a.key != b.key))
    a = {Place::Outside};
  a.isAddress = isAddress;
  return a;
}

/// Nothing that belongs to an owner leads to another object of that type: what
/// is loaded, or made of bytes, is none.
PartitionProof::Place PartitionProof::follow(const Constraint &c) const {
  const Id to = p_.pointee(f_.nodes[c.dst].type),
           record = p_.pointeeRecord(f_.nodes[c.dst].type);
  if (c.flow == Flow::AddressOf) {
    const Node &v = f_.nodes[c.src];
    bool isOne = (v.kind == NodeKind::Global || v.kind == NodeKind::Local) &&
                 p_.kind(v.type) == TypeKind::Record &&
                 !uses_.params.contains(c.src) && mayOwn(p_.recordOf(v.type));
    return isOne ? Place{Place::Owned, c.src} : Place{Place::Outside};
  }
  Place from = of(c.src);
  const Id source = p_.pointeeRecord(f_.nodes[c.src].type);
  const bool isOwner = record != None && p_.contains(record, record_);
  auto outsideIf = [&](bool isOutside) {
    return isOutside && from.kind == Place::Owned
               ? Place{Place::Outside, None, from.isAddress}
               : from;
  };
  const bool isBytes = record == None && !p_.isPointer(to) &&
                       !p_.isFunctionPointer(f_.nodes[c.dst].type);
  switch (c.flow) {
  case Flow::Copy:
  case Flow::Cast:
    return outsideIf((isBytes && source != None) ||
                     (isOwner && source != record_ && source != None));
  case Flow::Index:
    return outsideIf(isOwner || isBytes);
  case Flow::Member:
    from.isAddress =
        isLink(c.extra) && p_.recordOf(f_.fields[c.extra].type) == None;
    return from;
  case Flow::Load:
    from.isAddress &=
        record == None && !p_.isFunctionPointer(f_.nodes[c.dst].type);
    return outsideIf(isOwner || isBytes);
  default:
    return {Place::Outside, None, from.isAddress};
  }
}

/// The members are links that the value is reached through.
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
      if (c.flow == Flow::Member)
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
    if (!to.isAddress || to.kind != Place::Owned)
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

/// Those that the value may be, but for such as own.
std::vector<Id> PartitionProof::newBlocks(Id value) const {
  std::vector<Id> found, work{value};
  for (IdSet seen; !work.empty();) {
    Id n = work.back();
    work.pop_back();
    if (!seen.insert(n).second)
      continue;
    if (isNewBlock(n) &&
        !llvm::is_contained(a_.siteOf(values_.call(n))->records, record_))
      found.push_back(n);
    for (Id i : values_.definitions(n))
      if (const Constraint &c = f_.constraints[i];
          c.flow == Flow::Copy || c.flow == Flow::Cast)
        work.push_back(c.src);
  }
  return found;
}

bool PartitionProof::holdsIn(Id function) {
  bool isProved = true;
  for (Id i : p_.constraintsOf(function)) {
    const Constraint &c = f_.constraints[i];
    isProved &= c.flow == Flow::Store ? isRight(c) : !escapes(c);
  }
  return isProved && llvm::none_of(p_.callsOf(function), [&](Id i) {
           return llvm::any_of(f_.calls[i].args, [&](Id a) {
             return a != None && of(a).isAddress;
           });
         });
}

bool PartitionProof::isRight(const Constraint &store) {
  if (store.src == None)
    return true;
  const Place to = of(store.dst), what = of(store.src);
  const bool isOfOne = to.kind == Place::Owned && what.kind == Place::Owned &&
                       to.key == what.key;
  if (what.isAddress) { // of a link, in another: that is one, too
    Id d = p_.definition(store.dst);
    if (d != None && f_.constraints[d].flow == Flow::Member)
      links_.insert(f_.constraints[d].extra);
    else if (!to.isAddress)
      return false;
    need(store.src);
    return isOfOne;
  }
  if (!to.isAddress)
    return true;
  const Id type = p_.pointee(f_.nodes[store.dst].type);
  if (!p_.isPointer(type))
    return false;
  if (what.kind == Place::Null)
    return true;
  if (isOfOne) {
    need(store.src);
    return true;
  }
  if (to.kind != Place::Owned || !p_.isFunctionPointer(type))
    return false;
  registrations_.push_back({store.function, store.src, to.key});
  return true;
}

/// The address of a link goes where it is not followed.
bool PartitionProof::escapes(const Constraint &c) const {
  if ((c.flow != Flow::Copy && c.flow != Flow::Cast && c.flow != Flow::Index &&
       c.flow != Flow::Arith) ||
      c.src == None || c.dst == None || !of(c.src).isAddress)
    return false;
  Place to = of(c.dst);
  return !to.isAddress || to.kind != Place::Owned;
}

/// Memory is copied over a link, or a record with one.
bool PartitionProof::overwrites(const Constraint &copy) const {
  auto holds = [&](Id record) {
    return record != None && llvm::any_of(links_, [&](Id link) {
             return p_.contains(record, f_.fields[link].record);
           });
  };
  return of(copy.dst).isAddress ||
         holds(copy.extra == None ? None : p_.recordOf(copy.extra)) ||
         holds(p_.pointeeRecord(f_.nodes[copy.dst].type)) ||
         holds(p_.pointeeRecord(f_.nodes[p_.origin(copy.dst)].type));
}
