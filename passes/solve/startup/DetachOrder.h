//===- DetachOrder.h - What may still run after nvm_detach() ----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   nvm_detach();
//   run(argv[1]);      loads, and serves requests until it is told to end
//
// Nothing is committed after nvm_detach(), so no load, no section and no wait
// for input may follow it on any path that control can take: to the end of the
// function, and on from there in each of its callers, up to the end of main.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STARTUP_DETACHORDER_H
#define NVMOVE_PASSES_SOLVE_STARTUP_DETACHORDER_H

#include "passes/facts/IdSet.h"
#include "passes/solve/Solution.h"
#include "passes/solve/state/Context.h"

namespace nvmove {

class DetachOrder {
public:
  /// After the sections and the load guards are found.
  DetachOrder(const SolveContext &context, const Solution &solution);

  /// A call that loads, waits or begins a section, or directly leads to one,
  /// and that may run when control has come to `call`; None. `isBefore`: that
  /// call itself counts, as nvm_detach() is put before its statement.
  Id followed(Id call, bool isBefore) const;

private:
  /// The calls of a function that may run from one of them on, and whether the
  /// function may return then.
  struct Rest {
    std::vector<Id> calls;
    bool returns = true;
  };
  Rest restOf(Id call, bool isBefore) const;
  Rest restInDeadEnd(Id call, bool isBefore) const;
  Rest restByText(Id call, bool isBefore) const;
  bool leads(Id call) const;

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  FieldFlow::Callers callers_;
  IdSet begins_;  ///< calls
  IdSet leading_; ///< functions
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STARTUP_DETACHORDER_H
