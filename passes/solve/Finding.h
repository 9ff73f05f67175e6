//===- Finding.h - What a rule reports, in one form -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules report what a person should know of; nothing of it is an input of the
// analysis:
//
//   REPORTS(SetByLoad)
//   ..
//   out.findings.report({FindingId::SetByLoad, write.loc, write.function,
//                        name + " is set by the load, but not restored"});
//
// What kind of finding that is, how bad, and what to do about it says its row
// in Findings.def, after the form of Infer's IssueType. Where one place is
// better or worse than its kind, or needs another edit, the finding says so:
//
//   out.findings.report(Finding{FindingId::OutputByStdio, loc, function, what}
//                           .as(Severity::Note));
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_FINDING_H
#define NVMOVE_PASSES_SOLVE_FINDING_H

#include "passes/facts/Facts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace nvmove {

/// The order is that of the report: what is worst comes first.
enum class Severity : uint8_t {
  Act,   ///< data is lost, or the program is wrong, unless something is done
  Check, ///< may be: there is a question to answer
  Note,  ///< how the result came about
};
llvm::StringRef severityName(Severity severity); ///< "act", "check", "note"

/// A row of Findings.def.
struct FindingKind {
  llvm::StringRef id; ///< stable: scripts and docs/diagnostics.md rely on it
  Severity severity;
  llvm::StringRef room;   ///< of the rule that reports it
  llvm::StringRef title;  ///< what it is, without a subject
  llvm::StringRef advice; ///< what to do
};
/// All of them, in the order of the table.
llvm::ArrayRef<const FindingKind *> findingKinds();

/// Declares rows of the table, which is not included here: a new row compiles
/// no source again but those that name it. A name without a row does not link.
#define REPORTS(...)                                                           \
  namespace nvmove::FindingId {                                                \
  extern const FindingKind __VA_ARGS__;                                        \
  }

/// One of the rows.
class FindingRef {
public:
  constexpr FindingRef() = default; ///< none
  constexpr FindingRef(const FindingKind &kind) : kind_(&kind) {}
  const FindingKind &kind() const { return *kind_; }
  bool operator==(const FindingRef &) const = default;
  bool operator<(const FindingRef &other) const {
    return kind().id < other.kind().id;
  }

private:
  const FindingKind *kind_ = nullptr;
};

struct Finding {
  FindingRef id;
  Loc loc; ///< invalid: of the program as a whole
  Id function = None;
  std::string what;        ///< one sentence about this place
  std::string advice = {}; ///< what to do; "": what the kind says
  /// Of verify: what is written, where that is known.
  Id record = None, field = None;
  /// The name in `what` that it is about. What differs in this name alone is
  /// one question, and one line on a terminal.
  std::string subject = {};
  std::optional<Severity> ownSeverity = {};
  Id subjectNode = None; ///< the function or static that it is about

  Finding about(std::string name) && {
    subject = std::move(name);
    return std::move(*this);
  }
  Finding as(Severity severity) && {
    ownSeverity = severity;
    return std::move(*this);
  }

  const FindingKind &kind() const { return id.kind(); }
  Severity severity() const { return ownSeverity.value_or(kind().severity); }
  llvm::StringRef whatToDo() const {
    return advice.empty() ? kind().advice : llvm::StringRef(advice);
  }
};

/// Findings, each once.
class FindingList {
public:
  /// One of the same kind, at the same place, in the same words, is no other.
  void report(Finding finding) {
    if (seen_.insert({finding.id, finding.loc, finding.what}).second)
      list_.push_back(std::move(finding));
  }
  /// One of the same kind about the same name is no other, wherever it is.
  void reportOnce(const std::string &name, Finding finding) {
    if (seenOf_.insert({finding.id, name}).second)
      report(std::move(finding));
  }
  /// By id, in each by place.
  void sort();

  /// To be read by those who get the result. Rules, which hold a list to report
  /// to, do not build on what other rules have reported.
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }
  void begin() = delete;
  void end() = delete;
  bool empty() const { return list_.empty(); }
  size_t size() const { return list_.size(); }

private:
  std::vector<Finding> list_;
  std::set<std::tuple<FindingRef, Loc, std::string>> seen_;
  std::set<std::pair<FindingRef, std::string>> seenOf_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_FINDING_H
