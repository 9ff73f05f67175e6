//===- Allocation.cpp - Allocation sites ----------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/context/ExistingAnnotations.h"
#include "passes/rewrite/sites/SiteEdits.h"
#include "passes/solve/program/Library.h"

REPORTS(AllocationOfSeveralTypes)

using namespace llvm;

namespace nvmove {

static const LibraryFunction *libraryRow(const Context &context, Id call) {
  Id callee = context.facts.calls[call].callee;
  if (callee == None || context.facts.functions[callee].hasBody)
    return nullptr;
  return libraryFunction(context.facts.functions[callee].name);
}

/// posix_memalign(&p, ..), sscanf(s, "%ms", &p): it gives a number back.
static bool putsBlock(const Context &context, Id call) {
  const LibraryFunction *l = libraryRow(context, call);
  return l && l->destination >= 0;
}

/// In the heap there is a copy of what the library makes.
static void adopt(Context &context, Id id) {
  const Call &call = context.facts.calls[id];
  if (!context.isMacroArgument(call.span, call.loc, call.function,
                               "the block that this call allocates is not "
                               "copied to the persistent heap"))
    return;
  const LibraryFunction *l = libraryRow(context, id);
  bool isVoid = l && (l->traits & LibraryFunction::GivesNothing);
  bool comma = isVoid || hasBareComma(context.text(call.span));
  std::string macro = putsBlock(context, id) ? "NVM_ADOPT_OUT" : "NVM_ADOPT",
              close = comma ? "))" : ")";
  // The macros take a number: (void)NVM_ADOPT_OUT((argz_delete(..), 0)).
  if (isVoid) {
    close.insert(0, ", 0");
    context.edits.wrap(call.span, "(void)", "", Layer::Allocation, Rank::Void);
  }
  if (context.edits.wrap(call.span, macro + (comma ? "((" : "("), close,
                         Layer::Allocation, Rank::Adoption))
    ++context.counts["blocks of the library copied"];
}

void addAllocation(Context &context) {
  static const std::string Pointers = "pointers";
  // One call in a macro body can serve several types, one per expansion.
  std::map<Span, std::set<std::string>> namesOf, written;
  std::map<Span, Id> firstCall;
  for (const AllocationSite &site : context.solution.sites.allocations) {
    const Call &call = context.facts.calls[site.call];
    const std::string &name =
        site.pointers ? Pointers : context.typeName(site.record);
    if (call.inHook) {
      if (call.span.valid())
        written[call.span].insert(name);
      firstCall.try_emplace(call.span, site.call);
      continue;
    }
    if (!context.isMacroArgument(
            call.span, call.loc, call.function,
            "the memory for '" + name +
                "' does not come from the persistent heap"))
      continue;
    namesOf[call.span].insert(name);
    firstCall.try_emplace(call.span, site.call);
  }
  for (Id call : context.solution.sites.adopted)
    adopt(context, call);
  for (const auto &[span, names] : written)
    checkAllocation(context, context.facts.calls[firstCall.at(span)], names);
  for (const auto &[span, names] : namesOf) {
    std::string name = *names.begin();
    if (names == std::set<std::string>{"bytes", Pointers}) {
      name = "bytes"; // neither has a layout that could be lost
    } else if (names.size() > 1) {
      const Call &call = context.facts.calls[firstCall.at(span)];
      name = "bytes";
      context.refuse(FindingId::AllocationOfSeveralTypes, call.loc,
                     call.function,
                     "a macro allocates objects of several types with this "
                     "call: they are allocated as bytes, so a change of their "
                     "layout will not be detected");
    }
    bool comma = hasBareComma(context.text(span));
    std::string macro = putsBlock(context, firstCall.at(span))
                            ? "NVM_ALLOC_OUT("
                            : "NVM_ALLOC(";
    if (context.edits.wrap(span, macro + name + (comma ? ", (" : ", "),
                           comma ? "))" : ")", Layer::Allocation,
                           Rank::Allocation))
      ++context.counts["allocation sites"];
    context.needType(span.file, name, Layer::Allocation);
  }
}

} // namespace nvmove
