//===- Preamble.cpp - What the edits of a file need at its top ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/files/FileEdits.h"
#include "passes/rewrite/text/Directives.h"

REPORTS(NoSource)

using namespace llvm;

namespace nvmove {

namespace {

/// A header can only declare the types it mentions, for it may be included
/// beside an NVM_TYPE: then one source has to define each.
void defineInSources(Context &context) {
  std::map<std::string, std::pair<Id, Layer>> missing;
  std::set<std::string> defined;
  for (const auto &[file, types] : context.typesOfFile)
    for (const auto &[name, layer] : types) {
      if (context.includes.isSource(file))
        defined.insert(name);
      else
        missing.try_emplace(name, file, layer);
    }
  for (const auto &[name, header] : missing) {
    if (defined.count(name))
      continue;
    if (context.anyHolds("NVM_TYPE(" + name + ");"))
      continue;
    std::vector<Id> sources = context.includes.sourcesSeeing(header.first);
    if (sources.empty())
      sources = context.includes.sources();
    if (!sources.empty())
      context.needType(sources.front(), name, header.second);
    else
      context.refuse(FindingId::NoSource, Loc{header.first, 1, 1}, None,
                     "no source file can hold NVM_TYPE(" + name + ")");
  }
}

} // namespace

void addPreambles(Context &context) {
  defineInSources(context);
  std::map<Id, Layer> files = context.edits.editedFiles();
  for (const auto &[file, types] : context.typesOfFile)
    for (const auto &[name, layer] : types) {
      auto [it, isNew] = files.try_emplace(file, layer);
      it->second = std::min(it->second, layer);
    }
  for (const auto &[file, layer] : files) {
    StringRef content = context.content(file);
    uint32_t offset = preambleOffset(content);
    // One within an #if may not be seen.
    std::optional<uint32_t> included;
    for (const Directive &d : directives(content))
      if (includedName(d) == "nvmove/nvm.h" &&
          !conditionalAround(content, offset, d.begin))
        included = d.end;
    if (!included)
      context.edits.insert(file, offset, "#include <nvmove/nvm.h>\n", layer, 0);
    else if (*included > offset) // NVM_TYPE needs it before
      offset = std::min<uint32_t>(context.lines(file).end(*included) + 1,
                                  content.size());
    for (const auto &[name, typeLayer] : context.typesOfFile[file]) {
      std::string line = context.includes.isSource(file)
                             ? "NVM_TYPE(" + name + ");"
                             : "extern struct nvm_type nvm_type_" + name + ";";
      if (context.holds(file, line))
        continue;
      context.edits.insert(file, offset, line + "\n", typeLayer, 1);
      if (context.includes.isSource(file))
        ++context.counts["types declared"];
    }
  }
}

} // namespace nvmove
