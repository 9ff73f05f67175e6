//===- Allocation.cpp - Allocation sites ----------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/Context.h"

using namespace llvm;

namespace nvmove {

void addAllocation(Context &context) {
  static const std::string Pointers = "pointers";
  // One call in a macro body can serve several types, one per expansion.
  std::map<Span, std::set<std::string>> namesOf;
  std::map<Span, Id> firstCall;
  for (const AllocationSite &site : context.solution.allocations) {
    const Call &call = context.facts.calls[site.call];
    const std::string &name =
        site.pointers ? Pointers : context.typeName(site.record);
    if (call.inHook || !context.isMacroArgument(
                           call.span, call.loc, call.function,
                           "the memory for '" + name +
                               "' does not come from the persistent heap"))
      continue;
    namesOf[call.span].insert(name);
    firstCall.try_emplace(call.span, site.call);
  }
  for (const auto &[span, names] : namesOf) {
    std::string name = *names.begin();
    if (names == std::set<std::string>{"bytes", Pointers}) {
      name = "bytes"; // neither has a layout that could be lost
    } else if (names.size() > 1) {
      const Call &call = context.facts.calls[firstCall.at(span)];
      name = "bytes";
      context.refuse("allocation-of-several-types", call.loc, call.function,
                     "a macro allocates objects of several types by this call: "
                     "they are allocated as bytes, so a "
                     "change of their layout will not be noticed; give each "
                     "type a call of its own");
    }
    bool comma = hasBareComma(context.text(span));
    if (context.edits.wrap(span, "NVM_ALLOC(" + name + (comma ? ", (" : ", "),
                           comma ? "))" : ")", Layer::Allocation,
                           Rank::Allocation))
      ++context.counts["allocation sites"];
    context.needType(span.file, name, Layer::Allocation);
  }
}

} // namespace nvmove
