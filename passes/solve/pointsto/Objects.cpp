//===- Objects.cpp - Memory as the analysis sees it ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/PointsTo.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

Id PointsTo::newNode(Id filter) {
  watches_.emplace_back();
  filter_.push_back(filter);
  plainNumber_.push_back(false);
  return addNode();
}

/// Given by functions without a body. Not those that share their name with a
/// record that is defined, and which of them is meant is not known, and not
/// those that are cast to such a record: they are the program's own.
void PointsTo::findOpaque() {
  const Facts &f = p_.facts;
  std::set<llvm::StringRef> defined;
  for (const Record &r : f.records)
    if (r.complete)
      defined.insert(r.name);
  auto give = [&](Id type) {
    Id r = type == None ? None : p_.pointeeRecord(type);
    if (r != None && !f.records[r].complete &&
        !defined.count(f.records[r].name))
      opaque_.insert(r);
  };
  for (const Call &c : f.calls) {
    if (c.callee == None || f.functions[c.callee].hasBody)
      continue;
    if (c.result != None)
      give(f.nodes[c.result].type);
    for (Id a : c.args)
      if (a != None && p_.isPointer(f.nodes[a].type))
        give(p_.pointee(f.nodes[a].type));
  }
  for (const Constraint &c : f.constraints) {
    if (opaque_.empty() || c.flow != Flow::Cast)
      continue;
    Id to = p_.pointeeRecord(f.nodes[c.dst].type), from = None;
    for (Id n = c.src; n != None && from == None; n = p_.copied(n))
      from = p_.pointeeRecord(f.nodes[n].type);
    if (to != None && from != None && to != from) {
      opaque_.erase(to);
      opaque_.erase(from);
    }
  }
}

Id PointsTo::object(Object o) {
  auto [at, fresh] = objectIds_.try_emplace(
      {o.kind, o.ref, o.record, o.instance}, objects_.size());
  if (fresh) {
    objects_.push_back(o);
    byObject_.emplace_back();
    copyWatch_.emplace_back();
    spoiled_.push_back(false);
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
  if (isMark(objects_[object].kind))
    marks_.set(l);
  if (field == None && isSpacious(object))
    spacious_.set(l);
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
        return !p_.mayHoldPointer(type) ||
               (type != None && p_.kind(type) == TypeKind::Integer &&
                !hiddenIn_.contains(Id(p_.facts.nodes.size()) + field));
      });
  }
  if (spoiled_[object])
    add(contents_[l], elsewhere_);
  if (mapped_.contains(object))
    add(contents_[l], fileBytes_);
  fillContainer(l);
  fillReader(l);
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

Id PointsTo::preexistingRecord(uint64_t origin, Id record) {
  Object o{Object::Preexisting, origin};
  o.record = record;
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
    // What comes before the load is not followed, so it may have put anything
    // into statics and into the locals of the functions that lead here.
    bool before = n.kind == NodeKind::Local && n.function != None &&
                  options_.onTheWay.contains(n.function) &&
                  !llvm::is_contained(options_.load, n.function);
    if ((n.kind != NodeKind::Global && !before) || (n.isConst && n.isDefined))
      return;
    if (at.field != None && p_.isPointer(f.fields[at.field].type) &&
        unfilled_.isSelfLinked(o.ref))
      return;
    if (Id held = p_.staticBehind(o.ref); held != None)
      add(contents_[l], location(object({Object::Variable, held,
                                         p_.recordOf(f.nodes[held].type)}),
                                 None));
    else if (at.field == None)
      materialiseContent(l, nodeOrigin(o.ref), p_.element(n.type));
  } else if (o.kind == Object::Preexisting) {
    if (at.field == None && !o.any && o.record == None && !tooDeep(o.ref))
      materialiseContent(l, deeper(o.ref), o.type);
    else if (at.field == None)
      add(contents_[l], elsewhere_);
  } else {
    return;
  }
  if (at.field != None)
    for (Id shared : sharing_[at.field])
      materialiseContent(l,
                         isTail(l) ? nodeOrigin(o.ref) : fieldOrigin(at.field),
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
    bool isFunction = p_.isFunctionPointer(type);
    add(node, isFunction ? elsewhere_ : preexisting(origin, pointee));
    materialiseTail(l);
    if (!p_.isPointer(pointee))
      materialiseSelfLink(l);
    if (isFunction || p_.kind(pointee) == TypeKind::Void) {
      const FieldFlow &before = unfilled_.before();
      const auto &possible = at.field != None
                                 ? before.inField(at.field)
                                 : before.atNode(objects_[at.object].ref);
      if (at.field != None || objects_[at.object].kind == Object::Variable)
        for (Id fn : before.functionsIn(possible))
          add(node, location(object({Object::Function, fn}), None));
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

/// A copy of a string, made by strdup() or by functions that only call that:
/// its bytes are no pointers.
bool PointsTo::isText(const Call &call, unsigned depth) const {
  if (call.callee == None || depth == 0)
    return false;
  const Function &fn = p_.facts.functions[call.callee];
  if (!fn.hasBody)
    return hasTrait(fn.name, LibraryFunction::CopiesText);
  bool some = false;
  for (Id k : p_.callsOf(call.callee))
    if (const Call &c = p_.facts.calls[k]; a_.allocates(c)) {
      if (!isText(c, depth - 1))
        return false;
      some = true;
    }
  return some;
}

bool PointsTo::objectAdmits(Id object, Id record) const {
  const Object &o = objects_[object];
  switch (o.kind) {
  case Object::Variable: {
    if (o.record != None)
      return p_.mayOverlay(o.record, record);
    const Node &n = p_.facts.nodes[o.ref];
    uint64_t size = n.type == None ? 0 : p_.facts.types[n.type].size_bytes;
    return n.kind != NodeKind::Literal && !n.isText &&
           (size == 0 || size >= p_.facts.records[record].size_bytes ||
            arrayCasts_.count({Id(o.ref), record}));
  }
  case Object::Preexisting:
    return o.record != None && p_.compatible(o.record, record);
  case Object::Heap: {
    const Allocators::Site &site = a_.sites()[o.ref];
    if (!site.hasOwnRecord && p_.holdsPointer(record)) {
      auto [text, fresh] = texts_.try_emplace(site.call, false);
      if (fresh)
        text->second = isText(p_.facts.calls[site.call]);
      if (text->second)
        return false;
    }
    return (site.raw() && !site.isPointerTable) ||
           llvm::any_of(site.records,
                        [&](Id r) { return p_.compatible(r, record); }) ||
           (!site.raw() && !site.hasOwnRecord && !ownSite_.contains(record));
  }
  default:
    return false;
  }
}

/// The field lies within the object: a variable is no larger than it is.
bool PointsTo::fits(Id object, Id field) const {
  const Facts &f = p_.facts;
  const Object &o = objects_[object];
  const Field &k = f.fields[field];
  if (o.kind != Object::Variable ||
      (o.record != None && p_.contains(o.record, k.record)))
    return true;
  Id type = f.nodes[o.ref].type;
  uint64_t size = type == None ? 0 : f.types[type].size_bytes;
  return size == 0 || k.offset_bits / 8 + f.types[k.type].size_bytes <= size;
}

bool PointsTo::admitsCell(Id object, Id field) const {
  return field == None ||
         ((objectAdmits(object, p_.facts.fields[field].record) ||
           isLaidOver(object, p_.facts.fields[field].record)) &&
          fits(object, field));
}

SetPool::Ref PointsTo::admitted(Id record, SetPool::Ref from) {
  Filter &filter = filters_[record];
  const Set &what = pool_[from];
  Set unknown = what;
  unknown.intersectWithComplement(filter.admitted);
  unknown.intersectWithComplement(filter.refused);
  for (Id l : unknown) {
    Id as = admit(record, l);
    (as == l ? filter.admitted : filter.refused).set(l);
    if (as != l)
      filter.replaced[l] = as;
  }
  Set result = what;
  result &= filter.admitted;
  if (!filter.replaced.empty()) {
    Set refused = what;
    refused &= filter.refused;
    for (Id l : refused)
      if (auto as = filter.replaced.find(l); as != filter.replaced.end())
        result.set(as->second);
  }
  return pool_.of(std::move(result));
}

Id PointsTo::admit(Id record, Id l) {
  Id object = locations_[l].object;
  const Object &o = objects_[object];
  if (marks_.test(l))
    return l;
  if (o.kind == Object::Preexisting && o.any)
    return preexistingRecord(o.ref, record);
  if (objectAdmits(object, record))
    return l;
  // A member of a record that was laid over the object, or a part of it.
  Id field = locations_[l].field,
     inner = field == None ? None : p_.recordOf(p_.facts.fields[field].type);
  if (inner != None && p_.contains(inner, record))
    return l;
  if (isRoom(field, record)) {
    lay(object, record);
    return l;
  }
  bool isTenant = field == None
                      ? spacious_.test(l)
                      : isLaidOver(object, p_.facts.fields[field].record);
  // Else it may be what it is not declared as; null it is not.
  return isTenant && isLaidOver(object, record) ? l : mistyped_;
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
  auto object = objectIds_.find({Object::Variable, variable, record, None});
  if (object == objectIds_.end())
    return None;
  return locationIn(object->second,
                    field == None ? None : p_.facts.fields[field].cell);
}

Id PointsTo::locationIn(Id object, Id cell) const {
  auto at = locationIds_.find({object, cell});
  return at == locationIds_.end() ? None : at->second;
}

std::vector<Id> PointsTo::usedAs(Id object) const {
  std::vector<Id> result;
  const Object &o = objects_[object];
  for (auto as = objectIds_.lower_bound({o.kind, o.ref, 0, 0});
       o.any && as != objectIds_.end() && std::get<0>(as->first) == o.kind &&
       std::get<1>(as->first) == o.ref;
       ++as)
    if (as->second != object)
      result.push_back(as->second);
  return result;
}

std::string PointsTo::describe(Id object) const {
  const Facts &f = p_.facts;
  const Object &o = objects_[object];
  auto names = [&](llvm::ArrayRef<Id> records) {
    std::string text;
    for (Id r : records)
      text += (text.empty() ? "" : " or ") + f.records[r].name;
    return text.empty() ? std::string("bytes") : text;
  };
  switch (o.kind) {
  case Object::Variable:
    return f.nodes[o.ref].name.empty() ? "a constant" : f.nodes[o.ref].name;
  case Object::Heap: {
    const Allocators::Site &site = a_.sites()[o.ref];
    return (site.isPointerTable && !site.hasOwnRecord ? "table of pointers"
                                                      : names(site.records)) +
           ", allocated at " + p_.describe(f.calls[site.call].loc);
  }
  case Object::Preexisting:
    return names(recordsOf(object)) + ", created before the load";
  case Object::Function:
    return f.functions[o.ref].name;
  default:
    return "value";
  }
}
