//===- UnreachedRecords.cpp - What the load fills and no root reaches -----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/state/Analysis.h"

REPORTS(MadeAtEachStart)

using namespace nvmove;

namespace {
using UnreachedRecordsParts = View<const LoadedStatics, const HeadsReported>;
} // namespace

namespace nvmove {

// Records that each start makes before the load, which restores some of their
// fields, behind more than one pointer: the next start makes others.
void reportUnreachedRecords(UnreachedRecordsParts a) {
  const LoadedState &state = a.state;
  using Object = PointsTo::Object;
  const PointsTo &pt = a.context.pointsTo;
  const Facts &f = a.context.program.facts;
  IdSet kept, reported;
  for (const Root &r : a.statics.restored().roots())
    if (r.kept())
      kept.insert(r.variable);
  for (Id o = 0; o < pt.objects().size(); ++o) {
    const Object &object = pt.objects()[o];
    if (object.kind != Object::Preexisting || pt.isContainer(o) ||
        !state.reachable(o) || !state.isLoaded(o))
      continue;
    Id at = o;
    while (state.parentOf(at) != None &&
           pt.objects()[at].kind == Object::Preexisting)
      at = pt.locations()[state.parentOf(at)].object;
    const Object &start = pt.objects()[at];
    if (start.kind != Object::Variable || kept.contains(start.ref) ||
        f.nodes[start.ref].kind != NodeKind::Global ||
        a.headsReported.contains(start.ref) ||
        !reported.insert(object.record).second)
      continue;
    const Node &n = f.nodes[start.ref];
    a.findings.report(
        {FindingId::MadeAtEachStart, n.loc, None,
         "the load fills " +
             (object.record == None
                  ? "a block"
                  : "fields of " + f.records[object.record].spelling) +
             ", found through " + n.name +
             ", which each start creates anew: after a restart they have the "
             "values of a new object"});
  }
}

} // namespace nvmove
