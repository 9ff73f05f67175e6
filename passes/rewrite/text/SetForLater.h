//===- SetForLater.h - What a statement leaves to the next ------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_TEXT_SETFORLATER_H
#define NVMOVE_PASSES_REWRITE_TEXT_SETFORLATER_H

#include "passes/rewrite/text/Blocks.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace nvmove {

/// A variable that `statement` sets, or hands out by its address, and that what
/// stands behind it in the function reads before it sets it; empty: none, so
/// that the statement may be skipped. By the text alone: a declaration in the
/// statement is `type name` or `*name`, and what stands first behind it is
/// taken for what runs first. A loop around the statement is not looked at.
///
/// `body`: an offset in the body of the function, not in a block within.
/// `isOnlyRead`: of a variable whose address is an argument in the statement,
/// whether nothing is written through that.
llvm::StringRef
setForLater(llvm::StringRef text, uint32_t body, Extent statement,
            llvm::function_ref<bool(llvm::StringRef)> isOnlyRead);

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_TEXT_SETFORLATER_H
