//===- ListTransfers.h - Lists that loaded objects are moved to -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static struct job *ready, *busy;
//   void take() { j = ready; ready = j->next; j->next = busy; busy = j; }
//
// The load fills one list, and commands move what it made to another, which is
// empty until then. If nothing keeps its head, what was moved is in neither
// after a restart.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_ROOTS_LISTTRANSFERS_H
#define NVMOVE_PASSES_SOLVE_ROOTS_LISTTRANSFERS_H

#include "passes/solve/state/Analysis.h"
#include <functional>

namespace nvmove {

/// The pointer to the first object, or the record with those to the first and
/// the last one; where the object is put there.
using SeeListFilled =
    std::function<void(const StaticPlace &head, Loc loc, Id function)>;
using ListsFilledParts = View<const MarkedTypes, const JudgedStatics>;

/// Heads in static memory that are not kept and that the load does not fill.
/// Several times where objects are moved there in several places.
void forEachListFilled(const ListsFilledParts &a, const SeeListFilled &see);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_ROOTS_LISTTRANSFERS_H
