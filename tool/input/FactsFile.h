//===- FactsFile.h - What nvmove collect leaves for link --------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_INPUT_FACTSFILE_H
#define NVMOVE_TOOL_INPUT_FACTSFILE_H

#include "tool/input/Collection.h"
#include <map>

namespace nvmove {

template <> struct members::Of<IncludePath> {
  static void list(auto &p, auto &&v) { v(p.directory, p.headers); }
};

/// Texts of files by their canonical names.
using FileTexts = std::map<std::string, std::string>;

/// The facts of one source file, and how it was compiled.
struct FactsFile {
  std::string source;    ///< canonical
  std::string directory; ///< where the command ran
  std::vector<std::string> arguments;
  std::string database; ///< the compile_commands.json used; "" if none
  std::vector<IncludePath> includePaths; ///< found by searching
  Unit unit;
};
template <> struct members::Of<FactsFile> {
  static void list(auto &f, auto &&v) {
    v(f.source, f.directory, f.arguments, f.database, f.includePaths, f.unit);
  }
};

/// nvmove collect: analyses the one source file, writes its facts to
/// `options.output` and, if asked for, the files it depends on in the language
/// of Make to `options.depfile`.
llvm::Error collectToFile(const Options &options, Diagnostics &diagnostics,
                          Progress &progress);

/// Reads every file of facts; in the order given.
llvm::Expected<std::vector<FactsFile>>
readFactsFiles(llvm::ArrayRef<std::string> names,
               llvm::ArrayRef<PrefixMap> maps);

/// As collectProgram(), from facts that were collected before.
llvm::Expected<Collection>
linkProgram(llvm::ArrayRef<FactsFile> given, const Options &options,
            llvm::StringRef root, Diagnostics &diagnostics, Progress &progress);

} // namespace nvmove

#endif // NVMOVE_TOOL_INPUT_FACTSFILE_H
