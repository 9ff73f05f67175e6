//===- Definitions.h - From a definition to its facts -----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_DEFINITIONS_H
#define NVMOVE_PASSES_COLLECT_BODY_DEFINITIONS_H

#include "passes/collect/body/UnitState.h"

namespace nvmove {

/// Appends the facts of a function's body to those of the unit.
void collectFunction(UnitState &unit, clang::FunctionDecl *f);
/// A declaration that makes a function another name of one; nothing for others.
void collectAlias(UnitState &unit, const clang::FunctionDecl *f);
/// A variable of static storage that has an initialiser.
void collectStatic(UnitState &unit, const clang::VarDecl *v);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_DEFINITIONS_H
