//===- PriorContents.h - What memory held before the load ------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What runs before the load is not followed. What a location held then is made
// up when it is first read: objects named by the field or variable that leads
// to them, the functions that the coarser flow of all that runs before knows,
// and addresses that the text of the program puts there.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_PRIORCONTENTS_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_PRIORCONTENTS_H

#include "passes/solve/pointsto/TypeOverlays.h"

namespace nvmove {

class PriorContents {
public:
  PriorContents(const PointsToInput &input, ValueGraph &graph, Cells &cells,
                const TypeOverlays &overlays);

  /// The location is read: from now on what it held before is there.
  void materialise(Id location);
  /// The node is read. ValueGraph::Rules::prepare().
  void prepare(Id node);

private:
  bool mayBeSetBefore(const Node &variable) const;
  void materialiseAs(Id location, uint64_t origin, Id type);
  void addFunctions(Id location);
  const PointersToSlots::Addresses &addressesIn(Id location) const;
  bool isOwnSlot(Id location) const;
  void addAddresses(Id location);
  void addSelfLink(Id location);

  const PointsToInput &in_;
  const Program &p_;
  ValueGraph &graph_;
  Cells &cells_;
  const TypeOverlays &overlays_;
  std::vector<bool> materialised_; ///< by location, as far as asked
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_PRIORCONTENTS_H
