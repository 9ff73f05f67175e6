//===- CompilerCommand.h - A command that a build gives ---------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_COMPILER_COMPILERCOMMAND_H
#define NVMOVE_TOOL_COMPILER_COMPILERCOMMAND_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace nvmove {

using Words = std::vector<std::string>;

/// What a command line for gcc or Clang is about; the words themselves stay as
/// they were given.
struct CompilerCommand {
  enum Kind {
    Other,   ///< it makes neither objects of C files nor a program
    Compile, ///< C files to objects
    Link     ///< objects, libraries and perhaps C files to a program
  };
  Kind kind = Other;
  Words words;                 ///< response files are read
  size_t compiler = 0;         ///< its position: ccache may stand before it
  std::vector<size_t> sources; ///< positions of C files
  std::vector<size_t> inputs;  ///< of what else is linked, without -l
  std::string output;          ///< "" if none is named
  bool isShared = false, isPartial = false; ///< -shared; -r

  /// The words without those at `dropped`, -o and its value.
  Words without(llvm::ArrayRef<size_t> dropped) const;
  /// As `without({})`, with an output of another name.
  Words withOutput(llvm::StringRef name) const;
  /// The object of one of the sources.
  std::string objectOf(size_t source) const;
  /// How source number `source` alone would be compiled to `object`: without
  /// what is only for the linker.
  CompilerCommand compilationOf(size_t source, llvm::StringRef object) const;
  /// The same compilation with neither launcher, output nor files for Make.
  Words again() const;
  /// What decides how the C file is read, for Clang: no output, no files of
  /// dependencies, no source.
  Words flags() const;

private:
  friend CompilerCommand readCommand(Words words);
  std::vector<size_t> ofOutput;     ///< positions of -o and its value
  std::vector<size_t> forTheLinker; ///< of what only a link takes
  std::vector<size_t> forMake;      ///< of -MD, -MF FILE ..
};

/// `words`: perhaps a launcher, the compiler, its arguments.
CompilerCommand readCommand(Words words);

/// Runs it with the streams of this process; its exit code, 128 and the number
/// where a signal ended it.
llvm::Expected<int> runCommand(const Words &words);
/// As runCommand(), in `directory`, with nothing to read; what it prints goes
/// to `output`, and with `complaintsToo` what it complains of as well.
llvm::Expected<int> runCaptured(const Words &words, llvm::StringRef directory,
                                bool complaintsToo, std::string &output);

} // namespace nvmove

#endif // NVMOVE_TOOL_COMPILER_COMPILERCOMMAND_H
