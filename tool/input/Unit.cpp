//===- Unit.cpp - Translation units between collect and merge -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/Unit.h"
#include "passes/facts/Check.h"
#include "passes/facts/Encoding.h"
#include "passes/facts/LibraryHandles.h"
#include "tool/files/Parallel.h"

using namespace llvm;

namespace nvmove {

namespace {

/// So many are joined in one step: more would hold more facts in memory at
/// once, fewer would join the large intermediate results more often.
constexpr size_t groupSize = 8;

struct HeaderNames {
  std::vector<std::string> names;
};

} // namespace

template <> struct members::Of<HeaderNames> {
  static void list(auto &h, auto &&v) { v(h.names); }
};

Unit UnitCollector::collect(const CompileJob &job,
                            std::vector<Dependency> *dependencies) {
  std::string key = Cache::key("unit", job);
  if (auto found = cache_.find(key, files_)) {
    auto unit = decode<Unit>(found->value);
    if (unit) {
      if (dependencies)
        *dependencies = std::move(found->dependencies);
      return std::move(*unit);
    }
    consumeError(unit.takeError());
  }
  ++parsed_;
  auto view = makeIntrusiveRefCnt<FileView>(files_);
  CollectResult result = nvmove::collect(job, view);
  Unit unit{std::move(result.failure), std::move(result.missingHeaders),
            symbolsOf(result.facts), ""};
  if (!unit.failure)
    unit.facts = encode(result.facts);
  std::vector<Dependency> rests = view->dependencies();
  if (dependencies)
    *dependencies = rests;
  cache_.store(key, std::move(rests), encode(unit));
  return unit;
}

std::vector<std::string> UnitCollector::missingHeaders(const CompileJob &job) {
  std::string key = Cache::key("missing headers", job);
  if (auto found = cache_.find(key, files_)) {
    auto headers = decode<HeaderNames>(found->value);
    if (headers)
      return std::move(headers->names);
    consumeError(headers.takeError());
  }
  ++parsed_;
  auto view = makeIntrusiveRefCnt<FileView>(files_);
  HeaderNames headers{findMissingHeaders(job, view)};
  cache_.store(key, view->dependencies(), encode(headers));
  return std::move(headers.names);
}

Facts mergeUnits(ArrayRef<const Unit *> units, unsigned threads,
                 std::optional<BadUnit> &bad,
                 function_ref<void(size_t done)> progress) {
  std::vector<BadUnit> wrong(units.size());
  std::atomic<size_t> done = 0;
  auto read = [&](size_t i) {
    auto facts = decode<Facts>(units[i]->facts);
    Error error = facts ? checkFacts(*facts) : facts.takeError();
    if (error) {
      wrong[i] = {i, toString(std::move(error))};
      return Facts();
    }
    return std::move(*facts);
  };
  // Groups of units, then groups of the results, until one is left.
  std::vector<Facts> level((units.size() + groupSize - 1) / groupSize);
  inParallel(level.size(), threads, [&](size_t group) {
    std::vector<Facts> parts;
    size_t end = std::min((group + 1) * groupSize, units.size());
    for (size_t i = group * groupSize; i < end; ++i)
      parts.push_back(read(i));
    level[group] = merge(std::move(parts));
    progress(done += end - group * groupSize);
  });
  for (BadUnit &unit : wrong)
    if (!unit.why.empty() && !bad)
      bad = std::move(unit);
  while (level.size() > 1 && !bad) {
    std::vector<Facts> next((level.size() + groupSize - 1) / groupSize);
    inParallel(next.size(), threads, [&](size_t group) {
      auto first = level.begin() + group * groupSize;
      auto last =
          level.begin() + std::min((group + 1) * groupSize, level.size());
      next[group] = merge(std::vector<Facts>(std::make_move_iterator(first),
                                             std::make_move_iterator(last)));
    });
    level = std::move(next);
  }
  if (level.empty() || bad)
    return Facts();
  settleHandles(level.front());
  return std::move(level.front());
}

} // namespace nvmove
