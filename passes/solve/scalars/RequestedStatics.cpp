//===- RequestedStatics.cpp - Statics that come back on request -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/scalars/RequestedStatics-all.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/scalars/RequestedStatics.h"
#include "passes/solve/types/HandlerTypes.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(CannotKeep)

using namespace nvmove;

bool RequestedStatics::isOwn(const StaticPlace &place) const {
  const Id type = typeOf(place);
  if (p_.pointeeRecord(type) != None)
    return isOfHandlers(a_, place.variable, place.path);
  if (p_.kind(p_.pointee(type)) != TypeKind::Byte)
    return false;
  const auto from = a_.origins().ofSlot(place.variable, place.path);
  return !from.empty() && a_.origins().outside().empty() &&
         llvm::all_of(from, [&](const ValueOrigins::Origin &o) {
           return o.call != None && c_.allocators.siteOf(o.call) != nullptr;
         });
}

void RequestedStatics::addRoot(const StaticPlace &place, const Change &change) {
  Root r;
  r.path = p_.nameOf(place.variable, place.path);
  r.variable = place.variable;
  r.fields = place.path;
  // typeOf() is that of an element.
  r.slotType = place.path.empty() ? f_.nodes[place.variable].type
                                  : f_.fields[place.path.back()].type;
  if (p_.kind(r.slotType) == TypeKind::Array && !place.path.empty())
    r.path += "[]";
  r.witness.function = change.function;
  r.witness.site = change.loc;
  r.witness.action = "changes " + r.path;
  r.witness.chain = {{r.path, "what handlers store there", change.function,
                      change.loc, false}};
  a_.statics.restored().add(std::move(r));
}

bool RequestedStatics::keep(const StaticPlace &place, const Change &change,
                            Evidence why) {
  if (!p_.isPointer(typeOf(place))) {
    a_.statics.note(place, {why, change.loc, change.function});
    return true;
  }
  if (!isOwn(place) && !pointers_.leadsToState(place))
    return false;
  addHandlerTypesBehind(a_, place.variable, place.path);
  addRoot(place, change);
  return true;
}

void RequestedStatics::keepAll(const StaticPlace &place, const Change &change) {
  if (a_.statics.restored().holds(place.variable, place.path))
    return;
  const Id variableType = f_.nodes[place.variable].type, type = typeOf(place);
  for (Id field : place.path)
    if (f_.fields[field].width_bits ||
        f_.records[f_.fields[field].record].isUnion)
      return reportNot(place, change, "is a bit-field, or part of a union");
  if (p_.kind(variableType) == TypeKind::Array &&
      p_.recordOf(variableType) != None)
    return keepTable(place, 0, change);
  if (size_t table = p_.toTable(place.path);
      table > 0 && table < place.path.size())
    return keepTable(place, table, change);
  if (const Id record = p_.recordOf(type); record != None) {
    for (Id field : f_.records[record].fields) {
      StaticPlace part = place;
      part.path.push_back(field);
      keepAll(part, change);
    }
  } else if (p_.isFunctionPointer(type)) {
    reportNot(place, change, "points to a function");
  } else if (a_.statics.of(place).verdict != Verdict::Remade) {
    keep(place, change, Evidence::KeptWithAll);
  }
}

/// An array of records, the variable itself or `table` members from it.
void RequestedStatics::keepTable(const StaticPlace &place, size_t table,
                                 const Change &change) {
  StaticPlace whole = place;
  whole.path.resize(table);
  const Id record = p_.recordOf(typeOf(whole));
  if (p_.holdsPointer(record))
    return reportNot(place, change, "is in an array of records with pointers");
  if (a_.statics.restored().holds(whole.variable, whole.path))
    return;
  addRoot(whole, change);
}

void RequestedStatics::reportNot(const StaticPlace &place, const Change &change,
                                 const char *why) {
  const std::string path = p_.nameOf(place.variable, place.path);
  a_.findings.reportOnce(
      path, Finding{FindingId::CannotKeep, change.loc, change.function,
                    path + " is changed by handlers, and " + why}
                .about(path));
}
