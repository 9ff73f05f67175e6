//===- CallPaths.h - Ways through calls that control can take ---*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   lock(&jobs_lock);
//   list_remove(jobs, n);     <- its list->free(value) is none of the functions
//   unlock(&jobs_lock);          that other lists are given
//
// By types alone a call through a pointer leads to whatever was ever stored
// there. Three kinds of ways are left out here:
//
//  - Into what ends the process: a handler of failed allocations that never
//    comes back. Where it waits, or a main loop runs in it, it is followed.
//  - Into a callback that the object which is handed over does not have
//    (callbacks/PerObjectCallbacks.h).
//  - Of what a thread runs, behind a test of a static integer that contradicts
//    one which was passed on the way: if (mode == READ) read_all(), and in
//    there if (mode == IDLE) execute(). No function that the thread runs
//    changes the integer; that nobody else does meanwhile has to be asked.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SECTIONS_CALLPATHS_H
#define NVMOVE_PASSES_SOLVE_SECTIONS_CALLPATHS_H

#include "passes/solve/state/Context.h"

namespace nvmove {

class CallPaths {
public:
  enum Kind {
    ByTypes, ///< none is left out
    Taken,
  };
  CallPaths(const ProgramContext &context, Kind kind);

  /// What runs in threads that begin with such functions.
  struct Reach {
    IdSet functions;
    IdSet cut;   ///< calls in them that contradict a test on the way
    IdSet flags; ///< the statics of these tests
  };
  Reach from(llvm::ArrayRef<Id> threads) const;

  /// Calls in the function to a callback of an object that the function is
  /// handed: where they lead depends on the call that enters it.
  llvm::ArrayRef<Id> ownedIn(Id function) const;
  bool isOwned(Id call) const;
  /// Every path from the call ends the process; also in a function that runs
  /// for ever but for such paths.
  bool isDeadEnd(Id call) const;
  /// Functions of the program that the call leads to where the call `way` has
  /// entered its function; None: nobody knows how that was entered.
  void eachCallee(Id call, Id way, llvm::function_ref<void(Id)> visit) const;
  /// A main loop stands in the function.
  bool hasLoop(Id function) const { return loops_.contains(function); }

private:
  class Walk;
  bool goesOn(Id function) const;

  const ProgramContext &c_;
  const Program &p_;
  const Facts &f_;
  const Kind kind_;
  IdMap<std::vector<Id>> owned_; ///< by function
  IdSet loops_;                  ///< functions
  mutable IdMap<bool> goesOn_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SECTIONS_CALLPATHS_H
