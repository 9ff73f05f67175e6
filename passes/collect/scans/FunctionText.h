//===- FunctionText.h - Where a function stands in its file -----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SCANS_FUNCTIONTEXT_H
#define NVMOVE_PASSES_COLLECT_SCANS_FUNCTIONTEXT_H

#include "passes/collect/entities/SourceMap.h"
#include "clang/AST/Decl.h"

namespace nvmove {

/// Fills in what the definition says of the function's text: its lines, its
/// span and that of its body, the heads of its blocks and, of main, where the
/// first statement may be put.
void describeText(SourceMap &map, const clang::FunctionDecl *function,
                  Definition &definition);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SCANS_FUNCTIONTEXT_H
