//===- Assembly.cpp - What inline assembly may do unseen ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/syntax/Assembly.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;
using namespace nvmove;

namespace {

/// The instructions, without blanks around them and comments of whole lines.
llvm::SmallVector<llvm::StringRef> instructionsOf(const GCCAsmStmt *s) {
  llvm::SmallVector<llvm::StringRef> lines, result;
  s->getAsmString()->getString().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    if (line.trim().starts_with("#"))
      continue;
    llvm::SmallVector<llvm::StringRef> parts;
    line.split(parts, ';', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef part : parts)
      if (!part.trim().empty())
        result.push_back(part.trim());
  }
  return result;
}

/// Of those that stand alone, without operands.
bool storesNothing(llvm::StringRef instruction) {
  static const llvm::StringSet<> known = {
      "pause", "nop",    "rep",    "rep nop", "mfence", "lfence",  "sfence",
      "int3",  "hlt",    "ud2",    "yield",   "wfe",    "wfi",     "sev",
      "isb",   "isb sy", "dmb sy", "dmb ish", "dsb sy", "dsb ish", "fence"};
  return known.contains(instruction);
}

} // namespace

bool nvmove::mayStoreUnseen(const AsmStmt *s) {
  const auto *a = dyn_cast<GCCAsmStmt>(s);
  if (!a)
    return true;
  if (llvm::all_of(instructionsOf(a), storesNothing))
    return false;
  if (a->isSimple()) // it could not say what it clobbers
    return true;
  for (unsigned i = 0; i < a->getNumClobbers(); ++i)
    if (a->getClobber(i) == "memory")
      return true;
  return false;
}

bool nvmove::isOpaque(const AsmStmt *s) {
  const auto *a = dyn_cast<GCCAsmStmt>(s);
  if (!a || a->isAsmGoto())
    return true;
  for (unsigned i = 0; i < a->getNumOutputs(); ++i) {
    const auto *ref =
        dyn_cast<DeclRefExpr>(a->getOutputExpr(i)->IgnoreParens());
    const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
    if (!v || !v->hasLocalStorage())
      return true;
  }
  return false;
}
