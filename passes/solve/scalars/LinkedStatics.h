//===- LinkedStatics.h - Static records among those of the heap -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static struct option depth = {"depth", 1};   void init() { add(&depth); }
//   void load() { .. find(name)->value = n; .. }
//
// A root leads to records of the heap, which come back, and to statics, which
// each start has anew. What the load puts into such a static has to come back
// by itself.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SCALARS_LINKEDSTATICS_H
#define NVMOVE_PASSES_SOLVE_SCALARS_LINKEDSTATICS_H

#include "passes/solve/state/Analysis.h"
#include <functional>

namespace nvmove {

/// A static, the way to a member, and the location that the load writes in
/// place of it.
using SeeStaticInList =
    std::function<void(Id variable, const std::vector<Id> &path, Id location)>;

/// Members of statics that start-up puts where roots lead to, and that the
/// load, which comes there that way, may set to what is loaded.
void forEachStaticInList(View<const LoadedTypes, const LoadedStatics> found,
                         const SeeStaticInList &see);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SCALARS_LINKEDSTATICS_H
