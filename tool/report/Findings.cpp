//===- Findings.cpp - What a user has to know, act first ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Findings.h"
#include "tool/files/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

REPORTS(FreedAtExit, LinkedElsewhere, LoadNotGuarded, LoadOnRequest,
        LoadRunsAgain, MissingHeader, NoMain, NoSections, RootInLocal,
        SkippedFile, StateInStatic, UsedAfterRestart)

using namespace llvm;

namespace nvmove {

/// So many names are in one line of a terminal.
static constexpr size_t namesShown = 6;

/// What breaks a restart as a whole is read first: roots that are lost, state
/// that is never committed, loads that do not happen.
static size_t rankOf(FindingRef id) {
  static constexpr FindingRef first[] = {
      FindingId::RootInLocal,     FindingId::StateInStatic,
      FindingId::NoSections,      FindingId::NoMain,
      FindingId::LoadNotGuarded,  FindingId::LoadRunsAgain,
      FindingId::FreedAtExit,     FindingId::LoadOnRequest,
      FindingId::UsedAfterRestart};
  return find(first, id) - std::begin(first);
}

std::string ShownFinding::place() const {
  return line ? path + ":" + utostr(line) + ":" + utostr(column) : path;
}

PatchedElsewhere patchedElsewhere(const Report &report) {
  std::set<std::string> patched;
  for (const Edit &edit : report.edits.edits)
    patched.insert(report.input.facts.files[edit.file].path);
  PatchedElsewhere result;
  for (const ProgramFiles &p : report.input.otherPrograms) {
    bool isOne = false;
    for (const std::string &file : p.sources)
      if (patched.count(file)) {
        result.files.insert(relativePath(file, report.root));
        isOne = true;
      }
    if (isOne)
      result.programs.push_back(relativePath(p.program, report.root));
  }
  return result;
}

/// "a, b, c and 4 more"
static std::string someOf(ArrayRef<std::string> names) {
  size_t shown = names.size() > namesShown + 1 ? namesShown : names.size();
  std::string all = join(names.take_front(shown), ", ");
  if (shown < names.size())
    all += " and " + utostr(names.size() - shown) + " more";
  return all;
}

/// The file with main() waits for a header that the build makes: of the program
/// nothing is known but what the load does.
static bool lacksMain(const Report &report) {
  return !isDefined(report.input.facts, "main") &&
         any_of(report.input.omitted, [](const OmittedFile &omitted) {
           return omitted.id == MessageId::SkippedFile;
         });
}

/// What only follows from that.
static bool followsFromNoMain(const Report &report, const Finding &finding) {
  if (finding.id == FindingId::RootInLocal)
    return report.solution.load.callersKeep;
  return finding.id == FindingId::NoSections ||
         finding.id == FindingId::NoMain ||
         (finding.id == FindingId::LoadNotGuarded && finding.function == None);
}

std::vector<ShownFinding> allFindings(const Report &report) {
  Names names(report);
  std::vector<ShownFinding> result;
  const bool isIncomplete = lacksMain(report);
  for (const auto *list : {&report.solution.findings, &report.edits.findings})
    for (const Finding &n : *list)
      if (!isIncomplete || !followsFromNoMain(report, n))
        result.push_back({n.id, n.severity(), names.file(n.loc.file),
                          n.loc.line, n.loc.column, names.function(n.function),
                          n.what, n.whatToDo().str(), n.subject});
  auto file = [&](FindingRef id, const std::string &path, std::string what) {
    const bool isMain = isIncomplete && id == FindingId::SkippedFile;
    result.push_back({id, isMain ? Severity::Act : id.kind().severity,
                      names.path(path), 0, 0, "", std::move(what),
                      isMain ? "build the program once and run again: main() "
                               "is in none of the other files"
                             : id.kind().advice.str(),
                      ""});
  };
  for (const OmittedFile &omitted : report.input.omitted)
    if (omitted.id == MessageId::SkippedFile)
      file(FindingId::SkippedFile, omitted.file, omitted.why);
  for (const ToleratedHeader &t : report.input.tolerated)
    file(FindingId::MissingHeader, t.file,
         "analysed without '" + t.header + "', which was not found");
  if (PatchedElsewhere elsewhere = patchedElsewhere(report);
      !elsewhere.programs.empty()) {
    const FindingKind &kind = FindingId::LinkedElsewhere;
    std::vector<std::string> files(elsewhere.files.begin(),
                                   elsewhere.files.end());
    result.push_back(
        {FindingId::LinkedElsewhere, kind.severity, "", 0, 0, "",
         counted(elsewhere.programs.size(), "other programs") +
             " will not link without the runtime: " +
             join(elsewhere.programs, ", ") +
             ", which also contain patched files: " + someOf(files),
         kind.advice.str(), ""});
  }
  stable_sort(result, [](const ShownFinding &a, const ShownFinding &b) {
    return std::make_tuple(a.severity, rankOf(a.id), a.kind().id) <
           std::make_tuple(b.severity, rankOf(b.id), b.kind().id);
  });
  return result;
}

std::vector<ShownQuestion>
questionsOf(const std::vector<ShownFinding> &findings, Severity severity) {
  using Key = std::tuple<FindingRef, std::string, std::string>;
  struct Part {
    size_t subjectAt; ///< in the text of the first finding
    std::vector<std::string> subjects;
    std::set<std::string> places;
  };
  std::map<Key, size_t> known;
  std::vector<Part> parts;
  std::vector<ShownQuestion> result;
  for (const ShownFinding &f : findings) {
    if (f.severity != severity)
      continue;
    size_t at = f.subject.empty() ? StringRef::npos : f.what.find(f.subject);
    std::string rest = f.what;
    if (at != StringRef::npos)
      rest.replace(at, f.subject.size(), 1, '\0');
    auto [asked, isNew] =
        known.try_emplace(Key{f.id, std::move(rest), f.advice}, parts.size());
    if (isNew) {
      parts.push_back({at, {}, {}});
      result.push_back({});
    }
    Part &part = parts[asked->second];
    if (at != StringRef::npos && !is_contained(part.subjects, f.subject))
      part.subjects.push_back(f.subject);
    part.places.insert(f.place());
    result[asked->second].findings.push_back(&f);
  }
  for (auto [question, part] : zip_equal(result, parts)) {
    const ShownFinding &first = question.first();
    question.places = part.places.size();
    question.what = first.what;
    if (part.subjects.size() > 1)
      question.what.replace(part.subjectAt, first.subject.size(),
                            someOf(part.subjects));
  }
  return result;
}

bool hasActFinding(const Report &report) {
  auto isAct = [](const Finding &f) { return f.severity() == Severity::Act; };
  return any_of(report.solution.findings, isAct) ||
         any_of(report.edits.findings, isAct);
}

} // namespace nvmove
