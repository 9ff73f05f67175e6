//===- btree.h - a B-tree in the heap ---------------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NVMOVE_TEST_RUNTIME_BTREE_H
#define NVMOVE_TEST_RUNTIME_BTREE_H

namespace nvmtest {

/// See Scenario in scenarios.h.
void registerBTree();
long bTreeSteps();
void stepBTree();
void checkBTree(long steps);

} // namespace nvmtest

#endif // NVMOVE_TEST_RUNTIME_BTREE_H
