//===- CompileUnit.h - One C file to an object with its facts ---*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_COMPILER_COMPILEUNIT_H
#define NVMOVE_TOOL_COMPILER_COMPILEUNIT_H

#include "tool/compiler/CompilerCommand.h"
#include "tool/options/Options.h"

namespace nvmove {

/// Runs `command`, which compiles one C file, as it is, collects the facts of
/// that file meanwhile, and puts both into `object`. The exit code is that of
/// the compiler. A file that only Clang refuses gets an object that says so.
llvm::Expected<int> compileUnit(const CompilerCommand &command,
                                llvm::StringRef object, const Options &options);

} // namespace nvmove

#endif // NVMOVE_TOOL_COMPILER_COMPILEUNIT_H
