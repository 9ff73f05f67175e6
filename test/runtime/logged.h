//===- logged.h - a scenario of records with line logs ----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NVMOVE_TEST_RUNTIME_LOGGED_H
#define NVMOVE_TEST_RUNTIME_LOGGED_H

#include "scenarios.h"

namespace nvmtest {

/// Records with line logs of 32 and of 64 bytes are changed by one word, by
/// several and by copies that bring a foreign log along; they come, move and
/// go.
Scenario loggedScenario();

/// A bug to be planted: what the copies bring along is a tag of the next epoch,
/// with the key of the place.
extern bool loggedForgesKeys;

} // namespace nvmtest

#endif // NVMOVE_TEST_RUNTIME_LOGGED_H
