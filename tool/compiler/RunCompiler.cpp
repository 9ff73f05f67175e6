//===- RunCompiler.cpp - What nvmove-cc --load calls ----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/compiler/RunCompiler.h"
#include "tool/compiler/CompileUnit.h"
#include "tool/compiler/MovedLink.h"
#include "tool/compiler/Scratch.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
namespace path = llvm::sys::path;

namespace nvmove {

namespace {

Expected<int> compileEach(const CompilerCommand &command,
                          const Options &options) {
  for (size_t i = 0; i < command.sources.size(); ++i) {
    const std::string object = command.objectOf(i);
    auto status = compileUnit(command.sources.size() == 1
                                  ? command
                                  : command.compilationOf(i, object),
                              object, options);
    if (!status || *status)
      return status;
  }
  return 0;
}

/// Sources in a command that links become objects first.
Expected<int> compileAndLink(const CompilerCommand &command,
                             const Options &options,
                             const UnitAnalysis &analysis,
                             Diagnostics &diagnostics, Progress &progress) {
  if (command.sources.empty())
    return linkMoved(command, options, analysis, diagnostics, progress);
  ScratchFolder scratch;
  if (Error error = scratch.make())
    return error;
  Words words = command.words;
  for (size_t i = 0; i < command.sources.size(); ++i) {
    std::string &source = words[command.sources[i]];
    const std::string object =
        scratch.file(utostr(i) + "-" + path::stem(source) + ".o");
    auto status =
        compileUnit(command.compilationOf(i, object), object, options);
    if (!status || *status)
      return status;
    source = object;
  }
  return linkMoved(readCommand(std::move(words)), options, analysis,
                   diagnostics, progress);
}

} // namespace

Expected<int> runCompiler(const Options &options, const UnitAnalysis &analysis,
                          Diagnostics &diagnostics, Progress &progress) {
  const CompilerCommand command = readCommand(*options.flags);
  switch (command.kind) {
  case CompilerCommand::Compile:
    return compileEach(command, options);
  case CompilerCommand::Link:
    return compileAndLink(command, options, analysis, diagnostics, progress);
  default:
    return runCommand(command.words);
  }
}

} // namespace nvmove
