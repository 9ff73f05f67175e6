//===- MainLocals.h - Locals of main in which state is kept ----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   int main(void) { struct app app = {0}; load(&app); serve(&app); }
//
// app lies on the stack, elsewhere in each run. What pointers lead to it is
// dead in the next one, unless it is there before the pool is opened: then they
// follow it, as they follow statics.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_ROOTS_MAINLOCALS_H
#define NVMOVE_PASSES_SOLVE_ROOTS_MAINLOCALS_H

#include "passes/solve/state/LoadedState.h"

namespace nvmove {

class MainLocals {
public:
  MainLocals(const SolveContext &context, const LoadedState &state)
      : p_(context.program), f_(p_.facts), pt_(context.pointsTo),
        loop_(context.loop), phases_(context.phases), s_(state) {}

  /// It is there, and one, for as long as the program runs, and no pointer that
  /// stays leads to it, or those that do can follow it.
  bool canKeep(Id variable);
  /// Adds those to the followed statics that objects of the heap point to, or
  /// that roots are in and that point to themselves. Again behind further
  /// roots.
  void follow(llvm::ArrayRef<Root> roots, std::vector<Twin> &twins);

  /// A local variable, or what a function gives back.
  bool isLocal(Id object) const;

private:
  struct PointedTo {
    IdSet byHeap, byLocals; ///< local variables
  };
  const PointedTo &pointedTo();
  bool canBeFollowed(Id variable) const;

  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const EventLoop &loop_;
  const ProgramPhases &phases_;
  const LoadedState &s_;
  std::optional<PointedTo> pointedTo_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_ROOTS_MAINLOCALS_H
