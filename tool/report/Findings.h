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
  FindingRef id;
  Severity severity;
  std::string path; ///< relative; "" if there is no place
  unsigned line = 0, column = 0;
  std::string function; ///< "" outside of functions
  std::string what;
  std::string advice;
  std::string subject; ///< see Finding::subject

  const FindingKind &kind() const { return id.kind(); }
  std::string place() const; ///< "src/a.c:3:7", "src/a.c" or ""
};

/// What the analysis and the rewriter have reported, and the files that were
/// left out: act, check, note; first what breaks a restart as a whole, then by
/// id and place.
std::vector<ShownFinding> allFindings(const Report &report);

/// Findings that differ only in the name that they are about, or in their
/// place: one line of the list for the reader, and one in every count.
struct ShownQuestion {
  std::vector<const ShownFinding *> findings; ///< not empty, in their order
  size_t places = 1;                          ///< different ones
  /// That of the first, with the other names added after its subject.
  std::string what;

  const ShownFinding &first() const { return *findings.front(); }
};

/// The questions of one severity, in the order of their first findings. They
/// refer to `findings`.
std::vector<ShownQuestion>
questionsOf(const std::vector<ShownFinding> &findings, Severity severity);

/// The last section of the report for people. A complete one lists every
/// finding below its question; else some kinds are cut short, and notes are
/// only counted.
void writeFindings(const std::vector<ShownFinding> &findings, bool isComplete,
                   llvm::raw_ostream &os);

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
