//===- PointsTo.cpp - Where pointers lead while the state is loaded -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/PointsTo.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace nvmove;

PointsTo::PointsTo(const Program &program, const Allocators &allocators,
                   const FieldFlow &flow, const Unfilled &unfilled,
                   Options options)
    : p_(program), a_(allocators), flow_(flow), unfilled_(unfilled),
      options_(std::move(options)) {
  const Facts &f = p_.facts;
  sets_.resize(f.nodes.size());
  pending_.resize(f.nodes.size());
  out_.resize(f.nodes.size());
  watches_.resize(f.nodes.size());
  filter_.assign(f.nodes.size(), None);
  order_.assign(f.nodes.size(), 0);
  parent_.resize(f.nodes.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  plainNumber_.assign(f.nodes.size(), false);
  for (Id i = 0; i < f.nodes.size(); ++i)
    if (f.nodes[i].type != None)
      filter_[i] = p_.pointeeRecord(f.nodes[i].type);
  sharing_.resize(f.fields.size());
  for (Id i = 0; i < f.fields.size(); ++i)
    sharing_[f.fields[i].cell].push_back(i);
  for (const auto &site : a_.sites()) {
    siteIndex_[site.call] = &site - a_.sites().data();
    if (site.hasOwnRecord)
      ownSite_.insert(site.records.begin(), site.records.end());
  }
  findHiddenPointers();
  fileBytes_ = location(object({Object::FileBytes}), None);
}

bool PointsTo::mayHoldPointer(Id type) const {
  type = p_.element(type);
  if (type == None)
    return true;
  switch (p_.kind(type)) {
  case TypeKind::Byte:
  case TypeKind::Floating:
    return false;
  case TypeKind::Integer:
    return p_.facts.types[type].size_bytes >= sizeof(void *);
  default:
    return true;
  }
}

// An integer in a field, a global or a parameter is followed as a pointer only
// where the program reads it from there and casts it to one: else a value that
// was once (long)p would put p behind every length and count.
void PointsTo::findHiddenPointers() {
  const Facts &f = p_.facts;
  std::vector<llvm::SmallVector<Id, 1>> definitions(f.nodes.size());
  llvm::DenseMap<Id, Id> calls;
  std::vector<Id> work;
  auto isInteger = [&](Id n) {
    return f.nodes[n].type != None &&
           p_.kind(f.nodes[n].type) == TypeKind::Integer;
  };
  for (Id i = 0; i < f.constraints.size(); ++i) {
    const Constraint &c = f.constraints[i];
    if (c.dst == None || c.src == None || c.flow == Flow::Store ||
        c.flow == Flow::CopyMemory)
      continue;
    if (isInteger(c.dst))
      definitions[c.dst].push_back(i);
    else if (c.flow == Flow::Cast && isInteger(c.src))
      work.push_back(c.src);
  }
  for (Id i = 0; i < f.calls.size(); ++i)
    if (f.calls[i].result != None)
      calls[f.calls[i].result] = i;
  llvm::DenseSet<Id> seen;
  while (!work.empty()) {
    Id n = work.back();
    work.pop_back();
    if (!seen.insert(n).second)
      continue;
    hiddenIn_.insert(n);
    if (auto at = calls.find(n); at != calls.end())
      for (Id callee : flow_.callees(at->second))
        if (Id r = f.functions[callee].result;
            r != None && f.functions[callee].hasBody)
          hiddenIn_.insert(r);
    for (Id d : definitions[n]) {
      const Constraint &c = f.constraints[d];
      if (c.flow != Flow::Load) {
        if (isInteger(c.src))
          work.push_back(c.src);
        continue;
      }
      Id m = p_.definition(c.src);
      if (m != None && f.constraints[m].flow == Flow::Member)
        hiddenIn_.insert(Id(f.nodes.size()) +
                         f.fields[f.constraints[m].extra].cell);
      else if (m != None && f.constraints[m].flow == Flow::AddressOf)
        hiddenIn_.insert(f.constraints[m].src);
    }
  }
  for (Id i = 0; i < f.nodes.size(); ++i) {
    const Node &n = f.nodes[i];
    bool passing = n.kind == NodeKind::Temp ||
                   (n.kind == NodeKind::Local && n.function != None &&
                    !llvm::is_contained(f.functions[n.function].params, i));
    plainNumber_[i] = n.type != None &&
                      (!mayHoldPointer(n.type) ||
                       (isInteger(i) && !passing && !hiddenIn_.contains(i)));
  }
}

void PointsTo::add(Id node, Id l) {
  Set one;
  one.set(l);
  add(node, one);
}

void PointsTo::add(Id node, const Set &what) {
  node = find(node);
  Set fresh = what;
  fresh.intersectWithComplement(sets_[node]);
  if (fresh.empty())
    return;
  if (plainNumber_[node]) {
    fresh &= marks_;
  } else if (filter_[node] != None) {
    fresh = admitted(filter_[node], fresh);
    fresh.intersectWithComplement(sets_[node]);
  }
  if (fresh.empty())
    return;
  sets_[node] |= fresh;
  if (pending_[node].empty())
    push(node);
  pending_[node] |= fresh;
}

void PointsTo::edge(Id from, Id to) {
  if (from == None || to == None || find(from) == find(to) ||
      !edges_.insert({find(from), find(to)}).second)
    return;
  prepare(from);
  if (to < p_.facts.nodes.size() &&
      p_.facts.nodes[to].kind == NodeKind::Global &&
      p_.recordOf(p_.facts.nodes[to].type) == None)
    location(object({Object::Variable, to}),
             None); // written, perhaps never read: static memory all the same
  out_[find(from)].push_back(to);
  Set now = sets_[find(from)];
  add(to, now);
}

void PointsTo::watch(Id node, Watch w) {
  if (node == None)
    return;
  prepare(node);
  node = find(node);
  watches_[node].push_back(w);
  Set now = sets_[node];
  for (Id l : now)
    apply(w, node, l);
}

bool PointsTo::isScalarField(Id field) const {
  return field != None && p_.recordOf(p_.facts.fields[field].type) == None;
}

void PointsTo::apply(const Watch &w, Id, Id l) {
  const Location at = locations_[l];
  if (w.use == Use::Target) {
    const Object &o = objects_[at.object];
    if (o.kind == Object::Function)
      bind(w.other, o.ref);
    return;
  }
  if (w.use == Use::Marks && !isMemory(l))
    add(w.other, l);
  if (!isMemory(l))
    return;
  switch (w.use) {
  case Use::Load:
    materialise(l);
    edge(contents_[l], w.other);
    break;
  case Use::MarksBehind:
    materialise(l);
    watch(contents_[l], {Use::Marks, w.other, None});
    break;
  case Use::Store:
    edge(w.other, contents_[l]);
    break;
  case Use::Member: {
    const Field &field = p_.facts.fields[w.extra];
    Id object = at.object;
    const Object o = objects_[object];
    if (o.kind == Object::Preexisting && o.any) {
      Object typed{Object::Preexisting, o.ref};
      typed.record = field.record;
      object = this->object(typed);
    }
    if (objectAdmits(object, field.record) || isRoom(at.field))
      add(w.other, location(object, field.cell));
    break;
  }
  case Use::CopyTo:
    joinCopy(w.other, l, false);
    break;
  case Use::CopyFrom:
    joinCopy(w.other, l, true);
    break;
  case Use::Fill:
    fills_.push_back({l, w.other});
    fill(l);
    break;
  case Use::Target:
  case Use::Marks:
    break;
  }
}

void PointsTo::fill(Id l) {
  const Location at = locations_[l];
  add(contents_[l], fileBytes_);
  Id record = at.field == None ? objects_[at.object].record
                               : p_.recordOf(p_.facts.fields[at.field].type);
  if (objects_[at.object].kind == Object::Heap && at.field == None &&
      recordsOf(at.object).size() == 1)
    record = recordsOf(at.object).front();
  if (record == None)
    return;
  llvm::SmallVector<Id, 8> records{record};
  for (size_t i = 0; i < records.size(); ++i)
    for (Id field : p_.facts.records[records[i]].fields) {
      Id inner = p_.recordOf(p_.facts.fields[field].type);
      if (inner != None)
        records.push_back(inner);
      else
        add(contents_[location(at.object, p_.facts.fields[field].cell)],
            fileBytes_);
    }
}

// One hub per copied field: a copy between m targets and n sources costs m + n
// edges instead of m * n.
void PointsTo::joinCopy(Id copying, Id l, bool isSource) {
  const Location at = locations_[l];
  if (isScalarField(at.field)) {
    auto [hub, fresh] = copyings_[copying].hubs.try_emplace(None, None);
    if (fresh)
      hub->second = newNode(None);
    Id node = hub->second;
    if (isSource) {
      materialise(l);
      edge(contents_[l], node);
    } else {
      edge(node, contents_[l]);
    }
    return;
  }
  auto &watching = copyWatch_[at.object];
  if (llvm::is_contained(watching, std::pair<Id, bool>{copying, isSource}))
    return;
  watching.push_back({copying, isSource});
  if (!isSource) {
    copyings_[copying].targets.push_back(at.object);
    std::vector<Id> keys;
    for (auto &[key, node] : copyings_[copying].hubs)
      keys.push_back(key);
    for (Id key : keys)
      if (key == None || objectAdmits(at.object, p_.facts.fields[key].record))
        location(at.object, key);
  }
  std::vector<Id> existing = byObject_[at.object];
  for (Id cell : existing)
    copyCell(copying, cell, isSource);
  // What the source held before is copied too.
  if (isSource && objects_[at.object].record != None &&
      objects_[at.object].kind != Object::Heap) {
    llvm::SmallVector<Id, 8> records{objects_[at.object].record};
    for (size_t i = 0; i < records.size(); ++i)
      for (Id field : p_.facts.records[records[i]].fields) {
        Id inner = p_.recordOf(p_.facts.fields[field].type);
        if (inner != None)
          records.push_back(inner);
        else
          location(at.object, p_.facts.fields[field].cell);
      }
  }
}

void PointsTo::copyCell(Id copying, Id l, bool isSource) {
  Id key = locations_[l].field;
  if (key != None && p_.recordOf(p_.facts.fields[key].type) != None)
    return; // an embedded record: its own fields are copied
  auto [hub, fresh] = copyings_[copying].hubs.try_emplace(key, None);
  if (fresh)
    hub->second = newNode(None);
  Id node = hub->second;
  if (isSource) {
    materialise(l);
    edge(contents_[l], node);
    if (fresh) {
      std::vector<Id> targets = copyings_[copying].targets;
      for (Id target : targets)
        if (key == None || objectAdmits(target, p_.facts.fields[key].record))
          location(target, key);
    }
  } else {
    edge(node, contents_[l]);
  }
}

bool PointsTo::copiesOntoItself(const Constraint &c) const {
  // d->ht[0] = d->ht[1]: arrays collapse, so nothing moves; taken as a copy it
  // would mix every d with every other.
  auto describe = [&](Id node) {
    std::pair<Id, llvm::SmallVector<Id, 4>> result{None, {}};
    for (unsigned depth = 0; depth < 16 && node != None; ++depth) {
      Id d = p_.facts.nodes[node].kind == NodeKind::Temp ? p_.definition(node)
                                                         : None;
      if (d == None)
        break;
      const Constraint &q = p_.facts.constraints[d];
      if (q.flow == Flow::Member)
        result.second.push_back(q.extra);
      else if (q.flow != Flow::Index && q.flow != Flow::Copy &&
               q.flow != Flow::Cast && q.flow != Flow::AddressOf)
        break;
      node = q.src;
    }
    result.first = node;
    return result;
  };
  return describe(c.dst) == describe(c.src);
}

void PointsTo::addConstraint(const Constraint &c) {
  switch (c.flow) {
  case Flow::Arith:
    // A difference of pointers is not a pointer; sums are done on integers.
    if (c.src != None && p_.isPointer(p_.facts.nodes[c.src].type) &&
        !p_.isPointer(p_.facts.nodes[c.dst].type))
      watch(c.src, {Use::Marks, c.dst, None});
    else
      edge(c.src, c.dst);
    break;
  case Flow::Copy:
  case Flow::Cast:
  case Flow::Index:
    edge(c.src, c.dst);
    break;
  case Flow::AddressOf: {
    const Facts &f = p_.facts;
    Id fn = p_.functionOf(c.src);
    Object o{fn != None ? Object::Function : Object::Variable,
             fn != None ? fn : c.src};
    if (fn == None)
      o.record = p_.recordOf(p_.facts.nodes[c.src].type);
    // objectIds_ tells objects apart by record too; a variable has only one.
    Id l = location(object(o), None);
    // A pointer whose address was given away: f(&p) may have set it.
    if (fn == None && f.nodes[c.src].kind == NodeKind::Local &&
        o.record == None)
      materialise(l);
    add(c.dst, l);
    break;
  }
  case Flow::Member:
    watch(c.src, {Use::Member, c.dst, c.extra});
    break;
  case Flow::Load:
    watch(c.src, {Use::Load, c.dst, None});
    break;
  case Flow::Store:
    if (c.src != None) {
      prepare(c.src);
      watch(c.dst, {Use::Store, c.src, None});
    }
    break;
  case Flow::CopyMemory:
    if (c.src == None || c.dst == None || copiesOntoItself(c))
      break;
    copy(c.dst, c.src);
    break;
  }
}

void PointsTo::run() {
  const Facts &f = p_.facts;
  for (Id i : p_.constraintsOf(None))
    addConstraint(f.constraints[i]);
  for (Id fn : options_.onTheWay)
    functionsToDo_.push_back(fn);
  for (Id fn : options_.load) {
    reach(fn, None);
    bool called = llvm::any_of(p_.callersOf(fn), [&](Id c) {
      return options_.onTheWay.contains(f.calls[c].function);
    });
    for (Id param : f.functions[fn].params)
      if (!called && p_.isPointer(f.nodes[param].type))
        add(param,
            preexisting(nodeOrigin(param), p_.pointee(f.nodes[param].type)));
  }
  for (;;) {
    if (!functionsToDo_.empty()) {
      Id fn = functionsToDo_.back();
      functionsToDo_.pop_back();
      for (Id i : p_.constraintsOf(fn))
        addConstraint(f.constraints[i]);
      for (Id i : p_.callsOf(fn))
        addCall(i);
      continue;
    }
    if (propagations_ > nextCollapse_)
      collapseCycles();
    if (work_.empty())
      break;
    ++iterations_;
    Id n = pop();
    Set now = std::move(pending_[n]);
    pending_[n].clear();
    for (size_t i = 0; i < watches_[n].size(); ++i) {
      Watch w = watches_[n][i];
      for (Id l : now)
        apply(w, n, l);
    }
    propagations_ += out_[n].size();
    for (size_t i = 0; i < out_[n].size(); ++i)
      add(out_[n][i], now);
  }
}
