//===- AccessPathTest.cpp - Which place an address is of ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/AccessPath.h"
#include "test/support/CollectSource.h"
#include <gtest/gtest.h>

using namespace nvmove;
using namespace nvmove::test;

namespace {

const char *const Declarations = R"(
struct job { int number; struct job *next; };
struct shelf { struct job jobs[4]; struct job *first; };
struct app { int count; struct shelf shelf; } app;
struct app *current;
int numbers[8];
void use(const void *value, ...);
struct app *make(void);
)";

/// What a function of these parameters hands use(), and what that is spelled.
struct Handed {
  Handed(const std::string &params, const std::string &value)
      : facts(factsOf(std::string(Declarations) + "void f(" + params +
                      ") { use(" + value + "); }")),
        program(facts) {
    for (const Call &c : facts.calls)
      if (facts.functions[c.callee].name == "use")
        node = c.args[0];
  }

  AccessPath path(FlowSet steps = AccessPath::Place) const {
    return AccessPath(program, node, steps);
  }
  std::string nameOf(const AccessPath &path) const {
    const Node &base = facts.nodes[path.base];
    std::string text = path.isAddress ? "&" : "";
    text += base.name.empty() ? "temporary" : base.name;
    for (const Constraint *c : path.steps)
      text += c->flow == Flow::Member  ? " ." + facts.fields[c->extra].name
              : c->flow == Flow::Index ? " []"
              : c->flow == Flow::Load  ? " *"
                                       : " +";
    return text;
  }
  std::string spelled(FlowSet steps = AccessPath::Place) const {
    return nameOf(path(steps));
  }

  Facts facts;
  Program program;
  Id node = None;
};

std::string spelled(const std::string &params, const std::string &value,
                    FlowSet steps = AccessPath::Place) {
  return Handed(params, value).spelled(steps);
}

TEST(AccessPath, NamesMembersAndElementsFromTheBaseOn) {
  EXPECT_EQ(spelled("int i", "&app.shelf.jobs[i].next"),
            "&app .shelf .jobs [] .next");
  EXPECT_EQ(spelled("struct app *p", "&p->shelf.first"), "p .shelf .first");
  EXPECT_EQ(spelled("int i", "numbers + i"), "&numbers []");
}

TEST(AccessPath, LooksThroughCopiesAndCasts) {
  EXPECT_EQ(spelled("void *p", "&((struct app *)p)->shelf"), "p .shelf");
  EXPECT_EQ(spelled("", "(char *)&app"), "&app");
}

TEST(AccessPath, EndsAtWhatIsNoTemporary) {
  EXPECT_EQ(spelled("", "current"), "current");
  EXPECT_EQ(spelled("struct app *p", "p"), "p");
  EXPECT_EQ(spelled("", "&make()->count"), "temporary .count");
}

TEST(AccessPath, FollowsOnlyTheStepsThatAreAskedFor) {
  const char *const element = "&app.shelf.jobs[1].next";
  EXPECT_EQ(spelled("", element, AccessPath::Members), "temporary .next");
  EXPECT_EQ(spelled("", "&app.count", Copies), "temporary");
  const char *const behind = "&app.shelf.first->next";
  EXPECT_EQ(spelled("", behind), "temporary .next");
  EXPECT_EQ(spelled("", behind, AccessPath::Place | Flow::Load),
            "&app .shelf .first * .next");
}

TEST(AccessPath, DoesNotChooseBetweenTwoValues) {
  EXPECT_EQ(spelled("int i, struct app *p", "i ? p : current"), "temporary");
}

TEST(AccessPath, TellsTheVariableAndTheMembers) {
  const Handed of("int i", "&app.shelf.jobs[i].next");
  const AccessPath path = of.path();
  EXPECT_EQ(of.facts.nodes[path.variable()].name, "app");
  EXPECT_EQ(of.facts.fields[path.member()].name, "next");
  EXPECT_EQ(path.members().size(), 3u);
  EXPECT_TRUE(path.ends(Flow::Member));
  EXPECT_FALSE(path.ends(Flow::Index));

  const AccessPath behind = Handed("struct app *p", "p").path();
  EXPECT_EQ(behind.variable(), None);
  EXPECT_EQ(behind.member(), None);
}

TEST(AccessPath, IsEqualWhereItIsSpelledAlike) {
  const Handed of("struct app *p, struct app *q",
                  "&p->shelf, &p->shelf, &q->shelf, &p->count");
  auto path = [&](unsigned argument) {
    return AccessPath(of.program, of.facts.calls[0].args[argument]);
  };
  EXPECT_EQ(path(0), path(1));
  EXPECT_FALSE(path(0) == path(2));
  EXPECT_FALSE(path(0) == path(3));
}

TEST(AccessPath, OfNothingIsNothing) {
  const Handed of("", "&app");
  const AccessPath path(of.program, None);
  EXPECT_EQ(path.base, None);
  EXPECT_FALSE(path.isAddress);
  EXPECT_EQ(memberAt(of.program, None), None);
  EXPECT_EQ(memberRead(of.program, None), None);
}

TEST(AccessPath, TellsAMembersAddressFromWhatIsReadThere) {
  const Handed address("struct app *p", "&p->count"),
      read("struct app *p", "(char *)p->shelf.first");
  // The argument is a copy: a const void * now.
  const Id member = address.program.origin(address.node);
  EXPECT_EQ(address.facts.fields[memberAt(address.program, member)].name,
            "count");
  EXPECT_EQ(memberRead(address.program, address.node), None);
  EXPECT_EQ(read.facts.fields[memberRead(read.program, read.node)].name,
            "first");
  EXPECT_EQ(memberAt(read.program, read.program.origin(read.node)), None);
}

} // namespace
