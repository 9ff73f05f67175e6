//===- CallbackUses.h - Who names what, in the whole program ----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the proofs about registered callbacks ask of all functions: which of
// them name a member, who calls a function, where memory is copied.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_CALLBACKS_CALLBACKUSES_H
#define NVMOVE_PASSES_SOLVE_CALLBACKS_CALLBACKUSES_H

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/FieldFlow.h"
#include "passes/solve/program/DefinitionIndex.h"
#include <set>

namespace nvmove {

struct CallbackUses {
  CallbackUses(const Program &program, const FieldFlow &flow,
               const DefinitionIndex &values);

  /// Some code that is not known calls it, and with what it likes.
  bool isCalledByOthers(Id function) const {
    return givenAway.contains(function) ||
           program.facts.functions[function].isConstructor;
  }

  /// A parameter that always is what it was handed.
  bool isParameter(Id node) const {
    return params.contains(node) && values.definitions(node).empty() &&
           !program.isAddressTaken(node);
  }

  const Program &program;
  const DefinitionIndex &values;
  IdSet params;                            ///< of all functions
  IdMap<std::set<Id>> ofVariable, ofField; ///< functions; None: an initialiser
  std::vector<Id> copies;                  ///< constraints
  IdMap<std::vector<Id>> callersOf;        ///< also through pointers
  IdSet givenAway; ///< functions that a library may call
  /// To functions that nothing is known of, and that may write them.
  IdSet givenRecords;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_CALLBACKS_CALLBACKUSES_H
