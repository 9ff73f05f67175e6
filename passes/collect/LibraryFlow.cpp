//===- LibraryFlow.cpp - Values through library functions -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/LibraryFlow.h"
#include "llvm/ADT/StringSwitch.h"

using namespace nvmove;

static llvm::StringRef plainName(llvm::StringRef name) {
  name.consume_front("nvm_");
  name.consume_front("__builtin_");
  if (name.starts_with("__") && name.ends_with("_chk")) {
    name.consume_front("___");
    name.consume_front("__");
    name.consume_back("_chk");
  }
  return name;
}

LibraryFlow nvmove::libraryFlow(llvm::StringRef name) {
  constexpr int No = LibraryFlow::Nothing;
  const LibraryFlow copies{.to = 0, .from = 1, .result = 0};
  const LibraryFlow first{.result = 0};
  return llvm::StringSwitch<LibraryFlow>(plainName(name))
      .Cases("memcpy", "memmove", "mempcpy", "memccpy", "wmemcpy", "wmemmove",
             copies)
      .Cases("strcpy", "strncpy", "strcat", "strncat", "stpcpy", "stpncpy",
             copies)
      .Cases("wcscpy", "wcsncpy", "wcscat", "wcsncat", copies)
      .Cases("strlcpy", "strlcat", LibraryFlow{.to = 0, .from = 1})
      .Case("bcopy", LibraryFlow{.to = 1, .from = 0})
      .Cases("strdup", "strndup", "wcsdup",
             LibraryFlow{.to = LibraryFlow::Result, .from = 0, .result = No})
      .Cases("memset", "fgets", "gets", "getcwd", "asctime_r", "ctime_r", first)
      .Cases("gmtime_r", "localtime_r", LibraryFlow{.result = 1})
      .Cases("memchr", "memrchr", "rawmemchr", "memmem", first)
      .Cases("strchr", "strrchr", "strchrnul", "index", "rindex", first)
      .Cases("strstr", "strcasestr", "strpbrk", "strtok", "basename", "dirname",
             first)
      .Case("bsearch", LibraryFlow{.result = 1})
      .Case("strtok_r", LibraryFlow{.result = 0,
                                    .cell = 2,
                                    .storedInCell = 0,
                                    .resultFromCell = true})
      // A tree's root leads to what is put there, a node to a slot with that.
      .Case("tsearch", LibraryFlow{.result = 1, .cell = 1, .storedInCell = 0})
      .Cases("tfind", "tdelete", LibraryFlow{.result = 1})
      .Cases("lsearch", "lfind", LibraryFlow{.to = 1, .from = 0, .result = 1})
      .Case("strsep", LibraryFlow{.cell = 0, .resultFromCell = true})
      .Cases("strtol", "strtoul", "strtoll", "strtoull", "strtod", "strtof",
             "strtold", LibraryFlow{.cell = 1, .storedInCell = 0})
      .Cases("strtoimax", "strtoumax",
             LibraryFlow{.cell = 1, .storedInCell = 0})
      .Cases("posix_memalign", "asprintf", "vasprintf", "getline", "getdelim",
             "open_memstream", LibraryFlow{.block = 0})
      .Default({});
}

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
