//===- Build.cpp - The programs of a build, by a dry run of it ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/Build.h"
#include "tool/files/Paths.h"
#include "tool/input/ShellRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include <set>

using namespace llvm;

namespace nvmove {

namespace {

/// Whether the file has one of the names as a word.
bool namesAny(StringRef file, ArrayRef<std::string> names) {
  auto buffer = MemoryBuffer::getFile(file);
  if (!buffer)
    return false;
  StringRef text = (*buffer)->getBuffer();
  auto isPart = [&](size_t at) {
    return at < text.size() && (isAlnum(text[at]) || text[at] == '_');
  };
  for (StringRef name : names)
    for (size_t at = text.find(name); at != StringRef::npos;
         at = text.find(name, at + 1))
      if (!isPart(at + name.size()) && !(at && isPart(at - 1)))
        return true;
  return false;
}

/// The last thing that make had to say.
std::vector<std::string> lastComplaint(StringRef complaints) {
  SmallVector<StringRef> lines;
  complaints.split(lines, '\n', -1, /*KeepEmpty=*/false);
  if (lines.empty())
    return {};
  auto first = find_if(lines, [](StringRef l) { return l.contains("***"); });
  return {(first == lines.end() ? lines.back() : *first).str()};
}

class Chooser {
public:
  Chooser(const BuildLog &log, ArrayRef<std::string> load,
          ArrayRef<std::string> files)
      : log(log), load(load), files(files) {}

  Build choose() {
    SmallVector<bool> mayLoad;
    for (const LinkedProgram &p : log.programs)
      mayLoad.push_back(
          has(p,
              [&](const std::string &source) {
                return files.empty() || is_contained(files, source);
              }) &&
          has(p, [&](const std::string &source) { return mentions(source); }));
    bool known = is_contained(mayLoad, true);
    std::vector<bool> loading(log.compilations.size()), elsewhere = loading;
    StringSet<> wanted;
    for (size_t i = 0; i < log.programs.size(); ++i)
      for (size_t c : log.programs[i].compiled) {
        (mayLoad[i] ? loading : elsewhere)[c] = true;
        if (mayLoad[i])
          wanted.insert(log.compilations[c].source);
      }
    Build build;
    build.isChosen = known && !files.empty();
    for (bool isLoading : {true, false})
      for (size_t c = 0; c < log.compilations.size(); ++c)
        if (const Compilation &each = log.compilations[c];
            loading[c] == isLoading &&
            (isLoading || !wanted.contains(each.source)))
          add(build, each,
              known && !isLoading && (elsewhere[c] || !files.empty()));
    build.members = membersOf(mayLoad);
    if (known)
      for (size_t i = 0; i < log.programs.size(); ++i)
        if (!mayLoad[i])
          build.otherPrograms.push_back(filesOf(log.programs[i]));
    return build;
  }

private:
  std::vector<std::string> membersOf(ArrayRef<bool> mayLoad) const {
    std::set<std::string> members, direct;
    for (size_t i = 0; i < log.programs.size(); ++i)
      for (size_t c : log.programs[i].compiled)
        if (mayLoad[i])
          (is_contained(log.programs[i].members, c) ? members : direct)
              .insert(log.compilations[c].source);
    std::vector<std::string> result;
    std::set_difference(members.begin(), members.end(), direct.begin(),
                        direct.end(), std::back_inserter(result));
    return result;
  }

  bool has(const LinkedProgram &program,
           function_ref<bool(const std::string &source)> what) const {
    return any_of(program.compiled,
                  [&](size_t c) { return what(log.compilations[c].source); });
  }

  bool mentions(const std::string &source) {
    auto [place, isNew] = mentioned.try_emplace(source, false);
    if (isNew)
      place->second = namesAny(source, load);
    return place->second;
  }

  /// Most builds print a command of libtool's twice, or come by one again.
  void add(Build &build, const Compilation &compilation, bool isOther) {
    if (isOther && !is_contained(build.others, compilation.source))
      build.others.push_back(compilation.source);
    if (none_of(build.compilations, [&](const Compilation &c) {
          return c.source == compilation.source &&
                 c.directory == compilation.directory &&
                 c.arguments == compilation.arguments;
        }))
      build.compilations.push_back(compilation);
  }

  ProgramFiles filesOf(const LinkedProgram &program) const {
    ProgramFiles result{program.output, {}};
    for (size_t c : program.compiled)
      result.sources.push_back(log.compilations[c].source);
    return result;
  }

  const BuildLog &log;
  ArrayRef<std::string> load, files;
  StringMap<bool> mentioned;
};

} // namespace

Expected<Build> readBuild(StringRef command, ArrayRef<std::string> load,
                          ArrayRef<std::string> files,
                          Diagnostics &diagnostics) {
  std::string here = currentDirectory();
  auto run = runDry(command, here);
  if (!run)
    return makeError(MessageId::BadBuild, toString(run.takeError()));
  BuildLog log = readBuildLog(run->output, here);
  std::string named = "'" + command.str() + "'";
  if (log.compilations.empty())
    return makeError(MessageId::BadBuild,
                     "a dry run of " + named + " compiles no C file", {},
                     lastComplaint(run->complaints));
  if (run->status)
    diagnostics.warning(MessageId::BadBuild,
                        "a dry run of " + named +
                            " ends with an error: some files may be missing",
                        {}, lastComplaint(run->complaints));
  return Chooser(log, load, files).choose();
}

} // namespace nvmove
