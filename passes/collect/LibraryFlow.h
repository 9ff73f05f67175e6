//===- LibraryFlow.h - Values through library functions ---------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_LIBRARYFLOW_H
#define NVMOVE_PASSES_COLLECT_LIBRARYFLOW_H

#include "llvm/ADT/StringRef.h"

namespace nvmove {

/// Argument numbers; Nothing where the function does no such thing.
struct LibraryFlow {
  static constexpr int Nothing = -1, Result = -2;
  int to = Nothing, from = Nothing; ///< copies memory: *to = *from
  int result =
      Nothing;        ///< its result points into what this argument points into
  int cell = Nothing; ///< a char ** that it reads or writes
  int storedInCell =
      Nothing; ///< writes this argument, or a place in it, to *cell
  bool resultFromCell = false; ///< its result comes from *cell
  int block = Nothing; ///< a pointer to where it puts a block that it makes
};

/// What the C library function `name` does; `nvm_`, __builtin_ and fortified
/// forms are found like the originals.
LibraryFlow libraryFlow(llvm::StringRef name);

/// Compiler built-ins that are no calls.
enum class BuiltinKind {
  None,
  Unevaluated, ///< its arguments are not run: __builtin_constant_p
  Identity,    ///< hands back its first argument: __builtin_expect
  VaStart,
  VaCopy,
  VaEnd,
  Sync,     ///< __sync_*
  Overflow, ///< __builtin_add_overflow: writes through its third argument
};
BuiltinKind builtinKind(llvm::StringRef name);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_LIBRARYFLOW_H
