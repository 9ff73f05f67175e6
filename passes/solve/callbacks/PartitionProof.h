//===- PartitionProof.h - What is reached from one object alone -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The proof behind PerObjectCallbacks.h, for one member that holds callbacks
// and one type of object that they are registered with. Every record that is
// reached has one owner, and with it whatever its links lead to: those members
// that a walk to the callback goes through, and those that hold their
// addresses. Within a function owners are told apart by what the function got
// them from: a parameter that it never writes, a variable, a new block.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_CALLBACKS_PARTITIONPROOF_H
#define NVMOVE_PASSES_SOLVE_CALLBACKS_PARTITIONPROOF_H

#include "passes/solve/callbacks/ObjectOrigins.h"
#include <set>

namespace nvmove {

class PartitionProof {
public:
  /// `record`: of the objects that callbacks are registered with.
  PartitionProof(const Program &program, const Allocators &allocators,
                 const CallbackUses &uses, ObjectOrigins &makers, Id record)
      : p_(program), f_(program.facts), a_(allocators), values_(uses.values),
        uses_(uses), makers_(makers), record_(record) {}

  /// The parameter that the pointer which the call follows was reached from;
  /// None. What holds() says is of those that were asked for.
  Id ownerOf(Id call);

  bool holds();

  /// A function is stored as the callback: `value`, of the object that `owner`
  /// leads to, both nodes of `function`.
  struct Registration {
    Id function, value, owner;
  };
  const std::vector<Registration> &registrations() const {
    return registrations_;
  }

private:
  /// What a value has to do with owners.
  struct Place {
    enum Kind : uint8_t {
      Null,  ///< or nothing so far
      Owned, ///< in what belongs to the owner of `key`, or reached from there
      Outside,
    } kind = Null;
    Id key = None;
    bool isAddress = false; ///< of a link, or perhaps so
    bool operator==(const Place &) const = default;
  };

  bool isLink(Id field) const { return links_.contains(field); }
  bool isGivenAway() const;
  bool mayOwn(Id record) const;
  Place start(Id node) const;
  Place of(Id node) const;
  static Place join(Place a, Place b);
  Place follow(const Constraint &c) const;
  void analyse(Id function);
  void need(Id node);
  void findFresh(Id function);
  std::vector<Id> newBlocks(Id value) const;
  bool isNewBlock(Id node) const;
  bool holdsIn(Id function);
  bool isRight(const Constraint &store);
  bool escapes(const Constraint &c) const;
  bool overwrites(const Constraint &copy) const;

  const Program &p_;
  const Facts &f_;
  const Allocators &a_;
  const DefinitionIndex &values_;
  const CallbackUses &uses_;
  ObjectOrigins &makers_;
  const Id record_;
  std::set<Id> links_;  ///< members
  IdMap<Place> places_; ///< by node
  IdMap<Id> fresh_;     ///< block that its maker links to something -> key
  std::vector<Registration> registrations_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_CALLBACKS_PARTITIONPROOF_H
