//===- SettledRoots.cpp - Large roots that only start-up writes -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static struct object *integers[10000];
//   void make_integers(void) { for (..) integers[i] = make(i); }   at start
//   .. use(integers[n]) ..                                         in handlers
//
// The pool keeps such a table, and each commit would look for what has changed
// in it. Where all writes are by name, in what runs up to the load, and nobody
// has its address, there is nothing to look for.
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/RestoredStatics.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {
using SettledRootsParts = View<FoundRoots>;
} // namespace

/// For less a commit's comparison costs nothing that counts.
static constexpr uint64_t LeastBytes = 4096;

namespace nvmove {

void findSettledRoots(SettledRootsParts a) {
  const SolveContext &c = a.context;
  const Program &p = c.program;
  const Facts &f = p.facts;
  if (c.loop.loop == None)
    return;
  IdSet known; // variables whose address nobody has
  for (const Root &r : a.roots)
    if (r.kept() && r.container == None)
      known.insert(r.variable);
  for (const AddressUse &use : f.addressUses)
    if (!use.inHook)
      known.erase(use.variable);
  const IdSet lasting = c.phases.lasting();
  auto isWrittenLater = [&](const Root &r) {
    RestoredStatics root;
    root.add(r);
    return llvm::any_of(f.staticWrites, [&](const StaticWrite &w) {
      return w.function != None && root.holds(w) &&
             (lasting.contains(w.function) || c.loop.isInLoop(w.loop) ||
              c.phases.isAfterLoad(w) || f.functions[w.function].node == None ||
              p.isAddressTaken(f.functions[w.function].node) ||
              !(c.phases.atStart.contains(w.function) ||
                c.loop.startUp.contains(w.function) ||
                c.phases.loading.contains(w.function)));
    });
  };
  for (Root &r : a.roots)
    r.isSettled =
        known.contains(r.variable) &&
        f.nodes[r.variable].kind == NodeKind::Global && r.slotType != None &&
        f.types[r.slotType].size_bytes >= LeastBytes && !isWrittenLater(r);
}

} // namespace nvmove
