//===- threaded.h - scenarios of several threads ----------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NVMOVE_TEST_RUNTIME_THREADED_H
#define NVMOVE_TEST_RUNTIME_THREADED_H

#include "scenarios.h"

namespace nvmtest {

/// Threads whose sections hold a lock of the program, and that hand each other
/// what they allocate.
Scenario threadsScenario();
/// Threads that meet at restart points, without sections.
Scenario restartPointsScenario();

} // namespace nvmtest

#endif // NVMOVE_TEST_RUNTIME_THREADED_H
