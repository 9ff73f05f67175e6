//===- Builtins.cpp - Compiler built-ins that are no calls ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/syntax/Builtins.h"
#include "llvm/ADT/StringSwitch.h"

using namespace nvmove;

BuiltinKind nvmove::builtinKind(llvm::StringRef name) {
  if (name.starts_with("__sync_") || name == "__atomic_test_and_set" ||
      name == "__atomic_clear")
    return BuiltinKind::Sync;
  if (!name.starts_with("__builtin_"))
    return BuiltinKind::None;
  if (name.ends_with("_overflow"))
    return BuiltinKind::Overflow;
  return llvm::StringSwitch<BuiltinKind>(name)
      .Cases("__builtin_constant_p", "__builtin_object_size",
             "__builtin_dynamic_object_size", "__builtin_classify_type",
             BuiltinKind::Unevaluated)
      .Cases("__builtin_expect", "__builtin_expect_with_probability",
             "__builtin_assume_aligned", "__builtin_launder",
             BuiltinKind::Identity)
      .Cases("__builtin_va_start", "__builtin_c23_va_start",
             BuiltinKind::VaStart)
      .Case("__builtin_va_copy", BuiltinKind::VaCopy)
      .Case("__builtin_va_end", BuiltinKind::VaEnd)
      .Default(BuiltinKind::None);
}
