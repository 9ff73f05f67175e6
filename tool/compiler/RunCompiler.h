//===- RunCompiler.h - What nvmove-cc --load calls --------------*- C++ -*-===//
//-*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_COMPILER_RUNCOMPILER_H
#define NVMOVE_TOOL_COMPILER_RUNCOMPILER_H

#include "tool/compiler/MovedLink.h"

namespace nvmove {

/// Does what the words after the options ask the compiler for, and moves the
/// program. The exit code is that of the compiler.
llvm::Expected<int> runCompiler(const Options &options,
                                const UnitAnalysis &analysis,
                                Diagnostics &diagnostics, Progress &progress);

} // namespace nvmove

#endif // NVMOVE_TOOL_COMPILER_RUNCOMPILER_H
