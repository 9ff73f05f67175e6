//===- Uncovered.cpp - Everything that was not handled ----------- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Uncovered.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace nvmove {

std::string macrosOfBranch(StringRef what) {
  StringRef condition = what.split(": ").second.split(';').first;
  std::vector<std::string> names;
  while (!condition.empty()) {
    StringRef word =
        condition.take_while([](char c) { return isAlnum(c) || c == '_'; });
    condition = condition.drop_front(std::max<size_t>(word.size(), 1));
    if (!word.empty() && !isDigit(word[0]) && !is_contained(names, word) &&
        !is_contained(
            {"if", "ifdef", "ifndef", "elif", "else", "of", "defined"}, word))
      names.push_back(word.str());
  }
  return join(names, ", ");
}

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
