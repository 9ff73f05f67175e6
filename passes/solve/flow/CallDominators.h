//===- CallDominators.h - Which function every path goes through ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_FLOW_CALLDOMINATORS_H
#define NVMOVE_PASSES_SOLVE_FLOW_CALLDOMINATORS_H

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/FieldFlow.h"

namespace nvmove {

/// Immediate dominators in the call graph below a set of calls: f dominates g
/// when every chain of calls from there to g goes through f.
class CallDominators {
public:
  CallDominators(const Program &program, const FieldFlow &flow,
                 const std::vector<Id> &entryCalls);

  /// Functions in reverse post-order.
  const std::vector<Id> &order() const { return order_; }
  /// The immediate dominator, or None when several entries lead there.
  Id immediate(Id function) const;

private:
  std::vector<Id> order_;
  IdMap<Id> immediate_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_FLOW_CALLDOMINATORS_H
