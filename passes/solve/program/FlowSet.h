//===- FlowSet.h - Some of the ways in which values flow --------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_PROGRAM_FLOWSET_H
#define NVMOVE_PASSES_SOLVE_PROGRAM_FLOWSET_H

#include "passes/facts/Facts.h"

namespace nvmove {

class FlowSet {
public:
  constexpr FlowSet() = default;
  constexpr FlowSet(Flow flow) : bits_(1u << unsigned(flow)) {}
  constexpr FlowSet operator|(FlowSet other) const {
    FlowSet both;
    both.bits_ = bits_ | other.bits_;
    return both;
  }
  constexpr bool contains(Flow flow) const {
    return bits_ >> unsigned(flow) & 1;
  }

private:
  unsigned bits_ = 0;
};

constexpr FlowSet operator|(Flow a, Flow b) { return FlowSet(a) | b; }

/// The value stays the same.
inline constexpr FlowSet Copies = Flow::Copy | Flow::Cast;

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_PROGRAM_FLOWSET_H
