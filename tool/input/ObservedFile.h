//===- ObservedFile.h - What a run of nvmove-cc --observe wrote -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_INPUT_OBSERVEDFILE_H
#define NVMOVE_TOOL_INPUT_OBSERVEDFILE_H

#include "passes/solve/Solution.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace nvmove {

/// Reads the files of --observed, which are runs of one program and of these
/// load functions. Errors name the file: it cannot be read, it is damaged or of
/// another version, its load did not end, it is of another load.
llvm::Expected<std::vector<ObservedRun>>
readObservedFiles(llvm::ArrayRef<std::string> files,
                  llvm::ArrayRef<std::string> load);

/// Each run has to have been in code of these files.
llvm::Error checkObservedProgram(const Facts &facts,
                                 llvm::ArrayRef<ObservedRun> runs);

} // namespace nvmove

#endif // NVMOVE_TOOL_INPUT_OBSERVEDFILE_H
