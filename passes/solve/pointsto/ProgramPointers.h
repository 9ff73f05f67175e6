//===- ProgramPointers.h - What points-to asks of the text -----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that the analysis derives from the text of the program before it follows
// anything. It is the same each time the load is solved, with other calls cut
// say, so it is computed once.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_PROGRAMPOINTERS_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_PROGRAMPOINTERS_H

#include "passes/solve/pointsto/PointersInIntegers.h"
#include "passes/solve/pointsto/PointersToSlots.h"
#include <map>

namespace nvmove {

class ProgramPointers {
public:
  /// Arrays that are cast to records: variable and record, and the functions
  /// in which they are cast.
  using ArrayCasts = std::map<std::pair<Id, Id>, std::vector<Id>>;

  ProgramPointers(const Program &program, const Allocators &allocators,
                  const FieldFlow &flow);

  const PointersInIntegers &integers() const { return integers_; }
  const PointersToSlots &slots() const { return slots_; }
  /// By node: the record to which it points as it is declared, or None.
  const std::vector<Id> &records() const { return records_; }
  /// By node: it holds an integer that is never made a pointer again.
  const std::vector<bool> &plainNumbers() const { return plainNumbers_; }
  /// The node holds what its only definition gives it.
  bool isDefinedOnce(Id node) const { return definedOnce_[node]; }
  /// The fields of a union that share a cell.
  const llvm::SmallVector<Id, 1> &sharing(Id cell) const {
    return sharing_[cell];
  }
  /// A record that no file defines, given by functions without a body.
  bool isOpaque(Id record) const { return opaque_.contains(record); }
  /// Variables that are arrays of numbers or bytes, and the records that they
  /// are cast to by name.
  const ArrayCasts &arrayCasts() const { return arrayCasts_; }
  /// Some allocation site makes this record and nothing else.
  bool hasOwnSite(Id record) const { return ownSites_.contains(record); }

private:
  void findOnceDefined();
  void findOpaque();
  void findArrayCasts();

  const Program &p_;
  const PointersInIntegers integers_;
  const PointersToSlots slots_;
  std::vector<Id> records_;
  std::vector<bool> plainNumbers_, definedOnce_;
  std::vector<llvm::SmallVector<Id, 1>> sharing_;
  IdSet opaque_, ownSites_;
  ArrayCasts arrayCasts_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_PROGRAMPOINTERS_H
