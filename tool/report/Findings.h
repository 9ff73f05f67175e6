//===- Findings.h - What a user has to know, act first ----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of the solver, the rewriter and the command report findings; here
// they become one list, in words, for every form of the report.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_REPORT_FINDINGS_H
#define NVMOVE_TOOL_REPORT_FINDINGS_H

#include "tool/report/Names.h"

namespace nvmove {

/// A finding in words.
struct ShownFinding {
  FindingId id;
  Severity severity;
  std::string path; ///< relative; "" where there is no place
  unsigned line = 0, column = 0;
  std::string function; ///< "" outside of functions
  std::string what;
  std::string advice;
  std::string subject; ///< see Finding::subject

  const FindingKind &kind() const { return kindOf(id); }
  std::string place() const; ///< "src/a.c:3:7", "src/a.c" or ""
};

/// What the analysis and the rewriter have reported, and the files that were
/// left out: act, check, note; first what breaks a restart as a whole, then by
/// id and place.
std::vector<ShownFinding> allFindings(const Report &report);

/// Findings that ask the same question, of other names or at other places.
struct FindingGroup {
  const ShownFinding *first;
  size_t places = 1; ///< different ones
  /// That of the first, with the other names put behind its subject.
  std::string what;
};
std::vector<FindingGroup> grouped(const std::vector<ShownFinding> &findings);

/// Programs that do not load, and are made of files that the patches change,
/// and those files: relative to the root.
struct PatchedElsewhere {
  std::vector<std::string> programs;
  std::set<std::string> files;
};
PatchedElsewhere patchedElsewhere(const Report &report);

/// Something is lost unless the user does something: exit code 4.
bool hasActFinding(const Report &report);

} // namespace nvmove

#endif // NVMOVE_TOOL_REPORT_FINDINGS_H
