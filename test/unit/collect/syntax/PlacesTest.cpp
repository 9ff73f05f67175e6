//===- PlacesTest.cpp - Which memory an lvalue names ----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/syntax/Places.h"
#include "test/unit/collect/ParsedSource.h"
#include <gmock/gmock.h>

using namespace nvmove;
using namespace nvmove::test;
using testing::ElementsAre;

namespace {

std::vector<std::string> pathOf(const Place &p) {
  std::vector<std::string> names;
  for (const clang::FieldDecl *f : p.path)
    names.push_back(f->getName().str());
  return names;
}

TEST(Places, OfVariables) {
  ParsedSource s("struct in { int n; }; struct s { struct in a[4]; int *q; } g;"
                 "void f(void) { g.a[1].n; (&g)->q; *g.a; g.q[1]; g; }");
  for (unsigned i : {0, 1, 2, 4}) {
    Place p = placeOf(s.expression(i));
    EXPECT_EQ(p.root, Place::Root::Variable) << i;
    EXPECT_EQ(p.variable, s.find("g")) << i;
  }
  EXPECT_THAT(pathOf(placeOf(s.expression(0))), ElementsAre("a", "n"));
  EXPECT_THAT(pathOf(placeOf(s.expression(1))), ElementsAre("q"));
  EXPECT_THAT(pathOf(placeOf(s.expression(2))), ElementsAre("a"));
  // What lies behind a member that is a pointer is somewhere else.
  EXPECT_EQ(placeOf(s.expression(3)).root, Place::Root::Pointer);
}

TEST(Places, BehindPointers) {
  ParsedSource s("struct s { struct { int n; } in; } *make(void);"
                 "void f(struct s *p) { p->in.n; make()->in; *p; p[1].in.n; }");
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(placeOf(s.expression(i)).root, Place::Root::Pointer) << i;
  EXPECT_THAT(pathOf(placeOf(s.expression(0))), ElementsAre("in", "n"));
  EXPECT_THAT(pathOf(placeOf(s.expression(2))), ElementsAre());
}

TEST(Places, ScalarVariables) {
  ParsedSource s("struct s { int n; } g; int a[2], n; int *p;"
                 "void f(void) { n; p; (n); g; a; g.n; *p; }");
  EXPECT_EQ(scalarVariable(s.expression(0)), s.find("n"));
  EXPECT_EQ(scalarVariable(s.expression(1)), s.find("p"));
  EXPECT_EQ(scalarVariable(s.expression(2)), s.find("n"));
  for (unsigned i = 3; i < 7; ++i)
    EXPECT_EQ(scalarVariable(s.expression(i)), nullptr) << i;
}

} // namespace
