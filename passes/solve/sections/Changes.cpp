//===- Changes.cpp - Where the program changes what is kept ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/sections/Sections-static_through_pointer.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/sections/Changes.h"
#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/state/RestoredStatics.h"

using namespace nvmove;

namespace {

/// Into a static of which something comes back: push(&world, text).
bool leadsToKept(const SolveContext &c, const RestoredStatics &kept,
                 Id address) {
  const Program &p = c.program;
  const AccessPath path(p, address);
  if (path.base == None || path.isAddress)
    return false;
  const Id member = path.member();
  for (unsigned t : c.flow.atNode(path.base)) {
    const FieldFlow::Token &token = c.flow.tokens()[t];
    if (token.kind != FieldFlow::Token::Static)
      continue;
    const Id record = p.recordOf(p.facts.nodes[token.ref].type);
    std::vector<std::vector<Id>> ways{{}};
    if (member != None && record != None)
      ways = p.memberPaths(record, member);
    if (llvm::any_of(ways, [&](const std::vector<Id> &way) {
          return kept.holds(token.ref, way);
        }))
      return true;
  }
  return false;
}

} // namespace

std::vector<Change> nvmove::changesOf(const SolveContext &c,
                                      const Solution &solution) {
  const Program &p = c.program;
  const Facts &f = p.facts;
  const RestoredStatics kept(solution);
  std::vector<Change> result;
  auto add = [&](Change change) {
    if (change.function != None)
      result.push_back(change);
  };
  auto addStore = [&](Id i, bool isInHeap) {
    const StoreSite &s = f.stores[i];
    add({.function = s.function,
         .loc = s.loc,
         .span = s.span,
         .store = i,
         .isInHeap = isInHeap});
  };
  auto addCall = [&](Id i, Span span, bool isInHeap) {
    const Call &call = f.calls[i];
    add({.function = call.function,
         .loc = call.loc,
         .span = span,
         .call = i,
         .isInHeap = isInHeap});
  };
  for (const AnnouncedStore &s : solution.stores)
    addStore(s.store, true);
  for (const ReplacedCall &r : solution.replaced)
    if (!p.isLibrary(f.calls[r.call], LibraryFunction::Output))
      addCall(r.call, f.calls[r.call].calleeSpan, true);
  for (const AllocationSite &a : solution.allocations)
    addCall(a.call, f.calls[a.call].span, true);
  for (Id i = 0; i < f.staticWrites.size(); ++i)
    if (const StaticWrite &w = f.staticWrites[i]; kept.holds(w))
      add({.function = w.function,
           .loc = w.loc,
           .span = w.statement.span,
           .write = i});
  for (Id i = 0; i < f.stores.size(); ++i)
    if (leadsToKept(c, kept, f.stores[i].address))
      addStore(i, false);
  for (Id i = 0; i < f.calls.size(); ++i) {
    const Call &call = f.calls[i];
    if (const LibraryFunction *l = p.library(call);
        l && l->destination >= 0 && size_t(l->destination) < call.args.size() &&
        leadsToKept(c, kept, call.args[l->destination]))
      addCall(i, call.span, false);
  }
  return result;
}
