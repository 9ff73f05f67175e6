//===- ContainerInsertions.h - Who puts something into a list? -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_FLOW_CONTAINERINSERTIONS_H
#define NVMOVE_PASSES_SOLVE_FLOW_CONTAINERINSERTIONS_H

#include "passes/solve/flow/FieldFlow.h"
#include <map>

namespace nvmove {

/// Tells a function that may put something into a member of a record, or let
/// others do so, from one that only reads, empties it, or moves around what is
/// in there: a list from which elements are taken.
///
/// Values that meet in a store, a copy or a result are one: whatever meets what
/// is reached through the member must come from there.
class ContainerInsertions {
public:
  /// With `numbers`, one that puts numbers there fills it, too; not one that
  /// counts as it moves pointers.
  ContainerInsertions(const Program &program, const FieldFlow &flow,
                      bool numbers = false)
      : p_(program), f_(program.facts), flow_(flow), numbers_(numbers) {}

  /// By what the function does with its address.
  bool fills(Id function, Id member);
  /// By what it does with a static pointer, and with what that leads to; not by
  /// setting it, if that is `set` elsewhere.
  bool fillsBehind(Id function, Id variable, bool set);

private:
  /// What meets the arguments that are handed over.
  struct Met {
    bool isNew = true; ///< something from elsewhere
    std::vector<unsigned> params;
    bool result = false;
    /// A parameter that is called, and at which places it is handed that.
    std::vector<std::pair<unsigned, std::vector<unsigned>>> calls;
    bool nothing() const {
      return !isNew && params.empty() && !result && calls.empty();
    }
  };
  struct Graph {
    IdMap<llvm::SmallVector<Id, 4>> edges; ///< node -> constraints
    IdMap<llvm::SmallVector<Id, 2>> calls; ///< argument or result -> calls
    /// Addresses that pointers are stored at, that a number is counted at, and
    /// that something else is stored at.
    IdSet pointers, counts, others;
  };
  const Graph &graphOf(Id function);
  Met meet(Id function, std::vector<Id> work, Id member, Id variable = None,
           bool set = false);
  bool isHandle(Id type) const;
  bool putsNumbers(const Graph &graph, const IdSet &seen) const;
  const Met &handed(Id function, const std::vector<unsigned> &params);
  bool follow(Id call, const IdSet &seen, std::vector<Id> &work, IdSet &given,
              Met &met);
  unsigned parameterAt(Id node, Id function) const;
  bool callBack(Id call, const Met &callee, Met &met);

  const Program &p_;
  const Facts &f_;
  const FieldFlow &flow_;
  const bool numbers_;
  std::map<Id, Graph> graphs_; ///< by function
  std::map<std::pair<Id, std::vector<unsigned>>, Met> met_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_FLOW_CONTAINERINSERTIONS_H
