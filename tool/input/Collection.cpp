//===- Collection.cpp - From files to the facts of one program ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/Collection.h"
#include "tool/files/Parallel.h"
#include "tool/files/Paths.h"
#include "tool/input/IncludeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;
namespace path = llvm::sys::path;

namespace nvmove {

namespace {

/// How much of a compiler's complaint helps: the rest follows from the first.
constexpr size_t messagesShown = 3;

/// Failures beyond this many are counted, not shown.
constexpr size_t failuresShown = 10;

class Collector {
public:
  Collector(const CompilePlan &plan, const Options &options, StringRef root,
            Cache cache, Diagnostics &diagnostics, Progress &progress)
      : plan(plan), options(options), root(root), diagnostics(diagnostics),
        progress(progress), collector(std::move(cache)), jobs(plan.jobs),
        missing(plan.jobs.size()), units(plan.jobs.size()) {}

  Expected<Collection> run() {
    out.database = plan.database;
    out.build = plan.build;
    out.ignoredDatabase = plan.ignoredDatabase;
    out.otherPrograms = plan.otherPrograms;
    out.omitted = plan.omitted;
    out.members = plan.members;
    searchIncludes();
    std::atomic<size_t> done = 0;
    inParallel(jobs.size(), options.jobs, [&](size_t i) {
      units[i] = collector.collect(jobs[i].job);
      progress.show("reading the sources", ++done, jobs.size());
    });
    collector.pruneCache();
    if (Error error = sortOutFailures())
      return error;
    std::vector<std::string> files;
    std::vector<const Unit *> compiled;
    for (size_t i = 0; i < jobs.size(); ++i)
      if (!units[i].failure) {
        files.push_back(jobs[i].job.file);
        compiled.push_back(&units[i]);
      }
    if (Error error = mergeProgram(files, compiled, options, root, diagnostics,
                                   progress, out))
      return error;
    StringSet<> analysed;
    for (const std::string &file : out.analysed)
      analysed.insert(file);
    for (const PlannedJob &planned : jobs)
      if (analysed.contains(planned.job.file))
        out.jobs.push_back(planned.job);
    return std::move(out);
  }

  Expected<CollectedFile> runOne() {
    searchIncludes();
    CollectedFile result;
    const CompileJob &job = jobs.front().job;
    result.unit = collector.collect(job, &result.dependencies);
    collector.pruneCache();
    if (result.unit.failure)
      return compileFailed(job, *result.unit.failure);
    result.job = job;
    result.includePaths = std::move(out.includePaths);
    return result;
  }

private:
  std::string shown(StringRef file) const { return relativePath(file, root); }
  SourcePlace shown(SourcePlace place) const {
    if (path::is_absolute(place.file))
      place.file = shown(canonicalPath(place.file));
    return place;
  }

  IncludeSearch &includeSearch() {
    if (!search) {
      std::vector<std::string> files;
      for (const PlannedJob &planned : jobs)
        files.push_back(planned.job.file);
      search.emplace(files);
    }
    return *search;
  }

  /// Adds include directories until nothing more is found, before anything is
  /// parsed. Files that lack no header stay as they are.
  void searchIncludes() {
    std::vector<size_t> open;
    for (size_t i = 0; i < jobs.size(); ++i)
      if (jobs[i].inferred)
        open.push_back(i);
    for (;;) {
      std::atomic<size_t> done = 0;
      inParallel(open.size(), options.jobs, [&](size_t k) {
        missing[open[k]] = collector.missingHeaders(jobs[open[k]].job);
        progress.show("looking for headers", ++done, open.size());
      });
      std::set<std::string> names;
      for (size_t i : open)
        names.insert(missing[i].begin(), missing[i].end());
      erase_if(open, [&](size_t i) { return missing[i].empty(); });
      if (names.empty() || !includeSearch().resolve(std::vector<std::string>(
                               names.begin(), names.end())))
        break;
      std::vector<std::string> flags;
      for (const IncludePath &p : search->directories())
        flags.insert(flags.end(), {"-I", p.directory});
      for (size_t i : open) {
        std::vector<std::string> &arguments = jobs[i].job.arguments;
        arguments = plan.jobs[i].job.arguments;
        arguments.insert(arguments.begin() + 1, flags.begin(), flags.end());
      }
    }
    if (!search)
      return;
    creditHeaders();
    out.includePaths = search->directories();
  }

  /// Names what else the directories provide: a header that was found at once
  /// because of another one.
  void creditHeaders() {
    for (const PlannedJob &planned : jobs)
      for (const IncludeLine &line : readIncludes(planned.job.file)) {
        SmallString<256> beside(path::parent_path(planned.job.file));
        path::append(beside, line.header);
        if (planned.inferred && (line.angled || !sys::fs::exists(beside)))
          search->credit(line.header);
      }
  }

  /// The given file that names `file` in an #include, whatever the #if.
  std::optional<std::string> includerOf(StringRef file) {
    if (includers.empty())
      for (const PlannedJob &planned : jobs)
        for (const IncludeLine &line : readIncludes(planned.job.file)) {
          if (path::extension(line.header) != ".c")
            continue;
          SmallString<256> target(path::parent_path(planned.job.file));
          path::append(target, line.header);
          includers.try_emplace(canonicalPath(target), planned.job.file);
        }
    auto found = includers.find(file);
    if (found == includers.end() || found->second == file)
      return std::nullopt;
    return found->second;
  }

  /// The directories of a job's -I options, which may be two arguments.
  static std::vector<std::string> includeDirectories(const CompileJob &job) {
    std::vector<std::string> result;
    for (size_t i = 0; i < job.arguments.size(); ++i) {
      StringRef argument = job.arguments[i];
      if (!argument.consume_front("-I"))
        continue;
      if (argument.empty() && i + 1 < job.arguments.size())
        argument = job.arguments[++i];
      SmallString<256> directory(argument);
      sys::fs::make_absolute(job.directory, directory);
      result.push_back(std::string(directory));
    }
    return result;
  }

  /// Where `header` is included: in the file itself or in a header of the
  /// program that it includes.
  IncludeLine includeLine(const CompileJob &job, StringRef header) {
    std::vector<std::string> directories = includeDirectories(job);
    std::vector<std::string> files{job.file};
    for (size_t i = 0; i < files.size(); ++i) {
      std::vector<IncludeLine> lines = readIncludes(files[i]);
      for (const IncludeLine &line : lines)
        if (line.header == header)
          return line;
      for (const IncludeLine &line : lines) {
        std::vector<std::string> places = directories;
        places.insert(places.begin(), path::parent_path(files[i]).str());
        for (const std::string &directory : places) {
          SmallString<256> file(directory);
          path::append(file, line.header);
          std::string canonical = canonicalPath(file);
          if (!sys::fs::exists(canonical))
            continue;
          if (!is_contained(files, canonical))
            files.push_back(canonical);
          break;
        }
      }
    }
    return {header.str(), /*angled=*/false, {job.file}};
  }

  /// The compiler's place, which may be relative to its own directory.
  std::optional<SourcePlace> messagePlace(const CompileJob &job,
                                          StringRef message) const {
    auto place = placeOfMessage(message);
    if (!place)
      return std::nullopt;
    SmallString<256> file(place->file);
    sys::fs::make_absolute(job.directory, file);
    place->file = std::string(file);
    return shown(*place);
  }

  std::vector<std::string> firstMessages(const CompileJob &job,
                                         const CompileFailure &failure) {
    std::vector<std::string> result;
    for (const std::string &message : failure.messages) {
      if (result.size() == messagesShown)
        break;
      auto place = messagePlace(job, message);
      std::string where = place ? place->file + ":" + utostr(place->line) +
                                      ":" + utostr(place->column) + ": "
                                : "";
      result.push_back(where + textOfMessage(message).str());
    }
    return result;
  }

  Error compileFailed(const CompileJob &job, const CompileFailure &failure) {
    std::vector<std::string> details = firstMessages(job, failure);
    SourcePlace place{shown(failure.file)};
    std::string text = "this file does not compile";
    if (!failure.messages.empty()) {
      if (auto first = messagePlace(job, failure.messages.front()))
        place = *first;
      text += ": " + textOfMessage(failure.messages.front()).str();
      details.erase(details.begin());
    }
    if (place.file != shown(failure.file))
      details.insert(details.begin(), "while compiling " + shown(failure.file));
    return makeError(MessageId::CompileFailed, text, place, details,
                     nextAfter(failure));
  }

  /// What helps; "" where it is flags.
  std::string nextAfter(const CompileFailure &failure) const {
    // No flag makes Clang take one.
    if (any_of(failure.messages, [](StringRef message) {
          return message.contains("function definition is not allowed here");
        }))
      return "Clang does not support nested functions, which gcc does: move "
             "them out";
    if (!plan.build.empty())
      return "does the build compile it? These are the flags of the build";
    if (!plan.database.empty())
      return "does it compile with the flags in " + shown(plan.database) + "?";
    return "";
  }

  /// What to say about a file that lacks headers. Omits it and returns success
  /// if all of them can only be made by the build.
  Error missingHeaders(const PlannedJob &planned,
                       const CompileFailure &failure) {
    std::vector<std::string> generated;
    SourcePlace first;
    for (const std::string &header : failure.missingHeaders) {
      IncludeLine line = includeLine(planned.job, header);
      std::string name = line.angled ? "<" + header + ">" : "'" + header + "'";
      auto directory = includeSearch().find(header);
      if (directory && planned.inferred)
        continue; // Its directory was added: the failure has other causes.
      if (directory)
        return makeError(MessageId::NoIncludePath, name + " not found",
                         shown(line.place),
                         {"there is one in " + shown(*directory)});
      if (line.angled)
        return makeError(MessageId::NoIncludePath, name + " not found",
                         shown(line.place));
      if (generated.empty())
        first = line.place;
      generated.push_back(name);
    }
    if (generated.empty())
      return compileFailed(planned.job, failure);
    std::string why =
        "skipped: " + join(generated, ", ") +
        (generated.size() == 1 ? " is" : " are") +
        " not in the source tree; probably generated by the build";
    std::vector<std::string> messages = firstMessages(planned.job, failure);
    std::vector<std::string> details = messages;
    if (first.file != failure.file)
      details.insert(details.begin(), "while compiling " + shown(failure.file));
    diagnostics.warning(MessageId::SkippedFile, why, shown(first), details);
    out.omitted.push_back(
        {failure.file, MessageId::SkippedFile, why, std::move(messages)});
    return Error::success();
  }

  Error sortOutFailures() {
    progress.clear();
    Error errors = Error::success();
    size_t failures = 0;
    for (size_t i = 0; i < jobs.size(); ++i) {
      for (const std::string &header : units[i].missingHeaders)
        if (!units[i].failure)
          out.tolerated.push_back({jobs[i].job.file, header});
      if (!units[i].failure)
        continue;
      const CompileFailure &failure = *units[i].failure;
      if (auto includer = includerOf(jobs[i].job.file)) {
        out.omitted.push_back(
            {jobs[i].job.file,
             MessageId::IncludedFile,
             "part of " + shown(*includer) + ", which includes it",
             {}});
        continue;
      }
      Error error = failure.missingHeaders.empty()
                        ? compileFailed(jobs[i].job, failure)
                        : missingHeaders(jobs[i], failure);
      if (error && ++failures > failuresShown)
        consumeError(std::move(error));
      else
        errors = joinErrors(std::move(errors), std::move(error));
    }
    if (failures > failuresShown)
      errors = joinErrors(std::move(errors),
                          makeError(MessageId::CompileFailed,
                                    utostr(failures - failuresShown) +
                                        " more files do not compile"));
    return errors;
  }

  const CompilePlan &plan;
  const Options &options;
  const std::string root;
  Diagnostics &diagnostics;
  Progress &progress;
  UnitCollector collector;
  std::vector<PlannedJob> jobs;
  std::vector<std::vector<std::string>> missing; ///< of inferred jobs
  std::vector<Unit> units;
  std::optional<IncludeSearch> search;
  StringMap<std::string> includers;
  Collection out;
};

} // namespace

Expected<Cache> openCache(const Options &options) {
  if (options.noCache)
    return Cache();
  if (!options.cache.empty())
    return Cache::open(options.cache);
  std::string folder = Cache::defaultFolder();
  if (folder.empty())
    return Cache();
  auto cache = Cache::open(folder);
  if (cache)
    return cache;
  // Nobody asked for it: a read-only home is no reason to fail.
  consumeError(cache.takeError());
  return Cache();
}

Expected<Collection> collectProgram(const CompilePlan &plan,
                                    const Options &options, StringRef root,
                                    Diagnostics &diagnostics,
                                    Progress &progress) {
  auto cache = openCache(options);
  if (!cache)
    return cache.takeError();
  return Collector(plan, options, root, *cache, diagnostics, progress).run();
}

Expected<CollectedFile> collectFile(const CompilePlan &plan,
                                    const Options &options, StringRef root,
                                    Diagnostics &diagnostics,
                                    Progress &progress) {
  auto cache = openCache(options);
  if (!cache)
    return cache.takeError();
  return Collector(plan, options, root, *cache, diagnostics, progress).runOne();
}

} // namespace nvmove
