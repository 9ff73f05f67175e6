//===- CompileCommands.cpp - How each source file is compiled -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/CompileCommands.h"
#include "tool/files/Paths.h"
#include "tool/input/Build.h"
#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;
using namespace clang::tooling;
namespace path = llvm::sys::path;

namespace nvmove {

namespace {

constexpr StringLiteral databaseName = "compile_commands.json";

/// Commands by canonical file name.
struct Database {
  std::string source;             ///< a file, or a command in quotes
  std::vector<std::string> order; ///< the C files, in the database's order
  StringMap<CompileJob> jobs;
  std::vector<std::string> repeated; ///< files with more than one command

  void add(StringRef file, CompileJob job) {
    auto [place, isNew] = jobs.try_emplace(file, std::move(job));
    if (isNew)
      order.push_back(file.str());
    else if (!is_contained(repeated, file))
      repeated.push_back(file.str());
  }
};

/// Output files and dependency files are none of our business, and must never
/// be written by an analysis.
std::vector<std::string> cleanCommand(const CompileCommand &command) {
  auto adjust =
      combineAdjusters(combineAdjusters(getClangStripOutputAdjuster(),
                                        getClangStripDependencyFileAdjuster()),
                       getClangSyntaxOnlyAdjuster());
  return adjust(command.CommandLine, command.Filename);
}

Expected<Database> readDatabase(StringRef file) {
  Database result;
  result.source = file.str();
  std::string message;
  std::unique_ptr<CompilationDatabase> database =
      JSONCompilationDatabase::loadFromFile(file, message,
                                            JSONCommandLineSyntax::Gnu);
  if (!database)
    return makeError(MessageId::BadDatabase, StringRef(message).trim().str(),
                     {file.str()});
  database = expandResponseFiles(std::move(database), vfs::getRealFileSystem());
  for (const CompileCommand &command : database->getAllCompileCommands()) {
    if (path::extension(command.Filename) != ".c")
      continue;
    // A relative one is relative to the database.
    SmallString<256> directory(command.Directory);
    sys::fs::make_absolute(path::parent_path(file), directory);
    path::remove_dots(directory, /*remove_dot_dot=*/true);
    SmallString<256> name(command.Filename);
    sys::fs::make_absolute(directory, name);
    std::string canonical = canonicalPath(name);
    result.add(canonical,
               {canonical, std::string(directory), cleanCommand(command)});
  }
  return result;
}

/// The nearest database in the folders above `source`; "" if there is none.
std::string findDatabase(StringRef source) {
  for (StringRef directory = path::parent_path(source); !directory.empty();
       directory = path::parent_path(directory)) {
    SmallString<256> candidate(directory);
    path::append(candidate, databaseName);
    if (sys::fs::exists(candidate))
      return std::string(candidate);
  }
  return "";
}

Expected<std::string> namedDatabase(StringRef given) {
  SmallString<256> file(given);
  if (sys::fs::is_directory(file))
    path::append(file, databaseName);
  if (!sys::fs::exists(file))
    return makeError(MessageId::BadDatabase, "no such file",
                     {file.str().str()});
  return canonicalPath(file);
}

CompileJob jobFromFlags(StringRef source, ArrayRef<std::string> flags) {
  CompileJob job;
  job.file = source.str();
  job.directory = currentDirectory();
  job.arguments.push_back("clang");
  job.arguments.insert(job.arguments.end(), flags.begin(), flags.end());
  job.arguments.push_back(job.file);
  return job;
}

/// Flags have to stand before a `--` in the command, if there is one.
void addExtraArguments(CompileJob &job, ArrayRef<std::string> extra) {
  auto end = find(job.arguments, "--");
  job.arguments.insert(end, extra.begin(), extra.end());
}

/// Patched sources include <nvmove/nvm.h>, which lies at a fixed place beside
/// the command, in the build folder as where it is installed. "" if the header
/// is not there: the command may be installed without the runtime.
std::string runtimeHeaders() {
  static int here;
  std::string command = sys::fs::getMainExecutable(nullptr, &here);
  if (command.empty()) // there is no /proc
    return "";
  SmallString<256> folder(path::parent_path(command));
  path::append(folder, NVMOVE_INCLUDE_FROM_BIN);
  path::remove_dots(folder, /*remove_dot_dot=*/true);
  SmallString<256> header(folder);
  path::append(header, "nvmove", "nvm.h");
  return sys::fs::exists(header) ? std::string(folder) : "";
}

class Planner {
public:
  Planner(const Options &options, ArrayRef<std::string> sources,
          Diagnostics &diagnostics)
      : options(options), sources(sources), diagnostics(diagnostics) {}

  Expected<CompilePlan> plan() {
    Error error = options.flags               ? planFromFlags()
                  : !options.database.empty() ? planFromNamedDatabase()
                  : !options.make.empty()     ? planFromBuild()
                                              : planFromSurroundings();
    if (error)
      return error;
    // Of a database nothing is said: it may be another compiler's.
    std::vector<std::string> byHand =
        options.flags.value_or(std::vector<std::string>());
    byHand.insert(byHand.end(), options.extraArguments.begin(),
                  options.extraArguments.end());
    for (const std::string &message : unknownFlags(byHand))
      diagnostics.warning(MessageId::UnknownFlag, message);
    std::string headers = runtimeHeaders();
    for (PlannedJob &planned : result.jobs) {
      addExtraArguments(planned.job, options.extraArguments);
      planned.job.runtimeHeaders = headers;
    }
    return result;
  }

private:
  Error planFromFlags() {
    for (const std::string &source : sources)
      result.jobs.push_back({jobFromFlags(source, *options.flags), false});
    return Error::success();
  }

  void infer(StringRef source) {
    result.jobs.push_back({jobFromFlags(source, {"-std=gnu99"}), true});
  }

  void noteRepeated(const Database &database) {
    for (const std::string &file : database.repeated)
      if (is_contained(sources, file))
        diagnostics.note(MessageId::SeveralCommands,
                         "the database contains several commands for this "
                         "file; the first is used",
                         {file});
  }

  Error planFromNamedDatabase() {
    auto file = namedDatabase(options.database);
    if (!file)
      return file.takeError();
    auto database = readDatabase(*file);
    if (!database)
      return database.takeError();
    result.database = *file;
    if (database->order.empty())
      return makeError(MessageId::NothingToAnalyse,
                       "the database names no C file", {*file});
    noteRepeated(*database);
    return planFrom(*database,
                    sources.empty() ? ArrayRef(database->order) : sources);
  }

  Error planFromBuild() {
    auto build =
        readBuild(options.make, options.solve.load, sources, diagnostics);
    if (!build)
      return build.takeError();
    Database commands;
    commands.source = "what '" + options.make + "' would do";
    for (const Compilation &c : build->compilations)
      commands.add(c.source,
                   {c.source, c.directory,
                    cleanCommand({c.directory, c.source, c.arguments, ""})});
    result.build = options.make;
    result.otherPrograms = std::move(build->otherPrograms);
    result.members = std::move(build->members);
    if (!sources.empty() && !build->isChosen)
      return planFrom(commands, sources);
    if (Error error = checkCommands(commands))
      return error;
    erase_if(commands.order, [&](const std::string &file) {
      return isOmitted(file, is_contained(build->others, file));
    });
    return planFrom(commands, commands.order);
  }

  /// A file of the build that is left out, and is listed with the reason.
  bool isOmitted(const std::string &file, bool isOther) {
    if (isOther)
      result.omitted.push_back(
          {file, MessageId::OtherProgram, "part of another program", {}});
    else if (!sys::fs::exists(file)) {
      std::string why = "skipped: it does not exist; the build generates it";
      diagnostics.warning(MessageId::SkippedFile, why, {file});
      result.omitted.push_back({file, MessageId::SkippedFile, why, {}});
    } else
      return false;
    return true;
  }

  /// Each file that was given is compiled.
  Error checkCommands(const Database &database) const {
    Error errors = Error::success();
    for (const std::string &source : sources)
      if (!database.jobs.contains(source))
        errors = joinErrors(
            std::move(errors),
            makeError(MessageId::NotInDatabase,
                      "no command for this file in " + database.source,
                      {source}));
    return errors;
  }

  Error planFrom(const Database &database, ArrayRef<std::string> wanted) {
    if (Error error = checkCommands(database))
      return error;
    for (const std::string &source : wanted)
      result.jobs.push_back({database.jobs.find(source)->second, false});
    return Error::success();
  }

  /// A database found by the way counts only if it is about these files.
  Error planFromSurroundings() {
    std::string file = findDatabase(sources.front());
    std::optional<Database> database;
    if (!file.empty()) {
      auto read = readDatabase(file);
      if (!read)
        return read.takeError();
      database = std::move(*read);
      if (none_of(sources,
                  [&](StringRef s) { return database->jobs.contains(s); })) {
        result.ignoredDatabase = file;
        database.reset();
      } else {
        result.database = file;
        noteRepeated(*database);
      }
    }
    for (const std::string &source : sources) {
      if (database && database->jobs.contains(source)) {
        result.jobs.push_back({database->jobs[source], false});
        continue;
      }
      if (database)
        diagnostics.warning(MessageId::NotInDatabase,
                            "no command for this file in " + file +
                                "; its flags are inferred",
                            {source});
      infer(source);
    }
    return Error::success();
  }

  const Options &options;
  ArrayRef<std::string> sources;
  Diagnostics &diagnostics;
  CompilePlan result;
};

} // namespace

Expected<CompilePlan> planCompilation(const Options &options,
                                      ArrayRef<std::string> sources,
                                      Diagnostics &diagnostics) {
  return Planner(options, sources, diagnostics).plan();
}

} // namespace nvmove
