//===- Emulation.cpp - Announced reads and writes, for comparison ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/sites/SiteEdits.h"
#include "passes/rewrite/text/Directives.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace nvmove {

namespace {

constexpr StringLiteral header = "nvmove/emulate.h";

StringRef macroFor(Access::Kind kind) {
  switch (kind) {
  case Access::Kind::Read:
    return "NVM_READ";
  case Access::Kind::Write:
    return "NVM_WRITE";
  case Access::Kind::Change:
    return "NVM_CHANGE_OF";
  }
  return "";
}

/// Files in which another run has done this.
bool includesHeader(StringRef content) {
  return any_of(directives(content),
                [](const Directive &d) { return includedName(d) == header; });
}

} // namespace

void addEmulation(Context &context, const Accesses &accesses,
                  StringRef profile) {
  context.counts["accesses without a place in the text"] = accesses.unreachable;
  std::map<Id, bool> isDone;
  for (const Access &access : accesses.found) {
    Span span = access.span;
    auto [it, isNew] = isDone.try_emplace(span.file, false);
    if (isNew)
      it->second = includesHeader(context.content(span.file));
    if (it->second)
      continue;
    if (accesses.lvalues.count(span) || containsDirective(context.text(span))) {
      ++context.counts["accesses without a place in the text"];
      continue;
    }
    if (!context.edits.wrap(span, (macroFor(access.kind) + "(").str(), ")",
                            Layer::Stores, Rank::Store))
      continue;
    bool reads = access.kind != Access::Kind::Write;
    bool writes = access.kind != Access::Kind::Read;
    context.counts["delay calls injected for reads"] += reads;
    context.counts["delay calls injected for writes"] += writes;
    context.counts["delay calls injected"] += reads + writes;
  }
  for (const auto &[file, layer] : context.edits.editedFiles())
    context.edits.insert(
        file, preambleOffset(context.content(file)),
        ("#define NVM_EMULATE_" + profile + "\n#include <" + header + ">\n")
            .str(),
        layer);
}

} // namespace nvmove
