//===- OffsetUses.h - Offsets in the tables of a program --------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_OFFSETUSES_H
#define NVMOVE_PASSES_COLLECT_BODY_OFFSETUSES_H

#include "passes/collect/body/DefinitionFacts.h"

namespace nvmove {

/// In a table that says where things are to be put, offsetof(struct net,
/// eap.cert.ca) or &((struct net *)0)->eap.cert.ca: the records in between are
/// used by their sizes. Nothing for other expressions.
void addOffsetUse(DefinitionFacts &out, const clang::Expr *e);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_OFFSETUSES_H
