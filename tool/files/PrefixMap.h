//===- PrefixMap.h - Sources that lie elsewhere now -------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_FILES_PREFIXMAP_H
#define NVMOVE_TOOL_FILES_PREFIXMAP_H

#include "passes/facts/Facts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace nvmove {

/// What lies in one folder is said to lie in another, as the compilers'
/// -ffile-prefix-map=OLD=NEW does. Whole folders: /src is not in front of
/// /srcs/a.c. Of several maps that fit the last counts.
struct PrefixMap {
  PrefixMap(llvm::StringRef from, llvm::StringRef to);
  std::string from, to; ///< absolute, without links where they are there
};

void mapPath(std::string &path, llvm::ArrayRef<PrefixMap> maps);
/// Of an argument for the compiler: -I/src/include.
void mapPathWithin(std::string &argument, llvm::ArrayRef<PrefixMap> maps);
/// Everything that names a file, keys of entities too. The order of the facts
/// stays; merge() makes it canonical again.
void mapPaths(Facts &facts, llvm::ArrayRef<PrefixMap> maps);

} // namespace nvmove

#endif // NVMOVE_TOOL_FILES_PREFIXMAP_H
