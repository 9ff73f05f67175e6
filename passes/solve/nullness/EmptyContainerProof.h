//===- EmptyContainerProof.h - Nothing is put into what slots lead to ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_NULLNESS_EMPTYCONTAINERPROOF_H
#define NVMOVE_PASSES_SOLVE_NULLNESS_EMPTYCONTAINERPROOF_H

#include "passes/facts/IdSet.h"
#include "passes/solve/nullness/PreLoadNullness.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>
#include <set>

namespace nvmove {

class EmptyContainerProof {
public:
  EmptyContainerProof(const Program &program, const Allocators &allocators,
                      const FieldFlow &flow, const IdSet &late,
                      const IdSet &lateWrites, llvm::ArrayRef<Id> slots,
                      llvm::ArrayRef<Id> users, bool isCoarse = false);
  bool failed() const { return failed_; }
  /// It failed because it would take too long; a coarse one takes less: of
  /// functions that are handed no container it does not look at what they do
  /// with the records on the stack that they are handed.
  bool ranOut() const { return ranOut_; }
  size_t work() const { return work_; } ///< constraints looked at
  /// `node`, in a function that uses the slot, is null whenever it is read.
  bool isNull(Id node) const;
  /// There are containers, and none holds anything from elsewhere, but in
  /// these fields.
  bool isEmpty(llvm::function_ref<bool(Id)> isOut) const;

private:
  // A value: Other, the address of a slot, or a cell of an object.
  static constexpr unsigned Other = 0;
  struct Cell {
    Id object, field; ///< field None: the whole
  };
  struct Object {
    bool onStack;        ///< a local record of a function that is followed
    bool known = true;   ///< else anything may have been stored in it
    bool hasMet = false; ///< on the stack: a call was handed it and a container
    std::vector<unsigned> cells = {};
  };
  using Set = std::set<unsigned>;
  // Functions are told apart by the last two calls that led to them, else each
  // list that is walked would be every list. Context 0: not known by whom.
  struct Activation {
    Id function;
    unsigned context;
  };

  void analyse();
  void settle();
  void constraint(const Constraint &c);
  void call(Id call);
  void enter(Id call, Id callee);
  void giveAway(const Set &values);
  bool meetsContainer(const Set &values, Set &onStack) const;
  void construct(Id node, Id function);
  void load(Id dst, const Set &from);
  void store(const Constraint &c);
  void copyMemory(const Constraint &c);
  void member(const Constraint &c);
  void visit(Id function, unsigned context);
  unsigned contextOf(Id call);
  unsigned cell(Id object, Id field);
  bool isSlot(unsigned value) const {
    return value != Other && value <= slots_.size();
  }
  bool isCell(unsigned value) const { return value > slots_.size(); }
  bool leadsToSlot(const Set &values) const {
    return llvm::any_of(values, [&](unsigned v) { return isSlot(v); });
  }
  /// The value that is the address of `slot`; Other if it is none of ours.
  unsigned slotValue(Id slot) const {
    auto at = llvm::find(slots_, slot);
    return at == slots_.end() ? Other : at - slots_.begin() + 1;
  }
  const Cell &cellOf(unsigned value) const {
    return cells_[value - slots_.size() - 1];
  }
  Set &contentOf(unsigned value) {
    return contents_[value - slots_.size() - 1];
  }
  const Set &contentOf(unsigned value) const {
    return contents_[value - slots_.size() - 1];
  }
  const Object &objectOf(unsigned value) const {
    return objects_[cellOf(value).object];
  }
  Id object(Id key, bool onStack);
  Set &at(Id node) { return at(node, context_); }
  Set &at(Id node, unsigned context);
  void add(Id node, const Set &what) { add(node, what, context_); }
  void add(Id node, const Set &what, unsigned context);
  void addTo(unsigned cell, const Set &what);
  bool isTracked(const Set &values) const;
  bool leadsToContainer(const Set &values) const;
  void fail() { failed_ = true; }

  const Program &p_;
  const Allocators &a_;
  const FieldFlow &flow_;
  const IdSet &late_, &lateWrites_;
  const llvm::SmallVector<Id, 4> slots_;
  const bool isCoarse_;
  bool failed_ = false, ranOut_ = false, changed_ = false, settled_ = false;
  IdSet users_, constructors_;
  llvm::DenseSet<std::pair<Id, unsigned>> visited_;
  std::vector<Activation> activations_;
  unsigned context_ = 0;           ///< of the activation that is looked at
  std::vector<Id> lastCall_{None}; ///< by context
  std::map<std::pair<Id, Id>, unsigned> contexts_; ///< by the last two calls
  IdSet constructing_; ///< calls that make a container
  std::vector<Object> objects_;
  std::map<std::tuple<Id, bool, unsigned>, Id> objectIds_;
  std::vector<Cell> cells_;
  std::map<std::pair<Id, Id>, unsigned> cellIds_;
  std::vector<Set> contents_; ///< as cells_
  std::deque<Set> sets_;
  llvm::DenseMap<std::pair<Id, unsigned>, Set *> setAt_; ///< node and context
  IdMap<llvm::SmallVector<const Set *, 1>> setsOf_;      ///< by node
  std::vector<Set> inSlot_;
  size_t work_ = 0;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_NULLNESS_EMPTYCONTAINERPROOF_H
