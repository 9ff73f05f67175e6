//===- Builtins.h - Compiler built-ins that are no calls -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SYNTAX_BUILTINS_H
#define NVMOVE_PASSES_COLLECT_SYNTAX_BUILTINS_H

#include "llvm/ADT/StringRef.h"

namespace nvmove {

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

#endif // NVMOVE_PASSES_COLLECT_SYNTAX_BUILTINS_H
