//===- MovedText.h - A file with its edits, line for line -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_COMPILER_MOVEDTEXT_H
#define NVMOVE_TOOL_COMPILER_MOVEDTEXT_H

#include "passes/rewrite/text/Edit.h"
#include "llvm/ADT/ArrayRef.h"

namespace nvmove {

/// `content` with `edits`, which are of one file and in order, so that each
/// token that is the user's stays in its line, for messages, debuggers,
/// coverage, assert() and __LINE__: what the edits add stands in one line with
/// it, or #line follows where that is not possible, after directives.
std::string movedText(llvm::StringRef content,
                      llvm::ArrayRef<const Edit *> edits);

} // namespace nvmove

#endif // NVMOVE_TOOL_COMPILER_MOVEDTEXT_H
