//===- CallGraph.h - What calls lead to, and what leads there -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   main ─► serve ─► read_line ─► read
//                └► handle ─► push
//
// A walk over the calls of the whole program, forwards from some functions or
// backwards, breadth first. Which calls count, and which functions it goes
// through, is the caller's policy.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_FLOW_CALLGRAPH_H
#define NVMOVE_PASSES_SOLVE_FLOW_CALLGRAPH_H

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/FieldFlow.h"
#include "passes/solve/program/Program.h"
#include "llvm/ADT/BitVector.h"
#include <functional>
#include <memory>
#include <optional>

namespace nvmove {

/// Refers to the program and to the flow of values. Costs nothing before it is
/// asked; keeps what it found of callers and of `below`.
class CallGraph {
public:
  CallGraph(const Program &program, const FieldFlow &flow)
      : p_(program), flow_(flow) {}

  /// Without a word: all calls, and all functions, also those of libraries.
  struct Policy {
    bool pointers = true; ///< calls through pointers count
    bool deadEnds = true; ///< calls after which control never returns count
    bool children = true; ///< calls that only a forked child makes count
    /// Only callees that take the arguments of the call: what a pointer holds
    /// may be of another type.
    bool fitting = false;
    bool bodies = false; ///< only functions with a body are entered
    /// Asked of each call that counts otherwise: does it, too? Empty: yes.
    std::function<bool(Id call)> follows = {};
    /// Asked of each function that is not reached yet, each time that the walk
    /// comes to it, and of those that it starts from: is it entered? The walk
    /// does not go on from others, and they are not in the result.
    std::function<bool(Id function)> enters = {};
    /// The calls of a function that count, where these are not all. Forwards
    /// only.
    std::function<std::vector<Id>(Id function)> calls = {};
    /// Hands `lead` the functions to which one leads besides its calls: those
    /// that a library is handed. Forwards only.
    using Lead = llvm::function_ref<void(Id function)>;
    std::function<void(Id function, Lead lead)> also = {};
    /// The walk ends with the first function that it enters for which this
    /// holds.
    std::function<bool(Id function)> until = {};
  };

  /// What a walk has entered.
  class Reached {
  public:
    /// In the order of the walk: those that it started from, then the nearest
    /// first.
    const std::vector<Id> &functions() const & { return functions_; }
    std::vector<Id> functions() && { return std::move(functions_); }
    bool contains(Id function) const { return steps_.contains(function); }
    IdSet set() const { return {functions_.begin(), functions_.end()}; }
    /// How many calls it is away; 0: the walk started there. Of what is
    /// reached.
    unsigned distance(Id function) const {
      return steps_.at(function).distance;
    }
    /// The first call that led there; None: no call did.
    Id via(Id function) const { return steps_.at(function).via; }
    /// The function with which `until` ended the walk; None: it did not.
    Id last() const { return last_; }

  private:
    friend class CallGraph;
    struct Step {
      Id via;
      unsigned distance;
    };
    std::vector<Id> functions_;
    IdMap<Step> steps_;
    Id last_ = None;
  };

  /// The functions, and those that their calls lead to. None is skipped.
  Reached reach(llvm::ArrayRef<Id> functions, const Policy &policy) const;
  /// Those that the calls lead to: the callees are 0 calls away.
  Reached reachFrom(llvm::ArrayRef<Id> calls, const Policy &policy) const;
  /// The functions, and those whose calls lead there. None is skipped.
  Reached reachedBy(llvm::ArrayRef<Id> functions, const Policy &policy) const;

  /// Calls by what they may lead to, also through pointers.
  const FieldFlow::Callers &callers() const;

  /// The function, and all functions with a body that it leads to, by number.
  /// Kept for the next time.
  const llvm::BitVector &below(Id function) const;

private:
  struct Walk;
  bool counts(Id call, const Policy &policy) const;
  void follow(Id call, unsigned distance, Walk &walk) const;
  void spread(Walk &walk) const;
  llvm::ArrayRef<Id> callsOf(Id callee, const Policy &policy) const;

  const Program &p_;
  const FieldFlow &flow_;
  mutable std::optional<FieldFlow::Callers> callers_;
  mutable IdMap<std::unique_ptr<llvm::BitVector>> below_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_FLOW_CALLGRAPH_H
