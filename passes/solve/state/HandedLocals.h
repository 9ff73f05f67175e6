//===- HandedLocals.h - Records of main behind an address -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   void add(struct world *w) { w->count++; }
//   int main(void) { struct world world; .. add(&world); .. }
//
// FieldFlow does not know locals: which of them are handed down to an address
// is asked backwards, through all callers.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_HANDEDLOCALS_H
#define NVMOVE_PASSES_SOLVE_STATE_HANDEDLOCALS_H

#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/flow/BackwardSlice.h"
#include "passes/solve/state/Context.h"

namespace nvmove {

class HandedLocals : public BackwardSlice {
public:
  /// By what a function is called from, FieldFlow::callers().
  using Callers = IdMap<llvm::SmallVector<Id, 2>>;

  /// Those of `locals`; both have to live as long.
  HandedLocals(const SolveContext &context, const IdSet &locals,
               const Callers &callers)
      : BackwardSlice(
            context.program, context.values,
            {.flows = AccessPath::Place | Flow::AddressOf, .parameters = true}),
        locals_(locals), callers_(callers) {}

  std::vector<Id> found;

private:
  Step value(Id n) override {
    if (!locals_.contains(n))
      return Follow;
    found.push_back(n);
    return Skip;
  }
  llvm::ArrayRef<Id> callersOf(Id function) override {
    auto at = callers_.find(function);
    return at == callers_.end() ? llvm::ArrayRef<Id>()
                                : llvm::ArrayRef<Id>(at->second);
  }

  const IdSet &locals_;
  const Callers &callers_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_HANDEDLOCALS_H
