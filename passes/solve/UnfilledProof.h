//===- UnfilledProof.h - Nothing is put into what one slot leads to -*- C++
//-*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_UNFILLEDPROOF_H
#define NVMOVE_PASSES_SOLVE_UNFILLEDPROOF_H

#include "passes/solve/Unfilled.h"
#include <set>

namespace nvmove {

class UnfilledProof {
public:
  UnfilledProof(const Program &program, const Allocators &allocators,
                const FieldFlow &flow, const llvm::DenseSet<Id> &late, Id slot,
                const llvm::SmallVectorImpl<Id> &users);
  bool failed() const { return failed_; }
  /// `node`, in a function that uses the slot, is null whenever it is read.
  bool isNull(Id node) const;

private:
  // A value: Other, the address of the slot, or a cell of an object.
  static constexpr unsigned Other = 0, Slot = 1;
  struct Cell {
    Id object, field; ///< field None: the whole
  };
  struct Object {
    Id key;            ///< the call that makes it, or the local's node
    bool onStack;      ///< a local record of a function that is followed
    bool known = true; ///< else anything may have been stored in it
  };
  using Set = std::set<unsigned>;

  void analyse();
  void settle();
  void constraint(const Constraint &c);
  void call(Id call);
  void enter(Id call, Id callee);
  void giveAway(const Set &values);
  void construct(Id node, Id function);
  void load(Id dst, const Set &from);
  void store(const Constraint &c);
  void copyMemory(const Constraint &c);
  void member(const Constraint &c);
  void visit(Id function);
  unsigned cell(Id object, Id field);
  const Cell &cellOf(unsigned value) const { return cells_[value - Slot - 1]; }
  const Object &objectOf(unsigned value) const {
    return objects_[cellOf(value).object];
  }
  Id object(Id key, bool onStack);
  Set &at(Id node);
  void add(Id node, const Set &what);
  void addTo(unsigned cell, const Set &what);
  bool isTracked(const Set &values) const;
  bool leadsToContainer(const Set &values) const;
  void fail() { failed_ = true; }

  const Program &p_;
  const Allocators &a_;
  const FieldFlow &flow_;
  const llvm::DenseSet<Id> &late_;
  Id slot_;
  bool failed_ = false, changed_ = false, settled_ = false;
  llvm::DenseSet<Id> users_, visited_, constructors_;
  std::vector<Id> functions_;
  llvm::DenseSet<Id> constructing_; ///< calls that make a container
  std::vector<Object> objects_;
  std::map<std::pair<Id, bool>, Id> objectIds_;
  std::vector<Cell> cells_;
  std::map<std::pair<Id, Id>, unsigned> cellIds_;
  std::map<unsigned, Set> contents_;
  std::map<Id, Set> sets_;
  Set inSlot_;
  size_t work_ = 0;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_UNFILLEDPROOF_H
