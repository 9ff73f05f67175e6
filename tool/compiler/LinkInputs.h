//===- LinkInputs.h - What a link is made of --------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_COMPILER_LINKINPUTS_H
#define NVMOVE_TOOL_COMPILER_LINKINPUTS_H

#include "tool/compiler/ObjectUnit.h"
#include <map>

namespace nvmove {

/// A file that the linker took, or a member of an archive.
struct LinkInput {
  std::string file;
  std::string member; ///< "" for a file of its own
  std::string shown() const {
    return member.empty() ? file : file + "(" + member + ")";
  }
};

/// A unit of a program, and where it came from.
struct LinkedUnit {
  LinkInput from;
  ObjectUnit unit;
};

struct LinkInputs {
  std::vector<LinkedUnit> units;
  std::vector<LinkInput> without;  ///< objects without a unit
  std::vector<LinkInput> combined; ///< made of several units by `ld -r`
};

/// What a linker prints with --trace, twice for the members: one input a line,
/// "file", "archive(member)" or "(archive)member". `rest` gets the lines that
/// are none of these.
std::vector<LinkInput> readTrace(llvm::StringRef trace, std::string &rest);

/// Reads the units of all inputs, but for those of the system.
llvm::Expected<LinkInputs> readLinkInputs(llvm::ArrayRef<LinkInput> inputs);

/// What is linked in place of files, by their canonical names.
using NewFiles = std::map<std::string, std::string>;

/// The command with these files, also where -lNAME finds them, and without its
/// output.
Words withInputs(const CompilerCommand &command, const NewFiles &files);

/// Writes the archive with other contents of some members, by name, to `to`.
llvm::Error writeArchiveWith(llvm::StringRef archive,
                             const std::map<std::string, std::string> &objects,
                             llvm::StringRef to);

} // namespace nvmove

#endif // NVMOVE_TOOL_COMPILER_LINKINPUTS_H
