//===- MovedLink.h - The link of a program, which moves it ------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_COMPILER_MOVEDLINK_H
#define NVMOVE_TOOL_COMPILER_MOVEDLINK_H

#include "tool/compiler/CompilerCommand.h"
#include "tool/input/FactsFile.h"
#include "tool/message/Diagnostics.h"
#include "tool/message/Progress.h"
#include "tool/report/Report.h"
#include <functional>

namespace nvmove {

/// analyseUnits() of tool/Analysis.h, which lies above this room.
using UnitAnalysis = std::function<llvm::Expected<Report>(
    llvm::ArrayRef<FactsFile> units, const FileTexts &texts,
    const Options &options, Diagnostics &diagnostics, Progress &progress)>;

/// Runs `command`, which links objects that compileUnit() has made. A program
/// with a load function is moved: the units of all that the linker takes are
/// analysed as one program, those whose text changes are compiled again, and
/// linked in place of the first ones with the runtime; the report lies beside
/// the program. Any other program is linked as it is, which a line says.
///
/// The output appears whole, or not at all; where the program cannot be moved,
/// none is left that is not. The exit code is that of the linker.
llvm::Expected<int> linkMoved(const CompilerCommand &command,
                              const Options &options,
                              const UnitAnalysis &analysis,
                              Diagnostics &diagnostics, Progress &progress);

} // namespace nvmove

#endif // NVMOVE_TOOL_COMPILER_MOVEDLINK_H
