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
void addEdits(const Report &report, std::vector<Finding> &out) {
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
                    std::vector<Finding> &out) {
  for (const NotCovered &n : report.edits.notCovered)
    if (n.id == "written-otherwise" || n.id == "load-not-guarded")
      out.push_back({n.id, n.loc, "", "", names.function(n.function), n.what});
}

} // namespace

static std::vector<Finding> allFindings(const Report &report) {
  Names names(report);
  std::vector<Finding> result;
  for (const Unannounced &u : report.solution.unannounced)
    result.push_back({u.id, u.loc, names.record(u.record), names.field(u.field),
                      names.function(u.function), u.why});
  addEdits(report, result);
  addDifferences(report, names, result);
  auto key = [&](const Finding &f) {
    return std::tuple(names.file(f.loc.file), f.loc.line, f.loc.column, f.id,
                      f.why);
  };
  sort(result,
       [&](const Finding &a, const Finding &b) { return key(a) < key(b); });
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

std::vector<Finding> findings(const Report &report) {
  std::vector<Finding> result = allFindings(report);
  SourceLines lines(report.input.facts);
  erase_if(result, [&](const Finding &f) { return isAccepted(lines, f.loc); });
  return result;
}

std::vector<Finding> accepted(const Report &report) {
  std::vector<Finding> result = allFindings(report);
  SourceLines lines(report.input.facts);
  erase_if(result, [&](const Finding &f) { return !isAccepted(lines, f.loc); });
  return result;
}

std::vector<Uncovered> notLookedAt(const Report &report) {
  std::vector<Uncovered> result = allUncovered(report);
  erase_if(result, [](const Uncovered &u) {
    return u.id != "unparsed-branch" && u.id != "skipped-file";
  });
  return result;
}

} // namespace nvmove
