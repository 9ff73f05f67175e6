//===- SpelledPlacesTest.cpp - Places of memory, by their spelling --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/scans/SpelledPlaces.h"
#include "test/unit/collect/ParsedSource.h"
#include <gmock/gmock.h>

using namespace nvmove;
using namespace nvmove::test;
using testing::ElementsAre;
using testing::SizeIs;

namespace {

TEST(SpelledPlaces, TheSameForTheSameText) {
  ParsedSource s(
      "struct s { struct s *next; int n[4]; } *get(int); int i;"
      "void f(struct s *p, struct s *q) { p->next; (p)->next; q->next; "
      "p->n[i]; p->n[i]; p->n[0]; get(1)->next; get(1)->next; p++; }");
  SpelledPlaces places(s.ast());
  auto of = [&](unsigned index) { return places.find(s.expression(index)); };
  EXPECT_EQ(of(0), of(1));
  EXPECT_NE(of(0), of(2));
  EXPECT_EQ(of(3), of(4));
  EXPECT_NE(of(3), of(5));
  EXPECT_EQ(of(6), of(7));
  EXPECT_EQ(of(8), std::nullopt); // another one each time
}

TEST(SpelledPlaces, OfAVariable) {
  ParsedSource s(
      "struct s { struct s *next; }; void f(struct s *p, struct s *q)"
      "{ p->next; p->next->next; q->next; }");
  SpelledPlaces places(s.ast());
  unsigned p = places.of(s.find("p")), next = *places.find(s.expression(0)),
           second = *places.find(s.expression(1)),
           other = *places.find(s.expression(2));
  EXPECT_THAT(places.within(p), ElementsAre(next, second));
  EXPECT_THAT(places.within(next), ElementsAre(second));
  EXPECT_THAT(places.thatName(s.find("p")), SizeIs(3));
  EXPECT_THAT(places.thatName(s.find("q")), ElementsAre(other));
}

} // namespace
