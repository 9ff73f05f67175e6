//===- Compare.cpp - What differs between two runs ------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Compare.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace nvmove {

namespace {

StringMap<const MemoryValue *> byPath(const Snapshot &snapshot) {
  StringMap<const MemoryValue *> result;
  for (const MemoryValue &value : snapshot.values)
    result.try_emplace(value.path, &value);
  return result;
}

/// Of a value that only the other run has: elements that are zero are left out.
std::string missing(const MemoryValue &other) {
  if (!other.direct)
    return "(not there)";
  StringRef text = other.text;
  if (text.starts_with("\""))
    return "\"\"";
  return text.starts_with("(") || text.starts_with("&") ? "NULL" : "0";
}

std::string joined(ArrayRef<std::string> texts) { return join(texts, ""); }

} // namespace

std::vector<ValueDifference> compareMemory(const Snapshot &undisturbed,
                                           const Snapshot &killed,
                                           const OwnDifferences &own) {
  StringMap<const MemoryValue *> there = byPath(killed),
                                 here = byPath(undisturbed);
  std::vector<ValueDifference> result;
  auto add = [&](const MemoryValue &value, std::string a, std::string b,
                 bool certain) {
    if (a != b && !own.count(value.path))
      result.push_back({value.path, std::move(a), std::move(b), value.variable,
                        certain, value.direct});
  };
  for (const MemoryValue &value : undisturbed.values) {
    const MemoryValue *other = there.lookup(value.path);
    add(value, value.text, other ? other->text : missing(value),
        value.certain && (!other || other->certain));
  }
  for (const MemoryValue &value : killed.values)
    if (!here.count(value.path))
      add(value, missing(value), value.text, value.certain);
  return result;
}

std::optional<size_t> compareAnswers(const AnswerTexts &want,
                                     const AnswerTexts &got, bool late) {
  // An answer may come with the next one, so only all together decide.
  std::string wanted = joined(want), given = joined(got);
  if (wanted == given ||
      (late && !given.empty() && StringRef(wanted).ends_with(given)))
    return std::nullopt;
  for (size_t i = 0; i < want.size(); ++i)
    if (i >= got.size() || want[i] != got[i])
      return i;
  return want.size() - 1;
}

std::vector<StaticDifference>
groupByStatic(const std::vector<ValueDifference> &differences,
              function_ref<bool(const ValueDifference &)> lasts,
              const Snapshot &start, unsigned killedAfter) {
  StringMap<const MemoryValue *> before = byPath(start);
  std::map<unsigned, StaticDifference> result;
  for (const ValueDifference &d : differences) {
    const MemoryValue *first = before.lookup(d.path);
    StaticDifference one{d.variable,
                         d.path,
                         d.undisturbed,
                         d.killed,
                         1,
                         lasts(d),
                         d.certain,
                         d.direct &&
                             (first ? first->text == d.killed
                                    : d.killed == "0" || d.killed == "NULL"),
                         killedAfter};
    auto [at, isNew] = result.try_emplace(d.variable, one);
    if (isNew)
      continue;
    StaticDifference &group = at->second;
    ++group.places;
    // What is certain says more than what may be left over, and what lasts
    // more than what does not.
    if (isWorse(one, group)) {
      one.places = group.places;
      group = std::move(one);
    }
  }
  std::vector<StaticDifference> list;
  for (auto &[variable, difference] : result)
    list.push_back(std::move(difference));
  llvm::sort(list, isWorse);
  return list;
}

bool isWorse(const StaticDifference &a, const StaticDifference &b) {
  auto rank = [](const StaticDifference &d) {
    return std::tuple(!d.certain, !d.lasting, !d.asAtStart, d.variable);
  };
  return rank(a) < rank(b);
}

} // namespace nvmove
