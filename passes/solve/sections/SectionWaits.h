//===- SectionWaits.h - Waits for other threads -----------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SECTIONS_SECTIONWAITS_H
#define NVMOVE_PASSES_SOLVE_SECTIONS_SECTIONWAITS_H

#include "passes/solve/flow/ValueOrigins.h"
#include "passes/solve/program/Program.h"

namespace nvmove {

/// The library function waits for what other threads do: their end, what they
/// post, what they write into a pipe. A condition is not among them.
bool waitsForThread(const Program &program, ValueOrigins &origins,
                    const Call &call);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SECTIONS_SECTIONWAITS_H
