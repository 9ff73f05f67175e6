//===- Uncovered.cpp - Everything that was not handled ----------- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Uncovered.h"

using namespace llvm;

namespace nvmove {

std::vector<Uncovered> allUncovered(const Report &report) {
  Names names(report);
  std::vector<Uncovered> result;
  for (const auto *list : {&report.solution.findings, &report.edits.findings})
    for (const Finding &n : *list)
      result.push_back({n.kind().id.str(), names.file(n.loc.file), n.loc.line,
                        n.loc.column, names.function(n.function), n.what});
  auto file = [&](MessageId id, const std::string &path, std::string what) {
    result.push_back(
        {messageName(id).str(), names.path(path), 0, 0, "", std::move(what)});
  };
  for (const OmittedFile &omitted : report.input.omitted)
    if (omitted.id == MessageId::SkippedFile)
      file(omitted.id, omitted.file, omitted.why);
  for (const ToleratedHeader &t : report.input.tolerated)
    file(MessageId::MissingHeader, t.file,
         "analysed without '" + t.header + "', which was not found");
  return result;
}

} // namespace nvmove
