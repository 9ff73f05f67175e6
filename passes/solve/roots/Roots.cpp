//===- Roots.cpp - From which static memory persistent objects hang ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/flow/BackwardSlice.h"
#include "passes/solve/program/DefinitionIndex.h"
#include "passes/solve/roots/RootFinder.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {
using RootsParts = View<LoadedTypes, LoadedStatics, HeadsReported, Twins>;
} // namespace

std::vector<Root> RootFinder::run() {
  findStatic();
  for (Id o = 0; o < pt_.objects().size(); ++o) {
    if (!s_.reachable(o) || s_.parentOf(o) != None ||
        pt_.objects()[o].kind != Object::Variable)
      continue;
    Id variable = pt_.objects()[o].ref;
    const Node &n = f_.nodes[variable];
    if (n.kind == NodeKind::Global && n.isConst)
      continue;
    std::vector<Id> locations = pt_.locationsOf(o);
    for (Id l : locations)
      slot(variable, l);
  }
  dropContainersOfRoots();
  dropEmptied();
  dropWalked();
  findConstants();
  keepFarFromRoots();
  reportLists();
  frames_.follow(roots_, out_.twins);
  findLibraryMemory();
  return std::move(roots_);
}

// What static memory leads to, and records among main's locals that are kept: a
// pointer of main's that points there too only walks along it.
void RootFinder::findStatic() {
  std::vector<Id> statics, frames;
  for (Id o = 0; o < pt_.objects().size(); ++o)
    if (pt_.objects()[o].kind != Object::Variable || !s_.reachable(o))
      continue;
    else if (!isLocal(o))
      statics.push_back(o);
    else if (pt_.objects()[o].record != None &&
             frames_.canKeep(pt_.objects()[o].ref))
      frames.push_back(o);
  auto find = [&](std::vector<Id> work, IdSet &found) {
    while (!work.empty()) {
      Id o = work.back();
      work.pop_back();
      for (Id l : pt_.locationsOf(o))
        for (Id target : s_.targets(l))
          if (!isLocal(target) && found.insert(target).second)
            work.push_back(target);
    }
  };
  find(statics, static_);
  find(frames, framed_);
}

bool RootFinder::walksTo(Id variable, Id l, Id object) const {
  return isLocalVariable(variable) &&
         (static_.contains(object) ||
          (framed_.contains(object) && s_.writesTo(l).empty() &&
           p_.isPointer(f_.nodes[variable].type)));
}

// p[i] where p was loaded from a field or variable: what hangs there is an
// array.
void RootFinder::noteIndexed(Id node) {
  node = p_.origin(node);
  if (node != None && f_.nodes[node].kind == NodeKind::Global)
    indexedVariables_.insert(node);
  if (Id member = memberRead(p_, node); member != None)
    indexedFields_.insert(member);
}

void RootFinder::slot(Id variable, Id l) {
  Id field = pt_.locations()[l].field;
  const Node &n = f_.nodes[variable];
  Id record = p_.recordOf(n.type);
  if (field == None || record == None || p_.kind(n.type) == TypeKind::Array)
    return slot(variable, {}, l);
  MemberDisambiguation::Ways ways = members_.waysTo(record, field);
  size_t before = roots_.size();
  for (const std::vector<Id> &path : ways.filled)
    slot(variable, path, l);
  if (roots_.size() > before && roots_.back().kept())
    reportNotFilled(
        roots_.back().path, ways.others,
        [&](const auto &head) { return pathOf(p_, variable, head); }, variable);
}

void RootFinder::slot(Id variable, const std::vector<Id> &fields, Id l) {
  Id field = pt_.locations()[l].field;
  const Node &n = f_.nodes[variable];
  Id record = p_.recordOf(n.type);
  Root at;
  at.variable = variable;
  at.fields = fields;
  at.slotType = fields.empty() ? n.type : f_.fields[fields.back()].type;
  // An array of records is kept whole, also one in a record: its elements have
  // no names.
  bool whole = p_.kind(n.type) == TypeKind::Array && record != None;
  if (size_t table = whole ? 0 : p_.toTable(fields);
      table > 0 && table < fields.size()) {
    whole = true;
    at.fields.resize(table);
    at.slotType = f_.fields[at.fields.back()].type;
  }
  if (whole)
    at.element = field;
  if (whole && s_.isNew(l)) {
    add(at, l, None);
    return;
  }
  for (Id o : s_.targets(l)) {
    if ((field == None || !s_.isLoaded(o)) && walksTo(variable, l, o))
      continue;
    Object::Kind kind = pt_.objects()[o].kind;
    if (isChosen(variable, l, o)) {
      add(at, l, o);
    } else if (pt_.isOfLibrary(o)) {
      bool isStatic = n.kind == NodeKind::Global;
      if (pt_.isContainer(o)
              ? (isStatic || pt_.isMadeByLibrary(o)) &&
                    s_.isLoadedValue(pt_.givenWith(pt_.objects()[o].record))
              : isStatic && !s_.writesTo(l).empty())
        ofLibrary(at, l, o);
    } else if (s_.writesTo(l).empty() &&
               isStillEmpty(
                   fields.empty() ? variable : p_.slotOf(fields.back()), o)) {
      continue;
    } else if ((kind == Object::Heap || kind == Object::Preexisting) &&
               (s_.isLoaded(o) || isCopy(o))) {
      add(at, l, o);
    } else if (kind == Object::Preexisting && pt_.objects()[o].record != None) {
      at.hasElements = fields.empty() ? indexedVariables_.contains(variable)
                                      : indexedFields_.contains(fields.back());
      through(at, o);
    }
  }
}

/// here = &rooms[n]: which one is data of the file, where functions that see
/// such data say so. The pointer finds the static again (StaticReferents.cpp).
bool RootFinder::isChosen(Id variable, Id l, Id o) {
  const Object &object = pt_.objects()[o];
  if (object.kind != Object::Variable || object.record == None ||
      f_.nodes[object.ref].kind != NodeKind::Global ||
      f_.nodes[variable].kind != NodeKind::Global)
    return false;
  return s_.writesTo(l).any([&](const LoadedState::Write &w) {
    if (!w.direct || w.value == None || !s_.seesFile(w.function))
      return false;
    for (Id t : pt_.pointsTo(w.value))
      if (pt_.isMemory(t) && pt_.locations()[t].object == o)
        return true;
    return false;
  });
}

// One hop through a record that the program makes at each start.
void RootFinder::through(const Root &slot, Id o) {
  std::vector<Id> locations = pt_.locationsOf(o);
  if (!slot.hasElements && hangsFromLike(o))
    toLists_.insert(slotOf(slot));
  Root r = slot;
  r.container = pt_.objects()[o].record;
  const std::string prefix = pathOfSlot(p_, r);
  for (Id l : locations) {
    Id field = pt_.locations()[l].field;
    if (field == None)
      continue;
    for (Id q : s_.targets(l)) {
      Object::Kind kind = pt_.objects()[q].kind;
      if ((kind != Object::Heap && kind != Object::Preexisting) ||
          !s_.isLoaded(q) ||
          (slot.fields.empty() && walksTo(slot.variable, l, q)) ||
          (s_.writesTo(l).empty() && isStillEmpty(p_.slotOf(field), q)))
        continue;
      MemberDisambiguation::Ways ways = members_.waysTo(r.container, field);
      std::string path = prefix + nameOfWay(f_, ways.filled.front());
      if (leadsIntoOwn(field)) {
        reportIntoOwn(path, slot.variable);
        continue;
      }
      for (const std::vector<Id> &way : ways.filled) {
        r.containerFields = {way};
        add(r, l, q);
      }
      reportNotFilled(
          path, ways.others,
          [&](const auto &head) { return prefix + nameOfWay(f_, head); },
          slot.variable);
    }
  }
}

/// Something puts a pointer there into the record that the field is in:
/// o->text = (char *)(o + 1), o->text = o->room.
bool RootFinder::leadsIntoOwn(Id field) {
  if (!intoOwn_)
    intoOwn_ = findIntoOwn();
  return intoOwn_->contains(f_.fields[field].cell);
}

IdSet RootFinder::findIntoOwn() const {
  IdSet result;
  struct Search : BackwardSlice {
    Search(const Program &program, const DefinitionIndex &values)
        : BackwardSlice(program, values, {.flows = AccessPath::Place}) {}
    Step value(Id n) override { return n == record ? Stop : Follow; }
    Id record = None;
  } search(p_, values_);
  auto isOf = [&](Id address, Id record) {
    search.record = record;
    return search.run(address) == BackwardSlice::Stopped;
  };
  for (const Constraint &c : f_.constraints) {
    Id m = c.flow == Flow::Store && c.src != None ? p_.definition(c.dst) : None;
    if (m == None || f_.constraints[m].flow != Flow::Member ||
        !p_.isPointer(f_.nodes[c.src].type))
      continue;
    Id to = f_.constraints[m].extra, record = f_.constraints[m].src;
    if (p_.pointeeRecord(f_.fields[to].type) == None &&
        record != p_.origin(c.src) && isOf(c.src, p_.origin(record)))
      result.insert(f_.fields[to].cell);
  }
  return result;
}

/// All that the program ever puts there are addresses of statics, say a table
/// of what is saved: the next run puts its own there. Or of `functions`.
bool RootFinder::isOfStatics(const FieldFlow::Set &held, bool functions) const {
  for (unsigned t : held)
    if (FieldFlow::Token::Kind kind = flow_.tokens()[t].kind;
        kind != FieldFlow::Token::Static &&
        !(functions && kind == FieldFlow::Token::Function))
      return false;
  return !held.empty();
}

bool RootFinder::leadsToStatics(Id variable, const std::vector<Id> &fields,
                                Id at) const {
  Id field = pt_.locations()[at].field;
  return isOfStatics(flow_.inSlot(variable, fields)) ||
         (field != None && isOfStatics(flow_.inField(field)));
}

/// What the slot is, or the record that it leads to, is filled in: `at` holds
/// the pointer to `target`. Null where it is no root, or one already.
Root *RootFinder::add(Root r, Id at, Id target) {
  bool isStatic =
      target != None && pt_.objects()[target].kind == Object::Variable;
  r.path = pathOf(p_, r);
  if ((!isStatic && leadsToStatics(r.variable, r.fields, at)) ||
      !seen_.insert(r.path).second)
    return nullptr;
  auto writes = [&](const LoadedState::Write &w, std::string what) {
    r.witness.function = w.function;
    r.witness.site = w.loc;
    r.witness.callPath = s_.callPathTo(w.function);
    r.witness.action = "writes " + what;
  };
  if (!s_.writesTo(at).empty()) {
    writes(s_.proof(at), r.path);
  } else if (Id inside = target == None ? None : filled(target);
             inside != None) {
    Id at = pt_.locations()[inside].field;
    writes(s_.proof(inside), at == None
                                 ? pt_.describe(target)
                                 : f_.records[f_.fields[at].record].name + "." +
                                       f_.fields[at].name);
  } else if (target != None) {
    r.witness.site = f_.nodes[r.variable].loc;
    r.witness.action = "leads to " + pt_.describe(target);
  }
  r.witness.chain = {{r.path, target == None ? "" : pt_.describe(target),
                      r.witness.function, r.witness.site,
                      r.witness.function != None}};
  if (isLocalVariable(r.variable)) {
    // Of the one record that main made, by value.
    r.keepsValues = r.container != None && !r.hasElements;
    if (!frames_.canKeep(r.variable) || (r.container != None && !r.keepsValues))
      listOnly(r);
  }
  roots_.push_back(std::move(r));
  return &roots_.back();
}

// A member of the object that the load fills, or bytes of it.
Id RootFinder::filled(Id object) const {
  Id bytes = None;
  for (Id l : pt_.locationsOf(object))
    if (s_.isNew(l)) {
      if (pt_.locations()[l].field != None)
        return l;
      bytes = l;
    }
  return bytes;
}

namespace nvmove {

void findRoots(RootsParts a) {
  RootFinder finder(a.context, a.state, a.load,
                    {a.types, a.twins, a.headsReported, a.findings});
  for (Root &r : finder.run())
    a.statics.restored().add(std::move(r));
}

} // namespace nvmove
