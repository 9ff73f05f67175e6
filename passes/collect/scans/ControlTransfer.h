//===- ControlTransfer.h - Entries and exits of statements ------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SCANS_CONTROLTRANSFER_H
#define NVMOVE_PASSES_COLLECT_SCANS_CONTROLTRANSFER_H

#include "passes/collect/scans/DeadEnds.h"

namespace nvmove {

/// `s` can be entered other than at its beginning. `inSwitch`: cases in it are
/// no such entries, as the switch is around it.
bool hasEntry(const clang::Stmt *s, bool inSwitch = false);

/// Control may leave `s` other than at its end.
bool mayLeaveEarly(const clang::Stmt *s);

/// Control never comes to the end of `s`: it returns, jumps, loops for ever, or
/// calls what is a dead end.
bool neverFallsThrough(const clang::ASTContext &ast, const DeadEnds &deadEnds,
                       const clang::Stmt *s);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SCANS_CONTROLTRANSFER_H
