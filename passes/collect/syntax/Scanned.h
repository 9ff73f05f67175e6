//===- Scanned.h - What the functions of scanf's family write ---*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SYNTAX_SCANNED_H
#define NVMOVE_PASSES_COLLECT_SYNTAX_SCANNED_H

#include "passes/facts/Facts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"

namespace nvmove {

/// What says that a function scans, and by which argument; or null.
const clang::FormatAttr *scanFormat(const clang::FunctionDecl *callee);

/// The arguments of a call of such a function behind which it writes no more
/// than its format says. %s without a width is bounded where the argument is an
/// array: more would be no program. Without a literal for a format each number
/// is as large as what its argument points to.
std::vector<ScannedArg> scannedArgs(clang::ASTContext &ast,
                                    const clang::CallExpr *call);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SYNTAX_SCANNED_H
