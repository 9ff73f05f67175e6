//===- Explanation.cpp - Why a restarted program answers otherwise --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Explanation.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace nvmove {

/// "table[]->name" of "table[7]->name".
static std::string withoutIndices(StringRef path) {
  std::string result;
  for (bool inside = false; char c : path) {
    inside &= c != ']';
    if (!inside)
      result += c;
    inside |= c == '[';
  }
  return result;
}

Explanation::Explanation(const Baseline &baseline) : baseline(baseline) {
  for (const auto &[path, variable] : baseline.own)
    own.insert(withoutIndices(path));
}

/// Other elements of an array, or what hangs from them, differ in each run: as
/// those of a table that is hashed with chance.
bool Explanation::isLikeOwn(StringRef path) const {
  std::string form = withoutIndices(path);
  for (size_t i = 1; i <= form.size(); ++i)
    if ((i == form.size() || StringRef("-.[").contains(form[i])) &&
        own.count(form.substr(0, i)))
      return true;
  return false;
}

/// What a library has made ends with the process, and nothing brings it back.
static bool endedWithProcess(const ValueDifference &d) {
  return d.undisturbed == "(of the library)" && d.killed == "NULL";
}

static std::set<std::string>
pathsOf(const std::vector<ValueDifference> &differences) {
  std::set<std::string> paths;
  for (const ValueDifference &d : differences)
    paths.insert(d.path);
  return paths;
}

std::vector<StaticDifference>
Explanation::group(const std::vector<ValueDifference> &differences,
                   function_ref<bool(const ValueDifference &)> lasts,
                   unsigned killedAfter) const {
  return groupByStatic(differences, lasts, baseline.run.memory.at(0),
                       killedAfter);
}

void Explanation::addLoss(const TrialLoss &loss, const TrialRun &again,
                          unsigned from) {
  if ((loss.event && atRest) || !baseline.run.memory.count(0))
    return;
  if (!loss.event && !atRest)
    explained.clear();
  atRest |= !loss.event;
  auto differences = baseline.differencesAfter(from, again);
  // Once it has answered otherwise, everything may differ: what counts is what
  // outlasts the next line, as the buffer that holds that line does not.
  bool goesOn = again.memory.count(from + 1) != 0;
  std::set<unsigned> lasting;
  for (const ValueDifference &d : baseline.differencesAfter(from + 1, again))
    lasting.insert(d.variable);
  auto lasts = [&](const ValueDifference &d) {
    return !goesOn || lasting.count(d.variable);
  };
  for (StaticDifference &d : group(differences, lasts, loss.killedAfter)) {
    auto [at, isNew] = explained.try_emplace(d.variable, d);
    if (!isNew && isWorse(d, at->second))
      at->second = d;
  }
}

void Explanation::addRight(const TrialRun &again, unsigned from,
                           ArrayRef<unsigned> states) {
  if (from == baseline.lines())
    return; // nothing came behind it
  auto got = again.memory.find(from);
  if (got == again.memory.end())
    return;
  std::set<std::string> atEnd =
      pathsOf(baseline.differencesAfter(baseline.lines(), again));
  std::map<std::string, size_t> times;
  std::vector<ValueDifference> differences;
  for (unsigned state : states) {
    auto want = baseline.run.memory.find(state);
    if (want == baseline.run.memory.end())
      return;
    differences = compareMemory(want->second, got->second, baseline.own);
    for (const ValueDifference &d : differences)
      ++times[d.path];
  }
  erase_if(differences, [&](const ValueDifference &d) {
    return !d.certain || !atEnd.count(d.path) ||
           times[d.path] < states.size() || endedWithProcess(d) ||
           isLikeOwn(d.path);
  });
  for (StaticDifference &d : group(
           differences, [](const ValueDifference &) { return true; },
           states.front()))
    asked.try_emplace(d.variable, d);
}

std::vector<StaticDifference> Explanation::causes() const {
  bool lasting = any_of(explained, [](auto &d) { return d.second.lasting; });
  std::vector<StaticDifference> result;
  for (const auto &[variable, difference] : explained)
    if (difference.lasting || !lasting)
      result.push_back(difference);
  llvm::sort(result, isWorse);
  return result;
}

std::vector<StaticDifference> Explanation::questions() const {
  std::vector<StaticDifference> result, known = causes();
  for (const auto &[variable, difference] : asked)
    if (none_of(known, [&](auto &d) { return d.variable == variable; }))
      result.push_back(difference);
  llvm::sort(result, isWorse);
  return result;
}

} // namespace nvmove
