//===- OutputFolder.h - All of the output, or none --------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_FILES_OUTPUTFOLDER_H
#define NVMOVE_TOOL_FILES_OUTPUTFOLDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace nvmove {

struct OutputFile {
  std::string name; ///< relative to the folder: "patches/1-roots.patch"
  std::string text;
};

/// Whether `folder` may be written: it does not exist, or `force` is given and
/// nvmove has written everything in it. Called before the work starts, so that
/// this error comes early.
llvm::Error checkOutputFolder(llvm::StringRef folder, bool force);

/// Writes `files` into a temporary folder next to `folder` and replaces
/// `folder` by it in one step. On failure `folder` is unchanged.
llvm::Error writeOutputFolder(llvm::StringRef folder, bool force,
                              const std::vector<OutputFile> &files);

} // namespace nvmove

#endif // NVMOVE_TOOL_FILES_OUTPUTFOLDER_H
