//===- UnitState.h - What the definitions of a unit share -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_UNITSTATE_H
#define NVMOVE_PASSES_COLLECT_BODY_UNITSTATE_H

#include "passes/collect/entities/Entities.h"
#include "passes/collect/scans/ChildCode.h"
#include "passes/collect/scans/DeadEnds.h"
#include <vector>

namespace nvmove {

/// What the collectors of all definitions of a translation unit share.
struct UnitState {
  clang::ASTContext &ast;
  Facts &facts;
  SourceMap &map;
  Entities &entities;
  DeadEnds deadEnds;
  ChildCode childCode;
  std::vector<Node> localNodes; ///< their ids carry LocalNode
  std::vector<const clang::VarDecl *>
      pendingStatics; ///< statics of functions, with initialisers
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_UNITSTATE_H
