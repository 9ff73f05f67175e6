//===- CallBinding.h - What the load phase calls ----------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls are followed as the load reaches them: the functions that it runs, the
// calls that are made, and where each leads. A call behind a pointer that is
// null so far waits. What leads to the load is followed in passing: values flow
// there, but what it writes is no load, until the load calls it, too.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_CALLBINDING_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_CALLBINDING_H

#include "passes/solve/pointsto/EmptyRings.h"
#include "passes/solve/pointsto/LibraryModel.h"
#include "passes/solve/pointsto/ParameterValues.h"

namespace nvmove {

class CallBinding : private LibraryModel::Callbacks,
                    private ParameterValues::Calls {
public:
  CallBinding(const PointsToInput &input, ValueGraph &graph, Cells &cells,
              CallContexts &contexts, PriorContents &prior, Marks &marks,
              MemoryCopies &copies, ConstraintRules &rules);

  LibraryModel &library() { return library_; }
  const LibraryModel &library() const { return library_; }

  /// What is outside of functions, what leads to the load, and the load.
  void start();
  /// Follows one function, or instance, that was reached; false: all are done.
  bool enterNext();
  /// A watch of use Target or Await meets a location.
  void mayCall(const Watch &w, Id location);
  /// A pointer was lost on its way from before the load (through a void * in a
  /// table, say): it may call what the coarser flow of all that runs before
  /// knows. True if there are such.
  bool findLostCallees();
  /// Each call is told of once, whichever instances made it.
  void joinInstances();

  /// Load-phase functions and the call that first reached each (None for the
  /// start).
  const std::map<Id, Id> &reached() const { return reached_; }
  /// On the way from main, or from a handler, to the load, and not called by
  /// it: what flows there is followed.
  bool isPassing(Id function) const {
    return in_.options.leadsToLoad(function) && !reached_.contains(function);
  }
  /// Calls that were followed, and where each leads: (call, function).
  const std::vector<std::pair<Id, Id>> &followed() const { return followed_; }
  /// Calls that nothing can lead to before the load has ended.
  std::vector<Id> neverRun() const;
  /// Logging functions, each with the first of its calls that are not followed
  /// for that.
  std::vector<std::pair<Id, Id>> logsNotFollowed() const;
  /// Parameters, and results, whose memory lasts: PointsTo::isHandedOver().
  bool isHandedOver(Id node) const { return handedOver_.contains(node); }

private:
  void valueCame(Id call) override;
  void bind(Id call, Id callee) override;
  void reach(Id function, Id call) override;
  void parametersFrom(Id function, const Call *call) override {
    parametersFrom(function, call, None);
  }
  void parametersFrom(Id function, const Call *call, Id instance);
  void chooseFor(Id param, size_t index, const Call *call);
  void startAt(Id load);
  bool isCalledOnTheWay(Id load) const;
  void parametersFromBeside(Id load);
  void valuesFrom(Id load, const Call &c);
  bool mayLast(Id pointer) const;
  void enter(Id function, Id call);
  void enterInstance(Id instance);
  void add(Id call);
  void addPassing(Id call);
  bool awaits(Id call);
  bool awaitOnce(Id node, Id call);
  bool isLogging(Id call);
  Id instanceFor(Id call, Id callee);
  void bindArguments(const Call &c, const Function &fn, Id instance);
  void bindResult(Id call, Id callee, Id instance);
  Id blockOf(const Allocators::Site &site, Id instance);
  void makeInside(Id wrapper, Id block);
  Id addressOf(Id variable, Id record);
  bool isInNoReturn(const Call &call) const {
    return call.function != None && p_.isNoReturn(call.function);
  }

  const PointsToInput &in_;
  const Program &p_;
  const Allocators &a_;
  const PreLoadNullness &nullness_;
  ValueGraph &graph_;
  Cells &cells_;
  CallContexts &contexts_;
  Marks &marks_;
  MemoryCopies &copies_;
  ConstraintRules &rules_;
  ParameterValues values_;
  EmptyRings rings_;
  LibraryModel library_;
  std::map<Id, Id> reached_;
  IdSet entered_; ///< functions that are followed as the text has them
  std::vector<std::pair<Id, Id>> followed_;
  std::vector<Id> functionsToDo_, instancesToDo_;
  IdSet made_;    ///< calls
  IdSet waiting_; ///< calls that are not made so far
  llvm::DenseSet<std::pair<Id, Id>> awaited_;    ///< by call, nodes
  llvm::DenseSet<std::pair<Id, Id>> bound_;      ///< call, callee
  llvm::DenseSet<std::pair<Id, Id>> madeInside_; ///< wrapper, location
  std::vector<Id> throughPointer_; ///< made calls, in the order of being made
  IdSet logged_;                   ///< calls of the text
  IdSet handedOver_;               ///< parameters and results
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_CALLBINDING_H
