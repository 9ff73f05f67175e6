//===- StatePointers.cpp - Statics that point to persistent objects -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/roots/ListTransfers-queues.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/roots/StatePointers.h"
#include "passes/solve/roots/ListTransfers.h"
#include "passes/solve/state/PersistentParts.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

StatePointers::StatePointers(const Parts &a)
    : a_(a), c_(a.context), p_(c_.program) {
  forEachListFilled(
      a_, [&](const StaticPlace &head, Loc, Id) { filled_.insert(head); });
}

/// What it points to: a record, or a pointer where it is a link.
Id StatePointers::pointee(const StaticPlace &place) const {
  return p_.pointee(p_.typeOf(place.variable, place.path));
}

bool StatePointers::isLink(const StaticPlace &place) const {
  return p_.pointeeRecord(pointee(place)) != None;
}

/// `type` is that of an object or of a pointer to one.
Id StatePointers::objectBehind(Id type) const {
  const Id record = p_.pointeeRecord(type);
  return record != None ? record : p_.recordOf(type);
}

/// It lies in an object, or in the record of the head itself.
bool StatePointers::isLinkOrHead(const FieldFlow::Token &token,
                                 const StaticPlace &place, Id record) const {
  if (token.kind == FieldFlow::Token::Static)
    return token.ref == place.variable ||
           a_.statics.restored().holdsPartOf(token.ref) ||
           llvm::any_of(filled_, [&](const StaticPlace &head) {
             return head.variable == token.ref;
           });
  const Id own = p_.recordOf(p_.facts.nodes[place.variable].type);
  return token.kind == FieldFlow::Token::Inside &&
         (p_.contains(record, token.ref) ||
          (own != None && p_.contains(own, token.ref)));
}

bool StatePointers::leadsToState(const StaticPlace &place) const {
  const PersistentParts parts(p_, a_.types);
  const Id record = objectBehind(pointee(place));
  const FieldFlow::Set &held = c_.flow.inSlot(place.variable, place.path);
  if (held.empty() || record == None || !parts.contains(record))
    return false;
  for (unsigned t : held) {
    const FieldFlow::Token &token = c_.flow.tokens()[t];
    const bool isObject =
        token.kind == FieldFlow::Token::Site &&
        llvm::is_contained(c_.allocators.sites()[token.ref].records, record);
    if (!isObject && !(isLink(place) && isLinkOrHead(token, place, record)))
      return false;
  }
  return true;
}

bool StatePointers::isOfFilledList(const StaticPlace &place) const {
  const Id record = objectBehind(pointee(place));
  if (record == None || holdsAnything(record))
    return false;
  for (size_t n = 0; n <= place.path.size(); ++n)
    if (filled_.count(
            {place.variable, {place.path.begin(), place.path.begin() + n}}))
      return true;
  // Of a member it is not known which record's address is there.
  if (!place.path.empty() || !isLink(place))
    return false;
  for (unsigned t : c_.flow.inSlot(place.variable, {}))
    if (const FieldFlow::Token &token = c_.flow.tokens()[t];
        token.kind == FieldFlow::Token::Static &&
        a_.statics.restored().holdsPartOf(token.ref))
      return true;
  return false;
}

/// A list of such objects may be of clients as well as of what was loaded.
bool StatePointers::holdsAnything(Id record) const {
  return llvm::any_of(p_.facts.records[record].fields, [&](Id field) {
    const Id to = p_.pointee(p_.facts.fields[field].type);
    return to != None && p_.kind(to) == TypeKind::Void;
  });
}

std::vector<StaticPlace>
StatePointers::besides(const StaticPlace &place) const {
  std::vector<StaticPlace> found;
  const Id record =
      place.path.empty() ? None : p_.facts.fields[place.path.back()].record;
  const PersistentParts parts(p_, a_.types);
  for (Id field :
       record == None ? std::vector<Id>() : p_.facts.records[record].fields) {
    const Id object = objectBehind(p_.pointee(p_.facts.fields[field].type));
    if (object == None || !parts.contains(object))
      continue;
    found.push_back(place);
    found.back().path.back() = field;
  }
  return found;
}
