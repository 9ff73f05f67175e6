//===- DanglingLocals.h - Pointers to what is gone after the load ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   struct request r = {read_line, buffer};           on the stack of the load
//   *queue->tail = &r; queue->tail = &r.next;
//   wait_until_done(&r);                              a worker takes it out
//
// When the load has ended, such a pointer is no value that any code may use
// (C11 6.2.4): either something else has been stored in its place, and that
// counts for itself, or nobody looks there. So to store it restores nothing.
// That holds for values that are such addresses whenever the store is made; one
// that may be null, too, may clear what was there. (What the text hides, as in
// r = busy ? &request : NULL, counts as constants do: where the function sees
// what is read.)
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_DANGLINGLOCALS_H
#define NVMOVE_PASSES_SOLVE_STATE_DANGLINGLOCALS_H

#include "passes/solve/state/LoadedState.h"

namespace nvmove {

class DanglingLocals {
public:
  explicit DanglingLocals(const SolveContext &context);

  /// The value, a node of a function of the load, is the address of a local, or
  /// of a part of one, whose function has returned when the load has ended.
  bool contains(Id value) const;

private:
  class Search;
  bool isGone(Id variable) const;

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  bool ends_ = true;   ///< all load functions do
  IdSet calledByName_; ///< functions that nothing calls in another way
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_DANGLINGLOCALS_H
