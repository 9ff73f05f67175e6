//===- Jumps.h - Functions that jump out of their callers -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_FACTS_JUMPS_H
#define NVMOVE_PASSES_FACTS_JUMPS_H

#include "llvm/ADT/StringSwitch.h"

namespace nvmove {

/// The program goes on where setjmp() was called.
inline bool isLongJump(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("longjmp", "_longjmp", "siglongjmp", "__longjmp_chk",
             "__builtin_longjmp", true)
      .Default(false);
}

/// Where it goes on. Most are macros of <setjmp.h>.
inline bool isSetJump(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp",
             "__builtin_setjmp", true)
      .Default(false);
}

} // namespace nvmove

#endif // NVMOVE_PASSES_FACTS_JUMPS_H
