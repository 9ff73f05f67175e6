//===- InstantiatedRecords.h - Records with objects -------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rapid type analysis (Bacon and Sweeney, OOPSLA 1996), for records and for
// what runs before the load has ended: a type of which that code makes no
// object has none by then.
//
//   LIST_FOR_EACH (s, node, &server->sessions) close_session(s);
//
// A session is made when somebody connects, which is later: whatever the list
// is, the loop goes over nothing, and what it would change is no load.
//
// Nor does a call run that is handed the address of a member of such an object,
// or what is read there.
//
// Only a record is told of that the program allocates by its type somewhere,
// and so is trusted to come from there. Where nobody does, objects may be cut
// out of larger blocks, come from a library, or lie in bytes.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_NULLNESS_INSTANTIATEDRECORDS_H
#define NVMOVE_PASSES_SOLVE_NULLNESS_INSTANTIATEDRECORDS_H

#include "passes/solve/flow/FieldFlow.h"

namespace nvmove {

class InstantiatedRecords {
public:
  /// `functions`: those that may run before the load has ended; `late`: calls
  /// in them that do not.
  InstantiatedRecords(const Program &program, const Allocators &allocators,
                      const FieldFlow &flow, const IdSet &functions,
                      const IdSet &late);

  /// Some object of the type, by itself or in another, may have been made.
  bool mayExist(Id record) const { return !absent_.contains(record); }
  /// An argument is computed from a member of an object that there is not.
  bool needsAbsent(Id call) const;
  size_t absent() const { return absent_.size(); } ///< how many records

private:
  Id firstPart(Id record) const;
  void add(Id record);
  void addAllocated(const IdSet &functions, const IdSet &late);
  void addVariables(const IdSet &functions);
  void addCast(const IdSet &functions);
  bool holdsBytes(Id value) const;
  void findAbsent();
  bool readsAbsent(Id value) const;

  const Program &p_;
  const Allocators &a_;
  const FieldFlow &flow_;
  IdSet made_;     ///< records, as which objects are made
  IdSet existing_; ///< and all as which these may be read
  IdSet absent_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_NULLNESS_INSTANTIATEDRECORDS_H
