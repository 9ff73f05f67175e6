//===- References.h - Every cross reference inside a fact -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One place that knows which table each Id in a fact points into. Renumbering,
// comparing and checking are visitors over it, so that a new member cannot be
// renumbered in one pass and forgotten in another.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_FACTS_REFERENCES_H
#define NVMOVE_PASSES_FACTS_REFERENCES_H

#include "passes/facts/Facts.h"
#include <type_traits>

namespace nvmove {

/// The tables that an Id may point into.
enum class Table : uint8_t { File, Type, Record, Field, Node, Function, Loop };

namespace references {

template <class V> void loc(auto &l, V &&v) { v(Table::File, l.file); }
template <class V> void span(auto &s, V &&v) { v(Table::File, s.file); }
template <class V> void all(Table t, auto &ids, V &&v) {
  for (auto &i : ids)
    v(t, i);
}

template <class Fact> struct Of;

template <> struct Of<Node> {
  static void visit(auto &f, auto &&v) {
    v(Table::Function, f.function);
    v(Table::Type, f.type);
    loc(f.loc, v);
  }
};
template <> struct Of<Constraint> {
  static void visit(auto &f, auto &&v) {
    v(Table::Node, f.dst);
    v(Table::Node, f.src);
    v(f.flow == Flow::Member ? Table::Field : Table::Node, f.extra);
    v(Table::Function, f.function);
    loc(f.loc, v);
  }
};
template <> struct Of<Loop> {
  static void visit(auto &f, auto &&v) {
    v(Table::Function, f.function);
    v(Table::Loop, f.parent);
    loc(f.loc, v);
  }
};
template <> struct Of<Call> {
  static void visit(auto &f, auto &&v) {
    v(Table::Function, f.function);
    v(Table::Function, f.callee);
    v(Table::Node, f.target);
    all(Table::Node, f.args, v);
    v(Table::Node, f.result);
    loc(f.loc, v);
    span(f.span, v);
    span(f.calleeSpan, v);
    for (auto &s : f.argSpans)
      span(s, v);
    span(f.statement.span, v);
    v(Table::Loop, f.loop);
    all(Table::Record, f.sizeofRecords, v);
    all(Table::Type, f.sizeofTypes, v);
    v(Table::Record, f.resultRecord);
    v(Table::Type, f.resultType);
  }
};
template <> struct Of<StoreSite> {
  static void visit(auto &f, auto &&v) {
    v(Table::Function, f.function);
    loc(f.loc, v);
    v(Table::Node, f.address);
    v(Table::Record, f.record);
    v(Table::Field, f.field);
    v(Table::Type, f.valueType);
    span(f.span, v);
  }
};
template <> struct Of<StaticWrite> {
  static void visit(auto &f, auto &&v) {
    v(Table::Node, f.variable);
    all(Table::Field, f.path, v);
    v(Table::Function, f.function);
    loc(f.loc, v);
    v(Table::Node, f.value);
    span(f.statement.span, v);
  }
};
template <> struct Of<AddressUse> {
  static void visit(auto &f, auto &&v) {
    v(Table::Node, f.variable);
    v(Table::Function, f.function);
    span(f.span, v);
    loc(f.loc, v);
    v(Table::Node, f.value);
  }
};
template <> struct Of<SizeofUse> {
  static void visit(auto &f, auto &&v) {
    v(Table::Record, f.record);
    v(Table::Function, f.function);
    loc(f.loc, v);
  }
};
template <> struct Of<Gap> {
  static void visit(auto &f, auto &&v) {
    loc(f.loc, v);
    v(Table::Function, f.function);
  }
};
template <> struct Of<Definition> {
  static void visit(auto &f, auto &&v) {
    v(Table::Function, f.function);
    v(Table::Node, f.variable);
    loc(f.loc, v);
    all(Table::Node, f.params, v);
    v(Table::Node, f.variadic);
    v(Table::Node, f.result);
    span(f.bodyStart, v);
  }
};
template <> struct Of<Record> {
  static void visit(auto &f, auto &&v) {
    loc(f.loc, v);
    all(Table::Field, f.fields, v);
  }
};
template <> struct Of<Field> {
  static void visit(auto &f, auto &&v) {
    v(Table::Record, f.record);
    v(Table::Type, f.type);
    v(Table::Field, f.cell);
  }
};
template <> struct Of<Function> {
  static void visit(auto &f, auto &&v) {
    v(Table::Node, f.node);
    all(Table::Node, f.params, v);
    v(Table::Node, f.variadic);
    v(Table::Node, f.result);
    loc(f.loc, v);
    span(f.bodyStart, v);
  }
};

} // namespace references

/// Calls `visit(Table, Id &)` for each reference in `fact`, which may be const.
template <class Visit> void forEachReference(auto &fact, Visit &&visit) {
  references::Of<std::remove_cvref_t<decltype(fact)>>::visit(fact, visit);
}

/// Calls `visit(member of Facts, member of Definition)` for each vector whose
/// elements belong to definitions, except nodes.
template <class Visit> void forEachDefinitionList(Visit &&visit) {
  visit(&Facts::constraints, &Definition::constraints);
  visit(&Facts::calls, &Definition::calls);
  visit(&Facts::loops, &Definition::loops);
  visit(&Facts::stores, &Definition::stores);
  visit(&Facts::staticWrites, &Definition::staticWrites);
  visit(&Facts::addressUses, &Definition::addressUses);
  visit(&Facts::sizeofUses, &Definition::sizeofUses);
  visit(&Facts::gaps, &Definition::gaps);
}

} // namespace nvmove

#endif // NVMOVE_PASSES_FACTS_REFERENCES_H
