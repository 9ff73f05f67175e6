//===- EditedSites.cpp - Every place that the patches change -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/EditedSites.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace nvmove {

std::vector<EditedSite> allSites(const Report &report) {
  const Facts &facts = report.input.facts;
  const Solution &solution = report.solution;
  const Names names(report);
  std::vector<EditedSite> result;
  auto call = [&](Id id, std::string kind, std::string what) {
    const Call &c = facts.calls[id];
    result.push_back({c.loc, std::move(kind), std::move(what), c.function});
  };
  for (const AllocationSite &a : solution.sites.allocations)
    call(a.call, "allocation",
         a.record == None ? "bytes" : names.record(a.record));
  for (const AnnouncedStore &s : solution.sites.stores) {
    const StoreSite &site = facts.stores[s.store];
    result.push_back({site.loc, "store",
                      site.field != None ? names.field(site.field)
                                         : names.type(site.valueType),
                      site.function});
  }
  for (const ReplacedCall &r : solution.sites.replaced)
    call(r.call, "call", "becomes " + r.replacement);
  for (const ReplacedUse &r : solution.sites.replacedUses) {
    const AddressUse &use = facts.addressUses[r.use];
    result.push_back(
        {use.loc, "use", "becomes " + r.replacement, use.function});
  }
  for (const WrappedBuffer &w : solution.sites.wrapped)
    call(w.call, "buffer", "announced");
  for (const LoadGuard &g : solution.startup.guards)
    call(g.call, "load", "skipped after a restart");
  stable_sort(result, [](const EditedSite &a, const EditedSite &b) {
    return a.loc < b.loc;
  });
  return result;
}

} // namespace nvmove
