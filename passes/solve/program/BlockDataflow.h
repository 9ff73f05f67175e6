//===- BlockDataflow.h - A state through the blocks of a function ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_PROGRAM_BLOCKDATAFLOW_H
#define NVMOVE_PASSES_SOLVE_PROGRAM_BLOCKDATAFLOW_H

#include "passes/facts/Facts.h"
#include <vector>

namespace nvmove {

/// What is known at the start of each block when `entry` is known at the start
/// of the function; `State()` where control does not get.
///
/// `join(a, b)` is what holds when either does. `through(block, state, goOn)`
/// calls goOn(successor, state) for what control may go on to. Together they
/// must come to an end: a finite number of states, joined upwards.
template <class State, class Join, class Through>
std::vector<State> throughBlocks(const Definition &d, State entry, Join join,
                                 Through through) {
  std::vector<State> at(d.blocks.size());
  std::vector<uint32_t> work{uint32_t(d.blocks.size() - 1)};
  at.back() = entry;
  while (!work.empty()) {
    const uint32_t number = work.back();
    work.pop_back();
    through(d.blocks[number], at[number], [&](uint32_t successor, State there) {
      if (State joined = join(at[successor], there); joined != at[successor]) {
        at[successor] = joined;
        work.push_back(successor);
      }
    });
  }
  return at;
}

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_PROGRAM_BLOCKDATAFLOW_H
