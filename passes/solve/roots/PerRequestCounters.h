//===- PerRequestCounters.h - Numbers that count anew each time -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_ROOTS_PERREQUESTCOUNTERS_H
#define NVMOVE_PASSES_SOLVE_ROOTS_PERREQUESTCOUNTERS_H

#include "passes/solve/state/LoadedState.h"

namespace nvmove {

/// Whether a number is a constant again each time before it is counted on, or
/// behind that, before the program waits for the next request: then it counts
/// what is of use to one request alone.
///
///   found = 0; for (i = all; i; i = i->next) matches[found++] = i;
///
/// Over the blocks of the function that counts, and of those that call it.
class PerRequestCounters {
public:
  explicit PerRequestCounters(const SolveContext &context)
      : c_(context), p_(context.program), f_(p_.facts) {}

  /// Counted in the function, or by what the call there leads to, if any. The
  /// number is a static, or a member of one: the last field of `path`.
  bool isScratch(Id function, Id call, Id variable,
                 const std::vector<Id> &path);

private:
  /// What a way leads to first: such a constant; the wait for a request; the
  /// end of the function, on some way.
  enum class Met : uint8_t { Constant, Wait, End };
  class Walk;
  bool isScratch(Id function, Id call, unsigned depth);
  bool isNumber(const FlowWrite &write) const;
  bool setsConstant(Id call) const;
  bool waits(Id call) const;

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  Id variable_ = None, field_ = None;
  IdSet seen_; ///< calls
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_ROOTS_PERREQUESTCOUNTERS_H
