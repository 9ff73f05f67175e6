//===- LayoutEdits.h - What each type looks like ----------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_LAYOUTS_LAYOUTEDITS_H
#define NVMOVE_PASSES_REWRITE_LAYOUTS_LAYOUTEDITS_H

#include "passes/rewrite/context/Context.h"

namespace nvmove {

/// Room for logs in the records that get one.
void addLineLogs(Context &context);
/// The layouts of the persistent types. Runs behind addLineLogs(), which adds
/// members.
void addLayouts(Context &context);

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_LAYOUTS_LAYOUTEDITS_H
