//===- OwnerProof.h - What is reached from one object alone -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The partition of PerObjectCallbacks.h, for one type of object that callbacks
// are registered with: every record that is reached has one owner, and with it
// whatever its links lead to. Owners are told apart by what the function got
// them from: a parameter that it never writes, a variable, a new block.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_CALLBACKS_OWNERPROOF_H
#define NVMOVE_PASSES_SOLVE_CALLBACKS_OWNERPROOF_H

#include "passes/solve/callbacks/ObjectOrigins.h"
#include "passes/solve/callbacks/PartitionProof.h"

namespace nvmove {

class OwnerProof : public PartitionProof {
public:
  /// `record`: of the objects that callbacks are registered with.
  OwnerProof(const Program &program, const Allocators &allocators,
             const CallbackUses &uses, ObjectOrigins &makers, Id record)
      : PartitionProof(program, allocators, uses), makers_(makers),
        record_(record) {}

  /// The parameter that the pointer which the call follows was reached from;
  /// None. What holds() says is of those that were asked for.
  Id ownerOf(Id call);

private:
  bool mayOwn(Id record) const;
  bool isNewBlock(Id node) const;
  Place start(Id node) const override;
  Place follow(const Constraint &c) const override;
  std::vector<Id> newBlocks(Id value) const override;
  bool isRight(const Constraint &store) override;
  Id objectAt(Id address) const;
  bool mayBeLink(Id, Place) const override { return true; }
  bool isGivenAway() const override;

  ObjectOrigins &makers_;
  const Id record_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_CALLBACKS_OWNERPROOF_H
