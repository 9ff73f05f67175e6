//===- PrintList.cpp - --print --------------------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Names.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace nvmove {

namespace {

/// "place <tab> kind <tab> what", for grep and cut.
void printSites(const Report &report, const Names &names, raw_ostream &os) {
  const Facts &facts = report.input.facts;
  const Solution &solution = report.solution;
  auto line = [&](const Loc &loc, StringRef kind, StringRef what) {
    os << names.place(loc) << '\t' << kind << '\t' << what << '\n';
  };
  for (const AllocationSite &a : solution.sites.allocations)
    line(facts.calls[a.call].loc, "allocation",
         a.record == None ? "bytes" : names.record(a.record));
  for (const AnnouncedStore &s : solution.sites.stores) {
    const StoreSite &site = facts.stores[s.store];
    line(site.loc, "store",
         site.field != None ? names.field(site.field)
                            : names.type(site.valueType));
  }
  for (const ReplacedCall &r : solution.sites.replaced)
    line(facts.calls[r.call].loc, "replaced-call", r.replacement);
  for (const ReplacedUse &r : solution.sites.replacedUses)
    line(facts.addressUses[r.use].loc, "replaced-use", r.replacement);
  for (const WrappedBuffer &w : solution.sites.wrapped)
    line(facts.calls[w.call].loc, "buffer", names.callee(facts.calls[w.call]));
  for (const LoadGuard &g : solution.startup.guards)
    line(facts.calls[g.call].loc, "load-guard",
         names.callee(facts.calls[g.call]));
}

} // namespace

void printList(const Report &report, Print what, raw_ostream &os) {
  Names names(report);
  const Solution &solution = report.solution;
  switch (what) {
  case Print::Types:
    for (const PersistentType &t : solution.records.types)
      os << names.record(t.record) << '\n';
    return;
  case Print::Roots:
    for (const Root &r : solution.restored.roots)
      os << r.path << (r.kept() ? "" : "\tlisted only: " + r.notKept) << '\n';
    return;
  case Print::Sites:
    return printSites(report, names, os);
  case Print::Sections:
    for (const Section &s : solution.commits.sections)
      os << s.name << '\n';
    return;
  case Print::Fields:
    for (const FieldResult &f : solution.records.fields)
      os << names.field(f.field) << '\t' << name(f.verdict) << '\n';
    return;
  case Print::Facts:
    os << dump(report.input.facts);
    return;
  }
  llvm_unreachable("unknown list");
}

} // namespace nvmove
