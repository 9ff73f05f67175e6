//===- EmptyRings.h - Circular lists that are empty ------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// static struct list listeners = {&listeners, &listeners};
//   if (list_empty(&listeners)) return;    list_empty: head->next == head
//
// While nothing but its own address is stored in the head of such a list, what
// is behind the test is not run.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_EMPTYRINGS_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_EMPTYRINGS_H

#include "passes/solve/pointsto/CallContexts.h"
#include "passes/solve/pointsto/PriorContents.h"

namespace nvmove {

class EmptyRings {
public:
  EmptyRings(const PointsToInput &input, ValueGraph &graph, Cells &cells,
             PriorContents &prior, const CallContexts &contexts);

  /// The node that must hold more before the call is made; None: there is none.
  Id awaitedBy(Id call);

private:
  bool isEmpty(Id link, Id head) const;
  Id linkTested(const Call &test, Id &head);

  const PreLoadNullness &nullness_;
  const Program &p_;
  ValueGraph &graph_;
  Cells &cells_;
  PriorContents &prior_;
  const CallContexts &contexts_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_EMPTYRINGS_H
