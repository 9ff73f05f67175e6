//===- SolveTesting.cpp - Solutions of C snippets, as names -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/solve/SolveTesting.h"
#include "llvm/ADT/STLExtras.h"

namespace nvmove::test {

namespace {
template <typename Range, typename F>
std::vector<std::string> names(const Range &range, F name) {
  std::vector<std::string> result;
  for (const auto &item : range)
    if (std::string s = name(item); !s.empty())
      result.push_back(s);
  llvm::sort(result);
  result.erase(llvm::unique(result), result.end());
  return result;
}
template <typename Range, typename F>
std::vector<unsigned> lines(const Range &range, F line) {
  std::vector<unsigned> result;
  for (const auto &item : range)
    result.push_back(line(item));
  llvm::sort(result);
  result.erase(llvm::unique(result), result.end());
  return result;
}
} // namespace

std::vector<std::string> Answer::types() const {
  return names(solution.records.types,
               [&](auto &t) { return facts.records[t.record].name; });
}
std::vector<std::string> Answer::roots() const {
  return names(solution.restored.roots,
               [](auto &r) { return r.kept() ? r.path : std::string(); });
}
std::vector<std::string> Answer::scalars() const {
  return names(solution.restored.scalars, [](auto &s) { return s.path; });
}
std::vector<std::string> Answer::kept() const {
  return names(solution.restored.kept,
               [&](auto &k) { return facts.nodes[k.variable].name; });
}
std::vector<std::string> Answer::twins(bool followed) const {
  std::vector<std::string> result;
  for (const Twin &t : solution.contents.twins)
    if (t.isFollowed == followed)
      result.push_back(facts.nodes[t.variable].name);
  llvm::sort(result);
  return result;
}
std::vector<std::string> Answer::sections() const {
  return names(solution.commits.sections, [](auto &s) {
    const char *kind[] = {"dispatcher ", "inner ", "user "};
    return kind[int(s.kind)] + s.name;
  });
}
std::vector<std::string> Answer::guards() const {
  return names(solution.startup.guards, [&](auto &g) {
    return facts.functions[facts.calls[g.call].callee].name +
           (g.wholeStatement ? "" : ", result replayed");
  });
}
std::vector<std::string> Answer::notCovered() const {
  return names(solution.findings, [](auto &n) { return n.kind().id.str(); });
}
std::vector<unsigned> Answer::storeLines() const {
  return lines(solution.sites.stores,
               [&](auto &s) { return facts.stores[s.store].loc.line; });
}
std::vector<unsigned> Answer::allocationLines() const {
  return lines(solution.sites.allocations,
               [&](auto &a) { return facts.calls[a.call].loc.line; });
}
std::vector<std::string> Answer::replaced() const {
  return names(solution.sites.replaced, [&](auto &r) {
    return std::to_string(facts.calls[r.call].loc.line) + ": " + r.replacement;
  });
}

Answer solveSource(const std::string &code, SolveOptions options) {
  Answer answer;
  SourceFolder folder;
  CollectResult collected = collectResult(folder, code);
  EXPECT_FALSE(collected.failure) << "the snippet does not compile";
  answer.facts = merge({std::move(collected.facts)});
  auto solved = solve(answer.facts, options);
  if (solved)
    answer.solution = std::move(*solved);
  else
    answer.error = llvm::toString(solved.takeError());
  return answer;
}

} // namespace nvmove::test
