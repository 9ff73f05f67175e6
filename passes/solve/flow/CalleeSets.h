//===- CalleeSets.h - Calls that lead to the same functions -----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hundreds of calls through pointers lead to the same hundreds of functions. An
// analysis that goes from each call to each of them takes the product; here
// what calls lead to has a number, and stands between them:
//
//   t->run(a);  ─┐         ┌─► start
//   u->run(b);  ─┼─► set 7 ┼─► stop
//   v->run(c);  ─┘         └─► step
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_FLOW_CALLEESETS_H
#define NVMOVE_PASSES_SOLVE_FLOW_CALLEESETS_H

#include "passes/solve/flow/FieldFlow.h"
#include "passes/solve/program/Program.h"
#include <deque>

namespace nvmove {

/// Sets of functions by number. Equal ones have the same.
class FunctionSets {
public:
  Id of(std::vector<Id> functions);
  llvm::ArrayRef<Id> operator[](Id set) const { return sets_[set]; }
  size_t size() const { return sets_.size(); }

private:
  std::deque<std::vector<Id>> sets_;
  llvm::DenseMap<llvm::ArrayRef<Id>, Id> numbers_;
};

/// Of all calls of functions of a program.
class CalleeSets {
public:
  CalleeSets(const Program &program, const FieldFlow &flow);

  /// The functions with a body that take the arguments of the call; None: there
  /// are none.
  Id setOf(Id call) const { return setOf_[call]; }
  const FunctionSets &sets() const { return sets_; }

  /// Functions and sets of them as nodes of one graph.
  size_t nodes() const { return functions_ + sets_.size(); }
  bool isSet(Id node) const { return node >= functions_; }
  Id nodeOf(Id set) const { return Id(functions_) + set; }
  /// The functions in a set; the sets that a function's calls lead to.
  llvm::ArrayRef<Id> below(Id node) const {
    return isSet(node) ? sets_[node - Id(functions_)]
                       : llvm::ArrayRef<Id>(calls_[node]);
  }
  /// Its strongly connected components, callees before callers.
  std::vector<std::vector<Id>> components() const;

private:
  const size_t functions_;
  FunctionSets sets_;
  std::vector<Id> setOf_;              ///< by call
  std::vector<std::vector<Id>> calls_; ///< function -> nodes of sets, each once
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_FLOW_CALLEESETS_H
