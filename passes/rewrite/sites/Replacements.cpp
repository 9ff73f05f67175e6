//===- Replacements.cpp - Library functions by their nvm_ form ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/Library.h"
#include "passes/rewrite/sites/SiteEdits.h"

REPORTS(UneditableSite)

using namespace llvm;

namespace nvmove {

namespace {

StringRef countOf(Layer layer, bool isLock) {
  switch (layer) {
  case Layer::Allocation:
    return "allocator calls replaced";
  case Layer::Sections:
    return isLock ? "locks replaced" : "outputs replaced";
  default:
    return "library stores replaced";
  }
}

bool hasLock(StringRef form) {
  const LibraryFunction *f = libraryEntry(form);
  return f && f->lock.effect != LockUse::None;
}

Error replaceName(Context &context, Span span, StringRef replacement, Loc loc,
                  Id function) {
  std::optional<Layer> layer = layerOf(replacement);
  if (!layer)
    return createStringError("the runtime has no '%s' [unknown-replacement]",
                             replacement.str().c_str());
  if (!context.isEditable(span, loc, function,
                          ("'" + replacement + "' is not called").str()))
    return Error::success();
  StringRef text = context.text(span);
  if (text.contains("nvm_"))
    return Error::success();
  // `&free` and `(free)` keep what stands around the name.
  std::vector<Token> all = tokens(text);
  auto name =
      find_if(all, [](const Token &token) { return token.isIdentifier(); });
  if (name == all.end() || count_if(all, [](const Token &token) {
                             return token.isIdentifier();
                           }) != 1) {
    context.refuse(FindingId::UneditableSite, loc, function,
                   "'" + Twine(text) + "' is not a plain name, so '" +
                       replacement + "' is not called",
                   "write it by hand", std::nullopt, replacement.str());
    return Error::success();
  }
  Span exact{span.file, span.begin + name->offset,
             span.begin + name->offset + uint32_t(name->text.size())};
  if (context.edits.replace(exact, replacement.str(), *layer))
    ++context.counts[countOf(*layer, hasLock(replacement)).str()];
  return Error::success();
}

} // namespace

Error addReplacements(Context &context) {
  const Facts &facts = context.facts;
  for (const ReplacedCall &replaced : context.solution.sites.replaced) {
    const Call &call = facts.calls[replaced.call];
    if (call.inHook && layerOf(replaced.replacement) == Layer::Sections)
      continue;
    if (Error error =
            replaceName(context, call.calleeSpan, replaced.replacement,
                        call.loc, call.function))
      return error;
  }
  for (const ReplacedUse &replaced : context.solution.sites.replacedUses) {
    const AddressUse &use = facts.addressUses[replaced.use];
    if (use.inHook)
      continue;
    if (Error error = replaceName(context, use.span, replaced.replacement,
                                  use.loc, use.function))
      return error;
  }
  return Error::success();
}

} // namespace nvmove
