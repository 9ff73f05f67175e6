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
  /// Those of `locals`; both have to live as long.
  HandedLocals(const SolveContext &context, const IdSet &locals,
               const FieldFlow::Callers &callers)
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
    return FieldFlow::callersIn(callers_, function);
  }

  const IdSet &locals_;
  const FieldFlow::Callers &callers_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_HANDEDLOCALS_H
