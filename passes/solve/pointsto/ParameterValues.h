//===- ParameterValues.h - Constants that calls pass ------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call behind `if (flags & QUIET)`, or of the callback that is registered
// under a key, is made when the parameter has been called with a value that
// lets it through. Values are gathered as calls are bound, and passed from
// parameter to parameter. Decisions 0029, 0057 and 0063.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_PARAMETERVALUES_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_PARAMETERVALUES_H

#include "passes/solve/pointsto/CallContexts.h"
#include <optional>

namespace nvmove {

class ParameterValues {
public:
  /// What a new value may set off.
  class Calls {
  public:
    virtual ~Calls() = default;
    virtual void valueCame(Id call) = 0; ///< it may be made now
    virtual void bind(Id call, Id callee) = 0;
  };

  ParameterValues(const PointsToInput &input, const ValueGraph &graph,
                  const CallContexts &contexts, Calls &calls);

  /// Some call depends on the parameter, or hands it on.
  bool isFollowed(Id param) const { return values_.count(param); }
  /// The copy of a parameter in an instance.
  void follow(Id param) { values_.try_emplace(param); }
  /// The call is made for some values only.
  void mayDecide(Id param, Id call) { values_[param].calls.push_back(call); }
  /// No value so far lets the call through.
  bool exclude(const Call &call) const;
  /// One more value of a parameter; none: any.
  void add(Id param, std::optional<uint64_t> value);
  /// The parameter is the owner of callbacks: one more object that it may be.
  void addOwner(Id param, Id argument, bool isNull);
  bool isOwner(Id param) const;
  /// `from`, a parameter, is handed to `to`.
  void pass(Id from, Id to);
  /// The callback is registered under a value that has not come so far: it will
  /// be bound when that comes.
  bool awaitsKey(Id call, Id function);

private:
  struct Values {
    std::set<uint64_t> constants;
    bool any = false;
    llvm::SmallVector<Id, 2> passedTo; ///< parameters
    llvm::SmallVector<Id, 4> calls;    ///< that may depend on it
    /// Callbacks that it chooses among: call and function, not called so far.
    std::vector<std::pair<Id, Id>> callbacks;
  };

  const PreLoadNullness &nullness_;
  const ValueGraph &graph_;
  const CallContexts &contexts_;
  Calls &calls_;
  std::map<Id, Values> values_; ///< grows while one of them is in use
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_PARAMETERVALUES_H
