//===- Told.h - What the move has said of a static --------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_TOLD_H
#define NVMOVE_TOOL_TRIAL_TOLD_H

#include "tool/trial/Trial.h"
#include "llvm/Support/JSON.h"

namespace nvmove {

/// The report of the move, if there is one: the findings in it that name a
/// static, and what it keeps already.
class Told {
public:
  /// Without a report in `folder`, or with one that cannot be read, nothing is
  /// known, which is no error.
  explicit Told(llvm::StringRef folder);

  bool hasReport() const { return report.has_value(); }
  /// The difference with what was said of that static, and the option that
  /// would keep it, if there is one.
  TrialDifference describe(const StaticDifference &difference,
                           const StaticVariable &variable) const;

  /// --afresh names it, or what it is a part of.
  bool isAfresh(const StaticDifference &difference,
                const StaticVariable &variable) const;

  /// Findings to act on: "text [id]".
  std::vector<std::string> acts() const;
  /// Findings to check that are of sections, as a loss inside of lines is.
  std::vector<std::string> checksOfSections() const;

private:
  bool isKept(llvm::StringRef name) const;
  std::vector<std::string>
  findings(llvm::function_ref<bool(const llvm::json::Object &)> which) const;

  std::optional<llvm::json::Object> report;
};

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_TOLD_H
