//===- moved.h - a scenario of statics that lie elsewhere -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NVMOVE_TEST_RUNTIME_MOVED_H
#define NVMOVE_TEST_RUNTIME_MOVED_H

#include "scenarios.h"

namespace nvmtest {

/// In each process the statics that objects point to have another address.
Scenario movedScenario();

} // namespace nvmtest

#endif // NVMOVE_TEST_RUNTIME_MOVED_H
