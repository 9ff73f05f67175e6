//===- world.h - a small program in the heap, and its model -----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A list, a hash table that grows, a string that is edited and a large block,
// written as a rewritten program would be. Step k does the same in every run,
// so a model that was led through the steps 1..k says what the pool must hold
// after the k-th commit, byte for byte.
//
//===----------------------------------------------------------------------===//
#ifndef NVMOVE_TEST_RUNTIME_WORLD_H
#define NVMOVE_TEST_RUNTIME_WORLD_H

#include <deque>
#include <map>
#include <string>

namespace nvmtest {

/// The same state in ordinary C++.
struct Model {
  long steps = 0;
  std::deque<int> list;
  std::map<std::string, std::string> table;
  std::string text, large;
  void step(); ///< leads the model through the next step
};

/// Registers the world's roots; before nvm_open().
void registerWorld();
/// Changes of the next step, to be made inside a section.
void stepWorld();
/// Steps that the world in the heap went through.
long worldSteps();
/// Ends the child with a message unless the heap holds what the model says.
void requireWorld(const Model &model);

} // namespace nvmtest

#endif // NVMOVE_TEST_RUNTIME_WORLD_H
