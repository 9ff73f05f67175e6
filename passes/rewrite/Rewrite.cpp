//===- Rewrite.cpp - From the solution to edits ---------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/Rewrite.h"
#include "passes/rewrite/files/FileEdits.h"
#include "passes/rewrite/layouts/LayoutEdits.h"
#include "passes/rewrite/roots/RootEdits.h"
#include "passes/rewrite/sites/SiteEdits.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace nvmove {

namespace {

Error checkContents(const Facts &facts,
                    const std::vector<std::string> &contents) {
  if (contents.size() != facts.files.size())
    return createStringError("%zu texts for %zu files [internal]",
                             contents.size(), facts.files.size());
  for (size_t file = 0; file < contents.size(); ++file)
    if (facts.files[file].editable &&
        xxh3_64bits(StringRef(contents[file])) != facts.files[file].hash)
      return createStringError(
          "%s changed since it was analysed; run nvmove again [source-changed]",
          facts.files[file].path.c_str());
  return Error::success();
}

void replaceNewlines(std::string &text, StringRef newline) {
  for (size_t at = text.find('\n'); at != std::string::npos;
       at = text.find('\n', at + newline.size()))
    text.replace(at, 1, newline.str());
}

/// Gives the inserted lines the file's own line endings, and the last line of
/// a file its newline before anything is put after it.
void adaptToFiles(std::vector<Edit> &edits,
                  const std::vector<std::string> &contents) {
  std::map<Id, Edit *> firstAtEnd;
  for (Edit &edit : edits) {
    StringRef content = contents[edit.file];
    replaceNewlines(edit.text, Lines(content).newline());
    bool wholeLines =
        StringRef(edit.text).ends_with("\n") && edit.offset == content.size();
    if (!wholeLines || content.empty() || content.back() == '\n')
      continue;
    Edit *&first = firstAtEnd[edit.file];
    if (!first || edit.layer < first->layer)
      first = &edit;
  }
  for (auto &[file, edit] : firstAtEnd)
    edit->text.insert(0, Lines(contents[file]).newline());
}

/// What the parts of the rewriter have gathered.
Expected<EditResult> resultOf(Context &context) {
  Expected<std::vector<Edit>> edits =
      context.edits.finish(context.facts, context.contents);
  if (!edits)
    return edits.takeError();
  adaptToFiles(*edits, context.contents);

  EditResult result;
  std::set<Id> files;
  for (const Edit &edit : *edits)
    files.insert(edit.file);
  context.counts["files edited"] = files.size();
  result.edits = std::move(*edits);
  result.findings = std::move(context.findings);
  result.counts = std::move(context.counts);
  result.withoutLineLog = std::move(context.withoutLineLog);
  result.findings.sort();
  return result;
}

} // namespace

Expected<EditResult> makeEdits(const Facts &facts, const Solution &solution,
                               const std::vector<std::string> &contents) {
  if (Error error = checkContents(facts, contents))
    return error;
  Context context(facts, solution, contents);
  addStatics(context);
  addStartup(context);
  addDetaches(context);
  addLineLogs(context);
  addLayouts(context);
  addAllocation(context);
  addSections(context);
  addStores(context);
  if (Error error = addReplacements(context))
    return error;
  if (Error error = addSystemMacros(context))
    return error;
  addPreambles(context);
  if (solution.serialization.isOptional)
    addSerialization(context);
  return resultOf(context);
}

Expected<EditResult> makeEmulation(const Facts &facts, const Solution &solution,
                                   const std::vector<std::string> &contents,
                                   const Accesses &accesses,
                                   StringRef profile) {
  if (Error error = checkContents(facts, contents))
    return error;
  Context context(facts, solution, contents);
  addEmulation(context, accesses, profile);
  return resultOf(context);
}

} // namespace nvmove
