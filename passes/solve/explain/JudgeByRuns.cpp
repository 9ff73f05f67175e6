//===- JudgeByRuns.cpp - Which verdicts runs have shown -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// And what runs kept of which there is no verdict.
//
// Tested by: test/lit/tool/observed.test
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/ObservedState.h"
#include "passes/solve/types/Records.h"

REPORTS(ObservedNotPersistent, ObservedUnknown)

using namespace nvmove;

using Object = PointsTo::Object;

namespace {

void reportUnexpected(const ObservedState &observed,
                      const SolveContext &context, const LoadedState &state,
                      FindingList &findings) {
  const Facts &f = context.program.facts;
  const PointsTo &pt = context.pointsTo;
  IdSet persistent;
  for (Id o = 0; o < pt.objects().size(); ++o)
    if (pt.objects()[o].kind == Object::Heap && state.reachable(o))
      persistent.insert(context.allocators.sites()[pt.objects()[o].ref].call);
  std::map<Id, uint64_t> judged;
  std::map<Loc, uint64_t> unknown;
  for (const ObservedState::Match &m : observed.matches()) {
    if (m.site->kept <= m.site->returned)
      continue; // those may be blocks that the load forgot to free
    const uint64_t kept = m.site->kept - m.site->returned;
    if (m.call != None && !persistent.contains(m.call))
      judged[m.call] += kept;
    else if (m.call == None && m.place.file != None)
      unknown[m.place] += kept;
  }
  auto blocks = [](uint64_t n) {
    return std::to_string(n) + (n == 1 ? " block" : " blocks");
  };
  for (auto [call, n] : judged)
    findings.report({FindingId::ObservedNotPersistent, f.calls[call].loc,
                     f.calls[call].function,
                     blocks(n) +
                         ", made here by the load, stayed when it had ended; "
                         "nvmove judges them not to be persistent"});
  for (auto [place, n] : unknown)
    findings.report({FindingId::ObservedUnknown, place, None,
                     blocks(n) +
                         ", made by the load by way of this call, stayed when "
                         "it had ended; nvmove knows no allocation there"});
}

} // namespace

namespace nvmove {

void judgeByRuns(View<const Types, const Roots, const Scalars, ByRuns> a) {
  if (a.context.options.observed.empty())
    return;
  const ObservedState observed(a.context);
  ObservedVerdicts &verdicts = a.observed;
  verdicts.runs = a.context.options.observed.size();
  for (Id record :
       persistentRecords(a.context, LoadedState(a.context, &observed)))
    verdicts.records.insert(record);
  for (const Root &r : a.roots)
    if (auto isSeen = observed.isSeen(r.variable, r.fields))
      verdicts.roots[r.path] = *isSeen;
  for (const RestoredScalar &s : a.scalars)
    if (auto isSeen = observed.isSeen(s.variable, s.fields))
      verdicts.scalars[s.path] = *isSeen;
  verdicts.fields = observed.fields();
  reportUnexpected(observed, a.context, a.state, a.findings);
}

} // namespace nvmove
