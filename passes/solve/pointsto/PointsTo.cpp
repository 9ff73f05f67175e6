//===- PointsTo.cpp - Where pointers lead while the state is loaded -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/PointsTo.h"
#include "passes/facts/IdSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

PointsTo::PointsTo(const Program &program, const Allocators &allocators,
                   const FieldFlow &flow, const PreLoadNullness &unfilled,
                   Options options)
    : p_(program), a_(allocators), flow_(flow), unfilled_(unfilled),
      options_(std::move(options)) {
  const Facts &f = p_.facts;
  resize(f.nodes.size());
  watches_.resize(f.nodes.size());
  filter_.assign(f.nodes.size(), None);
  plainNumber_.assign(f.nodes.size(), false);
  for (Id i = 0; i < f.nodes.size(); ++i)
    if (f.nodes[i].type != None)
      filter_[i] = p_.pointeeRecord(f.nodes[i].type);
  sharing_.resize(f.fields.size());
  for (Id i = 0; i < f.fields.size(); ++i)
    sharing_[f.fields[i].cell].push_back(i);
  for (const auto &site : a_.sites()) {
    if (site.hasOwnRecord)
      ownSite_.insert(site.records.begin(), site.records.end());
  }
  findHiddenPointers();
  findDistances();
  findOnceDefined();
  findOpaque();
  findArrayCasts();
  findTails();
  for (Id i = 0; i < f.calls.size(); ++i)
    for (const ParamTest &t : f.calls[i].tests)
      values_[t.param].calls.push_back(i);
  for (const Call &c : f.calls)
    for (const ArgValue &a : c.argValues)
      if (a.param != None)
        values_.try_emplace(a.param);
  for (Id key : unfilled_.keyed().keys())
    values_.try_emplace(key);
  for (Id owner : unfilled_.owned().owners())
    values_.try_emplace(owner);
  fileBytes_ = location(object({Object::FileBytes}), None);
  elsewhere_ = location(object({Object::Elsewhere}), None);
  mistyped_ = location(object({Object::Elsewhere, 1}), None);
}

void PointsTo::findOnceDefined() {
  const Facts &f = p_.facts;
  std::vector<uint8_t> definitions(f.nodes.size());
  auto define = [&](Id n, uint8_t times) {
    if (n != None)
      definitions[n] = std::min(2, definitions[n] + times);
  };
  for (const Constraint &c : f.constraints) {
    if (c.flow != Flow::Store && c.flow != Flow::CopyMemory)
      define(c.dst, 1);
    if (c.flow == Flow::AddressOf) // what is stored there is in the node
      define(c.src, 2);
  }
  for (const Call &c : f.calls)
    define(c.result, 2);
  for (const Function &fn : f.functions) {
    define(fn.variadic, 2);
    for (Id param : fn.params)
      define(param, 2);
  }
  definedOnce_.resize(f.nodes.size());
  for (Id i = 0; i < f.nodes.size(); ++i) {
    const Node &n = f.nodes[i];
    definedOnce_[i] = definitions[i] == 1 && p_.recordOf(n.type) == None &&
                      (n.kind == NodeKind::Temp || n.kind == NodeKind::Return ||
                       (n.kind == NodeKind::Local && !leadsToLoad(n.function)));
  }
}

void PointsTo::mergeWatches(Id into, Id from) {
  if (watches_[from].empty())
    return;
  watches_[into].append(watches_[from].begin(), watches_[from].end());
  watches_[from] = {};
  crowded_.push_back(into);
}

void PointsTo::unify(Id into, Id from) {
  SetFlow::unify(into, from,
                 [&](Id into, Id from) { mergeWatches(into, from); });
}

/// dst is defined by this alone: src, as what it may point to.
void PointsTo::become(Id dst, Id src) {
  if (src == None || !definedOnce_[textOf(dst)] || !alike(src, dst))
    return edge(src, dst);
  prepare(src);
  unify(src, dst);
}

/// A node for marks alone.
Id PointsTo::newMarks() {
  Id marks = newNode(None);
  plainNumber_[marks] = true;
  return marks;
}

/// What of its set is no memory, or of all that it points to.
Id PointsTo::marksOf(Id node, bool behind) {
  auto [at, fresh] = marksOf_.try_emplace({find(node), behind}, None);
  if (!fresh)
    return at->second;
  Id marks = at->second = newMarks();
  if (behind)
    watch(node, {Use::Load, marks, None});
  else
    edge(node, marks);
  return marks;
}

/// The same has been read from there, or the same address taken, before.
bool PointsTo::isKnown(const Constraint &c) {
  if (c.src == None || !definedOnce_[textOf(c.dst)])
    return false;
  bool isAddress = c.flow == Flow::AddressOf;
  if (!isAddress)
    prepare(c.src);
  auto [at, fresh] = known_.try_emplace(
      {c.flow, isAddress ? c.src : find(c.src), c.extra, nodeAt(c.dst).type},
      c.dst);
  if (!fresh)
    unify(at->second, c.dst);
  return !fresh;
}

/// Nodes have become one, so what is read through them has.
void PointsTo::unifyWatchers() {
  while (!crowded_.empty()) {
    Id n = find(crowded_.back());
    crowded_.pop_back();
    std::map<std::tuple<Use, Id, bool, Id>, Id> first;
    std::map<std::tuple<Id, Id, Id>, Id> copied;
    std::vector<std::pair<Id, Id>> same;
    llvm::erase_if(watches_[n], [&](const Watch &w) {
      if (w.use == Use::CopyTo || w.use == Use::CopyFrom)
        return isRepeated(w, copied);
      bool isHub = textOf(w.other) == None;
      if ((w.use != Use::Load && w.use != Use::Member && w.use != Use::Store) ||
          (!isHub && !definedOnce_[textOf(w.other)]))
        return false;
      auto [at, fresh] = first.try_emplace(
          {w.use, w.extra, isHub, isHub ? None : nodeAt(w.other).type},
          w.other);
      if (!fresh)
        same.push_back({at->second, w.other});
      return !fresh;
    });
    for (auto [into, from] : same)
      unify(into, from);
  }
}

void PointsTo::add(Id node, Ref what) {
  node = find(node);
  Ref fresh = pool_.subtract(what, sets_[node]);
  if (fresh == Ref::Empty)
    return;
  if (plainNumber_[node]) {
    Set marks = pool_[fresh];
    marks &= marks_;
    fresh = pool_.of(std::move(marks));
  } else if (filter_[node] != None) {
    fresh = admitted(filter_[node], fresh);
    if (strict_.contains(node) && !pool_[what].test(mistyped_))
      fresh = pool_.subtract(fresh, pool_.of(mistyped_));
    fresh = pool_.subtract(fresh, sets_[node]);
  }
  if (fresh == Ref::Empty)
    return;
  gain(node, fresh);
}

void PointsTo::edge(Id from, Id to) {
  if (from == None || to == None || !connect(from, to))
    return;
  prepare(from);
  if (to < p_.facts.nodes.size() &&
      p_.facts.nodes[to].kind == NodeKind::Global &&
      p_.recordOf(p_.facts.nodes[to].type) == None)
    location(object({Object::Variable, to}),
             None); // written, perhaps never read: static memory all the same
  if (sets_[find(from)] != Ref::Empty)
    fresh_.push_back({from, to});
}

void PointsTo::watch(Id node, Watch w) {
  if (node == None)
    return;
  prepare(node);
  node = find(node);
  watches_[node].push_back(w);
  apply(w, sets_[node]);
}

bool PointsTo::isScalarField(Id field) const {
  return field != None && p_.recordOf(p_.facts.fields[field].type) == None;
}

Id PointsTo::hubOf(Use use, Ref what) {
  auto [at, fresh] = (use == Use::Load ? loads_ : stores_).try_emplace(what);
  if (!fresh)
    return at->second;
  Id hub = at->second = newNode(None);
  for (Id l : pool_[what])
    if (isMemory(l)) {
      if (use == Use::Store) {
        edge(hub, contents_[l]);
        continue;
      }
      materialise(l);
      edge(contents_[l], hub);
    }
  return hub;
}

SetPool::Ref PointsTo::membersOf(Ref what, Id field) {
  auto [at, fresh] = members_.try_emplace({what, field});
  if (!fresh)
    return at->second;
  Set result;
  for (Id l : pool_[what])
    if (isMemory(l))
      if (std::optional<Id> m = member(l, field))
        result.set(*m);
  return members_[{what, field}] = pool_.of(std::move(result));
}

void PointsTo::apply(const Watch &w, Ref what) {
  const Set &set = pool_[what];
  bool isShared = pool_.size(what) > 2;
  if (isShared && (w.use == Use::Load || w.use == Use::Store)) {
    Id hub = hubOf(w.use, what);
    if (w.use == Use::Load)
      edge(hub, w.other);
    else
      edge(w.other, hub);
  } else if (isShared && w.use == Use::Member) {
    add(w.other, membersOf(what, w.extra));
  } else {
    for (Id l : set)
      apply(w, l);
    return;
  }
  if (set.test(elsewhere_))
    behindElsewhere(w);
}

void PointsTo::apply(const Watch &w, Id l) {
  const Location at = locations_[l];
  if (w.use == Use::Target) {
    const Object &o = objects_[at.object];
    if (o.kind == Object::Function &&
        !p_.lacksArguments(o.ref, textOfCall(w.other)) &&
        !awaitsKey(w.other, o.ref))
      bind(w.other, o.ref);
    return;
  }
  if (w.use == Use::Await)
    return addCall(w.other);
  if (w.use == Use::Convert) {
    if (l == fileBytes_)
      fillConverted(w.other, w.extra);
    return;
  }
  if (l == elsewhere_)
    behindElsewhere(w);
  if (!isMemory(l))
    return;
  switch (w.use) {
  case Use::Load:
    materialise(l);
    edge(contents_[l], w.other);
    break;
  case Use::Store:
    edge(w.other, contents_[l]);
    break;
  case Use::Member:
    if (std::optional<Id> m = member(l, w.extra))
      add(w.other, *m);
    break;
  case Use::Beside:
    if (at.field != None &&
        p_.facts.fields[at.field].record == p_.facts.fields[w.extra].record)
      if (std::optional<Id> m = member(l, w.extra))
        add(w.other, *m);
    break;
  case Use::CopyTo:
    joinCopy(w.other, l, false);
    break;
  case Use::CopyFrom:
    joinCopy(w.other, l, true);
    break;
  case Use::Fill:
    fillFrom(w.other, l);
    break;
  case Use::Scatter:
    scatter(l, w.other);
    break;
  case Use::Spoil:
    spoil(l);
    break;
  case Use::Await:
  case Use::Convert:
  case Use::Target:
    break;
  }
}

std::optional<Id> PointsTo::member(Id l, Id fieldId) {
  const Field &field = p_.facts.fields[fieldId];
  const Location at = locations_[l];
  Id object = at.object;
  const Object o = objects_[object];
  if (o.kind == Object::Preexisting && o.any) {
    Object typed{Object::Preexisting, o.ref};
    typed.record = field.record;
    object = this->object(typed);
  }
  if (!admitsCell(object, fieldId))
    return std::nullopt;
  return location(object, field.cell);
}

/// What lies in memory that is not followed, entry->d_name of a library's, is
/// not null for that.
void PointsTo::behindElsewhere(const Watch &w) {
  if (w.use == Use::CopyFrom)
    copyElsewhere(w.other);
  else if (w.use == Use::Load || w.use == Use::Member)
    maybeElsewhere(w.other);
}

/// The record that lies there, if it is one.
Id PointsTo::recordAt(const Location &at) const {
  if (at.field != None)
    return p_.recordOf(p_.facts.fields[at.field].type);
  auto records = recordsOf(at.object);
  return records.size() == 1 ? records.front() : None;
}

void PointsTo::fillFrom(Id call, Id l) {
  const Location at = locations_[l];
  fills_.push_back({l, callInText(call)});
  add(contents_[l], fileBytes_);
  // What records will be found in a mapped file is not known yet.
  const Call &c = textOfCall(call);
  if (at.field == None && p_.mapsFile(c, c.callee) &&
      mapped_.insert(at.object).second)
    for (size_t i = 0; i < byObject_[at.object].size(); ++i)
      add(contents_[byObject_[at.object][i]], fileBytes_);
  Id record = recordAt(at);
  if (record == None)
    return;
  for (Id cell : scalarCells(record))
    add(contents_[location(at.object, cell)], fileBytes_);
}

void PointsTo::addConstraint(const Constraint &c) {
  switch (c.flow) {
  case Flow::Arith:
    // A difference of pointers is not a pointer; sums are done on integers.
    if (c.src != None && p_.isPointer(nodeAt(c.src).type) &&
        !p_.isPointer(nodeAt(c.dst).type))
      edge(marksOf(c.src), c.dst);
    else
      edge(c.src, c.dst);
    break;
  case Flow::Cast:
    if (c.src != None && !p_.isPointer(nodeAt(c.src).type)) {
      maybeElsewhere(c.dst);
      edge(c.src, c.dst);
      break;
    }
    [[fallthrough]];
  case Flow::Copy:
  case Flow::Index:
    become(c.dst, c.src);
    if (auto at = c.flow == Flow::Index && c.extra != None
                      ? distances_.find(c.extra)
                      : distances_.end();
        at != distances_.end())
      for (Id field : {at->second.first, at->second.second})
        watch(c.src, {Use::Beside, c.dst, field});
    break;
  case Flow::AddressOf: {
    if (isKnown(c))
      break;
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
    if (!isKnown(c))
      watch(c.src, {Use::Member, c.dst, c.extra});
    break;
  case Flow::Load:
    if (!isKnown(c))
      watch(c.src, {Use::Load, c.dst, None});
    break;
  case Flow::Store:
    if (c.src != None) {
      auto [at, fresh] = stored_.try_emplace(find(c.dst), None);
      if (fresh) {
        at->second = newNode(None);
        watch(c.dst, {Use::Store, at->second, None});
      }
      edge(c.src, at->second);
    }
    break;
  case Flow::CopyMemory:
    if (c.src == None || c.dst == None || copiesOntoItself(c))
      break;
    copy(c.dst, c.src, c.extra == None ? None : p_.recordOf(c.extra));
    break;
  }
}

void PointsTo::startAt(Id load) {
  const Facts &f = p_.facts;
  reach(load, None);
  bool called = llvm::any_of(options_.onTheWay, [&](Id caller) {
    return llvm::any_of(p_.callsOf(caller), [&](Id c) {
      return llvm::is_contained(flow_.callees(c), load);
    });
  });
  auto handOver = [&](Id node) {
    handedOver_.insert(node);
    location(object({Object::Variable, node}), None);
  };
  for (Id param : f.functions[load].params)
    if (p_.isPointer(f.nodes[param].type)) {
      if ((!called || options_.callersKeep) && mayLast(param))
        handOver(param);
      if (!called)
        add(param,
            preexisting(nodeOrigin(param), p_.pointee(f.nodes[param].type)));
    }
  if (Id r = f.functions[load].result;
      options_.callersKeep && r != None && p_.isPointer(f.nodes[r].type))
    handOver(r);
  parametersFrom(load, nullptr);
}

/// It may lead to more than a variable of some caller.
bool PointsTo::mayLast(Id pointer) const {
  for (unsigned t : flow_.atNode(pointer))
    if (flow_.tokens()[t].kind != FieldFlow::Token::Function)
      return true;
  return false;
}

bool PointsTo::run() {
  const Facts &f = p_.facts;
  for (Id i : p_.constraintsOf(None))
    addConstraint(f.constraints[i]);
  for (Id fn : options_.onTheWay) {
    functionsToDo_.push_back(fn);
    parametersFrom(fn, nullptr);
  }
  for (Id fn : options_.onRequest) {
    functionsToDo_.push_back(fn);
    for (Id param : f.functions[fn].params)
      if (p_.isPointer(f.nodes[param].type))
        add(param,
            preexisting(nodeOrigin(param), p_.pointee(f.nodes[param].type)));
  }
  // Their pointers may be what loaded state hangs from: db = load();
  for (Id n = 0; n < f.nodes.size(); ++n)
    if (f.nodes[n].kind == NodeKind::Local && f.nodes[n].function != None &&
        options_.onTheWay.contains(f.nodes[n].function) &&
        p_.isPointer(f.nodes[n].type))
      location(object({Object::Variable, n}), None);
  for (Id fn : options_.load)
    startAt(fn);
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
    if (!instancesToDo_.empty()) {
      Id instance = instancesToDo_.back();
      instancesToDo_.pop_back();
      enterInstance(instance);
      continue;
    }
    if (edges_.size() > options_.limit)
      return false;
    // Only nodes with the same filter hold the same set.
    if (tidy([&](Id a, Id b) { return alike(a, b); },
             [&](Id into, Id from) { mergeWatches(into, from); })) {
      loads_.clear();
      stores_.clear();
      members_.clear();
    }
    unifyWatchers();
    if (!fresh_.empty()) {
      auto [from, to] = fresh_.back();
      fresh_.pop_back();
      add(to, sets_[find(from)]);
      continue;
    }
    if (order_.empty()) {
      if (findLostCallees() || findTenants())
        continue;
      break;
    }
    ++iterations_;
    Id n = order_.pop();
    Ref now = take(n);
    for (size_t i = 0; i < watches_[n].size(); ++i) {
      Watch w = watches_[n][i];
      apply(w, now);
    }
    order_.passed(out_[n].size());
    for (size_t i = 0; i < out_[n].size(); ++i)
      add(out_[n][i], now);
  }
  joinInstances();
  return true;
}
