//===- StaticPointers.h - Pointers that are one static's name ---*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static struct world the_world, *world = NULL;
//   .. world = &the_world; ..
//   world->width = n;
//
// A static pointer that only ever holds the address of one static record, or
// null, is another name of that record.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_FACTS_STATICPOINTERS_H
#define NVMOVE_PASSES_FACTS_STATICPOINTERS_H

#include "passes/facts/Facts.h"
#include "passes/facts/IdSet.h"

namespace nvmove {

/// The static, by such a pointer. Of a whole program's facts.
IdMap<Id> staticPointers(const Facts &facts);

/// Adds, to a whole program's facts, a write of the static for each store to a
/// member of it through such a pointer. The store stays.
void nameStatics(Facts &facts);

} // namespace nvmove

#endif // NVMOVE_PASSES_FACTS_STATICPOINTERS_H
