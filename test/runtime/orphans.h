//===- orphans.h - what a crash orphans is collected ------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Objects that are shared by slots and count who holds them; some are held by
// variables that a crash takes away, and many hang on nothing else.
//
//===----------------------------------------------------------------------===//
#ifndef NVMOVE_TEST_RUNTIME_ORPHANS_H
#define NVMOVE_TEST_RUNTIME_ORPHANS_H

namespace nvmtest {

void registerOrphans();
long orphanSteps();
void stepOrphans();
void checkOrphans(long steps);

} // namespace nvmtest

#endif // NVMOVE_TEST_RUNTIME_ORPHANS_H
