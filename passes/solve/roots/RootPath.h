//===- RootPath.h - Paths of roots, for people ------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_ROOTS_ROOTPATH_H
#define NVMOVE_PASSES_SOLVE_ROOTS_ROOTPATH_H

#include "passes/solve/Solution.h"
#include "passes/solve/program/Program.h"

namespace nvmove {

/// "server.db[]": a variable, or a member of it.
std::string pathOf(const Program &program, Id variable,
                   const std::vector<Id> &fields);
/// Of the slot that the root is in, and what leads on from there to a record,
/// if anything does: "server.db[].dict", "rooms[].first", "server->", "dbs[]."
std::string pathOfSlot(const Program &program, const Root &root);
/// All of it: "server->jobs".
std::string pathOf(const Program &program, const Root &root);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_ROOTS_ROOTPATH_H
