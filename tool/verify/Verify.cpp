//===- Verify.cpp - What nvmove verify lists ------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/verify/Verify.h"
#include "tool/files/SourceLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

REPORTS(LoadNotGuarded, SkippedFile, UnparsedBranch, WrittenOtherwise)

using namespace llvm;

namespace nvmove {

namespace {

std::string onOneLine(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef &part : parts)
    part = part.trim();
  return join(parts, " ");
}

/// Every root, allocation and section that the rewriter would still write. It
/// writes nothing twice, so on its own output there is none.
void addEdits(const Report &report, std::vector<VerifyFinding> &out) {
  SourceLines lines(report.input.facts);
  for (const Edit &edit : report.edits.edits) {
    StringRef text = StringRef(edit.text).trim();
    // What closes a macro's parenthesis belongs to what opens it; a file that
    // needs the header needs it for something else that is listed.
    if (edit.layer == Layer::Stores || text.empty() ||
        text.find_first_not_of(") ,;}") == StringRef::npos ||
        text.starts_with("#include"))
      continue;
    out.push_back({"not-rewritten", lines.at(edit.file, edit.offset), "", "",
                   "", "nvmove would write '" + onOneLine(text) + "' here"});
  }
}

/// What stands there otherwise than the rewriter would write it now.
void addDifferences(const Report &report, const Names &names,
                    std::vector<VerifyFinding> &out) {
  for (const Finding &n : report.edits.findings)
    if (n.id == FindingId::WrittenOtherwise ||
        n.id == FindingId::LoadNotGuarded)
      out.push_back({n.kind().id.str(), n.loc, "", "",
                     names.function(n.function),
                     n.advice.empty() ? n.what : n.what + " -> " + n.advice});
}

} // namespace

static std::vector<VerifyFinding> allPlaces(const Report &report) {
  Names names(report);
  std::vector<VerifyFinding> result;
  for (const Finding &u : report.solution.unannounced)
    result.push_back({u.kind().id.str(), u.loc, names.record(u.record),
                      names.field(u.field), names.function(u.function),
                      u.what});
  addEdits(report, result);
  addDifferences(report, names, result);
  auto key = [&](const VerifyFinding &f) {
    return std::tuple(names.file(f.loc.file), f.loc.line, f.loc.column, f.id,
                      f.why);
  };
  sort(result, [&](const VerifyFinding &a, const VerifyFinding &b) {
    return key(a) < key(b);
  });
  return result;
}

/// The comment stands in the line itself, so that it moves with it.
static bool isAccepted(SourceLines &lines, const Loc &loc) {
  StringRef line = lines.line(loc.file, loc.line);
  size_t at = line.find("nvmove: accepted");
  StringRef before = line.take_front(at).rtrim();
  return at != StringRef::npos &&
         (before.ends_with("/*") || before.ends_with("//"));
}

std::vector<VerifyFinding> findings(const Report &report) {
  std::vector<VerifyFinding> result = allPlaces(report);
  SourceLines lines(report.input.facts);
  erase_if(result,
           [&](const VerifyFinding &f) { return isAccepted(lines, f.loc); });
  return result;
}

std::vector<VerifyFinding> accepted(const Report &report) {
  std::vector<VerifyFinding> result = allPlaces(report);
  SourceLines lines(report.input.facts);
  erase_if(result,
           [&](const VerifyFinding &f) { return !isAccepted(lines, f.loc); });
  return result;
}

std::vector<ShownFinding> notLookedAt(const Report &report) {
  std::vector<ShownFinding> result = allFindings(report);
  erase_if(result, [](const ShownFinding &f) {
    return f.id != FindingId::UnparsedBranch && f.id != FindingId::SkippedFile;
  });
  return result;
}

} // namespace nvmove
