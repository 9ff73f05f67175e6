//===- WrittenParameters.h - Through which parameters a function writes ---===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static void bump(int *n) { ++*n; }
//   static void copy(char *to, const char *from) { strcpy(to, from); }
//
// Where a call of these is handed the address of a static, that is as good as a
// write of it by name: what flows to n and to may be many things.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_FLOW_WRITTENPARAMETERS_H
#define NVMOVE_PASSES_SOLVE_FLOW_WRITTENPARAMETERS_H

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/FieldFlow.h"
#include "passes/solve/program/DefinitionIndex.h"
#include "llvm/ADT/SmallVector.h"

namespace nvmove {

/// Arguments that a function of the library writes behind.
llvm::SmallVector<int, 8> argumentsFilled(const Program &program,
                                          const Call &call);

class WrittenParameters {
public:
  /// Both outlive this.
  WrittenParameters(const Program &program, const FieldFlow &flow,
                    const DefinitionIndex &values);

  /// Some function that the call may run writes what the argument points to, or
  /// an element of it; not a member of it.
  bool isWritten(Id call, size_t argument) const;

private:
  const Program &p_;
  const FieldFlow &flow_;
  IdSet written_;      ///< parameters, and the values that come into them
  bool isAll_ = false; ///< too many to look at: any may be
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_FLOW_WRITTENPARAMETERS_H
