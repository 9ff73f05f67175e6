//===- FirstUses.h - What the load is the first to use ----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of the program that sets itself up when it is first used may be used
// first by the load:
//
//   static void log_start(void) {
//     static bool started;
//     if (!started) { started = true; add_command("log/level", set_level); }
//   }
//
// The table of commands is no state then: the next process makes it again, on
// its own first use, as it does each time that start-up or a handler is first.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_FIRSTUSES_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_FIRSTUSES_H

#include "passes/solve/phases/ProgramPhases.h"
#include <vector>

namespace nvmove {

/// Calls that the load makes once, and that set up what is not loaded; in
/// order.
///
///  - they are made behind a flag that is set there for good, or by a function
///    that pthread_once() calls;
///  - start-up beside the load, or a handler, comes to that place, too;
///  - they are handed constants and the addresses of statics and functions
///    alone: nothing of what is loaded; and they read no file;
///  - no static that they, or what only they run, may change is named by what
///    else the load runs: it neither puts something there nor depends on it.
std::vector<Id> findFirstUses(const Program &program, const FieldFlow &flow,
                              const ProgramPhases &phases,
                              const std::vector<Id> &load);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_FIRSTUSES_H
