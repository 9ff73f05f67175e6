//===- Recompile.h - Units compiled again with their new texts --*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_COMPILER_RECOMPILE_H
#define NVMOVE_TOOL_COMPILER_RECOMPILE_H

#include "tool/compiler/ObjectUnit.h"

namespace nvmove {

/// Where units are compiled again: a folder with a file for each text of a
/// unit, at its absolute path below. Relative names, -I with relative and
/// absolute folders, and generated headers are found there as before, and the
/// compiler is told to name the user's files.
class MirrorTree {
public:
  /// `changed`: by canonical path. The folder exists.
  MirrorTree(llvm::StringRef folder, const FileTexts &changed)
      : folder(folder), changed(changed) {}

  /// A text that changes was read by the unit.
  bool changes(const ObjectUnit &unit) const;
  /// Writes the unit's texts. An error where a changed one is not among them.
  llvm::Error write(const ObjectUnit &unit);
  /// Compiles the unit with the flags of the runtime to the file `object`, or
  /// finds in the cache what that would give. Any thread, after all writing.
  llvm::Error compile(const ObjectUnit &unit, const Words &runtimeFlags,
                      Cache &cache, llvm::StringRef object);

private:
  std::string within(llvm::StringRef path) const;
  std::string mapped(const std::string &argument) const;
  llvm::StringRef textOf(const UnitText &text) const;

  const std::string folder;
  const FileTexts &changed;
  FileSnapshot systemFiles; ///< all units include the same
};

} // namespace nvmove

#endif // NVMOVE_TOOL_COMPILER_RECOMPILE_H
