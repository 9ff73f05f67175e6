//===- StaticEvidence.cpp - What is known of each static scalar -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/StaticEvidence.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(ChangedWithState, CountNotKept, HoldsDescriptor, IndexNotKept,
        LostWithState, SetByHandlers, SetByLoad, SplitGuard)

using namespace nvmove;

namespace {

struct Row {
  Evidence evidence;
  Verdict verdict;
  FindingRef finding; ///< of Reported
  /// Why it comes back, before the place; or what is reported of it, behind its
  /// name. % is the detail.
  llvm::StringLiteral text;
  llvm::StringLiteral advice = ""; ///< "": that of the finding's kind
  std::optional<Severity> severity = std::nullopt; ///< none: likewise
};

constexpr FindingRef Nothing = {};

constexpr Row Rows[] = {
    {Evidence::GetsFileData, Verdict::Restored, Nothing,
     "gets a value from the file at "},
    {Evidence::CountsLoaded, Verdict::Restored, Nothing,
     "counts what is loaded at "},
    {Evidence::PlacedByFile, Verdict::Restored, Nothing,
     "is set where the file decides, at "},
    {Evidence::ReadFromFile, Verdict::Restored, Nothing,
     "read from the file at "},
    {Evidence::SaysWhere, Verdict::Restored, Nothing,
     "is an index or offset into what is loaded at "},
    {Evidence::SaysHowLarge, Verdict::Restored, Nothing,
     "is the size of what is loaded at "},
    {Evidence::ComputedFromRestored, Verdict::Restored, Nothing,
     "is computed from what is restored at "},
    {Evidence::MovesOnInLoad, Verdict::Restored, Nothing,
     "advances with what is loaded at "},
    {Evidence::CountedByLoad, Verdict::Restored, Nothing,
     "is what the load has counted at "},
    {Evidence::AssignedWhole, Verdict::Restored, Nothing,
     "is copied from what the load fills, at "},
    {Evidence::SetByNothingElse, Verdict::Restored, Nothing,
     "is set only by the load at "},
    {Evidence::SetByHelper, Verdict::Restored, Nothing,
     "is set only by the load, at "},
    {Evidence::SetWithRoot, Verdict::Restored, Nothing,
     "is set where a root is created at "},
    {Evidence::MovesOnInRoot, Verdict::Restored, Nothing,
     "advances in restored data, at "},
    {Evidence::CountsStored, Verdict::Restored, Nothing,
     "is counted, and kept in what is loaded, at "},
    {Evidence::CountsTable, Verdict::Restored, Nothing,
     "counts what is in %, at "},
    {Evidence::BesideTable, Verdict::Restored, Nothing,
     "belongs to what is in %, at "},
    {Evidence::SetWithFlag, Verdict::Restored, Nothing,
     "is set once, together with restored data, at "},
    {Evidence::ChangedWithState, Verdict::Restored, Nothing,
     "changes with the record that it is in, at "},
    {Evidence::AskedFor, Verdict::Restored, Nothing,
     "is named with --keep, and changes at "},
    {Evidence::KeptWithAll, Verdict::Restored, Nothing,
     "is restored by --keep-all, and changes at "},
    {Evidence::Seed, Verdict::Kept, Nothing,
     "differs from run to run and decides where loaded data are"},
    {Evidence::LeftAfresh, Verdict::Remade, Nothing, ""},
    {Evidence::MadeOnUse, Verdict::Remade, Nothing, ""},
    {Evidence::SplitsGuarded, Verdict::Reported, FindingId::SplitGuard,
     " says that it has been created, once: %"},
    {Evidence::HoldsOpenFile, Verdict::Reported, FindingId::HoldsDescriptor,
     " is set by the load to a descriptor of an open file, from %(): it is not "
     "restored",
     "open it after nvm_restore()"},
    {Evidence::UsesOpenFile, Verdict::Reported, FindingId::HoldsDescriptor,
     " is set by the load to an open file, from %(), and used later: a start "
     "that skips the load has none there",
     "open it at each start, outside of the load", Severity::Act},
    {Evidence::SetByLoad, Verdict::Reported, FindingId::SetByLoad,
     " is set by the load, but not restored%"},
    {Evidence::SetByLoadLater, Verdict::Reported, FindingId::SetByLoad,
     " is set by the load, and not restored%"},
    {Evidence::SetByLoadAlone, Verdict::Reported, FindingId::SetByLoad,
     " is set only by the load, and not restored"},
    {Evidence::SetToConstant, Verdict::Reported, FindingId::SetByLoad,
     " is set by the load to constants of the program, but not restored",
     "if the program relies on it, keep what selects it, and set it "
     "accordingly after the load"},
    {Evidence::SetOnWay, Verdict::Reported, FindingId::SetByLoad,
     " is set by functions that only the load runs, and not restored",
     "if the program relies on it, also set it after the load, or name it with "
     "nvm_root()"},
    {Evidence::IndexOfRoot, Verdict::Reported, FindingId::IndexNotKept,
     " is an index or offset into what a root points to, and is not restored"},
    {Evidence::StoredButReset, Verdict::Reported, FindingId::CountNotKept,
     " is counted in handlers and stored in persistent objects, but not "
     "restored"},
    {Evidence::ChangedApart, Verdict::Reported, FindingId::ChangedWithState,
     " is changed by handlers, here together with persistent state, and is not "
     "restored"},
    {Evidence::AnsweredLater, Verdict::Reported, FindingId::LostWithState,
     " is changed by handlers, here together with persistent state, and is not "
     "restored, although later answers follow from it"},
    {Evidence::SetByHandlers, Verdict::Reported, FindingId::SetByHandlers,
     " is set only by handlers, and has its initial value at each start"},
};

constexpr bool areInOrder() {
  for (size_t i = 0; i < std::size(Rows); ++i)
    if (size_t(Rows[i].evidence) != i)
      return false;
  return std::size(Rows) == size_t(Evidence::SetByHandlers) + 1;
}
static_assert(areInOrder(), "there is a row for each Evidence, in order");

const Row &judgementOf(Evidence e) { return Rows[size_t(e)]; }

std::string spelled(llvm::StringRef text, const std::string &detail) {
  auto [before, behind] = text.split('%');
  return text.contains('%') ? (before + detail + behind).str() : text.str();
}

} // namespace

Decision nvmove::decide(llvm::ArrayRef<Evidence> seen) {
  for (Evidence strong :
       {Evidence::LeftAfresh, Evidence::SplitsGuarded, Evidence::AskedFor,
        Evidence::MadeOnUse, Evidence::UsesOpenFile, Evidence::HoldsOpenFile,
        Evidence::Seed})
    if (llvm::is_contained(seen, strong))
      return {judgementOf(strong).verdict, strong};
  for (Verdict verdict : {Verdict::Restored, Verdict::Reported})
    for (Evidence e : seen)
      if (judgementOf(e).verdict == verdict)
        return {verdict, e};
  return {};
}

bool StaticEvidence::note(const StaticPlace &place, Observation seen) {
  if (restored_.holdsTableOf(place.variable, place.path))
    return false;
  Entry &entry = entries_[place];
  const Decision before = decide(entry.seen);
  if (!llvm::is_contained(entry.seen, seen.kind))
    entry.seen.push_back(seen.kind);
  const Decision now = decide(entry.seen);
  const Row &row = judgementOf(seen.kind);
  if (seen.kind == Evidence::SplitsGuarded || // says what else it would be
      seen.kind == Evidence::UsesOpenFile)
    entry.findings.clear();
  // A lost descriptor is a lost value, too.
  auto group = [](FindingRef id) {
    return id == FindingId::HoldsDescriptor || id == FindingId::SplitGuard
               ? FindingId::SetByLoad
               : id;
  };
  if (row.verdict == Verdict::Reported &&
      llvm::none_of(entry.findings, [&](const Finding &f) {
        return group(f.id) == group(row.finding);
      }))
    entry.findings.push_back(finding(place, seen));
  const bool isNew = before.verdict != now.verdict;
  if (isNew && before.verdict == Verdict::Restored)
    restored_.removeScalar(place.variable, place.path);
  if (isNew && now.verdict == Verdict::Restored)
    restored_.add(RestoredScalar{
        place.variable, place.path, p_.nameOf(place.variable, place.path),
        spelled(row.text, seen.detail) + p_.describe(seen.loc)});
  return isNew;
}

void StaticEvidence::note(KeptScalar seed) {
  StaticPlace place{seed.variable, seed.fields};
  seed.why = judgementOf(Evidence::Seed).text;
  note(place, {Evidence::Seed, {}});
  restored_.add(std::move(seed));
}

Decision StaticEvidence::of(const StaticPlace &place) const {
  if (restored_.holdsTableOf(place.variable, place.path))
    return {Verdict::Restored, Evidence::GetsFileData};
  auto at = entries_.find(place);
  return at == entries_.end() ? Decision{} : decide(at->second.seen);
}

bool StaticEvidence::isLost(const StaticPlace &place) const {
  auto at = entries_.find(place);
  return at != entries_.end() &&
         llvm::any_of(at->second.findings, [](const Finding &f) {
           return f.id == FindingId::SetByLoad ||
                  f.id == FindingId::HoldsDescriptor;
         });
}

bool StaticEvidence::leave(
    llvm::function_ref<bool(const std::string &path)> isMeant) {
  bool isAny = false;
  for (auto &[place, entry] : entries_)
    if (decide(entry.seen).verdict == Verdict::Reported &&
        isMeant(p_.nameOf(place.variable, place.path))) {
      entry.seen.push_back(Evidence::LeftAfresh);
      isAny = true;
    }
  return isAny;
}

void StaticEvidence::reportTo(FindingList &findings) const {
  for (const auto &[place, entry] : entries_)
    if (decide(entry.seen).verdict == Verdict::Reported)
      for (const Finding &finding : entry.findings)
        findings.report(finding);
}

Finding StaticEvidence::finding(const StaticPlace &place,
                                const Observation &seen) const {
  const Row &row = judgementOf(seen.kind);
  std::string name = p_.nameOf(place.variable, place.path);
  Finding result =
      Finding{row.finding, seen.loc, seen.function,
              name + spelled(row.text, seen.detail), row.advice.str()}
          .about(name);
  result.subjectNode = place.variable;
  result.ownSeverity = row.severity;
  return result;
}
