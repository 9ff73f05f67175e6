//===- PointersToSlots.cpp - Pointers to where the next pointer goes ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   queue.tail = &queue.first;               in TAILQ_INIT(), before the load
//   *queue.tail = item; queue.tail = &item->next;                  by the load
//
//   head.next = head.prev = &head;           INIT_LIST_HEAD(), before the load
//   head.prev->next = item; head.prev = item;                      by the load
//
// What comes before the load is not followed, so that the load sets the head of
// the list would go unseen. What a pointer to a pointer may lead to from before
// the load is taken from what the text of the program puts there: the address
// of a variable, or of a field in the same object, or of the object itself.
// So it is with pointers to numbers, text and other pointers of which a
// function is handed the address of a variable, for a table of settings:
//
//   declare("port", Number, &port);                           before the load
//   s->value.number = address;                                   in declare()
//   *find(name)->value.number = atoi(text);                       by the load
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/pointsto/PointsTo.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

void PointsTo::findTails() {
  const Facts &f = p_.facts;
  // Of a slot, or of a value: the variable that it lies in, None behind a
  // pointer, and the field, None for the variable itself.
  auto place = [&](Id address) -> Tail {
    const AccessPath path(p_, address);
    return {path.variable(), path.member()};
  };
  auto isNumber = [&](Id type) {
    return type != None && (p_.kind(type) == TypeKind::Integer ||
                            p_.kind(type) == TypeKind::Byte ||
                            p_.kind(type) == TypeKind::Floating);
  };
  // A variable, or a field in one, that an address of that type may be of.
  auto isLike = [&](const Tail &to, Id type) {
    Id own = to.field != None      ? f.fields[to.field].type
             : to.variable != None ? f.nodes[to.variable].type
                                   : None;
    own = own == None ? None : p_.element(own);
    return to.variable != None && own != None &&
           f.nodes[to.variable].kind != NodeKind::Literal &&
           p_.isPointer(own) == p_.isPointer(type) &&
           isNumber(own) == isNumber(type) &&
           f.types[own].size_bytes == f.types[type].size_bytes;
  };
  // What a member is a member of.
  auto owner = [&](Id address) {
    Id d = p_.definition(address);
    return d != None && f.constraints[d].flow == Flow::Member
               ? f.constraints[d].src
               : None;
  };
  IdMap<llvm::SmallVector<Tail, 1>> addresses; // by value: of what it may be
  for (const Constraint &c : f.constraints) {
    if (c.src == None || c.dst == None)
      continue;
    if (Id of = c.flow == Flow::Store ? owner(c.dst) : None;
        of != None && isSame(c.src, of))
      selfLinks_.insert(p_.slotAt(c.dst));
    const bool isToPointer = p_.isPointer(p_.pointee(f.nodes[c.src].type));
    // The value may be a void * that was handed over.
    Id type = f.nodes[c.dst].type;
    if (c.flow == Flow::Store)
      type = p_.pointee(type);
    type = p_.pointee(type);
    if (!isToPointer && !p_.isPointer(type) && !isNumber(type))
      continue;
    const bool isVariable = f.nodes[c.dst].kind == NodeKind::Global ||
                            f.nodes[c.dst].kind == NodeKind::Local;
    Tail slot;
    if (c.flow == Flow::Store)
      slot = place(c.dst);
    else if ((c.flow == Flow::Copy || c.flow == Flow::Cast) && isVariable)
      slot.variable = c.dst;
    if (slot.variable == None && slot.field == None)
      continue;
    const Id cell = slot.field == None ? slot.variable : p_.slotOf(slot.field);
    if (Tail to = place(c.src);
        isToPointer && (to.field != None || to.variable != None))
      tails_[cell].push_back({slot.variable, to});
    // A local has no value of before the load.
    if (slot.field == None && f.nodes[slot.variable].kind == NodeKind::Local)
      continue;
    const Id value = p_.origin(c.src);
    auto [handed, fresh] = addresses.try_emplace(value);
    if (fresh)
      for (Id address : handedFor(value))
        if (Tail to = place(address); to.variable != None)
          handed->second.push_back(to);
    for (const Tail &to : handed->second)
      if (isLike(to, type) &&
          llvm::none_of(tails_[cell], [&](const auto &known) {
            return known.first == slot.variable && known.second == to;
          }))
        tails_[cell].push_back({slot.variable, to});
  }
}

/// What the value is in the end, or what callers hand over for it.
llvm::SmallVector<Id, 4> PointsTo::handedFor(Id value) const {
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

/// Two values that are the same by their spelling: copies of one, the address
/// of one variable, &app->list twice.
bool PointsTo::isSame(Id a, Id b) const {
  constexpr FlowSet steps = AccessPath::Members | Flow::Load;
  return AccessPath(p_, a, steps) == AccessPath(p_, b, steps);
}

const PointsTo::Tails *PointsTo::tailsIn(Id slot) const {
  const Location at = locations_[slot];
  const Object &o = objects_[at.object];
  if (at.field == None && o.kind != Object::Variable)
    return nullptr;
  auto found = tails_.find(
      at.field != None ? Id(p_.facts.nodes.size()) + at.field : Id(o.ref));
  return found == tails_.end() ? nullptr : &found->second;
}

/// In a static of its own: what it leads to is none of another list's.
bool PointsTo::isTail(Id slot) const {
  const Object &o = objects_[locations_[slot].object];
  const Tails *tails = tailsIn(slot);
  return tails && o.kind == Object::Variable &&
         llvm::any_of(*tails, [&](const auto &tail) {
           return tail.first == None || tail.first == o.ref;
         });
}

/// head->next = head, the head of a circular list that is empty: before the
/// load such a member leads, among others, to what it is a member of.
void PointsTo::materialiseSelfLink(Id slot) {
  const Location at = locations_[slot];
  if (at.field != None &&
      selfLinks_.contains(Id(p_.facts.nodes.size()) + at.field))
    add(contents_[slot], location(at.object, None));
}

/// `slot`: a location of pointers to pointers.
void PointsTo::materialiseTail(Id slot) {
  const Location at = locations_[slot];
  const Object o = objects_[at.object];
  const Tails none, *tails = tailsIn(slot);
  for (const auto &[in, to] : tails ? *tails : none) {
    if (in != None && (o.kind != Object::Variable || in != o.ref))
      continue;
    Id object = at.object;
    if (to.variable != None)
      object = this->object({Object::Variable, to.variable,
                             p_.recordOf(p_.facts.nodes[to.variable].type)});
    if (to.field == None)
      add(contents_[slot], location(object, None));
    else if (admitsCell(object, to.field))
      add(contents_[slot], location(object, p_.facts.fields[to.field].cell));
  }
}
