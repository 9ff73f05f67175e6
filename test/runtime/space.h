//===- space.h - scenarios of growth, a full pool and forks -----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NVMOVE_TEST_RUNTIME_SPACE_H
#define NVMOVE_TEST_RUNTIME_SPACE_H

#include "scenarios.h"

namespace nvmtest {

Scenario growthScenario(); ///< more than the pool has at first
Scenario fullScenario();   ///< out of space, and on
Scenario forkScenario();   ///< a child looks on, also during the load

} // namespace nvmtest

#endif // NVMOVE_TEST_RUNTIME_SPACE_H
