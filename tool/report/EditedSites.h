//===- EditedSites.h - Every place that the patches change ------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_REPORT_EDITEDSITES_H
#define NVMOVE_TOOL_REPORT_EDITEDSITES_H

#include "tool/report/Names.h"

namespace nvmove {

/// An allocation, a store, a call of the load: what the analysis found to edit.
struct EditedSite {
  Loc loc;
  std::string kind, what;
  Id function;
};

/// In the order of the source.
std::vector<EditedSite> allSites(const Report &report);

} // namespace nvmove

#endif // NVMOVE_TOOL_REPORT_EDITEDSITES_H
