//===- Options.h - The command line -----------------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_OPTIONS_OPTIONS_H
#define NVMOVE_TOOL_OPTIONS_OPTIONS_H

#include "passes/solve/Solution.h"
#include "tool/files/PrefixMap.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace nvmove {

enum class Verb {
  Run,
  Explain,
  Verify,
  Collect,
  Link,
  Compile,
  Trial,
  Help,
  Version
};
enum class Print { Types, Roots, Sites, Sections, Fields, Facts };

struct Options {
  Verb verb = Verb::Run;
  std::string subject; ///< explain: what about
  SolveOptions solve;
  bool analyzeOnly = false;
  std::optional<Print> print; ///< implies analyzeOnly, writes no folder
  std::string database;       ///< -p: the directory, or the file itself
  std::string make;           ///< --make: a command that builds the program
  std::vector<std::string> extraArguments; ///< appended to every command
  /// The output folder; verify writes none unless one is named.
  std::string out = "nvmove-out";
  bool outNamed = false;
  bool force = false;
  bool notes = false; ///< the terminal lists the notes, too
  unsigned jobs = 0;  ///< 0: one for each core
  std::string cache;  ///< --cache: the folder; "": the user's
  bool noCache = false;
  std::string output, depfile; ///< collect
  std::string trialInput;      ///< trial: the file with the lines
  std::string driver;          ///< trial: a program that asks a server
  unsigned points = 0; ///< trial: kills of each kind; 0: for about a minute
  std::vector<PrefixMap> prefixMaps;  ///< collect, and what reads facts
  std::vector<std::string> libraries; ///< compile: archives, folders, or none
  bool stopOnAct = false;         ///< compile: a finding to act on is an error
  std::vector<std::string> files; ///< link: files of facts
  std::vector<std::string> observed; ///< --observed: files of runs
  std::vector<std::string> given;    ///< compile: the options as given
  /// What follows `--`, when there is a `--`; trial: a program, its arguments;
  /// compile: what follows the options, a compiler and its arguments.
  std::optional<std::vector<std::string>> flags;
};

/// Reads the arguments after argv[0]. Every error is one of use (exit code 2).
llvm::Expected<Options> parseOptions(llvm::ArrayRef<std::string> arguments);

/// Of `options`, which are those of nvmove compile, with the options that
/// `file` has, an nvmove.conf: one a line, "--keep a,b" or "--keep=a,b", #
/// begins a comment. No shell reads them.
llvm::Expected<Options> withOptionsOf(llvm::StringRef file,
                                      const Options &options);

/// Whether the options go together, and say all that the verb needs.
llvm::Error checkOptions(const Options &options);

/// Neither files nor something that names them.
bool namesNoFiles(const Options &options);

extern const char *const helpText;

} // namespace nvmove

#endif // NVMOVE_TOOL_OPTIONS_OPTIONS_H
