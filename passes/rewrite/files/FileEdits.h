//===- FileEdits.h - What each file gets at its top -------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_FILES_FILEEDITS_H
#define NVMOVE_PASSES_REWRITE_FILES_FILEEDITS_H

#include "passes/rewrite/context/Context.h"

namespace nvmove {

/// #include and NVM_TYPE. Runs last, since the others say what each file needs.
void addPreambles(Context &context);

/// Takes the edits of system headers out. The macros that they are in are
/// defined anew where they are used.
llvm::Error addSystemMacros(Context &context);

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_FILES_FILEEDITS_H
