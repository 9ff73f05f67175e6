//===- undeclared.cpp - What a rule cannot do with parts it does not declare =//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines that end in a mark are refused by the compiler, in words with that in
// them, and all others are not. See views.py.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/Analysis.h"

namespace nvmove {

using Declared = View<const Types, Scalars>;

void rule(Declared a) {
  a.scalars.push_back({a.types.front().record});
  a.types.pop_back();                 // refused: const
  a.roots.clear();                    // refused: no member named 'roots'
  a.solution.records;                 // refused: no member named 'solution'
  for (const Finding &f : a.findings) // refused: deleted
    (void)f;
}

/// What a function of a rule may be given.
void smaller(Declared a) {
  [[maybe_unused]] View<const Types> types = a;
  [[maybe_unused]] View<const LoadedTypes> asTheyWere = a;
  [[maybe_unused]] View<Types> written = a;      // refused: conver
  [[maybe_unused]] View<const Roots> others = a; // refused: conver
}

/// A state of a part is not the one that it grows to.
void earlier(View<LoadedTypes> a) {
  [[maybe_unused]] View<const Types> grown = a; // refused: conver
}

} // namespace nvmove
