//===- PointersToSlots.h - Pointers to slots --------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// queue.tail = &queue.first;               in TAILQ_INIT(), before the load
//   *queue.tail = item; queue.tail = &item->next;                 by the load
//
//   head.next = head.prev = &head;        in INIT_LIST_HEAD(), before the load
//   head.prev->next = item; head.prev = item;                     by the load
//
// What comes before the load is not followed, so that the load sets the head of
// the list would go unseen. What a pointer to a pointer may lead to from before
// the load is taken from what the text of the program puts there: the address
// of a variable, or of a field in the same object, or of the object itself.
// The same holds for pointers to numbers, text and other pointers of which a
// function is handed the address of a variable, as for a table of settings:
//
//   declare("port", Number, &port);                           before the load
//   s->value.number = address;                                   in declare()
//   *find(name)->value.number = atoi(text);                       by the load
//
// And of a free list, which start-up makes of the elements of an array:
//
//   for (k = 0; k < 8; k++) { slots[k].next = spare; spare = &slots[k]; }
//   s = spare; spare = s->next; s->n = n;                         by the load
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_POINTERSTOSLOTS_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_POINTERSTOSLOTS_H

#include "passes/facts/IdSet.h"
#include "passes/solve/program/Program.h"

namespace nvmove {

/// Which addresses the text of a program puts into which slots. Depends on the
/// text alone.
class PointersToSlots {
public:
  /// What an address is of: a variable, a field in it, or, without a variable,
  /// a field of the object in which the address itself is stored.
  struct Target {
    Id variable = None, field = None;
    bool operator==(const Target &) const = default;
  };
  /// One address that is stored in a slot: the variable in which the slot lies,
  /// None where it lies behind a pointer.
  struct Address {
    Id within = None;
    Target target;
    bool isElement = false; ///< of the array of records that the target is
  };
  using Addresses = llvm::SmallVector<Address, 1>;

  explicit PointersToSlots(const Program &program);

  /// The slot is a variable's node or Program::slotOf() a field.
  const Addresses &addressesIn(Id slot) const;
  /// The address of an object is stored in this field of the same object:
  /// head->next = head.
  bool isSelfLink(Id field) const {
    return selfLinks_.contains(p_.slotOf(field));
  }

private:
  void add(const Constraint &c);
  Target slotOf(const Constraint &c) const;
  Target targetOf(Id address) const;
  bool mayHold(const Target &target, Id type) const;
  bool isElement(Id address, const Target &target, Id type) const;
  void addHanded(Id value, Id type, Id within, Addresses &addresses);
  llvm::SmallVector<Id, 4> handedFor(Id value) const;
  Id ownerOf(Id address) const;

  const Program &p_;
  IdMap<Addresses> addresses_;                 ///< by slot
  IdSet selfLinks_;                            ///< slots
  IdMap<llvm::SmallVector<Target, 1>> handed_; ///< by value, as asked so far
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_POINTERSTOSLOTS_H
