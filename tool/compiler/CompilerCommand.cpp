//===- CompilerCommand.cpp - A command that a build gives -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/compiler/CompilerCommand.h"
#include "tool/message/Diagnostics.h"
#include "clang/Driver/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
namespace path = llvm::sys::path;
namespace options = clang::driver::options;

namespace nvmove {

namespace {

bool isLauncher(StringRef word) {
  return StringSwitch<bool>(path::filename(word))
      .Cases("ccache", "sccache", "distcc", "icecc", true)
      .Default(false);
}

/// As gcc reads them: blanks, quotes and backslashes. Where one includes itself
/// the words stay as they are: the compiler complains.
Words withResponseFiles(const Words &words) {
  BumpPtrAllocator allocator;
  cl::ExpansionContext context(allocator, cl::TokenizeGNUCommandLine);
  SmallVector<const char *> parts;
  for (const std::string &word : words)
    parts.push_back(word.c_str());
  if (Error error = context.expandResponseFiles(parts)) {
    consumeError(std::move(error));
    return words;
  }
  return Words(parts.begin(), parts.end());
}

bool isCSource(StringRef input, StringRef language) {
  return language == "c" || ((language.empty() || language == "none") &&
                             path::extension(input) == ".c");
}

Words select(const Words &words, ArrayRef<size_t> dropped) {
  Words result;
  for (size_t i = 0; i < words.size(); ++i)
    if (!is_contained(dropped, i))
      result.push_back(words[i]);
  return result;
}

} // namespace

CompilerCommand readCommand(Words given) {
  CompilerCommand command;
  command.words = withResponseFiles(given);
  const Words &words = command.words;
  while (command.compiler + 1 < words.size() &&
         isLauncher(words[command.compiler]))
    ++command.compiler;
  const size_t first = command.compiler + 1;
  SmallVector<const char *, 64> arguments;
  for (const std::string &word : drop_begin(words, first))
    arguments.push_back(word.c_str());
  unsigned missingIndex = 0, missingCount = 0;
  opt::InputArgList list = clang::driver::getDriverOptTable().ParseArgs(
      arguments, missingIndex, missingCount,
      opt::Visibility(options::ClangOption));
  if (missingCount ||
      list.hasArg(options::OPT_E, options::OPT_S, options::OPT_M,
                  options::OPT_MM, options::OPT_fsyntax_only))
    return command;
  command.isShared = list.hasArg(options::OPT_shared);
  command.isPartial = list.hasArg(options::OPT_r);
  std::string language;
  for (const opt::Arg *argument : list) {
    const size_t at = first + argument->getIndex();
    // "-o" "x" are two words, "-ox" is one.
    const bool isTwo =
        argument->getNumValues() == 1 && argument->getSpelling() == words[at] &&
        argument->getOption().getKind() != opt::Option::InputClass;
    auto note = [&](std::vector<size_t> &positions) {
      positions.push_back(at);
      if (isTwo)
        positions.push_back(at + 1);
    };
    switch (argument->getOption().getID()) {
    case options::OPT_INPUT:
      (isCSource(words[at], language) ? command.sources : command.inputs)
          .push_back(at);
      break;
    case options::OPT_x:
      language = argument->getValue();
      break;
    case options::OPT_o:
      command.output = argument->getValue();
      note(command.ofOutput);
      break;
    case options::OPT_MD:
    case options::OPT_MMD:
    case options::OPT_MP:
    case options::OPT_MG:
    case options::OPT_MF:
    case options::OPT_MT:
    case options::OPT_MQ:
      note(command.forMake);
      break;
    case options::OPT_l:
    case options::OPT_L:
    case options::OPT_Wl_COMMA:
    case options::OPT_Xlinker:
    case options::OPT_T:
    case options::OPT_u:
    case options::OPT_z:
    case options::OPT_shared:
    case options::OPT_static:
    case options::OPT_rdynamic:
    case options::OPT_s:
      note(command.forTheLinker);
      break;
    }
  }
  const bool toObjects = list.hasArg(options::OPT_c);
  const bool fromNowhere =
      any_of(command.sources, [&](size_t i) { return words[i] == "-"; });
  if (toObjects ? command.sources.empty() || fromNowhere ||
                      command.output == "/dev/null"
                : command.sources.empty() && command.inputs.empty())
    return command;
  command.kind = toObjects ? CompilerCommand::Compile : CompilerCommand::Link;
  return command;
}

Words CompilerCommand::without(ArrayRef<size_t> dropped) const {
  std::vector<size_t> all = ofOutput;
  append_range(all, dropped);
  return select(words, all);
}

Words CompilerCommand::withOutput(StringRef name) const {
  Words result = without({});
  result.insert(result.end(), {"-o", name.str()});
  return result;
}

std::string CompilerCommand::objectOf(size_t source) const {
  if (!output.empty())
    return output;
  SmallString<128> object = path::filename(words[sources[source]]);
  path::replace_extension(object, "o");
  return std::string(object);
}

CompilerCommand CompilerCommand::compilationOf(size_t source,
                                               StringRef object) const {
  std::vector<size_t> dropped = inputs;
  append_range(dropped, ofOutput);
  append_range(dropped, forTheLinker);
  for (size_t i = 0; i < sources.size(); ++i)
    if (i != source)
      dropped.push_back(sources[i]);
  Words result = select(words, dropped);
  if (kind == Link)
    result.push_back("-c");
  result.insert(result.end(), {"-o", object.str()});
  return readCommand(std::move(result));
}

Words CompilerCommand::again() const {
  Words result = without(forMake);
  result.erase(result.begin(), result.begin() + compiler);
  return result;
}

Words CompilerCommand::flags() const {
  std::vector<size_t> dropped = ofOutput;
  append_range(dropped, forMake);
  append_range(dropped, forTheLinker);
  append_range(dropped, sources);
  append_range(dropped, inputs);
  for (size_t i = 0; i <= compiler; ++i)
    dropped.push_back(i);
  Words result = select(words, dropped);
  erase(result, "-c");
  return result;
}

static Expected<int> run(const Words &words, posix_spawn_file_actions_t *to) {
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child;
  if (int error = posix_spawnp(&child, arguments[0], to, nullptr,
                               arguments.data(), environ))
    return makeError(MessageId::NoCompiler,
                     words[0] + ": " + std::strerror(error));
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return errorCodeToError(std::error_code(errno, std::generic_category()));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Expected<int> runCommand(const Words &words) { return run(words, nullptr); }

Expected<int> runCaptured(const Words &words, StringRef directory,
                          bool complaintsToo, std::string &output) {
  // A file, since a pipe that nobody reads meanwhile may be full.
  int into = memfd_create("nvmove", MFD_CLOEXEC);
  if (into < 0)
    return errorCodeToError(std::error_code(errno, std::generic_category()));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                   O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, into, STDOUT_FILENO);
  if (complaintsToo)
    posix_spawn_file_actions_adddup2(&actions, into, STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&actions, directory.str().c_str());
  Expected<int> status = run(words, &actions);
  posix_spawn_file_actions_destroy(&actions);
  auto buffer = MemoryBuffer::getOpenFileSlice(into, "output",
                                               lseek(into, 0, SEEK_END), 0);
  output = buffer ? (*buffer)->getBuffer().str() : "";
  close(into);
  return status;
}

} // namespace nvmove
