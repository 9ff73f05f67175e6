//===- TextTableTest.cpp - Columns of the report --------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/TextTable.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace nvmove;

namespace {

TEST(TextTable, AlignsAllButTheLastColumn) {
  TextTable table;
  table.add({"a", "bb", "the rest"});
  table.add({"long", "b"});
  table.add({"x", "", "more"});
  std::string text;
  raw_string_ostream os(text);
  table.print(os);
  EXPECT_EQ(text, "  a     bb  the rest\n  long  b\n  x         more\n");
  EXPECT_TRUE(table.empty());
}

} // namespace
