//===- HandlerTypes.h - Types that handlers alone make ----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_TYPES_HANDLERTYPES_H
#define NVMOVE_PASSES_SOLVE_TYPES_HANDLERTYPES_H

#include "passes/solve/state/Analysis.h"

namespace nvmove {

/// What the pointer of a static, or of a member of one, leads to is made by
/// handlers alone, and holds nothing that ends with the process, nor does what
/// hangs from it.
bool isOfHandlers(View<LoadedTypes> a, Id variable,
                  const std::vector<Id> &fields);
/// Then the types are persistent.
void addHandlerTypesBehind(View<LoadedTypes> a, Id variable,
                           const std::vector<Id> &fields);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_TYPES_HANDLERTYPES_H
