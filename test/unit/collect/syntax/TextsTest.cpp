//===- TextsTest.cpp - Questions about arrays of characters ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/syntax/Texts.h"
#include "test/unit/collect/ParsedSource.h"
#include <gmock/gmock.h>

using namespace nvmove;
using namespace nvmove::test;

namespace {

const clang::VarDecl *variableOf(const clang::Expr *e) {
  const auto *ref = llvm::dyn_cast_or_null<clang::DeclRefExpr>(e);
  return ref ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
}

TEST(Texts, AskedForTheirBeginning) {
  ParsedSource s("unsigned long strlen(const char *); int strcmp(const char *, "
                 "const char *); char t[8], *p; int n[2];"
                 "void f(void) { *t; t[0]; strlen(t); strcmp(t, \"\"); "
                 "strcmp(\"\", t); t[1]; strcmp(t, \"x\"); *p; n[0]; }");
  for (unsigned i = 0; i < 5; ++i)
    EXPECT_EQ(variableOf(askedText(s.ast(), s.expression(i))), s.find("t"))
        << i;
  for (unsigned i = 5; i < 9; ++i)
    EXPECT_EQ(askedText(s.ast(), s.expression(i)), nullptr) << i;
}

TEST(Texts, Empty) {
  ParsedSource s("char a[] = \"\", b[4] = {0}, c[4] = \"\\0x\", d[] = \"x\", "
                 "e[4] = {'x'};");
  for (const char *name : {"a", "b", "c"})
    EXPECT_TRUE(isEmptyText(s.find(name)->getInit())) << name;
  for (const char *name : {"d", "e"})
    EXPECT_FALSE(isEmptyText(s.find(name)->getInit())) << name;
  EXPECT_TRUE(isText(s.ast(), s.find("a")->getType()));
}

} // namespace
