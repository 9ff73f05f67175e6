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
#include "passes/facts/IdSet.h"
#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/state/HandedLocals.h"
#include "passes/solve/state/RestoredStatics.h"

using namespace nvmove;

namespace {

class KeptPlaces {
public:
  explicit KeptPlaces(const ChangeSources &found)
      : c_(found.context), p_(c_.program), f_(p_.facts),
        kept_(found.roots, found.scalars) {
    for (const RestoredScalar &s : found.scalars)
      noteLocal(s.variable);
    for (const Root &r : found.roots)
      if (r.kept())
        noteLocal(r.variable);
    if (!locals_.empty())
      callers_ = c_.flow.callers();
  }

  bool holds(const StaticWrite &w) const { return kept_.holds(w); }

  /// Into a static of which something comes back: push(&world, text).
  bool leadsTo(Id address) {
    const AccessPath path(p_, address);
    if (path.base == None)
      return false;
    const Id member = path.member();
    if (!path.isAddress)
      for (unsigned t : c_.flow.atNode(path.base))
        if (const FieldFlow::Token &token = c_.flow.tokens()[t];
            token.kind == FieldFlow::Token::Static && holds(token.ref, member))
          return true;
    if (locals_.empty())
      return false;
    HandedLocals slice(c_, locals_, callers_);
    slice.run(path.base);
    return llvm::any_of(slice.found,
                        [&](Id local) { return holds(local, member); });
  }

private:
  void noteLocal(Id variable) {
    if (f_.nodes[variable].kind == NodeKind::Local)
      locals_.insert(variable);
  }

  bool holds(Id variable, Id member) const {
    const Id record = p_.recordOf(f_.nodes[variable].type);
    std::vector<std::vector<Id>> ways{{}};
    if (member != None && record != None)
      ways = p_.memberPaths(record, member);
    return llvm::any_of(ways, [&](const std::vector<Id> &way) {
      return kept_.holds(variable, way);
    });
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const RestoredStatics kept_;
  IdSet locals_; ///< of which something is kept
  FieldFlow::Callers callers_;
};

} // namespace

std::vector<Change> nvmove::changesOf(const ChangeSources &found) {
  const Program &p = found.context.program;
  const Facts &f = p.facts;
  KeptPlaces kept(found);
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
  for (const AnnouncedStore &s : found.stores)
    addStore(s.store, true);
  for (const ReplacedCall &r : found.replaced) {
    const LibraryFunction *l = p.library(f.calls[r.call]);
    if (!(l && l->letsOutOrWaits()) &&
        libraryFact(r.replacement, &LibraryFunction::lock).effect ==
            LockUse::None)
      addCall(r.call, f.calls[r.call].calleeSpan, true);
  }
  for (const AllocationSite &a : found.allocations)
    addCall(a.call, f.calls[a.call].span, true);
  for (Id i = 0; i < f.staticWrites.size(); ++i)
    if (const StaticWrite &w = f.staticWrites[i]; kept.holds(w))
      add({.function = w.function,
           .loc = w.loc,
           .span = w.statement.span,
           .write = i});
  for (Id i = 0; i < f.stores.size(); ++i)
    if (kept.leadsTo(f.stores[i].address))
      addStore(i, false);
  for (Id i = 0; i < f.calls.size(); ++i) {
    const Call &call = f.calls[i];
    if (const LibraryFunction *l = p.library(call);
        l && l->destination >= 0 && size_t(l->destination) < call.args.size() &&
        kept.leadsTo(call.args[l->destination]))
      addCall(i, call.span, false);
  }
  return result;
}
