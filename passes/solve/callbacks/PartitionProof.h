//===- PartitionProof.h - What is reached from one part alone -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The proof behind IndexedCallbacks.h and PerObjectCallbacks.h: memory falls
// into parts, the elements of an array or what belongs to one object, and what
// is reached from one part leads into no other. The members that a walk goes
// through are links; the proof looks at each function that uses one:
//
//  - What is stored in a link is null, what was reached from the same part, a
//    block that the function has just made and puts into that part alone, or a
//    function: then it is registered with the part.
//  - The address of a link goes nowhere else, and no memory is copied over one.
//
// Within a function parts are told apart by the value that chooses them, the
// key. Which values those are, and what each constraint makes of a place, says
// the class that derives.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_CALLBACKS_PARTITIONPROOF_H
#define NVMOVE_PASSES_SOLVE_CALLBACKS_PARTITIONPROOF_H

#include "passes/solve/callbacks/CallbackUses.h"
#include "passes/solve/flow/Allocators.h"
#include <set>

namespace nvmove {

class PartitionProof {
public:
  PartitionProof(const Program &program, const Allocators &allocators,
                 const CallbackUses &uses)
      : p_(program), f_(program.facts), a_(allocators), values_(uses.values),
        uses_(uses) {}
  virtual ~PartitionProof() = default;

  /// It is so for all that was asked for before.
  bool holds();

  /// A function is stored in the part of `key`: `value`, both nodes of
  /// `function`.
  struct Registration {
    Id function, value, key;
  };
  const std::vector<Registration> &registrations() const {
    return registrations_;
  }

protected:
  /// What a value has to do with the parts.
  struct Place {
    enum Kind : uint8_t {
      Null,  ///< or nothing so far
      Whole, ///< the address of the array that all parts are elements of
      Part,  ///< in the part that `key` chooses, or reached from there
      Some,  ///< of some part, nobody knows which
      Outside,
    } kind = Null;
    Id key = None;
    bool isAddress = false; ///< of a link, or perhaps so
    bool operator==(const Place &) const = default;
  };

  Place of(Id node) const;
  /// Settles what the values of the function are.
  void analyse(Id function);
  /// The members that the value is reached through are links.
  void need(Id node);

  //===-- What the parts are ------------------------------------------------//

  /// What a node is before its definitions are looked at.
  virtual Place start(Id node) const = 0;
  /// What the constraint makes of its source.
  virtual Place follow(const Constraint &c) const = 0;
  /// The functions that use links, the parts themselves included; None among
  /// them: an initialiser.
  virtual std::set<Id> users() const;
  /// The blocks that the value may be and that the function has just made.
  virtual std::vector<Id> newBlocks(Id value) const = 0;
  /// Whether the store leaves the parts apart. May ask for more links, and
  /// register.
  virtual bool isRight(const Constraint &store) = 0;
  /// The member may be a link; not the array itself.
  virtual bool mayBeLink(Id member, Place of) const = 0;
  /// The call may be handed the address of a link.
  virtual bool isHarmless(const Call &) const { return false; }
  /// Code that is not known may change links.
  virtual bool isGivenAway() const { return false; }
  /// Copying over the record copies over a link.
  virtual bool holdsLink(Id record) const;

  const Program &p_;
  const Facts &f_;
  const Allocators &a_;
  const DefinitionIndex &values_;
  const CallbackUses &uses_;
  std::set<Id> links_; ///< members
  std::vector<Registration> registrations_;

private:
  Place startOf(Id node) const;
  static Place join(Place a, Place b);
  void findFresh(Id function);
  bool holdsIn(Id function);
  bool escapes(const Constraint &c) const;
  bool overwrites(const Constraint &copy) const;

  IdMap<Place> places_; ///< by node
  IdMap<Id> fresh_;     ///< block that its maker puts into one part -> key
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_CALLBACKS_PARTITIONPROOF_H
