//===- ZeroRecordsTest.cpp - Records of nothing but zeros -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/scans/ZeroRecords.h"
#include "test/unit/collect/ParsedSource.h"
#include <gmock/gmock.h>

using namespace nvmove;
using namespace nvmove::test;
using testing::ElementsAre;

namespace {

/// For each call of use(), whether its argument points to zeros.
std::vector<bool> zeros(const std::string &body) {
  ParsedSource s("struct t { long s, us; }; void use(const struct t *); void "
                 "fill(struct t *); void *memset(void *, int, unsigned long);"
                 "void f(long n) { " +
                 body + " }");
  ZeroRecords records(s.ast());
  std::vector<bool> found;
  for (const clang::CallExpr *call :
       ParsedSource::all<clang::CallExpr>(s.body()))
    if (call->getDirectCallee()->getName() == "use")
      found.push_back(records.arePointedToBy(call->getArg(0)));
  return found;
}

TEST(ZeroRecords, Locals) {
  EXPECT_THAT(zeros("struct t a = {0, 0}; use(&a);"), ElementsAre(true));
  EXPECT_THAT(zeros("struct t a; memset(&a, 0, sizeof(struct t)); use(&a);"),
              ElementsAre(true));
  EXPECT_THAT(zeros("struct t a = {0, 1}; use(&a);"), ElementsAre(false));
  EXPECT_THAT(zeros("struct t a = {0}; a.us = n; use(&a);"),
              ElementsAre(false));
  EXPECT_THAT(zeros("struct t a = {0}; fill(&a); use(&a);"),
              ElementsAre(false));
  EXPECT_THAT(zeros("struct t a = {0}; a.s = 0; use(&a); use(&a);"),
              ElementsAre(true, true));
}

TEST(ZeroRecords, Others) {
  EXPECT_THAT(zeros("use(&(struct t){0}); use(&(struct t){1});"),
              ElementsAre(true, false));
  EXPECT_THAT(zeros("static struct t a; struct t *p = 0; use(p);"),
              ElementsAre(false));
}

} // namespace
