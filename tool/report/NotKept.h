//===- NotKept.h - Why a static is not kept ---------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_REPORT_NOTKEPT_H
#define NVMOVE_TOOL_REPORT_NOTKEPT_H

#include "passes/facts/IdSet.h"
#include "tool/report/Names.h"

namespace nvmove {

/// The program's variables with static storage, for the reader who looks for
/// one that no list of the report names.
class NotKept {
public:
  explicit NotKept(const Report &report);

  const std::vector<Id> &variables() const { return statics; } ///< by name
  /// As the end of a sentence; "" where some of it is kept.
  std::string why(Id variable) const;

private:
  bool isLeftAfresh(llvm::StringRef name) const;

  const Report &report;
  const Facts &facts;
  Names names;
  std::string loadNames;
  std::vector<Id> statics;
  IdSet kept;
  IdMap<Id> written; ///< variable -> a write of it by what the load reaches
};

} // namespace nvmove

#endif // NVMOVE_TOOL_REPORT_NOTKEPT_H
