//===- RootEdits.h - The layer of roots -------------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_ROOTS_ROOTEDITS_H
#define NVMOVE_PASSES_REWRITE_ROOTS_ROOTEDITS_H

#include "passes/rewrite/context/Context.h"

namespace nvmove {

/// Roots, twins, kept scalars.
void addStatics(Context &context);
/// What `main` does first, and the loads that it guards.
void addStartup(Context &context);
/// Where the program ends.
void addDetaches(Context &context);

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_ROOTS_ROOTEDITS_H
