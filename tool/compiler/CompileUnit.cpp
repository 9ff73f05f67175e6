//===- CompileUnit.cpp - One C file to an object with its facts -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/compiler/CompileUnit.h"
#include "tool/compiler/ObjectUnit.h"
#include "tool/files/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <future>

using namespace llvm;
namespace path = llvm::sys::path;

namespace nvmove {

/// As in passes/collect/entities: no part of a program.
static bool isOfTheSystem(StringRef file) {
  return any_of(ArrayRef<StringRef>{"/usr/include/", "/usr/local/include/",
                                    "/usr/lib/", "/lib/"},
                [&](StringRef folder) { return file.starts_with(folder); });
}

/// What was read, as it was then: where a file is another one by now, the unit
/// has no facts.
static Error takeTexts(ArrayRef<Dependency> dependencies, ObjectUnit &unit) {
  FileSnapshot files;
  for (const Dependency &d : dependencies) {
    if (d.question != Question::Contents || d.answer == 0)
      continue;
    SmallString<256> name(d.path);
    path::remove_dots(name, /*remove_dot_dot=*/true);
    std::string canonical = canonicalPath(d.path);
    if (isOfTheSystem(canonical)) {
      unit.systemFiles.push_back(canonical);
      continue;
    }
    if (files.answer(d.question, d.path) != d.answer)
      return makeError(MessageId::SourceChanged,
                       "this file changed while it was compiled", {d.path});
    unit.texts.push_back(
        {std::string(name), canonical, files.contents(d.path)->str()});
  }
  return Error::success();
}

static Error collect(const CompilerCommand &command, const Options &options,
                     ObjectUnit &unit) {
  Diagnostics silent(nulls(), /*colours=*/false);
  Progress none(nulls(), /*enabled=*/false);
  Options own = options;
  own.flags = command.flags();
  auto sources = checkSources({command.words[command.sources.front()]});
  if (!sources)
    return sources.takeError();
  unit.file.source = sources->front();
  unit.file.directory = currentDirectory();
  auto plan = planCompilation(own, *sources, silent);
  if (!plan)
    return plan.takeError();
  auto collected = collectFile(*plan, own, displayRoot(*sources), silent, none);
  if (!collected)
    return collected.takeError();
  unit.file.arguments = std::move(collected->job.arguments);
  unit.file.unit = std::move(collected->unit);
  return takeTexts(collected->dependencies, unit);
}

Expected<int> compileUnit(const CompilerCommand &command, StringRef object,
                          const Options &options) {
  ObjectUnit unit;
  unit.command = command.words;
  auto facts = std::async(std::launch::async, [&] {
    return toString(collect(command, options, unit));
  });
  auto status = runCommand(command.words);
  unit.failure = facts.get();
  if (!status || *status)
    return status;
  if (!unit.failure.empty())
    unit.file.unit = {};
  if (Error error = attachUnit(object, unit))
    return error;
  return 0;
}

} // namespace nvmove
