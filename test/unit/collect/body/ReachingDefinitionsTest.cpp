//===- ReachingDefinitionsTest.cpp - Which assignment a read sees ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/ReachingDefinitions.h"
#include "test/unit/collect/ParsedSource.h"
#include <gmock/gmock.h>

using namespace nvmove;
using namespace nvmove::test;

namespace {

struct Reaching {
  explicit Reaching(const std::string &body)
      : unit("void g(char **); void f(char *p, char *q) { " + body + " }"),
        out(unit.state),
        uses(VariableUses::of(unit.source.ast(), unit.source.body())),
        definitions(out, uses) {
    out.beginFunction(unit.source.function());
    definitions.beginFunction(unit.source.function());
    v = unit.source.find("v");
  }
  Id put(bool known = true) {
    definitions.assigned(v, out.temp(v->getType(), {}), known, {});
    return definitions.current(v);
  }
  ParsedUnit unit;
  DefinitionFacts out;
  VariableUses uses;
  ReachingDefinitions definitions;
  const clang::VarDecl *v;
};

TEST(ReachingDefinitions, TheLastOne) {
  Reaching r("char *v; v = p; v = q;");
  Id whole = r.out.variable(r.v);
  EXPECT_EQ(r.definitions.current(r.v), whole);
  Id first = r.put(), second = r.put();
  EXPECT_NE(first, whole);
  EXPECT_NE(second, first);
  EXPECT_EQ(r.put(/*known=*/false), whole);
}

TEST(ReachingDefinitions, WherePathsMeet) {
  Reaching r("char *v; v = p; if (p) v = q;");
  Id first = r.put();
  r.definitions.perhaps([] {});
  EXPECT_EQ(r.definitions.current(r.v), first);
  r.definitions.perhaps([&] { r.put(); });
  EXPECT_EQ(r.definitions.current(r.v), r.out.variable(r.v));
}

TEST(ReachingDefinitions, PathsByHand) {
  Reaching r("char *v; v = p;");
  Id first = r.put();
  ReachingDefinitions::Versions before = r.definitions.versions();
  r.put();
  r.definitions.continueFrom(before);
  EXPECT_EQ(r.definitions.current(r.v), first);
  r.definitions.forgetAll();
  EXPECT_EQ(r.definitions.current(r.v), r.out.variable(r.v));
}

TEST(ReachingDefinitions, CallsWriteWhatTheyAreHanded) {
  Reaching r("char *v; v = p; g(&v);");
  // Its address is taken, so reads in between see all that it may hold.
  EXPECT_EQ(r.put(), r.out.variable(r.v));
  const auto *call =
      ParsedSource::all<clang::CallExpr>(r.unit.source.body()).front();
  const auto *read = r.unit.source.expression(1);
  r.definitions.inOrder(read, [&] {
    Id version = r.put();
    EXPECT_NE(version, r.out.variable(r.v));
    r.definitions.called(call);
    EXPECT_EQ(r.definitions.current(r.v), r.out.variable(r.v));
  });
}

TEST(ReachingDefinitions, ALoopHasANodeOfItsOwn) {
  Reaching r("char *v; v = p; while (v) v = q; v = p; v = q;");
  Id before = r.put(), inside = None;
  const auto *loop =
      ParsedSource::all<clang::WhileStmt>(r.unit.source.body()).front();
  r.definitions.loop(loop, [&] {
    inside = r.definitions.current(r.v);
    r.put();
  });
  EXPECT_NE(inside, before);
  EXPECT_NE(inside, r.out.variable(r.v));
  EXPECT_EQ(r.definitions.current(r.v), inside);
}

} // namespace
