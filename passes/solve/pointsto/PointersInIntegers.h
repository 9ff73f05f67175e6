//===- PointersInIntegers.h - Integers that hold addresses -----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An integer in a field, a global or a parameter is followed as a pointer only
// where the program reads it from there and casts it to one: otherwise a value
// that was once (long)p would put p behind every length and count. Found
// backwards from the casts: through what is stored in such a field, what
// functions are handed, and what they give back.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_POINTERSININTEGERS_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_POINTERSININTEGERS_H

#include "passes/solve/flow/FieldFlow.h"
#include <vector>

namespace nvmove {

/// What is known of the integers of a program. Depends on the text alone.
class PointersInIntegers {
public:
  PointersInIntegers(const Program &program, const FieldFlow &flow);

  /// By node: it holds an integer that is never made a pointer again.
  const std::vector<bool> &plainNumbers() const { return plainNumbers_; }
  /// An integer that is cast to a pointer may come from this slot, a node or
  /// Program::slotOf() a field.
  bool mayHoldPointer(Id slot) const { return hiddenIn_.contains(slot); }
  /// The two members of one record whose distance the number is; null if it is
  /// not such a distance.
  const std::pair<Id, Id> *distance(Id number) const {
    auto at = distances_.find(number);
    return at == distances_.end() ? nullptr : &at->second;
  }

private:
  void findHidden();
  void findDistances();
  void setPlainNumbers();

  const Program &p_;
  const FieldFlow &flow_;
  IdSet hiddenIn_; ///< slots
  IdMap<std::pair<Id, Id>> distances_;
  std::vector<bool> plainNumbers_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_POINTERSININTEGERS_H
