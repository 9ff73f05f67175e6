//===- PointsTo.cpp - Where pointers lead while the state is loaded -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/PointsTo.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {
// Origins name what existed before the load by where it was first met: a field
// (one object for all holders of that field) or a variable, and how many
// pointers deep.
constexpr uint64_t fieldOrigin(Id field) { return uint64_t(1) << 60 | field; }
constexpr uint64_t nodeOrigin(Id node) { return uint64_t(2) << 60 | node; }
constexpr uint64_t deeper(uint64_t origin) {
  return origin + (uint64_t(1) << 40);
}
constexpr bool tooDeep(uint64_t origin) { return (origin >> 40 & 0xff) > 3; }
} // namespace

PointsTo::PointsTo(const Program &program, const Allocators &allocators,
                   const FieldFlow &flow, Options options)
    : p_(program), a_(allocators), flow_(flow), options_(std::move(options)) {
  const Facts &f = p_.facts;
  sets_.resize(f.nodes.size());
  pending_.resize(f.nodes.size());
  out_.resize(f.nodes.size());
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

//===-- Objects and locations ---------------------------------------------===//

Id PointsTo::newNode(Id filter) {
  sets_.emplace_back();
  pending_.emplace_back();
  out_.emplace_back();
  watches_.emplace_back();
  filter_.push_back(filter);
  plainNumber_.push_back(false);
  return sets_.size() - 1;
}

Id PointsTo::object(Object o) {
  auto [at, fresh] =
      objectIds_.try_emplace({o.kind, o.ref, o.record}, objects_.size());
  if (fresh) {
    objects_.push_back(o);
    byObject_.emplace_back();
    copyWatch_.emplace_back();
  }
  return at->second;
}

Id PointsTo::location(Id object, Id field) {
  auto [at, fresh] =
      locationIds_.try_emplace({object, field}, locations_.size());
  if (!fresh)
    return at->second;
  Id l = at->second;
  locations_.push_back({object, field});
  materialised_.push_back(false);
  byObject_[object].push_back(l);
  const Object &o = objects_[object];
  if (o.kind == Object::Variable && field == None) {
    contents_.push_back(o.ref);
  } else {
    Id filter = None;
    if (field != None && sharing_[field].size() == 1)
      filter = p_.pointeeRecord(p_.element(p_.facts.fields[field].type));
    Id node = newNode(filter);
    contents_.push_back(node);
    if (field != None)
      plainNumber_[node] = llvm::all_of(sharing_[field], [&](Id k) {
        Id type = p_.element(p_.facts.fields[k].type);
        return !mayHoldPointer(type) ||
               (type != None && p_.kind(type) == TypeKind::Integer &&
                !hiddenIn_.contains(Id(p_.facts.nodes.size()) + field));
      });
  }
  for (size_t i = 0; i < copyWatch_[object].size(); ++i)
    copyCell(copyWatch_[object][i].first, l, copyWatch_[object][i].second);
  return l;
}

Id PointsTo::preexisting(uint64_t origin, Id pointee) {
  Object o{Object::Preexisting, origin};
  Id element = p_.element(pointee);
  o.record = p_.recordOf(pointee);
  o.type = element;
  if (o.record == None)
    o.any = element == None || p_.kind(element) == TypeKind::Void ||
            p_.kind(element) == TypeKind::Byte;
  return location(object(o), None);
}

void PointsTo::materialise(Id l) {
  if (materialised_[l])
    return;
  materialised_[l] = true;
  const Facts &f = p_.facts;
  const Location at = locations_[l];
  const Object o = objects_[at.object];
  if (o.kind == Object::Variable) {
    const Node &n = f.nodes[o.ref];
    if (n.kind != NodeKind::Global || (n.isConst && n.isDefined))
      return;
    if (at.field == None)
      materialiseContent(l, nodeOrigin(o.ref), p_.element(n.type));
  } else if (o.kind == Object::Preexisting) {
    if (at.field == None && !o.any && o.record == None && !tooDeep(o.ref))
      materialiseContent(l, deeper(o.ref), o.type);
  } else {
    return;
  }
  if (at.field != None)
    for (Id shared : sharing_[at.field])
      materialiseContent(l, fieldOrigin(at.field),
                         p_.element(f.fields[shared].type));
}

void PointsTo::materialiseContent(Id l, uint64_t origin, Id type) {
  if (type == None)
    return;
  const Location at = locations_[l];
  Id node = contents_[l];
  switch (p_.kind(type)) {
  case TypeKind::Pointer: {
    Id pointee = p_.pointee(type);
    if (pointee != None && p_.kind(pointee) == TypeKind::Function) {
      const auto &possible = at.field != None
                                 ? flow_.inField(at.field)
                                 : flow_.atNode(objects_[at.object].ref);
      if (at.field != None || objects_[at.object].kind == Object::Variable)
        for (Id fn : flow_.functionsIn(possible))
          add(node, location(object({Object::Function, fn}), None));
    } else {
      add(node, preexisting(origin, pointee));
    }
    break;
  }
  case TypeKind::Byte:
  case TypeKind::Integer:
  case TypeKind::Floating:
    if (objects_[at.object].kind == Object::Variable)
      add(node, location(object({Object::StaticValue, l}), None));
    break;
  default:
    break;
  }
}

void PointsTo::prepare(Id node) {
  if (node >= p_.facts.nodes.size() ||
      p_.facts.nodes[node].kind != NodeKind::Global ||
      p_.recordOf(p_.facts.nodes[node].type) != None)
    return;
  Object o{Object::Variable, node};
  materialise(location(object(o), None));
}

llvm::SmallVector<Id, 4> PointsTo::recordsOf(Id object) const {
  const Object &o = objects_[object];
  if (o.kind == Object::Heap)
    return a_.sites()[o.ref].records;
  if (o.record != None)
    return {o.record};
  return {};
}

bool PointsTo::objectAdmits(Id object, Id record) {
  auto [at, fresh] = admits_.try_emplace({object, record}, false);
  if (!fresh)
    return at->second;
  const Object &o = objects_[object];
  bool result = false;
  switch (o.kind) {
  case Object::Variable:
    result = o.record == None || p_.compatible(o.record, record);
    break;
  case Object::Preexisting:
    result = o.record != None && p_.compatible(o.record, record);
    break;
  case Object::Heap: {
    const Allocators::Site &site = a_.sites()[o.ref];
    result = (site.raw() && !site.isPointerTable) ||
             llvm::any_of(site.records,
                          [&](Id r) { return p_.compatible(r, record); }) ||
             (!site.raw() && !site.hasOwnRecord && !ownSite_.contains(record));
    break;
  }
  default:
    break;
  }
  return admits_[{object, record}] = result;
}

Id PointsTo::admit(Id node, Id l) {
  if (plainNumber_[node] &&
      (isMemory(l) || objects_[locations_[l].object].kind == Object::Function))
    return None;
  Id record = filter_[node];
  if (record == None)
    return l;
  Id object = locations_[l].object;
  const Object &o = objects_[object];
  if (o.kind == Object::FileBytes || o.kind == Object::StaticValue)
    return l;
  if (o.kind == Object::Preexisting && o.any) {
    Object typed{Object::Preexisting, o.ref};
    typed.record = record;
    return location(this->object(typed), None);
  }
  return objectAdmits(object, record) ? l : None;
}

std::vector<Id> PointsTo::staticValuesIn(const Set &set) const {
  std::vector<Id> result;
  for (Id l : set)
    if (objects_[locations_[l].object].kind == Object::StaticValue)
      result.push_back(objects_[locations_[l].object].ref);
  return result;
}

Id PointsTo::find(Id variable, Id field) const {
  Id record = p_.recordOf(p_.facts.nodes[variable].type);
  auto object = objectIds_.find({Object::Variable, variable, record});
  if (object == objectIds_.end())
    return None;
  auto at = locationIds_.find(
      {object->second, field == None ? None : p_.facts.fields[field].cell});
  return at == locationIds_.end() ? None : at->second;
}

std::string PointsTo::name(Id object) const {
  const Facts &f = p_.facts;
  const Object &o = objects_[object];
  switch (o.kind) {
  case Object::Variable:
    return f.nodes[o.ref].name;
  case Object::Heap:
    return "block of " + p_.describe(f.calls[a_.sites()[o.ref].call].loc);
  case Object::Preexisting: {
    Id id = o.ref & 0xffffffffff;
    std::string from = o.ref >> 60 == 1 ? f.records[f.fields[id].record].name +
                                              "." + f.fields[id].name
                                        : f.nodes[id].name;
    return "earlier " +
           (o.record == None ? std::string("bytes")
                             : f.records[o.record].name) +
           " (" + from + ")";
  }
  case Object::Function:
    return f.functions[o.ref].name;
  default:
    return "value";
  }
}

//===-- The solver --------------------------------------------------------===//

void PointsTo::add(Id node, Id l) {
  l = admit(node, l);
  if (l == None || sets_[node].test(l))
    return;
  sets_[node].set(l);
  if (pending_[node].empty())
    work_.push_back(node);
  pending_[node].set(l);
}

void PointsTo::add(Id node, const Set &what) {
  Set fresh = what;
  fresh.intersectWithComplement(sets_[node]);
  for (Id l : fresh)
    add(node, l);
}

void PointsTo::edge(Id from, Id to) {
  if (from == None || to == None || from == to ||
      !edges_.insert({from, to}).second)
    return;
  prepare(from);
  if (to < p_.facts.nodes.size() &&
      p_.facts.nodes[to].kind == NodeKind::Global &&
      p_.recordOf(p_.facts.nodes[to].type) == None)
    location(object({Object::Variable, to}),
             None); // written, perhaps never read: static memory all the same
  out_[from].push_back(to);
  Set now = sets_[from];
  add(to, now);
}

void PointsTo::watch(Id node, Watch w) {
  if (node == None)
    return;
  prepare(node);
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
    if (objectAdmits(object, field.record))
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
    Id fn = p_.functionOf(c.src);
    Object o{fn != None ? Object::Function : Object::Variable,
             fn != None ? fn : c.src};
    if (fn == None)
      o.record = p_.recordOf(p_.facts.nodes[c.src].type);
    // objectIds_ tells objects apart by record too; a variable has only one.
    add(c.dst, location(object(o), None));
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

//===-- Calls -------------------------------------------------------------===//

void PointsTo::reach(Id function, Id call) {
  if (reached_.try_emplace(function, call).second)
    functionsToDo_.push_back(function);
}

void PointsTo::addCall(Id i) {
  const Call &c = p_.facts.calls[i];
  bool passingBy = c.function != None &&
                   options_.onTheWay.contains(c.function) &&
                   !llvm::is_contained(options_.load, c.function);
  if (passingBy) {
    bool towards =
        c.callee != None && (options_.onTheWay.contains(c.callee) ||
                             llvm::is_contained(options_.load, c.callee));
    if (towards)
      bind(i, c.callee);
    else if (c.result != None && p_.isPointer(p_.facts.nodes[c.result].type))
      add(c.result, preexisting(nodeOrigin(c.result),
                                p_.pointee(p_.facts.nodes[c.result].type)));
    return;
  }
  if (c.deadEnd)
    return;
  if (a_.allocates(c) && !(c.function != None && a_.isWrapper(c.function)) &&
      c.result != None) {
    Object o{Object::Heap, siteIndex_.lookup(i)};
    add(c.result, location(object(o), None));
    if (a_.reallocates(c) && !c.args.empty())
      edge(c.args[0], c.result);
  }
  if (c.callee != None)
    bind(i, c.callee);
  else
    watch(c.target, {Use::Target, i, None});
}

void PointsTo::bind(Id call, Id callee) {
  if (!bound_.insert({call, callee}).second)
    return;
  const Call &c = p_.facts.calls[call];
  const Function &fn = p_.facts.functions[callee];
  if (!fn.hasBody) {
    bindLibrary(call);
    return;
  }
  if (fn.isNoReturn || options_.cut.contains(callee))
    return;
  reach(callee, call);
  for (size_t i = 0; i < c.args.size() && i < fn.params.size(); ++i) {
    if (c.args[i] == None)
      continue;
    Id record = p_.recordOf(p_.facts.nodes[fn.params[i]].type);
    if (record == None) {
      edge(c.args[i], fn.params[i]);
    } else { // by value: the argument is the address of what is copied
      copy(addressOf(fn.params[i], record), c.args[i]);
    }
  }
  if (!a_.isWrapper(callee) && c.result != None && fn.result != None) {
    Id record = p_.recordOf(p_.facts.nodes[fn.result].type);
    if (record == None) {
      edge(fn.result, c.result);
    } else {
      copy(addressOf(c.result, record), addressOf(fn.result, record));
    }
  }
  for (size_t i = fn.params.size(); fn.variadic != None && i < c.args.size();
       ++i)
    edge(c.args[i], fn.variadic);
}

Id PointsTo::addressOf(Id variable, Id record) {
  Object o{Object::Variable, variable};
  o.record = record;
  Id address = newNode(None);
  add(address, location(object(o), None));
  return address;
}

void PointsTo::copy(Id dst, Id src) {
  copyings_.emplace_back();
  Id copying = copyings_.size() - 1;
  watch(dst, {Use::CopyTo, copying, None});
  watch(src, {Use::CopyFrom, copying, None});
}

void PointsTo::bindLibrary(Id call) {
  const Facts &f = p_.facts;
  const Call &c = f.calls[call];
  libraryCalls_.push_back(call);
  const LibraryFunction *l = p_.library(c);
  if (l && (l->kind == LibraryFunction::Exit ||
            l->kind == LibraryFunction::Free || a_.allocates(c)))
    return;
  if (l && l->kind == LibraryFunction::Input) {
    bool variadic = f.functions[c.callee].isVariadic;
    for (size_t i = 0; l->destination >= 0 && i < c.args.size(); ++i)
      if (i == size_t(l->destination) ||
          (variadic && i > size_t(l->destination)))
        watch(c.args[i], {Use::Fill, call, None});
    if (c.result != None)
      add(c.result, fileBytes_);
  }
  for (Id a : c.args) {
    if (a == None)
      continue;
    // A function handed to a library may be called with anything it was given.
    for (Id fn : flow_.functionsIn(flow_.atNode(a)))
      if (f.functions[fn].hasBody && !options_.cut.contains(fn)) {
        reach(fn, call);
        for (Id param : f.functions[fn].params)
          for (Id other : c.args)
            if (other != a)
              edge(other, param);
      }
    if (c.result != None && !(l && l->kind == LibraryFunction::Write)) {
      // strtol(buf, ..) is a value from the file when buf is; a count of bytes
      // written is not a pointer to them.
      if (p_.isPointer(f.nodes[c.result].type)) {
        edge(a, c.result);
      } else {
        watch(a, {Use::Marks, c.result, None});
        watch(a, {Use::MarksBehind, c.result, None});
      }
    }
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
    if (work_.empty())
      break;
    ++iterations_;
    Id n = work_.back();
    work_.pop_back();
    Set now = std::move(pending_[n]);
    pending_[n].clear();
    for (size_t i = 0; i < watches_[n].size(); ++i) {
      Watch w = watches_[n][i];
      for (Id l : now)
        apply(w, n, l);
    }
    for (size_t i = 0; i < out_[n].size(); ++i)
      add(out_[n][i], now);
  }
}
