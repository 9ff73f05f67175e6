//===- CallContextsTest.cpp - Small functions, told apart by calls --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/solve/pointsto/PartsTesting.h"

using namespace nvmove;
using namespace nvmove::test;

namespace {

const std::string callContextsCode = R"(
void *malloc(unsigned long);
struct list { void *item; } *a, *b;
void put(struct list *l, void *x) { l->item = x; }
void twice(struct list *l) { put(l, l); put(l, 0); }
void *self(void *x) { struct list *l = x; l->item = x; return self(x); }
void taken(void *x) { void **p = &x; *p = a; a->item = x; }
void load(void) { put(a, b); put(b, a); twice(a); twice(b); taken(a); taken(b); self(a); self(b); }
int main(void) { load(); return 0; }
)";

TEST(CallContexts, EachCallHasAnInstance) {
  PointsToParts p(callContextsCode);
  auto [first, isNew] =
      p.contexts.instanceFor(p.s.callOf("put"), p.s.function("put"));
  ASSERT_NE(first, None);
  EXPECT_TRUE(isNew);
  auto [second, isNewToo] =
      p.contexts.instanceFor(p.s.callOf("put"), p.s.function("put"));
  EXPECT_NE(second, first);
  Id x = p.s.node("x");
  EXPECT_NE(p.contexts.inInstance(first, x), p.contexts.inInstance(second, x));
  EXPECT_EQ(p.graph.textOf(p.contexts.inInstance(first, x)), x);
  EXPECT_EQ(p.contexts.inInstance(None, x), x);
  EXPECT_EQ(p.contexts.inInstance(first, p.s.node("a")), p.s.node("a"));
}

TEST(CallContexts, ACallInAnInstanceHasItsNodes) {
  PointsToParts p(callContextsCode);
  const Id twice = p.s.function("twice");
  Id instance = p.contexts.instanceFor(p.s.callOf("twice"), twice).first;
  ASSERT_NE(instance, None);
  Id text = p.s.program.callsOf(twice).front(),
     copy = p.contexts.copyOfCall(text, instance);
  EXPECT_EQ(p.contexts.callInText(copy), text);
  EXPECT_EQ(p.contexts.instanceOf(copy), instance);
  EXPECT_EQ(p.contexts.callAt(copy).args[0],
            p.contexts.inInstance(instance, p.s.facts.calls[text].args[0]));
}

TEST(CallContexts, RecursionIsOneInstanceForAllItsDepths) {
  PointsToParts p(callContextsCode);
  const Id self = p.s.function("self");
  Id outer = None;
  for (Id call : p.s.program.callersOf(self))
    if (p.s.facts.calls[call].function == p.s.function("load"))
      outer = call;
  Id instance = p.contexts.instanceFor(outer, self).first;
  ASSERT_NE(instance, None);
  Id inner = p.contexts.copyOfCall(p.s.program.callsOf(self).front(), instance);
  auto [again, isNew] = p.contexts.instanceFor(inner, self);
  EXPECT_EQ(again, instance);
  EXPECT_FALSE(isNew);
}

TEST(CallContexts, WhoGivesItsVariablesAwayHasNone) {
  PointsToParts p(callContextsCode);
  EXPECT_EQ(
      p.contexts.instanceFor(p.s.callOf("taken"), p.s.function("taken")).first,
      None);
  EXPECT_TRUE(p.contexts.hasNone());
}

} // namespace
