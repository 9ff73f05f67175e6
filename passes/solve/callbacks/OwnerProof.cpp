//===- OwnerProof.cpp - What is reached from one object alone ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Tested by: test/lit/solve/callbacks/PerObjectCallbacks-owned_callbacks.c

#include "passes/solve/callbacks/OwnerProof.h"
#include "passes/solve/flow/AccessPath.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

Id OwnerProof::ownerOf(Id call) {
  const Call &c = f_.calls[call];
  analyse(c.function);
  Place at = of(c.target);
  if (at.kind != Place::Part || at.isAddress ||
      !uses_.params.contains(at.key) ||
      p_.pointeeRecord(f_.nodes[at.key].type) != record_)
    return None;
  need(c.target);
  return at.key;
}

/// A function that is not known, insque(), may change the links.
bool OwnerProof::isGivenAway() const {
  return llvm::any_of(uses_.givenRecords,
                      [&](Id record) { return holdsLink(record); });
}

/// What holds such an object as a part belongs to no one object of that type.
bool OwnerProof::mayOwn(Id record) const {
  return record != None && (record == record_ || !p_.contains(record, record_));
}

OwnerProof::Place OwnerProof::start(Id node) const {
  const Node &n = f_.nodes[node];
  if (p_.isAddressTaken(node))
    return {Place::Outside};
  if (uses_.params.contains(node))
    return values_.definitions(node).empty() && mayOwn(p_.pointeeRecord(n.type))
               ? Place{Place::Part, node}
               : Place{Place::Outside};
  if (Id call = values_.call(node); call != None)
    // In a loop it is not always the same one.
    return isNewBlock(node) && f_.calls[call].loop == None
               ? Place{Place::Part, node}
               : Place{Place::Outside};
  bool isDefined =
      n.kind == NodeKind::Temp && !values_.definitions(node).empty();
  return n.kind == NodeKind::Local || isDefined ? Place{}
                                                : Place{Place::Outside};
}

/// The block holds records that are known, and none that holds an object that
/// callbacks are registered with as a part.
bool OwnerProof::isNewBlock(Id node) const {
  Id call = values_.call(node);
  const Allocators::Site *site = call == None ? nullptr : a_.siteOf(call);
  return site && site->hasOwnRecord && makers_.givesNewBlock(f_.calls[call]) &&
         llvm::all_of(site->records, [&](Id record) { return mayOwn(record); });
}

/// Nothing that belongs to an owner leads to another object of that type: what
/// is loaded, or made of bytes, is none.
OwnerProof::Place OwnerProof::follow(const Constraint &c) const {
  const Id to = p_.pointee(f_.nodes[c.dst].type),
           record = p_.pointeeRecord(f_.nodes[c.dst].type);
  if (c.flow == Flow::AddressOf) {
    const Node &v = f_.nodes[c.src];
    bool isOne = (v.kind == NodeKind::Global || v.kind == NodeKind::Local) &&
                 p_.kind(v.type) == TypeKind::Record &&
                 !uses_.params.contains(c.src) && mayOwn(p_.recordOf(v.type));
    return isOne ? Place{Place::Part, c.src} : Place{Place::Outside};
  }
  Place from = of(c.src);
  const Id source = p_.pointeeRecord(f_.nodes[c.src].type);
  const bool isOwner = record != None && p_.contains(record, record_);
  auto outsideIf = [&](bool isOutside) {
    return isOutside && from.kind == Place::Part
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
    from.isAddress = links_.contains(c.extra) &&
                     p_.recordOf(f_.fields[c.extra].type) == None;
    return from;
  case Flow::Load:
    from.isAddress &=
        record == None && !p_.isFunctionPointer(f_.nodes[c.dst].type);
    return outsideIf(isOwner || isBytes);
  default:
    return {Place::Outside, None, from.isAddress};
  }
}

/// Those that the value may be, but for such as own.
std::vector<Id> OwnerProof::newBlocks(Id value) const {
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

bool OwnerProof::isRight(const Constraint &store) {
  if (store.src == None)
    return true;
  const Place to = of(store.dst), what = of(store.src);
  const bool isOfOne =
      to.kind == Place::Part && what.kind == Place::Part && to.key == what.key;
  if (what.isAddress) { // of a link, in another: that is one, too
    if (Id link = memberAt(p_, store.dst); link != None)
      links_.insert(link);
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
  const Id key = to.kind == Place::Part ? to.key : objectAt(store.dst);
  if (key == None || !p_.isFunctionPointer(type))
    return false;
  registrations_.push_back({store.function, store.src, key});
  return true;
}

/// A pointer to the object of which the address is a member: in
/// server.jobs->free what server.jobs holds.
Id OwnerProof::objectAt(Id address) const {
  const Id d = p_.definition(address);
  if (d == None || f_.constraints[d].flow != Flow::Member ||
      f_.fields[f_.constraints[d].extra].record != record_)
    return None;
  const Id object = f_.constraints[d].src;
  return p_.pointeeRecord(f_.nodes[object].type) == record_ ? object : None;
}
