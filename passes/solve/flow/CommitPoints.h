//===- CommitPoints.h - Which functions may end a section -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hook holds until the next commit: at the end of a section, and before an
// output. `NVM(p->n) = f()` may announce p->n before it calls f(); the order is
// the compiler's choice.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_FLOW_COMMITPOINTS_H
#define NVMOVE_PASSES_SOLVE_FLOW_COMMITPOINTS_H

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/FieldFlow.h"

namespace nvmove {

class CommitPoints {
public:
  /// `outputs`: calls of the C library that commit, or will once they are
  /// rewritten. `functions` will, where sections are put.
  CommitPoints(const Program &program, const FieldFlow &flow,
               const std::vector<Id> &outputs, const IdSet &functions);

  /// One of the calls may commit: the first that does, else None.
  Id among(const Callees &callees) const;

private:
  const Program &p_;
  const FieldFlow &flow_;
  IdSet functions_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_FLOW_COMMITPOINTS_H
