//===- CallContexts.h - Small functions, told apart by calls ---*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// void list_add(struct list *l, void *x) { .. l->items[l->n++] = x; }
//   list_add(tokens, token);  list_add(items, item);
//
// Followed once for all its callers, list_add() would put every x into every l,
// and what list_new() makes would be one list. So each call of a small function
// has an instance of it: a copy of its nodes and calls, and blocks of its own
// (call strings: Sharir and Pnueli 1981; heap cloning: Nystrom, Kim and Hwu,
// SAS 2004). What is asked of a node of the text is answered for all instances
// together, so the other passes need not know of them.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_CALLCONTEXTS_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_CALLCONTEXTS_H

#include "passes/solve/pointsto/ValueGraph.h"
#include <deque>

namespace nvmove {

class CallContexts {
public:
  CallContexts(const PointsToInput &input, ValueGraph &graph);

  /// The instance that the call runs, None: the function as the text has it;
  /// and whether it is made by this.
  std::pair<Id, bool> instanceFor(Id call, Id callee);
  Id functionOf(Id instance) const { return instances_[instance].function; }
  /// The node of the text as the instance has it; None: the text.
  Id inInstance(Id instance, Id node) const;
  Constraint inInstance(Id instance, const Constraint &c) const;
  Id copyOfCall(Id text, Id instance);

  // Calls of the text, and behind them, by number, those of instances.
  bool isCopy(Id call) const { return call >= p_.facts.calls.size(); }
  Id callInText(Id call) const { return isCopy(call) ? copy(call).text : call; }
  /// With the nodes of its instance; who asks other analyses asks with
  /// textOfCall().
  const Call &callAt(Id call) const {
    return isCopy(call) ? copy(call).call : p_.facts.calls[call];
  }
  const Call &textOfCall(Id call) const {
    return p_.facts.calls[callInText(call)];
  }
  Id instanceOf(Id call) const {
    return isCopy(call) ? copy(call).instance : None;
  }

  /// Calls visit(text, copy) for the nodes of one instance, or of each.
  void eachNode(Id instance,
                llvm::function_ref<void(Id text, Id copy)> visit) const;
  void eachNode(llvm::function_ref<void(Id text, Id copy)> visit) const {
    for (Id i = 0; i < instances_.size(); ++i)
      eachNode(i, visit);
  }
  bool hasNone() const { return instances_.empty(); }

private:
  /// What one call, or a chain of calls, runs of a function.
  struct Instance {
    Id function = None;
    Id parent = None; ///< the instance that the call stands in, None: the text
    Id first = None;  ///< its nodes, in the order of the text
    unsigned depth = 0;
  };
  struct CallCopy {
    Call call;
    Id text, instance;
  };
  const CallCopy &copy(Id call) const {
    return calls_[call - p_.facts.calls.size()];
  }
  bool hasInstances(Id function);
  bool isClosed(Id function) const;
  bool passesPointers(Id function);
  bool isRoomFor(Id callee, unsigned depth);
  Range nodesOf(Id function) const {
    return p_.definitionsOf(function).front()->nodes;
  }

  const Program &p_;
  const Allocators &a_;
  const PointsToOptions &options_;
  ValueGraph &graph_;
  std::vector<Instance> instances_;
  std::deque<CallCopy> calls_; ///< numbered behind those of the text
  size_t copiedNodes_ = 0;     ///< of instances
  IdMap<size_t> copied_;       ///< of those of a function
  IdMap<bool> hasInstances_;   ///< by function
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_CALLCONTEXTS_H
