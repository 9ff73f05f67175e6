//===- ObjectOrigins.cpp - Which object of the program is it? -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/callbacks/PerObjectCallbacks-owned_callbacks.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/callbacks/ObjectOrigins.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

enum MakerKind : uint64_t { ByCall, Variable, Member };

uint64_t maker(MakerKind kind, Id id) { return uint64_t(kind) << 32 | id; }
MakerKind kindOfMaker(uint64_t maker) { return MakerKind(maker >> 32); }

} // namespace

/// Two members of one record never lie in the same place; those of others may,
/// in a union.
bool ObjectOrigins::mayBe(const Makers &makers, uint64_t one) const {
  auto recordOf = [&](uint64_t maker) {
    return kindOfMaker(maker) == Member ? f_.fields[Id(maker)].record : None;
  };
  return makers.any || makers.known.contains(one) ||
         llvm::any_of(makers.known, [&](uint64_t other) {
           return recordOf(other) != recordOf(one);
         });
}

ObjectOrigins::ObjectOrigins(const Program &program,
                             const Allocators &allocators,
                             const FieldFlow &flow, const CallbackUses &uses)
    : p_(program), f_(program.facts), a_(allocators), flow_(flow),
      values_(uses.values), uses_(uses) {
  for (Id i = 0; i < f_.calls.size(); ++i) {
    const Call &c = f_.calls[i];
    if (c.result != None)
      resultOf_[c.result].push_back(i);
    given_.insert(c.args.begin(), c.args.end());
  }
}

ObjectOrigins::Makers ObjectOrigins::ofVariable(Id node) {
  return {.any = false, .known = {maker(Variable, node)}};
}

const ObjectOrigins::Makers &ObjectOrigins::of(Id node, Id record) {
  auto [at, fresh] = found_.try_emplace({node, record});
  Makers &makers = at->second;
  if (!fresh)
    return makers;
  std::vector<Id> work{node};
  IdSet seen;
  while (!work.empty()) {
    Id next = work.back();
    work.pop_back();
    if (seen.insert(next).second && !follow(next, record, work, makers)) {
      makers.any = true;
      makers.known.clear();
      break;
    }
  }
  return makers;
}

/// False when it may come from elsewhere.
bool ObjectOrigins::follow(Id node, Id record, std::vector<Id> &work,
                           Makers &makers) {
  const Node &n = f_.nodes[node];
  const auto calls = resultOf_.lookup(node);
  const auto definitions = values_.definitions(node);
  const bool isParam = uses_.params.contains(node);
  if (!p_.isPointer(n.type) || p_.isAddressTaken(node) ||
      (n.kind == NodeKind::Global && (!n.isDefined || n.isThreadLocal)) ||
      n.kind == NodeKind::Function || n.kind == NodeKind::Literal ||
      (n.kind == NodeKind::Temp && calls.empty() && definitions.empty()))
    return false;
  for (Id i : definitions) {
    const Constraint &c = f_.constraints[i];
    switch (c.flow) {
    case Flow::Copy:
    case Flow::Cast:
    case Flow::Index:
      work.push_back(c.src);
      break;
    case Flow::AddressOf:
      if (p_.recordOf(f_.nodes[c.src].type) != record)
        return false;
      makers.known.insert(maker(Variable, c.src));
      break;
    case Flow::Member:
      if (p_.recordOf(f_.fields[c.extra].type) != record ||
          f_.records[f_.fields[c.extra].record].isUnion)
        return false;
      makers.known.insert(maker(Member, f_.fields[c.extra].cell));
      break;
    case Flow::Load:
      if (!followStored(c.src, work))
        return false;
      break;
    default:
      return false;
    }
  }
  return llvm::all_of(calls,
                      [&](Id k) { return followCall(k, work, makers); }) &&
         (!isParam || followParameter(node, work));
}

bool ObjectOrigins::followCall(Id call, std::vector<Id> &work, Makers &makers) {
  const Call &c = f_.calls[call];
  bool isNew = false;
  if (flow_.callees(call).empty())
    return false;
  for (Id callee : flow_.callees(call)) {
    const Function &fn = f_.functions[callee];
    if (fn.hasBody ? givesNewBlocks(callee) : givesNewBlock(c)) {
      isNew = true;
    } else if (fn.hasBody && fn.result != None) {
      work.push_back(fn.result);
    } else {
      return false;
    }
  }
  if (!isNew)
    return true;
  if (c.function == None)
    return false;
  if (!givesNewBlocks(c.function)) {
    makers.known.insert(maker(ByCall, call));
    return true;
  }
  // In such a function: it is those of its callers.
  IdSet seen;
  return addCallers(c.function, seen, makers);
}

bool ObjectOrigins::addCallers(Id function, IdSet &seen, Makers &makers) {
  auto callers = uses_.callersOf.find(function);
  if (uses_.isCalledByOthers(function) || callers == uses_.callersOf.end())
    return false;
  if (!seen.insert(function).second)
    return true;
  return llvm::all_of(callers->second, [&](Id k) {
    const Id caller = f_.calls[k].function;
    if (caller == None)
      return false;
    if (givesNewBlocks(caller))
      return addCallers(caller, seen, makers);
    makers.known.insert(maker(ByCall, k));
    return true;
  });
}

bool ObjectOrigins::followParameter(Id node, std::vector<Id> &work) const {
  const Id function = f_.nodes[node].function;
  const Function &fn = f_.functions[function];
  auto callers = uses_.callersOf.find(function);
  if (uses_.isCalledByOthers(function) || callers == uses_.callersOf.end())
    return false;
  size_t index = llvm::find(fn.params, node) - fn.params.begin();
  for (Id k : callers->second) {
    const Call &c = f_.calls[k];
    if (index >= c.args.size())
      return false;
    if (Id a = c.args[index]; a != None)
      work.push_back(a);
    else if (!c.argIsZeroOrNull[index])
      return false;
  }
  return true;
}

/// What the program stores there: in that member, of any object, or in any
/// element of that array.
bool ObjectOrigins::followStored(Id address, std::vector<Id> &work) {
  Id d = p_.definition(address);
  const bool isElement = d != None && f_.constraints[d].flow == Flow::Index;
  if (isElement)
    d = p_.definition(f_.constraints[d].src);
  if (d == None)
    return false;
  const Constraint &c = f_.constraints[d];
  if (c.flow != Flow::Member && (c.flow != Flow::AddressOf || !isElement))
    return false;
  const bool isField = c.flow == Flow::Member;
  const Place place{isField ? c.extra : c.src, isField, isElement};
  auto [at, fresh] =
      stored_.try_emplace(isField ? p_.slotOf(place.id) : place.id);
  auto &[isKnown, values] = at->second;
  if (fresh)
    isKnown = isFollowed(place) && findStored(place, values);
  if (isKnown)
    llvm::append_range(work, values);
  return isKnown;
}

/// A pointer, or an array of such, that nothing writes but by its name.
bool ObjectOrigins::isFollowed(const Place &place) const {
  const Id type =
      place.isField ? f_.fields[place.id].type : f_.nodes[place.id].type;
  if ((p_.kind(type) == TypeKind::Array) != place.isArray ||
      !p_.isPointer(p_.element(type)))
    return false;
  if (!place.isField) {
    const Node &n = f_.nodes[place.id];
    return n.kind == NodeKind::Global && n.isDefined && !n.isThreadLocal;
  }
  const Field &member = f_.fields[place.id];
  return member.cell == place.id && !f_.records[member.record].isUnion &&
         !isOverwritten(member.record);
}

/// What functions that name it put there; true if they do nothing else with its
/// address.
bool ObjectOrigins::findStored(const Place &place,
                               std::vector<Id> &values) const {
  const auto &uses = place.isField ? uses_.ofField : uses_.ofVariable;
  auto users = uses.find(place.id);
  if (users == uses.end())
    return true;
  auto names = [&](const Constraint &c) {
    return place.isField ? c.flow == Flow::Member && c.extra == place.id
                         : c.flow == Flow::AddressOf && c.src == place.id;
  };
  for (Id function : users->second) {
    IdSet addresses;
    for (Id i : p_.constraintsOf(function))
      if (const Constraint &c = f_.constraints[i];
          names(c) ||
          (place.isArray && c.flow == Flow::Index && addresses.contains(c.src)))
        addresses.insert(c.dst);
    for (Id i : p_.constraintsOf(function)) {
      const Constraint &c = f_.constraints[i];
      if (names(c))
        continue;
      const bool isTarget = addresses.contains(c.dst);
      if (isTarget && c.flow == Flow::Store) {
        if (c.src != None)
          values.push_back(c.src);
        if (addresses.contains(c.src))
          return false;
      } else if (c.flow == Flow::Index
                     ? addresses.contains(c.src) != isTarget
                     : isTarget || (addresses.contains(c.src) &&
                                    c.flow != Flow::Load)) {
        return false;
      }
    }
    if (llvm::any_of(addresses, [&](Id a) { return given_.contains(a); }))
      return false;
  }
  return true;
}

/// By more than other records of its type.
bool ObjectOrigins::isOverwritten(Id record) const {
  auto holds = [&](Id node) {
    auto is = [&](Id n) {
      Id r = n == None ? None : p_.pointeeRecord(f_.nodes[n].type);
      return r != None && p_.contains(r, record);
    };
    return is(node) || is(p_.copied(node));
  };
  return llvm::any_of(uses_.copies, [&](Id i) {
    const Constraint &c = f_.constraints[i];
    return c.extra == None && holds(c.dst) && !holds(c.src);
  });
}

bool ObjectOrigins::givesNewBlock(const Call &call) {
  if (call.callee == None)
    return false;
  return f_.functions[call.callee].hasBody
             ? givesNewBlocks(call.callee)
             : p_.isLibrary(call, LibraryFunction::Allocate) &&
                   p_.makesBlock(call);
}

/// All that it gives back is a block that it has just allocated.
bool ObjectOrigins::givesNewBlocks(Id function) {
  if (auto at = givesNewBlocks_.find(function); at != givesNewBlocks_.end())
    return at->second;
  givesNewBlocks_[function] = false; // for recursion
  const Function &fn = f_.functions[function];
  if (!fn.hasBody || fn.result == None ||
      !p_.isPointer(f_.nodes[fn.result].type) ||
      p_.definitionsOf(function).size() != 1)
    return false;
  std::vector<Id> work{fn.result};
  bool isNew = false;
  for (IdSet seen; !work.empty();) {
    Id node = work.back();
    work.pop_back();
    if (!seen.insert(node).second)
      continue;
    const Node &n = f_.nodes[node];
    const auto calls = resultOf_.lookup(node);
    if ((n.kind != NodeKind::Return && n.kind != NodeKind::Local &&
         n.kind != NodeKind::Temp) ||
        uses_.params.contains(node) || p_.isAddressTaken(node) ||
        (n.kind == NodeKind::Temp && calls.empty() &&
         values_.definitions(node).empty()))
      return false;
    for (Id i : values_.definitions(node)) {
      const Constraint &c = f_.constraints[i];
      if (c.flow != Flow::Copy && c.flow != Flow::Cast && c.flow != Flow::Index)
        return false;
      work.push_back(c.src);
    }
    for (Id k : calls) {
      if (!givesNewBlock(f_.calls[k]))
        return false;
      isNew = true;
    }
  }
  return givesNewBlocks_[function] = isNew;
}
