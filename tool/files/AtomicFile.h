//===- AtomicFile.h - Files written whole or not at all ---------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_FILES_ATOMICFILE_H
#define NVMOVE_TOOL_FILES_ATOMICFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace nvmove {

/// Whoever reads `file` meets what was there before or all of `contents`.
llvm::Error writeFileAtomically(llvm::StringRef file, llvm::StringRef contents);

} // namespace nvmove

#endif // NVMOVE_TOOL_FILES_ATOMICFILE_H
