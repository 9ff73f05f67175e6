//===- ProgramPhasesTest.cpp - What runs before the load, and after -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/phases/ProgramPhases.h"
#include "test/unit/solve/SolveTesting.h"

using namespace nvmove;
using namespace nvmove::test;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// The phases of a snippet, with calls by the names of what they call.
class Phases {
public:
  explicit Phases(const std::string &main)
      : answer_(solveSource(Prelude + main)), p_(answer_.facts), a_(p_),
        flow_(p_, a_), load_{p_.functionNamed("load")}, loop_(p_, flow_, load_),
        phases(p_, flow_, loop_, load_) {}

  /// The one call of it.
  Id call(const std::string &callee) const {
    const std::vector<Id> &calls = p_.callersOf(p_.functionNamed(callee));
    EXPECT_EQ(calls.size(), 1u) << callee;
    return calls.empty() ? 0 : calls.front();
  }
  bool mayPrecede(const std::string &first, const std::string &second) const {
    return phases.order().mayPrecede(call(first), call(second));
  }
  bool isAfterLoops(const std::string &callee) const {
    return phases.isAfterLoops(call(callee));
  }
  bool isMadeOnce(const std::string &callee) const {
    return phases.isMadeOnce(call(callee));
  }
  bool runsOnce(const std::string &function) const {
    return phases.runsOnce(p_.functionNamed(function));
  }
  std::vector<std::string> names(const IdSet &functions) const {
    std::vector<std::string> result;
    for (Id fn : functions)
      if (llvm::StringRef(p_.facts.functions[fn].name).size() == 1)
        result.push_back(p_.facts.functions[fn].name);
    llvm::sort(result);
    return result;
  }

private:
  static constexpr const char *Prelude =
      "long read(int, void *, unsigned long); void *malloc(unsigned long); "
      "void exit(int); int fgetc(void *); void *in; struct item { int id; "
      "struct item *next; } *items; int n; "
      "void load(void) { struct item *i = malloc(sizeof *i); i->id = fgetc(in);"
      " i->next = items; items = i; } "
      "void a(void) { n++; } void b(void) { n++; } void c(void) { n++; }\n";

  const Answer answer_;
  const Program p_;
  const Allocators a_;
  const FieldFlow flow_;
  const std::vector<Id> load_;
  const EventLoop loop_;

public:
  const ProgramPhases phases;
};

TEST(ProgramPhases, TextThatRunsFromTopToBottom) {
  Phases p("int main(void) { a(); load(); b(); while (read(0, &n, 4)) c(); }");
  EXPECT_TRUE(p.mayPrecede("a", "load"));
  EXPECT_FALSE(p.mayPrecede("load", "a"));
  EXPECT_TRUE(p.mayPrecede("load", "b"));
  EXPECT_FALSE(p.mayPrecede("b", "load"));
  EXPECT_THAT(p.names(p.phases.beforeLoad), ElementsAre("a"));
  EXPECT_THAT(p.names(p.phases.afterLoad), ElementsAre("b"));
  EXPECT_THAT(p.names(p.phases.atStart), ElementsAre("a", "b"));
  EXPECT_THAT(p.names(p.phases.alwaysAtStart), ElementsAre("a", "b"));
  EXPECT_THAT(p.names(p.phases.handled), ElementsAre("c"));
}

TEST(ProgramPhases, GotoTurnsTheOrderRound) {
  Phases p("int main(void) { goto first; second: a(); goto third; first: b(); "
           "load(); goto second; third: while (read(0, &n, 4)) c(); }");
  EXPECT_TRUE(p.mayPrecede("load", "a"));
  EXPECT_FALSE(p.mayPrecede("a", "load"));
  EXPECT_THAT(p.names(p.phases.beforeLoad), ElementsAre("b"));
  EXPECT_THAT(p.names(p.phases.afterLoad), ElementsAre("a"));
}

TEST(ProgramPhases, InALoopEachMayComeFirst) {
  Phases p("int main(void) { for (int i = 0; i < 2; i++) { if (i) a(); else "
           "load(); } while (read(0, &n, 4)) c(); }");
  EXPECT_TRUE(p.mayPrecede("a", "load"));
  EXPECT_TRUE(p.mayPrecede("load", "a"));
}

TEST(ProgramPhases, ArmsOfASwitchExcludeEachOther) {
  Phases p("int main(int argc, char **argv) { switch (argc) { case 1: load(); "
           "break; case 2: a(); break; default: b(); } "
           "while (read(0, &n, 4)) c(); }");
  EXPECT_FALSE(p.mayPrecede("load", "a"));
  EXPECT_FALSE(p.mayPrecede("a", "load"));
  EXPECT_THAT(p.names(p.phases.beforeLoad), IsEmpty());
  EXPECT_THAT(p.names(p.phases.afterLoad), IsEmpty());
}

TEST(ProgramPhases, ArgumentsComeBeforeTheCallThatStandsBeforeThem) {
  Phases p("int id(void) { return n; } void from(int n) { load(); } "
           "int main(void) { from(id()); while (read(0, &n, 4)) c(); }");
  EXPECT_TRUE(p.mayPrecede("id", "from"));
  EXPECT_FALSE(p.mayPrecede("from", "id"));
}

TEST(ProgramPhases, OfDeadEndsTheOrderOfTheTextStands) {
  Phases p("void stop(void) { exit(0); } int main(int argc, char **argv) { "
           "load(); if (argc > 1) stop(); while (read(0, &n, 4)) c(); }");
  EXPECT_TRUE(p.mayPrecede("load", "stop"));
  EXPECT_FALSE(p.mayPrecede("stop", "load"));
  EXPECT_TRUE(p.phases.isDeadEnd(p.call("stop")));
  EXPECT_FALSE(p.phases.isDeadEnd(p.call("load")));
}

TEST(ProgramPhases, AfterTheMainLoops) {
  Phases p("int main(void) { load(); goto serve; end: a(); return 0; "
           "serve: while (read(0, &n, 4)) c(); goto end; }");
  EXPECT_TRUE(p.isAfterLoops("a"));
  EXPECT_FALSE(p.isAfterLoops("load"));
  EXPECT_FALSE(p.isAfterLoops("c"));
}

TEST(ProgramPhases, TheWayFromMainToTheLoad) {
  Phases p("void start(void) { a(); load(); } int main(void) { start(); b(); "
           "while (read(0, &n, 4)) c(); }");
  EXPECT_THAT(p.phases.wayTo(p.call("load")),
              ElementsAre(p.call("load"), p.call("start")));
  EXPECT_THAT(p.names(p.phases.beforeLoad), ElementsAre("a"));
  EXPECT_THAT(p.names(p.phases.afterLoad), ElementsAre("b"));
}

TEST(ProgramPhases, WhatRunsOnce) {
  Phases p("void once(void) { a(); } void again(void) { b(); } "
           "void handed(void) { load(); } void (*f)(void) = handed; "
           "int main(void) { once(); for (int i = 0; i < 2; i++) again(); "
           "f(); load(); while (read(0, &n, 4)) c(); }");
  EXPECT_TRUE(p.isMadeOnce("a"));
  EXPECT_TRUE(p.isMadeOnce("once"));
  EXPECT_FALSE(p.isMadeOnce("again"));
  EXPECT_FALSE(p.isMadeOnce("b"));
  EXPECT_FALSE(p.isMadeOnce("c"));
  EXPECT_TRUE(p.runsOnce("main"));
  EXPECT_FALSE(p.runsOnce("handed"));
}

TEST(ProgramPhases, AMainThatCallsItselfRunsMoreThanOnce) {
  Phases p("int main(int argc, char **argv) { a(); load(); if (argc > 9) "
           "main(1, argv); while (read(0, &n, 4)) c(); }");
  EXPECT_FALSE(p.isMadeOnce("a"));
}

} // namespace
