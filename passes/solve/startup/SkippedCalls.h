//===- SkippedCalls.h - What only the guarded load runs ---------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   if (!nvm_restore()) load_and_tell();
//                        ├► load_state ─► add
//                        └► tell ─► fprintf          these are not made again
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STARTUP_SKIPPEDCALLS_H
#define NVMOVE_PASSES_SOLVE_STARTUP_SKIPPEDCALLS_H

#include "passes/solve/state/Context.h"

namespace nvmove {

/// Calls below the guarded load that a later start does not make, each time
/// that it is asked of another guard without those of the guards before. Not of
/// functions that each start runs besides, whatever is the case, nor where the
/// program ends or in a child that it forks; of the load, what the points-to
/// analysis has followed.
class SkippedCalls {
public:
  explicit SkippedCalls(const SolveContext &context);
  std::vector<Id> below(const LoadGuard &guard);
  /// Functions with a body that these calls are in or lead to, of all guards
  /// that it was asked of.
  const IdSet &functions() const { return seen_; }

private:
  llvm::SmallVector<Id, 2> calleesOf(Id call) const;
  bool isEntered(Id function) const;

  const SolveContext &c_;
  const Program &p_;
  IdMap<llvm::SmallVector<Id, 2>> followed_; ///< by the load: call, functions
  IdSet seen_;                               ///< functions
};

/// What is known of the library function that is called, also of one that says
/// no more than that; nullptr: it is none.
const LibraryFunction *rowOf(const Program &program, const Call &call);

/// The first argument is the address of a static.
bool isHandedStatic(const Program &program, const Call &call);

/// "setenv() (main.c:16), umask() (main.c:18)": the functions, and where they
/// are called; of many, the first ones.
std::string listOfCalls(const Program &program, const std::vector<Id> &calls);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STARTUP_SKIPPEDCALLS_H
