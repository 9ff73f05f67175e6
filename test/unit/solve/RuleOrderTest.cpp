//===- RuleOrderTest.cpp - A wrong order of the rules is refused ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/RuleOrder.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace nvmove;

namespace {

using Kind = OrderFault::Kind;
using Rules = std::vector<DeclaredRule>;

const Rules Table(std::begin(DeclaredRules), std::end(DeclaredRules));

Kind faultOf(const Rules &rules) {
  return faultIn(DeclaredParts, DeclaredOrders, rules).kind;
}

Rules moved(Rules rules, size_t from, size_t to) {
  const DeclaredRule rule = rules[from];
  rules.erase(rules.begin() + from);
  rules.insert(rules.begin() + to, rule);
  return rules;
}

size_t indexOf(std::string_view name) {
  return std::ranges::find(Table, name, &DeclaredRule::name) - Table.begin();
}

bool writes(const DeclaredRule &rule, std::string_view part) {
  return isNamedIn(rule.writes, part);
}

TEST(RuleOrder, TheTableIsInOrder) {
  const OrderFault f = faultIn(DeclaredParts, DeclaredOrders, DeclaredRules);
  EXPECT_EQ(f.kind, Kind::None) << f.rule << " " << f.part;
}

TEST(RuleOrder, NoRuleStandsAboveOneThatWritesWhatItReads) {
  size_t tried = 0;
  for (size_t reader = 0; reader < Table.size(); ++reader)
    for (const DeclaredPart &part : DeclaredParts)
      for (size_t writer = 0; writer < reader; ++writer)
        if (isNamedIn(Table[reader].reads, part.name) &&
            writes(Table[writer], part.name)) {
          ++tried;
          EXPECT_NE(faultOf(moved(Table, reader, writer)), Kind::None)
              << Table[reader].name << " above " << Table[writer].name;
        }
  EXPECT_GT(tried, 100u);
}

TEST(RuleOrder, NoTwoThatWriteOnePartChangePlaces) {
  size_t tried = 0;
  for (const DeclaredPart &part : DeclaredParts)
    for (size_t second = 0; second < Table.size(); ++second)
      for (size_t first = 0; first < second; ++first)
        if (writes(Table[first], part.name) &&
            writes(Table[second], part.name)) {
          ++tried;
          Rules rules = Table;
          std::swap(rules[first], rules[second]);
          EXPECT_NE(faultOf(rules), Kind::None)
              << Table[first].name << " and " << Table[second].name;
        }
  EXPECT_GT(tried, 40u);
}

TEST(RuleOrder, NoRuleStandsBelowOneThatWritesALaterStateOfWhatItReads) {
  size_t tried = 0;
  for (const DeclaredPart &later : DeclaredParts)
    for (size_t reader = 0; reader < Table.size(); ++reader)
      for (size_t writer = reader + 1; writer < Table.size(); ++writer)
        if (isNamedIn(Table[reader].reads, later.earlier) &&
            writes(Table[writer], later.name)) {
          ++tried;
          EXPECT_NE(faultOf(moved(Table, reader, writer)), Kind::None)
              << Table[reader].name << " below " << Table[writer].name;
        }
  EXPECT_GT(tried, 10u);
}

TEST(RuleOrder, GuardsAreFoundWhenRootsAreSettled) {
  EXPECT_EQ(faultOf(moved(Table, indexOf("findLoadGuards"),
                          indexOf("settleRestored"))),
            Kind::ReadTooEarly);
}

TEST(RuleOrder, TypesOfHandlersAreFoundBetweenThoseOfTheLoadAndRoots) {
  const size_t types = indexOf("findHandlerTypes");
  EXPECT_EQ(faultOf(moved(Table, types, indexOf("findTypes"))),
            Kind::NotInOrder);
  EXPECT_EQ(faultOf(moved(Table, types, indexOf("findRoots"))),
            Kind::NotInOrder);
}

/// Parts A and B, and A again when it has grown.
constexpr DeclaredPart Parts[] = {{"A", ""}, {"Grown", "A"}, {"B", ""}};
constexpr DeclaredOrder Orders[] = {{"A", "first, second"}};

OrderFault faultOfThree(Rules rules) { return faultIn(Parts, Orders, rules); }

TEST(RuleOrder, SaysWhichRuleAndWhichPart) {
  const OrderFault f = faultOfThree({{"first", "", "A"},
                                     {"reader", "A", "B"},
                                     {"second", "", "A"},
                                     {"grower", "", "Grown"}});
  EXPECT_EQ(f.kind, Kind::ReadTooEarly);
  EXPECT_EQ(f.rule, "reader");
  EXPECT_EQ(f.part, "A");
}

TEST(RuleOrder, SeveralThatWriteAreNamedInAnOrder) {
  EXPECT_EQ(faultOfThree({{"first", "", "A"},
                          {"second", "", "A"},
                          {"third", "", "A"},
                          {"grower", "", "Grown, B"}})
                .rule,
            "third");
  EXPECT_EQ(faultOfThree({{"first", "", "A"}, {"grower", "", "Grown, B"}}).rule,
            "second");
  EXPECT_EQ(faultOfThree({{"first", "", "A"},
                          {"second", "", "A, B"},
                          {"other", "", "B"},
                          {"grower", "", "Grown"}})
                .rule,
            "other");
}

TEST(RuleOrder, WhatHasGrownIsNotWrittenAsItWas) {
  EXPECT_EQ(
      faultOfThree(
          {{"first", "", "A"}, {"grower", "", "Grown, B"}, {"second", "", "A"}})
          .kind,
      Kind::WrittenTooLate);
  EXPECT_EQ(faultOfThree({{"first", "", "A"},
                          {"second", "", "A"},
                          {"grower", "", "Grown, B"},
                          {"reader", "A", ""}})
                .kind,
            Kind::ReadTooLate);
}

TEST(RuleOrder, PartsAreKnownAndWritten) {
  EXPECT_EQ(faultOfThree({{"first", "C", "A"}}).kind, Kind::UnknownPart);
  EXPECT_EQ(
      faultOfThree(
          {{"first", "", "A"}, {"second", "", "A"}, {"grower", "", "Grown"}})
          .kind,
      Kind::NeverWritten);
}

} // namespace
