//===- engine_lists.h - the engines that a test runs on ---------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test names what it needs of an engine, and runs on all that say that they
// can do it (base/engine.h): INSTANTIATE_TEST_SUITE_P(Of, Growth,
// testing::ValuesIn(enginesThat({&nvm_engine::grows})), ByParameter());
//
//===----------------------------------------------------------------------===//
#ifndef NVMOVE_TEST_RUNTIME_ENGINE_LISTS_H
#define NVMOVE_TEST_RUNTIME_ENGINE_LISTS_H

#include <string>
#include <vector>

extern "C" {
#include "engines/engines.h"
}

namespace nvmtest {

using Capability = bool nvm_engine::*;
using EngineNames = std::vector<const char *>;

/// The durable engines that have all of these, in the order of the table.
EngineNames enginesThat(const std::vector<Capability> &capabilities);
/// All that are durable.
EngineNames allEngines();
/// The durable ones that have not.
EngineNames enginesWithout(Capability capability);
/// These, and NAME+thread of those that can use a second thread.
EngineNames alsoThreaded(const EngineNames &names);

/// NAME or NAME+thread.
const nvm_engine &engineNamed(const std::string &name);
bool isThreaded(const std::string &name);

} // namespace nvmtest

#endif // NVMOVE_TEST_RUNTIME_ENGINE_LISTS_H
