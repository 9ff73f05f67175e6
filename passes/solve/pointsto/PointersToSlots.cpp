//===- PointersToSlots.cpp - Pointers to where the next pointer goes ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/PointersToSlots.h"
#include "passes/solve/flow/AccessPath.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

bool isNumber(const Program &p, Id type) {
  return type != None &&
         (p.kind(type) == TypeKind::Integer || p.kind(type) == TypeKind::Byte ||
          p.kind(type) == TypeKind::Floating);
}

/// Two values that are the same by their spelling: copies of one, the address
/// of one variable, &app->list twice.
bool isSame(const Program &p, Id a, Id b) {
  constexpr FlowSet steps = AccessPath::Members | Flow::Load;
  return AccessPath(p, a, steps) == AccessPath(p, b, steps);
}

} // namespace

PointersToSlots::PointersToSlots(const Program &program) : p_(program) {
  for (const Constraint &c : p_.facts.constraints)
    if (c.src != None && c.dst != None)
      add(c);
  handed_.clear();
}

const PointersToSlots::Addresses &PointersToSlots::addressesIn(Id slot) const {
  static const Addresses none;
  auto found = addresses_.find(slot);
  return found == addresses_.end() ? none : found->second;
}

PointersToSlots::Target PointersToSlots::targetOf(Id address) const {
  const AccessPath path(p_, address);
  return {path.variable(), path.member()};
}

/// A variable, or a field in one, that an address of that type may be of.
bool PointersToSlots::mayHold(const Target &target, Id type) const {
  const Facts &f = p_.facts;
  if (target.variable == None)
    return false;
  Id own = target.field != None ? f.fields[target.field].type
                                : f.nodes[target.variable].type;
  own = own == None ? None : p_.element(own);
  return own != None && f.nodes[target.variable].kind != NodeKind::Literal &&
         p_.isPointer(own) == p_.isPointer(type) &&
         isNumber(p_, own) == isNumber(p_, type) &&
         f.types[own].size_bytes == f.types[type].size_bytes;
}

/// &slots[k], of an array of such records that is no local.
bool PointersToSlots::isElement(Id address, const Target &target,
                                Id type) const {
  const Facts &f = p_.facts;
  const Id own = target.field != None      ? f.fields[target.field].type
                 : target.variable != None ? f.nodes[target.variable].type
                                           : None;
  return own != None && p_.kind(own) == TypeKind::Array && type != None &&
         p_.recordOf(type) != None && p_.recordOf(own) == p_.recordOf(type) &&
         (target.variable == None ||
          f.nodes[target.variable].kind == NodeKind::Global) &&
         AccessPath(p_, address).ends(Flow::Index);
}

/// What a member is a member of.
Id PointersToSlots::ownerOf(Id address) const {
  Id d = p_.definition(address);
  const std::vector<Constraint> &constraints = p_.facts.constraints;
  return d != None && constraints[d].flow == Flow::Member ? constraints[d].src
                                                          : None;
}

/// Where the constraint puts something: a variable, or a field.
PointersToSlots::Target PointersToSlots::slotOf(const Constraint &c) const {
  const NodeKind kind = p_.facts.nodes[c.dst].kind;
  if (c.flow == Flow::Store)
    return targetOf(c.dst);
  if ((c.flow == Flow::Copy || c.flow == Flow::Cast) &&
      (kind == NodeKind::Global || kind == NodeKind::Local))
    return {c.dst, None};
  return {};
}

void PointersToSlots::add(const Constraint &c) {
  const Facts &f = p_.facts;
  if (Id owner = c.flow == Flow::Store ? ownerOf(c.dst) : None;
      owner != None && isSame(p_, c.src, owner))
    selfLinks_.insert(p_.slotAt(c.dst));
  const bool isToPointer = p_.isPointer(p_.pointee(f.nodes[c.src].type));
  // The value may be a void * that was handed over.
  Id type = f.nodes[c.dst].type;
  if (c.flow == Flow::Store)
    type = p_.pointee(type);
  type = p_.pointee(type);
  const Target to = targetOf(c.src);
  const bool ofElement = isElement(c.src, to, type);
  if (!isToPointer && !p_.isPointer(type) && !isNumber(p_, type) && !ofElement)
    return;
  const Target slot = slotOf(c);
  if (slot.variable == None && slot.field == None)
    return;
  Addresses &addresses =
      addresses_[slot.field == None ? slot.variable : p_.slotOf(slot.field)];
  if (ofElement)
    return addresses.push_back({slot.variable, to, true});
  if (isToPointer && (to.field != None || to.variable != None))
    addresses.push_back({slot.variable, to});
  // A local has no value of before the load.
  if (slot.field != None || f.nodes[slot.variable].kind != NodeKind::Local)
    addHanded(p_.origin(c.src), type, slot.variable, addresses);
}

/// Addresses of variables that the value may be.
void PointersToSlots::addHanded(Id value, Id type, Id within,
                                Addresses &addresses) {
  auto [handed, fresh] = handed_.try_emplace(value);
  if (fresh)
    for (Id address : handedFor(value))
      if (Target to = targetOf(address); to.variable != None)
        handed->second.push_back(to);
  for (const Target &to : handed->second)
    if (mayHold(to, type) &&
        llvm::none_of(addresses, [&](const Address &known) {
          return known.within == within && known.target == to;
        }))
      addresses.push_back({within, to});
}

/// What the value is in the end, or what callers hand over for it.
llvm::SmallVector<Id, 4> PointersToSlots::handedFor(Id value) const {
  constexpr unsigned MaxHands = 3;
  llvm::SmallVector<Id, 4> result;
  std::vector<std::pair<Id, unsigned>> work{{p_.origin(value), 0}};
  IdSet seen;
  while (!work.empty()) {
    auto [node, hands] = work.back();
    work.pop_back();
    std::optional<std::vector<Id>> handed =
        hands < MaxHands ? p_.handedFor(node) : std::nullopt;
    if (!handed)
      result.push_back(node);
    else
      for (Id argument : *handed)
        if (Id from = argument == None ? None : p_.origin(argument);
            from != None && seen.insert(from).second)
          work.push_back({from, hands + 1});
  }
  return result;
}
