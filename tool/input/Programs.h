//===- Programs.h - Which files make up the program that loads --*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_INPUT_PROGRAMS_H
#define NVMOVE_TOOL_INPUT_PROGRAMS_H

#include "passes/facts/Members.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace nvmove {

/// What a linker would see of one unit, and which functions it defines.
struct Symbols {
  std::vector<std::string> defined, needed;
  std::vector<std::string> functions; ///< with a body, static ones too
  /// What a linker does not see, "name struct tag": variables that are records
  /// with a tag, or arrays of these. No two tags are one type (C11 6.2.7).
  std::vector<std::string> tagged;
  bool hasMain = false;
};
template <> struct members::Of<Symbols> {
  static void list(auto &s, auto &&v) {
    v(s.defined, s.needed, s.functions, s.tagged, s.hasMain);
  }
};

Symbols symbolsOf(const Facts &facts);

/// A program and the source files that it is made of.
struct ProgramFiles {
  std::string program; ///< its file, or the one with its main()
  std::vector<std::string> sources;
};

/// What a choice among translation units came to; indices into the units.
struct ProgramChoice {
  std::vector<size_t> units;  ///< those to analyse, in the order given
  std::vector<size_t> others; ///< needed only by other programs
  /// Those with a main() whose program has a load function. Several are
  /// analysed together: they share the files that load.
  std::vector<size_t> mains;
  bool isPlugIn = false; ///< no program needs a file with a load function
  /// Of `units` those that nothing in the programs needs: plug-ins, if the
  /// program loads any.
  std::vector<size_t> unneeded;
  /// Other programs that need some of `units`, by their unit with main().
  std::vector<std::pair<size_t, std::vector<size_t>>> sharing;
};

/// A folder often holds several programs that share files: a server, its
/// client, a benchmark. Two `main` or two `config` are then not one entity.
/// As a linker would, follows each unit that defines main() through the names
/// it lacks, and leaves out what only programs without the load functions
/// need. When no program has one, the load is taken for a plug-in's, of the
/// programs that define what it needs. Nothing is left out when there is none
/// of these either, or no main(); nor when no unit defines a load function, so
/// that the solver can name near misses from all programs.
ProgramChoice chooseProgram(llvm::ArrayRef<Symbols> units,
                            llvm::ArrayRef<std::string> load);

} // namespace nvmove

#endif // NVMOVE_TOOL_INPUT_PROGRAMS_H
