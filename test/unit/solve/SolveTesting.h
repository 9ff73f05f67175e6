//===- SolveTesting.h - Solutions of C snippets, as names -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TEST_UNIT_SOLVE_SOLVETESTING_H
#define NVMOVE_TEST_UNIT_SOLVE_SOLVETESTING_H

#include "passes/solve/Solution.h"
#include "test/support/CollectSource.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nvmove::test {

/// What solve() says about one file, in the words of a report.
struct Answer {
  Facts facts;
  Solution solution;
  std::string error; ///< of solve(); the rest is empty then

  std::vector<std::string> types() const;
  std::vector<std::string> roots() const; ///< kept ones
  std::vector<std::string> scalars() const;
  std::vector<std::string> kept() const;
  std::vector<std::string> twins(bool followed = false) const;
  std::vector<std::string> sections() const; ///< "kind name"
  std::vector<std::string>
  guards() const; ///< "callee" or "callee, result replayed"
  std::vector<std::string> notCovered() const; ///< ids
  /// Lines of the file in which something is announced, or goes to the heap.
  std::vector<unsigned> storeLines() const;
  std::vector<unsigned> allocationLines() const;
  std::vector<std::string> replaced() const; ///< "line: replacement"
};

Answer solveSource(const std::string &code, SolveOptions options = {{"load"}});

} // namespace nvmove::test

#endif // NVMOVE_TEST_UNIT_SOLVE_SOLVETESTING_H
