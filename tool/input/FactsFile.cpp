//===- FactsFile.cpp - What nvmove collect leaves for link ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/FactsFile.h"
#include "passes/facts/Encoding.h"
#include "tool/files/AtomicFile.h"
#include "tool/files/Paths.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace nvmove {

namespace {

/// As Make and Ninja read it.
std::string escaped(StringRef path) {
  std::string result;
  for (char c : path) {
    if (c == ' ' || c == '#')
      result += '\\';
    if (c == '$')
      result += '$';
    result += c;
  }
  return result;
}

/// "target: files", and an empty rule for each file, so that Make does not mind
/// when one of them is gone. Names below the current directory are relative to
/// it, as a build usually spells them.
std::string makeRules(StringRef target, ArrayRef<Dependency> dependencies) {
  std::string here = currentDirectory(), rules = escaped(target) + ":", empty;
  for (const Dependency &d : dependencies) {
    // An answer of 0: it could not be read.
    if (d.question != Question::Contents || d.answer == 0)
      continue;
    std::string name =
        escaped(isWithin(d.path, here) ? relativePath(d.path, here) : d.path);
    rules += " \\\n  " + name;
    empty += "\n" + name + ":\n";
  }
  return rules + "\n" + empty;
}

/// Facts that are not known to be sound yet keep their order: only their names
/// are looked at.
Error mapPaths(FactsFile &file, ArrayRef<PrefixMap> maps, bool sound) {
  if (maps.empty())
    return Error::success();
  for (std::string *path : {&file.source, &file.directory, &file.database})
    mapPath(*path, maps);
  for (std::string &argument : file.arguments)
    mapPathWithin(argument, maps);
  for (IncludePath &path : file.includePaths)
    mapPath(path.directory, maps);
  auto facts = decode<Facts>(file.unit.facts);
  if (!facts)
    return facts.takeError();
  mapPaths(*facts, maps);
  if (sound) {
    std::vector<Facts> one;
    one.push_back(std::move(*facts));
    *facts = merge(std::move(one));
  }
  file.unit.facts = encode(*facts);
  return Error::success();
}

} // namespace

Error collectToFile(const Options &options, Diagnostics &diagnostics,
                    Progress &progress) {
  auto sources = checkSources(options.files);
  if (!sources)
    return sources.takeError();
  auto plan = planCompilation(options, *sources, diagnostics);
  if (!plan)
    return plan.takeError();
  auto collected =
      collectFile(*plan, options, displayRoot(*sources), diagnostics, progress);
  if (!collected)
    return collected.takeError();
  CompileJob &job = collected->job;
  FactsFile file{job.file,
                 job.directory,
                 job.arguments,
                 plan->database,
                 std::move(collected->includePaths),
                 std::move(collected->unit)};
  if (Error error = mapPaths(file, options.prefixMaps, /*sound=*/true))
    return error;
  if (!options.depfile.empty())
    if (Error error = writeFileAtomically(
            options.depfile,
            makeRules(options.output, collected->dependencies)))
      return error;
  return writeFileAtomically(options.output, encode(file));
}

Expected<std::vector<FactsFile>> readFactsFiles(ArrayRef<std::string> names,
                                                ArrayRef<PrefixMap> maps) {
  std::vector<FactsFile> files;
  StringMap<std::string> from; // source -> file of facts
  Error errors = Error::success();
  auto wrong = [&](const std::string &name, std::string why,
                   std::string next = "") {
    errors = joinErrors(std::move(errors),
                        makeError(MessageId::BadFacts, std::move(why), {name},
                                  {}, std::move(next)));
  };
  for (const std::string &name : names) {
    auto buffer = MemoryBuffer::getFile(name, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false);
    if (!buffer) {
      errors = joinErrors(std::move(errors),
                          makeError(MessageId::FileMissing,
                                    buffer.getError().message(), {name}));
      continue;
    }
    auto file = decode<FactsFile>((*buffer)->getBuffer());
    if (!file) {
      wrong(name, toString(file.takeError()));
      continue;
    }
    if (Error error = mapPaths(*file, maps, /*sound=*/false)) {
      wrong(name, toString(std::move(error)));
      continue;
    }
    auto [other, fresh] = from.try_emplace(file->source, name);
    if (fresh)
      files.push_back(std::move(*file));
    else if (canonicalPath(name) == canonicalPath(other->second))
      wrong(name, "this file is given twice", "give it once");
    else
      wrong(name,
            "the facts of " + file->source + " are in " + other->second +
                " too",
            "leave one of the two out");
  }
  if (errors)
    return errors;
  return files;
}

} // namespace nvmove
