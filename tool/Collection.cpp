//===- Collection.cpp - From files to the facts of one program ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/Collection.h"
#include "tool/IncludeText.h"
#include "tool/Paths.h"
#include "tool/Programs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <atomic>
#include <set>
#include <thread>

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
            Diagnostics &diagnostics, Progress &progress)
      : plan(plan), options(options), root(root), diagnostics(diagnostics),
        progress(progress), jobs(plan.jobs), results(plan.jobs.size()) {}

  Expected<Collection> run() {
    out.database = plan.database;
    out.ignoredDatabase = plan.ignoredDatabase;
    std::vector<size_t> all(jobs.size());
    for (size_t i = 0; i < all.size(); ++i)
      all[i] = i;
    collectJobs(all);
    searchIncludes();
    if (Error error = sortOutFailures())
      return error;
    if (Error error = mergeProgram())
      return error;
    return out;
  }

private:
  std::string shown(StringRef file) const { return relativePath(file, root); }
  SourcePlace shown(SourcePlace place) const {
    if (path::is_absolute(place.file))
      place.file = shown(canonicalPath(place.file));
    return place;
  }

  void collectJobs(ArrayRef<size_t> which) {
    std::atomic<size_t> next = 0, done = 0;
    auto work = [&] {
      for (size_t i; (i = next++) < which.size();) {
        results[which[i]] = collect(jobs[which[i]].job);
        progress.show("reading the sources", ++done, which.size());
      }
    };
    unsigned threads =
        options.jobs ? options.jobs : std::thread::hardware_concurrency();
    threads = std::clamp<size_t>(threads, 1, std::max<size_t>(which.size(), 1));
    std::vector<std::thread> pool;
    for (unsigned i = 1; i < threads; ++i)
      pool.emplace_back(work);
    work();
    for (std::thread &thread : pool)
      thread.join();
  }

  const std::vector<std::string> &missingIn(size_t i) const {
    return results[i].failure ? results[i].failure->missingHeaders
                              : results[i].missingHeaders;
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

  /// Adds include directories until nothing more is found, and parses again
  /// only the files that lacked a header: the others cannot change.
  void searchIncludes() {
    for (;;) {
      std::vector<size_t> again;
      std::set<std::string> missing;
      for (size_t i = 0; i < jobs.size(); ++i)
        if (jobs[i].inferred && !missingIn(i).empty()) {
          again.push_back(i);
          missing.insert(missingIn(i).begin(), missingIn(i).end());
        }
      if (again.empty() || !includeSearch().resolve(std::vector<std::string>(
                               missing.begin(), missing.end())))
        break;
      std::vector<std::string> flags;
      for (const IncludePath &p : search->directories())
        flags.insert(flags.end(), {"-I", p.directory});
      for (size_t i : again) {
        std::vector<std::string> &arguments = jobs[i].job.arguments;
        arguments = plan.jobs[i].job.arguments;
        arguments.insert(arguments.begin() + 1, flags.begin(), flags.end());
      }
      collectJobs(again);
    }
    if (!search)
      return;
    creditHeaders();
    out.includePaths = search->directories();
  }

  /// The compiler stops at the first header that is missing; the others that
  /// its directory provides are worth naming too.
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
    return makeError(MessageId::CompileFailed, text, place, details);
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
    std::string why = "skipped: " + join(generated, ", ") +
                      (generated.size() == 1 ? " is" : " are") +
                      " nowhere in the source tree; probably made by the build";
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
      for (const std::string &header : results[i].missingHeaders)
        if (!results[i].failure)
          out.tolerated.push_back({jobs[i].job.file, header});
      if (!results[i].failure)
        continue;
      const CompileFailure &failure = *results[i].failure;
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

  void omitOtherPrograms(ArrayRef<size_t> compiled,
                         const ProgramChoice &choice) {
    auto file = [&](size_t unit) { return jobs[compiled[unit]].job.file; };
    for (size_t unit : choice.others)
      out.omitted.push_back(
          {file(unit), MessageId::OtherProgram, "part of another program", {}});
    if (choice.mains.size() < 2)
      return;
    std::vector<std::string> mains;
    for (size_t unit : choice.mains)
      mains.push_back(shown(file(unit)));
    diagnostics.note(MessageId::SeveralPrograms,
                     "several programs have a load function and are analysed "
                     "together: " +
                         join(mains, ", "));
  }

  Error mergeProgram() {
    std::vector<size_t> compiled;
    std::vector<const Facts *> units;
    for (size_t i = 0; i < jobs.size(); ++i)
      if (!results[i].failure) {
        compiled.push_back(i);
        units.push_back(&results[i].facts);
      }
    if (units.empty())
      return makeError(MessageId::NothingToAnalyse,
                       "none of the files could be analysed");
    ProgramChoice choice = chooseProgram(units, options.solve.load);
    omitOtherPrograms(compiled, choice);
    std::vector<Facts> parts;
    for (size_t unit : choice.units) {
      parts.push_back(std::move(results[compiled[unit]].facts));
      out.analysed.push_back(jobs[compiled[unit]].job.file);
    }
    progress.show("joining the files");
    out.facts = merge(std::move(parts));
    return Error::success();
  }

  const CompilePlan &plan;
  const Options &options;
  const std::string root;
  Diagnostics &diagnostics;
  Progress &progress;
  std::vector<PlannedJob> jobs;
  std::vector<CollectResult> results;
  std::optional<IncludeSearch> search;
  StringMap<std::string> includers;
  Collection out;
};

} // namespace

Expected<Collection> collectProgram(const CompilePlan &plan,
                                    const Options &options, StringRef root,
                                    Diagnostics &diagnostics,
                                    Progress &progress) {
  return Collector(plan, options, root, diagnostics, progress).run();
}

} // namespace nvmove
