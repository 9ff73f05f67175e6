//===- InputLoops.h - Loops that wait for input -----------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   while (fgets(line, sizeof line, stdin))
//     if (*line == 'q') { free_all(); exit(0); }     made once
//     else command(line);                            made again and again
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STARTUP_INPUTLOOPS_H
#define NVMOVE_PASSES_SOLVE_STARTUP_INPUTLOOPS_H

#include "passes/facts/IdSet.h"
#include "passes/solve/state/Context.h"

namespace nvmove {

class InputLoops {
public:
  explicit InputLoops(const SolveContext &context);

  /// It is made again and again, with input in between: in a loop that is not
  /// around any of `from`, calls of the same function.
  bool repeats(Id call, const std::vector<Id> &from = {}) const;
  /// Control comes back from it to the head of the loop around it.
  bool goesRound(Id call, Id loop) const;

private:
  const Program &p_;
  const Facts &f_;
  const EventLoop &main_;
  IdSet reading_;   ///< loops that read or wait
  IdSet returning_; ///< loops that may end in another way than by an exit()
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STARTUP_INPUTLOOPS_H
