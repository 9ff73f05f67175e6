//===- ObjectUnit.h - What an object carries for its link -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_COMPILER_OBJECTUNIT_H
#define NVMOVE_TOOL_COMPILER_OBJECTUNIT_H

#include "tool/compiler/CompilerCommand.h"
#include "tool/input/FactsFile.h"

namespace nvmove {

/// A file that a unit was compiled from, but for those of the system.
struct UnitText {
  std::string path;      ///< absolute, as the compiler asked for it
  std::string canonical; ///< without links
  std::string text;
};
template <> struct members::Of<UnitText> {
  static void list(auto &t, auto &&v) { v(t.path, t.canonical, t.text); }
};

/// All that a link needs to know of a unit to move it: the source tree may be
/// gone by then, or be another one. It lies in the section .nvmove of the
/// object, which linkers leave out of programs.
struct ObjectUnit {
  FactsFile file;      ///< without facts where `failure` says why
  std::string failure; ///< what Clang says of a unit that the compiler takes
  Words command;       ///< that compiles it; the names in it are as given
  std::vector<UnitText> texts;
  /// Files of the system that were read, canonical: they are not rewritten.
  std::vector<std::string> systemFiles;
};
template <> struct members::Of<ObjectUnit> {
  static void list(auto &u, auto &&v) {
    v(u.file, u.failure, u.command, u.texts, u.systemFiles);
  }
};

/// Puts the unit into the object. The object is whole at any moment.
llvm::Error attachUnit(llvm::StringRef object, const ObjectUnit &unit);

/// Of an object file's bytes, one for each unit that it was made of by `ld -r`;
/// none where it has no such section. `name` is for messages. Facts of another
/// version of nvmove are an error.
llvm::Expected<std::vector<ObjectUnit>> readUnits(llvm::MemoryBufferRef object,
                                                  llvm::StringRef name);

} // namespace nvmove

#endif // NVMOVE_TOOL_COMPILER_OBJECTUNIT_H
