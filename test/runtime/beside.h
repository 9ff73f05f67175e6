//===- beside.h - scenarios of threads beside each other --------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NVMOVE_TEST_RUNTIME_BESIDE_H
#define NVMOVE_TEST_RUNTIME_BESIDE_H

#include "scenarios.h"

namespace nvmtest {

/// Two threads whose sections hold locks, of their own and a common one, which
/// they release early.
Scenario besideScenario();
/// The same threads between restart points.
Scenario besidePointsScenario();
/// The same threads as at first, which commit before they let something out.
Scenario besideOutputsScenario();

/// This process will be cut: what it promises is kept where others see it.
/// `leavesEarly`: a bug, who releases an inner lock is taken to have ended its
/// section. `outputsCommit`: else only checkpoints do.
void besideIsCut(bool leavesEarly, bool outputsCommit);
/// How often the threads of this process took turns.
unsigned long besideSwitches();

} // namespace nvmtest

#endif // NVMOVE_TEST_RUNTIME_BESIDE_H
