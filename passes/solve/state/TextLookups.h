//===- TextLookups.h - Functions that choose a number by text -*- C++ -*-===//
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
// the text of the file says, which it finds by itself. It may put it where an
// address leads that it is handed: if (get_bool(file, &b)) fast = b;
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_TEXTLOOKUPS_H
#define NVMOVE_PASSES_SOLVE_STATE_TEXTLOOKUPS_H

#include "passes/solve/program/DefinitionIndex.h"
#include "passes/solve/state/LoadedState.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace nvmove {

class TextLookups {
public:
  TextLookups(const SolveContext &context, const LoadedState &state,
              const DefinitionIndex &values)
      : p_(context.program), flow_(context.flow), f_(p_.facts),
        pt_(context.pointsTo), s_(state), values_(values) {}

  /// A number of the file, or the address of text from there.
  bool isText(Id node) const;
  /// The call of the C library compares such text.
  bool compares(Id call) const;
  /// The call gives such a number.
  bool chooses(Id call) const;
  /// And its function does nothing else: it looks for text and compares it.
  bool onlyChooses(Id call) const;
  /// Into the local nothing but constants are put, and what functions of the
  /// program put there that are handed its address and look at such text.
  bool chooseFor(Id local) const;
  /// And these do nothing but read and tell what they read: no number of theirs
  /// stands for what ends with the process.
  bool onlyReadFor(Id local) const;
  /// Calls `see` with what functions that are handed its address put there by
  /// themselves.
  void eachPutInto(Id local, llvm::function_ref<void(Id)> see) const;

private:
  static constexpr unsigned MostCalls = 3; ///< of functions in each other
  bool givesConstants(Id call, unsigned depth = 0) const;
  bool seesText(Id function, unsigned depth = 0) const;
  bool onlyLooks(Id function, unsigned depth = 0) const;
  bool onlyReads(Id function, unsigned depth = 0) const;
  llvm::SmallVector<Id, 4> takers(Id local) const;

  const Program &p_;
  const FieldFlow &flow_;
  const Facts &f_;
  const PointsTo &pt_;
  const LoadedState &s_;
  const DefinitionIndex &values_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_TEXTLOOKUPS_H
