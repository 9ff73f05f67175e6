//===- LookUps.h - Functions that choose a number by text -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   int get_bool(const char *name, int otherwise) {
//     struct key *k = find(name);
//     if (!k) return otherwise;
//     return strcmp(k->value, "no") ? 1 : 0;
//   }
//
// What it gives is a constant, and none that flows from the file. Which one
// the text of the file says, which it finds by itself.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_LOOKUPS_H
#define NVMOVE_PASSES_SOLVE_LOOKUPS_H

#include "passes/solve/Values.h"
#include "passes/solve/Verdict.h"

namespace nvmove {

class LookUps {
public:
  LookUps(const SolveContext &context, const LoadedState &state,
          const Values &values)
      : p_(context.program), f_(p_.facts), pt_(context.pointsTo), s_(state),
        values_(values) {}

  /// A number of the file, or the address of text from there.
  bool isText(Id node) const;
  /// The call of the C library compares such text.
  bool compares(Id call) const;
  /// The call gives such a number.
  bool chooses(Id call) const;
  /// And its function does nothing else: it looks for text and compares it.
  bool onlyChooses(Id call) const;

private:
  static constexpr unsigned MostCalls = 3; ///< of functions in each other
  bool givesConstants(Id call, unsigned depth = 0) const;
  bool seesText(Id function, unsigned depth = 0) const;
  bool onlyLooks(Id function, unsigned depth = 0) const;

  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  const LoadedState &s_;
  const Values &values_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_LOOKUPS_H
