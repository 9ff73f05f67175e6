//===- ScalarOrigins.h - What numbers are computed from ---------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_SCALARORIGINS_H
#define NVMOVE_PASSES_SOLVE_STATE_SCALARORIGINS_H

#include "passes/solve/pointsto/PointsTo.h"
#include "passes/solve/program/DefinitionIndex.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace nvmove {

/// What numbers are computed from: variables, and fields of static records,
/// through pointers, too. No values are followed through other memory, or
/// through a library; through parameters to direct calls of the load, or to
/// all.
class ScalarOrigins {
public:
  enum class Calls : uint8_t { OfLoad, All };
  ScalarOrigins(const Program &program, const PointsTo &pointsTo,
                const DefinitionIndex &values, Calls calls = Calls::OfLoad);

  /// A variable, and a field's cell or None.
  using Place = std::pair<Id, Id>;
  using Places = llvm::DenseSet<Place>;

  /// With `flow`, also of statics that code which the load does not run is
  /// handed the addresses of.
  void add(llvm::ArrayRef<Id> values, Places &places,
           const FieldFlow *flow = nullptr) const;
  /// Those of which the values are copies.
  void addCopied(llvm::ArrayRef<Id> values, Places &places) const;
  bool isFrom(Id value, Place place) const;
  /// tail = (tail + 1) % n: it is computed, not only copied, from what is at
  /// the place.
  bool isComputedFrom(Id value, Place place) const;
  /// It comes from local variables that only constants and steps go to.
  bool isCounted(Id value) const;

private:
  bool isCounter(Id variable) const;
  /// False: enough.
  using Visit = llvm::function_ref<bool(Place, bool isComputed)>;
  bool each(llvm::ArrayRef<Id> values, Visit visit,
            const FieldFlow *flow = nullptr) const;
  bool eachRead(Id address, bool isComputed, Visit visit,
                const FieldFlow *flow) const;

  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const DefinitionIndex &values_;
  const Calls calls_;
  IdMap<unsigned> params_; ///< which one of its function
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_SCALARORIGINS_H
