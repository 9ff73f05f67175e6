//===- RootsBehindRecords.cpp - Roots behind more than one pointer -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   server->users->slots = table;
//
// The records on the way are made by each start before the load, which fills
// what hangs from the last. Where there is one of each the outermost keeps its
// pointer, and the others are persistent; where there are more it is reported.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/roots/RootFinder.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(MadeAtEachStart)

using namespace nvmove;

// Records that each start makes before the load, which restores what hangs
// from them, behind more than one pointer.
void RootFinder::keepFarFromRoots() {
  IdSet whole; // locations
  for (const Root &r : roots_)
    if (r.kept() && r.container == None)
      whole.insert(
          pt_.find(r.variable, r.fields.empty() ? None : r.fields.back()));
  for (Id v = 0; v < pt_.objects().size(); ++v) {
    const Object &variable = pt_.objects()[v];
    if (variable.kind != Object::Variable || !s_.reachable(v) ||
        s_.parentOf(v) != None ||
        f_.nodes[variable.ref].kind != NodeKind::Global)
      continue;
    std::vector<Id> slots = pt_.locationsOf(v);
    for (Id slot : slots)
      for (Id o : s_.targets(slot))
        if (whole.contains(slot) ? pt_.objects()[o].kind == Object::Preexisting
                                 : isMadeAnew(o))
          for (Id member : pt_.locationsOf(o)) {
            IdSet seen;
            seen.insert(o);
            std::vector<Id> way{slot, member};
            keepFarAlong(way, seen, !whole.contains(slot));
          }
  }
}

/// By each start, before the load, which fills none of it.
bool RootFinder::isMadeAnew(Id o) const {
  const Object &object = pt_.objects()[o];
  return object.kind == Object::Preexisting && object.record != None &&
         !pt_.isContainer(o) && !s_.isLoaded(o);
}

/// The way, of locations that hold pointers, leads on to what the load fills.
void RootFinder::keepFarAlong(std::vector<Id> &way, IdSet &seen,
                              bool addsRoot) {
  if (pt_.locations()[way.back()].field == None || way.size() > 5)
    return;
  for (Id o : s_.targets(way.back())) {
    bool isFilled = pt_.objects()[o].kind == Object::Preexisting &&
                    !pt_.isContainer(o) && s_.isLoaded(o);
    if (isFilled && way.size() > 2)
      keepAlong(way, addsRoot);
    if (!isMadeAnew(o) || !seen.insert(o).second)
      continue;
    std::vector<Id> members = pt_.locationsOf(o);
    for (Id member : members) {
      way.push_back(member);
      keepFarAlong(way, seen, addsRoot);
      way.pop_back();
    }
  }
}

/// server->users->slots: where there is one of each, the outermost keeps its
/// pointer, and what that leads to is persistent.
void RootFinder::keepAlong(const std::vector<Id> &way, bool addsRoot) {
  for (Id l : way)
    if (!isOne(l) || (l != way.back() && isIndexed(l)))
      return;
  const Root *root = addsRoot ? rootAlong(way) : keptAt(way[0]);
  if (!root)
    return;
  for (size_t i = 2; i < way.size(); ++i) {
    PersistentType type;
    type.record = pt_.objects()[pt_.locations()[way[i]].object].record;
    type.witness = root->witness;
    if (llvm::none_of(out_.types, [&](const PersistentType &t) {
          return t.record == type.record;
        }))
      out_.types.push_back(std::move(type));
  }
}

const Root *RootFinder::keptAt(Id slot) const {
  for (const Root &r : roots_)
    if (r.kept() && r.container == None &&
        pt_.find(r.variable, r.fields.empty() ? None : r.fields.back()) == slot)
      return &r;
  return nullptr;
}

Root *RootFinder::rootAlong(const std::vector<Id> &way) {
  Root r;
  r.variable = pt_.objects()[pt_.locations()[way[0]].object].ref;
  Id head = pt_.locations()[way[0]].field,
     record = p_.recordOf(f_.nodes[r.variable].type);
  if (head != None && record != None)
    r.fields = p_.memberPath(record, head);
  r.slotType = p_.typeOf(r.variable, r.fields);
  r.container = pt_.objects()[pt_.locations()[way[1]].object].record;
  r.containerFields = {{pt_.locations()[way[1]].field}};
  return add(std::move(r), way[1], pt_.locations()[way[2]].object);
}

/// The location's object is a variable, or one record, of which no list is
/// seen.
bool RootFinder::isOne(Id l) const {
  Id o = pt_.locations()[l].object;
  const Object &object = pt_.objects()[o];
  if (object.kind == Object::Variable) {
    Id type = f_.nodes[object.ref].type;
    return p_.element(type) == type;
  }
  if (object.record == None || pt_.locations()[l].field == None ||
      pt_.isContainer(o))
    return false;
  return !hangsFromLike(o);
}

bool RootFinder::hangsFromLike(Id object) const {
  for (Id l : pt_.locationsOf(object))
    for (Id target : s_.targets(l))
      if (pt_.objects()[target].record == pt_.objects()[object].record)
        return true;
  return false;
}

/// modules->data, where more modules hang from modules->next.
void RootFinder::reportLists() {
  for (const Root &r : roots_) {
    if (r.kept() && r.container != None && !r.hasElements &&
        toLists_.count(slotOf(r)))
      out_.findings.report(
          {FindingId::MadeAtEachStart, f_.nodes[r.variable].loc, None,
           r.path + " is kept of one " + f_.records[r.container].spelling +
               ", and others are reachable from it, which each start creates "
               "anew: what the load writes in them is lost",
           "keep the first one itself with nvm_root(), and do not create them "
           "again if the pool has them"});
  }
}

/// What hangs there is an array.
bool RootFinder::isIndexed(Id l) const {
  const auto &at = pt_.locations()[l];
  return at.field == None
             ? indexedVariables_.contains(pt_.objects()[at.object].ref)
             : indexedFields_.contains(at.field);
}
