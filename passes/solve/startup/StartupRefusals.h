//===- StartupRefusals.h - Start-up that does not accept itself -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   if (find(table, name)) fatal("%s is there twice"); add(table, name);
//
// In a restored table what the start before has added is there.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STARTUP_STARTUPREFUSALS_H
#define NVMOVE_PASSES_SOLVE_STARTUP_STARTUPREFUSALS_H

#include "passes/solve/state/Context.h"
#include "passes/solve/state/RestoredStatics.h"
#include <optional>

namespace nvmove {

class StartupRefusals {
public:
  StartupRefusals(const SolveContext &context, const RestoredStatics &kept)
      : c_(context), p_(context.program), f_(p_.facts), kept_(kept) {}

  struct Refusal {
    Id finds = None; ///< the call that looks something up in what is restored
    Id ends = None;  ///< the one that ends the program, where it was found
  };
  /// The first one in these functions.
  std::optional<Refusal> in(llvm::ArrayRef<Id> functions) const;

private:
  /// The lookup whose result `pointer` is; None.
  Id lookupBehind(Id pointer) const;
  bool isDecisive(Id pointer, Id finds, Id ends) const;
  /// A restored static is handed over, or read by the function itself.
  bool looksInto(const Call &call) const;
  bool isKept(Id value) const;

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const RestoredStatics &kept_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STARTUP_STARTUPREFUSALS_H
