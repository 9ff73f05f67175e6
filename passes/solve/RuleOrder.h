//===- RuleOrder.h - Whether each rule finds what it reads ------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules run in the order of Findings.def. That it is right follows from
// what their rows declare, and is checked when Solve.cpp is compiled:
//
//   - a part is written by one rule, or by several in the order that an ORDER
//     row names them in;
//   - who only reads a part stands below all who write it;
//   - who reads or writes the earlier state of a part stands above all who
//     write a later one.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_RULEORDER_H
#define NVMOVE_PASSES_SOLVE_RULEORDER_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace nvmove {

struct DeclaredRule {
  std::string_view name;
  std::string_view reads, writes; ///< "Types, Roots"
};
/// The rules that write one part, in their order.
struct DeclaredOrder {
  std::string_view part, writers;
};
struct DeclaredPart {
  std::string_view name;
  std::string_view earlier; ///< state of the same object; "": it is the first
};

/// What is wrong, and of which rule and part.
struct OrderFault {
  enum class Kind : uint8_t {
    None,
    UnknownPart,    ///< in a row: not in Parts.def
    NeverWritten,   ///< by no rule
    ReadTooEarly,   ///< the rule stands above one that writes what it reads
    ReadTooLate,    ///< .. below one that writes a later state of it
    WrittenTooLate, ///< the same, of a rule that writes it
    NotInOrder, ///< .. not where ORDER has it among those who write the part
  } kind = Kind::None;
  std::string_view rule, part;
};

constexpr bool isNamedIn(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const size_t comma = list.find(", ");
    if (list.substr(0, comma) == name)
      return true;
    list.remove_prefix(comma == list.npos ? list.size() : comma + 2);
  }
  return false;
}

namespace rule_order {

using Kind = OrderFault::Kind;

constexpr std::string_view firstOf(std::string_view list) {
  return list.substr(0, list.find(", "));
}
constexpr std::string_view restOf(std::string_view list) {
  const size_t comma = list.find(", ");
  return comma == list.npos ? "" : list.substr(comma + 2);
}

constexpr OrderFault unknownPart(std::span<const DeclaredPart> parts,
                                 const DeclaredRule &rule) {
  for (std::string_view list : {rule.reads, rule.writes})
    for (; !list.empty(); list = restOf(list)) {
      bool isKnown = false;
      for (const DeclaredPart &part : parts)
        isKnown |= part.name == firstOf(list);
      if (!isKnown)
        return {Kind::UnknownPart, rule.name, firstOf(list)};
    }
  return {};
}

/// Those who write the part are those that its ORDER names, in that order.
constexpr OrderFault writersOf(const DeclaredPart &part,
                               std::span<const DeclaredOrder> orders,
                               std::span<const DeclaredRule> rules) {
  std::string_view expected;
  size_t writers = 0;
  for (const DeclaredOrder &order : orders)
    if (order.part == part.name)
      expected = order.writers;
  const bool isOrdered = !expected.empty();
  for (const DeclaredRule &rule : rules)
    if (isNamedIn(rule.writes, part.name)) {
      if (isOrdered ? rule.name != firstOf(expected) : writers > 0)
        return {Kind::NotInOrder, rule.name, part.name};
      expected = restOf(expected);
      ++writers;
    }
  if (!expected.empty())
    return {Kind::NotInOrder, firstOf(expected), part.name};
  return {};
}

/// Those who read the part find it written, and those who read or write it
/// before a later state of it is.
constexpr OrderFault usersOf(const DeclaredPart &part,
                             std::span<const DeclaredPart> parts,
                             std::span<const DeclaredRule> rules) {
  size_t lastWriter = 0, firstLater = rules.size();
  bool isWritten = false;
  for (size_t i = 0; i < rules.size(); ++i) {
    if (isNamedIn(rules[i].writes, part.name)) {
      lastWriter = i;
      isWritten = true;
    }
    for (const DeclaredPart &later : parts)
      if (later.earlier == part.name && i < firstLater &&
          isNamedIn(rules[i].writes, later.name))
        firstLater = i;
  }
  if (!isWritten)
    return {Kind::NeverWritten, "", part.name};
  for (size_t i = 0; i < rules.size(); ++i) {
    const bool writes = isNamedIn(rules[i].writes, part.name);
    if (!writes && !isNamedIn(rules[i].reads, part.name))
      continue;
    if (!writes && i < lastWriter)
      return {Kind::ReadTooEarly, rules[i].name, part.name};
    if (i >= firstLater)
      return {writes ? Kind::WrittenTooLate : Kind::ReadTooLate, rules[i].name,
              part.name};
  }
  return {};
}

} // namespace rule_order

/// The first fault, if there is any.
constexpr OrderFault faultIn(std::span<const DeclaredPart> parts,
                             std::span<const DeclaredOrder> orders,
                             std::span<const DeclaredRule> rules) {
  for (const DeclaredRule &rule : rules)
    if (OrderFault f = rule_order::unknownPart(parts, rule);
        f.kind != OrderFault::Kind::None)
      return f;
  for (const DeclaredPart &part : parts) {
    if (OrderFault f = rule_order::writersOf(part, orders, rules);
        f.kind != OrderFault::Kind::None)
      return f;
    if (OrderFault f = rule_order::usersOf(part, parts, rules);
        f.kind != OrderFault::Kind::None)
      return f;
  }
  return {};
}

/// The tables themselves.
inline constexpr DeclaredPart DeclaredParts[] = {
#define PART(Name, member, Type, place) {#Name, ""},
#define LATER(Name, Earlier) {#Name, #Earlier},
#include "passes/solve/Parts.def"
};
inline constexpr DeclaredOrder DeclaredOrders[] = {
#define ORDER(part, ...) {#part, #__VA_ARGS__},
#include "passes/solve/Findings.def"
};
#define READS(...) #__VA_ARGS__
#define WRITES(...) #__VA_ARGS__
inline constexpr DeclaredRule DeclaredRules[] = {
#define RULE(function, room, reads, writes) {#function, reads, writes},
#include "passes/solve/Findings.def"
};
#undef READS
#undef WRITES

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_RULEORDER_H
