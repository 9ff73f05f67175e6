//===- Collection.h - From files to the facts of one program ----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_INPUT_COLLECTION_H
#define NVMOVE_TOOL_INPUT_COLLECTION_H

#include "passes/collect/unit/Collect.h"
#include "tool/input/CompileCommands.h"
#include "tool/input/IncludeSearch.h"
#include "tool/input/Unit.h"
#include "tool/message/Progress.h"

namespace nvmove {

struct ToleratedHeader {
  std::string file, header;
};

struct Collection {
  Facts facts;
  std::vector<std::string> analysed; ///< canonical, in the order given
  std::vector<CompileJob> jobs;      ///< of those, where sources were given
  std::vector<OmittedFile> omitted;
  std::vector<ToleratedHeader> tolerated;
  std::vector<IncludePath> includePaths;        ///< found by searching
  std::string database, build, ignoredDatabase; ///< as in CompilePlan
  std::vector<std::string> members;             ///< likewise
  /// Programs that do not load, as far as they are known: some of their files
  /// may be of the one that does.
  std::vector<ProgramFiles> otherPrograms;
};

/// Collects the facts of every file, several at once, searching for include
/// directories if none are named, and merges those of the program that
/// has the load functions.
///
/// A file that does not compile is an error, with two exceptions that are
/// listed as omitted: a file that another given file includes (it is analysed
/// there), and a file that wants a "header" which is nowhere in the source
/// tree, hence made by the build. A missing <header> is an error.
llvm::Expected<Collection> collectProgram(const CompilePlan &plan,
                                          const Options &options,
                                          llvm::StringRef root,
                                          Diagnostics &diagnostics,
                                          Progress &progress);

/// One file by itself.
struct CollectedFile {
  CompileJob job; ///< with the include directories that were found
  Unit unit;
  std::vector<Dependency> dependencies;
  std::vector<IncludePath> includePaths;
};

/// Collects the only file of `plan`. Every failure is an error.
llvm::Expected<CollectedFile>
collectFile(const CompilePlan &plan, const Options &options,
            llvm::StringRef root, Diagnostics &diagnostics, Progress &progress);

/// Chooses among `units`, that of `files[i]` being `units[i]`, those of the
/// program that has the load functions, and merges them into `out`.
llvm::Error mergeProgram(llvm::ArrayRef<std::string> files,
                         llvm::ArrayRef<const Unit *> units,
                         const Options &options, llvm::StringRef root,
                         Diagnostics &diagnostics, Progress &progress,
                         Collection &out);

/// The cache that the options ask for.
llvm::Expected<Cache> openCache(const Options &options);

} // namespace nvmove

#endif // NVMOVE_TOOL_INPUT_COLLECTION_H
