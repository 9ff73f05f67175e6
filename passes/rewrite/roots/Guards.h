//===- Guards.h - The load at start-up --------------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_ROOTS_GUARDS_H
#define NVMOVE_PASSES_REWRITE_ROOTS_GUARDS_H

#include "passes/rewrite/context/Context.h"

namespace nvmove {

/// Skips the load when the pool gives its roots back, and ends the start-up
/// section behind it.
void addGuard(Context &context, const LoadGuard &guard);

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_ROOTS_GUARDS_H
