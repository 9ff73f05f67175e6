//===- Uncovered.h - Everything that was not handled -*- C++ -*- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_REPORT_UNCOVERED_H
#define NVMOVE_TOOL_REPORT_UNCOVERED_H

#include "tool/report/Names.h"

namespace nvmove {

/// One entry of "not covered" in any form of the report.
struct Uncovered {
  std::string id;
  std::string path; ///< relative; "" where there is no place
  unsigned line = 0, column = 0;
  std::string function; ///< "" outside of functions
  std::string what;
};

/// What the analysis and the rewriter list, and the files that were left out.
std::vector<Uncovered> allUncovered(const Report &report);

} // namespace nvmove

#endif // NVMOVE_TOOL_REPORT_UNCOVERED_H
