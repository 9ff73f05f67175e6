//===- Replacements.cpp - Library functions by their nvm_ form ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/Context.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace nvmove {

std::optional<Layer> layerOf(StringRef replacement) {
  return StringSwitch<std::optional<Layer>>(replacement)
      .Cases("nvm_malloc", "nvm_calloc", "nvm_realloc", "nvm_free",
             Layer::Allocation)
      .Cases("nvm_strdup", "nvm_strndup", "nvm_usable_size", "nvm_memalign",
             "nvm_aligned_alloc", Layer::Allocation)
      .Cases("nvm_valloc", "nvm_posix_memalign", "nvm_reallocarray",
             "nvm_realpath", "nvm_getcwd", Layer::Allocation)
      .Cases("nvm_asprintf", "nvm_vasprintf", "nvm_getline", "nvm_getdelim",
             Layer::Allocation)
      .Cases("nvm_write", "nvm_writev", "nvm_send", "nvm_sendto", "nvm_sendmsg",
             "nvm_fflush", Layer::Sections)
      .Cases("nvm_memcpy", "nvm_memmove", "nvm_memset", "nvm_qsort",
             Layer::Stores)
      .Cases("nvm_strcpy", "nvm_strncpy", "nvm_strcat", "nvm_strncat",
             "nvm_stpcpy", Layer::Stores)
      .Cases("nvm_bzero", "nvm_bcopy", "nvm_mempcpy", "nvm_sprintf",
             "nvm_vsprintf", Layer::Stores)
      .Cases("nvm_read", "nvm_pread", "nvm_recv", "nvm_fread", "nvm_fgets",
             Layer::Stores)
      .Cases("nvm_tsearch", "nvm_tfind", "nvm_tdelete", "nvm_twalk",
             "nvm_twalk_r", "nvm_tdestroy", Layer::Allocation)
      .Cases("nvm_recvfrom", "nvm_strtok", "nvm_strtok_r", "nvm_strsep",
             Layer::Stores)
      .Default(std::nullopt);
}

namespace {

StringRef countOf(Layer layer) {
  switch (layer) {
  case Layer::Allocation:
    return "allocator calls replaced";
  case Layer::Sections:
    return "outputs replaced";
  default:
    return "library stores replaced";
  }
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
                   "write it by hand");
    return Error::success();
  }
  Span exact{span.file, span.begin + name->offset,
             span.begin + name->offset + uint32_t(name->text.size())};
  if (context.edits.replace(exact, replacement.str(), *layer))
    ++context.counts[countOf(*layer).str()];
  return Error::success();
}

} // namespace

Error addReplacements(Context &context) {
  const Facts &facts = context.facts;
  for (const ReplacedCall &replaced : context.solution.replaced) {
    const Call &call = facts.calls[replaced.call];
    if (Error error =
            replaceName(context, call.calleeSpan, replaced.replacement,
                        call.loc, call.function))
      return error;
  }
  for (const ReplacedUse &replaced : context.solution.replacedUses) {
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
