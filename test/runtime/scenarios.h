//===- scenarios.h - programs that every engine must serve ------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Step k of a scenario does the same in every run, so the state after k steps
// is known. Each step is made in one section.
//
//===----------------------------------------------------------------------===//
#ifndef NVMOVE_TEST_RUNTIME_SCENARIOS_H
#define NVMOVE_TEST_RUNTIME_SCENARIOS_H

#include <vector>

namespace nvmtest {

struct Scenario {
  const char *name;
  void (*registerRoots)(); ///< before nvm_open()
  long (*steps)();         ///< that the heap has gone through
  void (*step)();          ///< the next one
  void (*check)(long); ///< ends the child unless the heap is as after so many
  void (*opened)() = [] {};   ///< after nvm_open(), before nvm_restore()
  unsigned long maxBytes = 0; ///< what the pool may grow to; 0: nothing
  bool ownSections = false;   ///< a step is not to be called in a section
  bool restartPoints = false; ///< for engines that can go back to one
  bool wholeLines = false; ///< it relies on the order of the stores to a line
};

/// A bug to be planted: the list forgets to announce one of its stores.
extern bool listForgetsAHook;

/// The one list.
const std::vector<Scenario> &scenarios();
const Scenario &scenarioNamed(const char *name);

} // namespace nvmtest

#endif // NVMOVE_TEST_RUNTIME_SCENARIOS_H
