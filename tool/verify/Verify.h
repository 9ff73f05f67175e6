//===- Verify.h - What nvmove verify lists ----------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_VERIFY_VERIFY_H
#define NVMOVE_TOOL_VERIFY_VERIFY_H

#include "tool/report/Findings.h"

namespace nvmove {

/// A place that is not as it has to be.
struct VerifyFinding {
  std::string id;
  Loc loc;
  std::string type;  ///< "" where it is not known
  std::string field; ///< "dictEntry.key"; "" where it is not known
  std::string function;
  std::string why;
};

/// What the solver lists, and what the rewriter would still change. By place.
/// Without those that a comment accepts.
std::vector<VerifyFinding> findings(const Report &report);

/// Those whose line has the comment "nvmove: accepted". By place.
std::vector<VerifyFinding> accepted(const Report &report);

/// Parts of the program that were not checked: files that were left out,
/// branches of #if that no file parsed.
std::vector<ShownFinding> notLookedAt(const Report &report);

} // namespace nvmove

#endif // NVMOVE_TOOL_VERIFY_VERIFY_H
