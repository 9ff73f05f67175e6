//===- NotPersistent.h - Why the other types stay volatile ------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_REPORT_NOTPERSISTENT_H
#define NVMOVE_TOOL_REPORT_NOTPERSISTENT_H

#include "tool/report/Names.h"
#include <string>
#include <vector>

namespace nvmove {

/// The program's own record types that the solution does not call persistent,
/// and why each is not persistent. This explains a verdict and never makes one:
/// a simple reachability over calls is enough.
class NotPersistent {
public:
  explicit NotPersistent(const Report &report);
  const std::vector<Id> &records() const { return others; }
  std::string why(Id record) const;

private:
  /// A place that makes or fills an instance of a type.
  struct Use {
    Id function = None;
    Loc loc;
    bool allocates = false;
  };
  /// The first variable of a type: in what the load reaches, in other
  /// functions, at file scope.
  struct Variables {
    Id inside = None, outside = None, fileScope = None;
  };
  void findVariables();
  void followCalls(const SolveOptions &options);
  void findUses();
  void note(std::vector<Use> &uses, Id record, Use use);

  const Facts &facts;
  Names names;
  std::string loadNames;
  std::vector<Id> others;
  std::vector<bool> reached;        ///< by function: direct calls lead there
  std::vector<bool> followed;       ///< by function: the solver did
  std::vector<Use> inside, outside; ///< by record: first use within, beyond
  std::vector<Variables> variables; ///< by record
};

} // namespace nvmove

#endif // NVMOVE_TOOL_REPORT_NOTPERSISTENT_H
