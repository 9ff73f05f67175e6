//===- EventLoop.h - From main to the load and to the loop -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_EVENTLOOP_H
#define NVMOVE_PASSES_SOLVE_EVENTLOOP_H

#include "passes/solve/FieldFlow.h"

namespace nvmove {

/// The shape of the program around its saved state, read off the call graph:
///
///   main ─► start-up ─► load function
///        └► loop { dispatcher ─► wait
///                             └► handlers }
///
/// The dispatcher is the chain of functions between the loop and the call that
/// waits for the outside world (epoll_wait, poll, ..). A load phase that enters
/// it again (to stay responsive while loading) is cut there.
class EventLoop {
public:
  EventLoop(const Program &program, const FieldFlow &flow,
            const std::vector<Id> &load);

  Id loop =
      None; ///< index into Facts::loops; None: the program has no such loop
  llvm::DenseSet<Id>
      dispatcher; ///< functions below the loop that reach the wait
  /// Other functions that call the dispatcher, to serve events in the middle of
  /// something long: what they run is normal operation, not loading.
  llvm::DenseSet<Id> reentering;
  llvm::DenseSet<Id>
      startUp; ///< functions on a path of direct calls from main to the load
  std::vector<Id> mains;        ///< those mains that reach the load
  std::vector<Id> handlerCalls; ///< calls made by the loop and the dispatcher,
                                ///< waits excluded

  /// Functions that a call may lead to, at any depth.
  llvm::DenseSet<Id> reachableFrom(const std::vector<Id> &calls) const;

private:
  bool waits(const Call &call) const;
  void measureWaits(bool inputsWait);
  void findStartUp(const std::vector<Id> &load);
  void findLoop(const std::vector<Id> &load);
  bool within(Id loop, Id outer) const;

  const Program &p_;
  const FieldFlow &flow_;
  bool inputsWait_ = false;
  std::vector<unsigned>
      waitDistance_; ///< per function, by direct calls; ~0u: never
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_EVENTLOOP_H
