//===- Libraries.h - Archives that are no part of the program ---*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_COMPILER_LIBRARIES_H
#define NVMOVE_TOOL_COMPILER_LIBRARIES_H

#include "tool/compiler/LinkInputs.h"
#include "tool/report/Report.h"
#include <set>

namespace nvmove {

/// An archive that needs nothing of the program is a library that the tree
/// brings along, an interpreter say: it is not analysed, as those of the system
/// are not. What it does with the program's state is asked about as with
/// those; where such a question names a function of it, it is a part of the
/// program after all.
class Libraries {
public:
  /// `others` are archives, or folders of archives, that are libraries
  /// whatever they need; the word none: no archive is one.
  static llvm::Expected<Libraries> find(llvm::ArrayRef<LinkedUnit> units,
                                        llvm::ArrayRef<std::string> load,
                                        llvm::ArrayRef<std::string> others);

  bool has(const LinkInput &input) const {
    return archives.count(input.file) && !input.member.empty();
  }
  std::vector<std::string> names() const;

  /// Takes into the program each one that the report asks about; true if there
  /// is one.
  bool takeIn(const Report &report);

private:
  /// By file: all that its members define.
  std::map<std::string, std::set<std::string>> archives;
  std::set<std::string> named; ///< by the user, who has the last word
};

} // namespace nvmove

#endif // NVMOVE_TOOL_COMPILER_LIBRARIES_H
