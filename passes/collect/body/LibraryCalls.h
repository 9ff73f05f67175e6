//===- LibraryCalls.h - What library functions do to values -----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_LIBRARYCALLS_H
#define NVMOVE_PASSES_COLLECT_BODY_LIBRARYCALLS_H

#include "passes/collect/body/DefinitionFacts.h"

namespace nvmove {

/// The flow of a call of the library function `name`, whose arguments and
/// result are in `c`.
void addLibraryFlow(DefinitionFacts &out, llvm::StringRef name,
                    const clang::CallExpr *e, const Call &c);

/// A block that the call makes goes where arguments point; of the call it is
/// the result. The value of the expression, a length, tells of the bytes in it.
void handOverBlocks(DefinitionFacts &out, llvm::StringRef name,
                    const clang::CallExpr *e, Call &c);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_LIBRARYCALLS_H
