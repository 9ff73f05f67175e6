//===- Written.h - What the C library writes behind arguments ---*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_FACTS_WRITTEN_H
#define NVMOVE_PASSES_FACTS_WRITTEN_H

#include "llvm/ADT/StringSwitch.h"

namespace nvmove {

/// Behind `argument` no more is written than the one object that it points to
/// or, where there is one, as many bytes as argument `size` says.
struct WrittenArg {
  int argument = -1, size = -1; ///< -1: none
};

/// Functions of which nothing else is to be known (see Library.h).
inline WrittenArg writtenArg(llvm::StringRef name) {
  return llvm::StringSwitch<WrittenArg>(name)
      .Cases("time", "gettimeofday", "times", "sysinfo", "wait", {0})
      .Cases("sigemptyset", "sigfillset", "sigaddset", "sigdelset", {0})
      .Cases("clock_gettime", "clock_getres", "getrusage", "getrlimit", {1})
      .Cases("fstat", "statvfs", "fstatvfs", "statfs", "fstatfs", {1})
      .Cases("inet_aton", "tcgetattr", "getitimer", "waitpid", "fgetpos", {1})
      .Cases("frexp", "frexpf", "frexpl", "modf", "modff", "modfl", {1})
      .Cases("strtol", "strtoul", "strtoll", "strtoull", {1})
      .Cases("strtod", "strtof", "strtold", "strtoimax", "strtoumax", {1})
      .Cases("strptime", "setitimer", "sigaction", "sigprocmask", {2})
      .Cases("getrandom", "getentropy", {0, 1})
      .Cases("strlcpy", "strlcat", "stpncpy", "strxfrm", {0, 2})
      .Cases("readlink", "strerror_r", "ttyname_r", {1, 2})
      .Case("inet_ntop", {2, 3})
      .Default({});
}

} // namespace nvmove

#endif // NVMOVE_PASSES_FACTS_WRITTEN_H
