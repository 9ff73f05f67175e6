//===- ControlTransferTest.cpp - Entries and exits of statements ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/scans/ControlTransfer.h"
#include "test/unit/collect/ParsedSource.h"
#include <gmock/gmock.h>

using namespace nvmove;
using namespace nvmove::test;

namespace {

TEST(ControlTransfer, Entries) {
  ParsedSource s(
      "void f(int n) { { again: n--; } switch (n) { case 1: n = 2; } "
      "while (n) n--; goto again; }");
  EXPECT_TRUE(hasEntry(s.statement(0)));
  EXPECT_FALSE(hasEntry(s.statement(1))); // the cases belong to it
  const auto *choice = llvm::cast<clang::SwitchStmt>(s.statement(1));
  EXPECT_TRUE(hasEntry(choice->getBody()));
  EXPECT_FALSE(hasEntry(choice->getBody(), /*inSwitch=*/true));
  EXPECT_FALSE(hasEntry(s.statement(2)));
}

TEST(ControlTransfer, Exits) {
  ParsedSource s(
      "void f(int n) { while (n) { if (n == 1) break; if (n == 2) "
      "continue; n--; } if (n) return; switch (n) { case 1: break; } "
      "{ n++; } out: goto out; }");
  EXPECT_FALSE(mayLeaveEarly(s.statement(0))); // but its body may
  EXPECT_TRUE(
      mayLeaveEarly(llvm::cast<clang::WhileStmt>(s.statement(0))->getBody()));
  EXPECT_TRUE(mayLeaveEarly(s.statement(1)));
  EXPECT_FALSE(mayLeaveEarly(s.statement(2)));
  EXPECT_FALSE(mayLeaveEarly(s.statement(3)));
  EXPECT_TRUE(mayLeaveEarly(s.statement(4)));
}

TEST(ControlTransfer, NeverFallsThrough) {
  ParsedSource s(
      "void stop(void); int f(int n) { if (n) return 1; else goto out;"
      "if (n) return 1; for (;;) n++; for (;;) break; while (1) { "
      "switch (n) { case 1: break; } } stop(); out: return 0; }");
  DeadEnds none;
  auto never = [&](unsigned index) {
    return neverFallsThrough(s.ast(), none, s.statement(index));
  };
  EXPECT_TRUE(never(0));
  EXPECT_FALSE(never(1));
  EXPECT_TRUE(never(2));
  EXPECT_FALSE(never(3));
  EXPECT_TRUE(never(4)); // what breaks is the switch
  EXPECT_FALSE(never(5));
  DeadEnds ends;
  ends.calls.insert(llvm::cast<clang::CallExpr>(s.statement(5)));
  EXPECT_TRUE(neverFallsThrough(s.ast(), ends, s.statement(5)));
}

} // namespace
