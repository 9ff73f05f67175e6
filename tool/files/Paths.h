//===- Paths.h - Names of files, for the machine and for people -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_FILES_PATHS_H
#define NVMOVE_TOOL_FILES_PATHS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace nvmove {

/// Canonical absolute path; the absolute path as spelled if there is no such
/// file.
std::string canonicalPath(llvm::StringRef path);

std::string currentDirectory();

/// `path` as seen from `base`, both canonical: "src/a.c", "../deps/b.h", ".".
std::string relativePath(llvm::StringRef path, llvm::StringRef base);

/// Whether `path` lies in `directory` or is it. Both canonical.
bool isWithin(llvm::StringRef path, llvm::StringRef directory);

/// The deepest directory that holds all `files`.
std::string commonDirectory(llvm::ArrayRef<std::string> files);

/// Where relative names start: the current directory if it holds all files,
/// so that what is printed can be pasted; else their common directory.
std::string displayRoot(llvm::ArrayRef<std::string> files);

/// Checks that the files given are there and are C sources. Canonical, without
/// repetitions, in the order given.
llvm::Expected<std::vector<std::string>>
checkSources(llvm::ArrayRef<std::string> given);

} // namespace nvmove

#endif // NVMOVE_TOOL_FILES_PATHS_H
