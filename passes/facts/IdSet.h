//===- IdSet.h - Sets and maps of ids, None among them ----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm::DenseSet<unsigned> marks free places by ~0U, which is None: it says
// that it contains None as soon as it has a free place. Here None is a key like
// any other.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_FACTS_IDSET_H
#define NVMOVE_PASSES_FACTS_IDSET_H

#include "passes/facts/Facts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace nvmove {

struct IdKeys : llvm::DenseMapInfo<Id> {
  static constexpr Id getEmptyKey() { return None - 1; }
  static constexpr Id getTombstoneKey() { return None - 2; }
};

using IdSet = llvm::DenseSet<Id, IdKeys>;
template <class T> using IdMap = llvm::DenseMap<Id, T, IdKeys>;

} // namespace nvmove

#endif // NVMOVE_PASSES_FACTS_IDSET_H
