//===- Members.h - What every fact is made of -------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one list of the members of each struct in Facts.h. Renumbering,
// comparing, writing, reading and checking are visitors over it, so a member
// cannot be known to one and forgotten by another: a struct with a member that
// its list lacks does not compile.
//
// To add a member to a struct, add it to the list below too: as it is, or, if
// it is an index, as ref(Table, member), or refs(Table, member) for a list of
// indices. To add a struct, add a specialisation of Members.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_FACTS_MEMBERS_H
#define NVMOVE_PASSES_FACTS_MEMBERS_H

#include "passes/facts/Facts.h"
#include <type_traits>

namespace nvmove {

/// The tables that an Id may point into.
enum class Table : uint8_t { File, Type, Record, Field, Node, Function, Loop };

/// A member that is an index; a member that is a list of indices.
template <class I> struct Reference {
  Table table;
  I &id;
};
template <class List> struct ReferenceList {
  Table table;
  List &ids;
};

namespace members {

template <class I> Reference<I> ref(Table table, I &id) { return {table, id}; }
template <class List> ReferenceList<List> refs(Table table, List &ids) {
  return {table, ids};
}

template <class Struct> struct Of;

template <> struct Of<Span> {
  static void list(auto &s, auto &&v) {
    v(ref(Table::File, s.file), s.begin, s.end);
  }
};
template <> struct Of<Loc> {
  static void list(auto &l, auto &&v) {
    v(ref(Table::File, l.file), l.line, l.column);
  }
};
template <> struct Of<Range> {
  static void list(auto &r, auto &&v) { v(r.begin, r.end); }
};
template <> struct Of<File> {
  static void list(auto &f, auto &&v) {
    v(f.path, f.hash, f.size_bytes, f.editable);
  }
};
template <> struct Of<Type> {
  static void list(auto &t, auto &&v) {
    v(t.kind,
      ref(t.kind == TypeKind::Record ? Table::Record : Table::Type, t.inner),
      t.size_bytes);
  }
};
template <> struct Of<Field> {
  static void list(auto &f, auto &&v) {
    v(f.name, ref(Table::Record, f.record), ref(Table::Type, f.type),
      f.offset_bits, f.width_bits, f.flexible, ref(Table::Field, f.cell));
  }
};
template <> struct Of<Record> {
  static void list(auto &r, auto &&v) {
    v(r.key, r.name, r.spelling, r.aliases, r.loc, r.isUnion, r.complete,
      r.packed, r.size_bytes, refs(Table::Field, r.fields));
  }
};
template <> struct Of<Node> {
  static void list(auto &n, auto &&v) {
    v(n.kind, n.key, n.name, ref(Table::Function, n.function),
      ref(Table::Type, n.type), n.loc, n.isStatic, n.isFunctionScope,
      n.isThreadLocal, n.isDefined, ref(Table::File, n.definedIn), n.isText,
      n.isConst, n.isUnchanged);
  }
};
template <> struct Of<Constraint> {
  static void list(auto &c, auto &&v) {
    v(c.flow, ref(Table::Node, c.dst), ref(Table::Node, c.src),
      ref(c.flow == Flow::Member       ? Table::Field
          : c.flow == Flow::CopyMemory ? Table::Type
                                       : Table::Node,
          c.extra),
      ref(Table::Function, c.function), c.loc);
  }
};
template <> struct Of<Function> {
  static void list(auto &f, auto &&v) {
    v(f.key, f.name, ref(Table::Node, f.node), refs(Table::Node, f.params),
      ref(Table::Node, f.variadic), ref(Table::Node, f.result), f.loc,
      f.hasBody, f.isStatic, f.isVariadic, f.hasPrototype, f.isNoReturn,
      f.declaredNoReturn, f.hasInlineAsm, f.isInline, f.isConstructor,
      f.allocates, f.reallocates, f.bodyStart, f.lines);
  }
};
template <> struct Of<Loop> {
  static void list(auto &l, auto &&v) {
    v(ref(Table::Function, l.function), ref(Table::Loop, l.parent), l.loc,
      l.body, l.isCompound, l.isEntered);
  }
};
template <> struct Of<StatementSpan> {
  static void list(auto &s, auto &&v) {
    v(s.span, s.isDeclaration, s.inCompound, s.isWholeExpression, s.mayLeave);
  }
};
template <> struct Of<ParamTest> {
  static void list(auto &t, auto &&v) {
    v(ref(Table::Node, t.param), t.mask, t.value, t.equal);
  }
};
template <> struct Of<FlagTest> {
  static void list(auto &t, auto &&v) {
    v(ref(Table::Node, t.variable), ref(Table::Field, t.field), t.mask, t.value,
      t.equal);
  }
};
template <> struct Of<StaticTest> {
  static void list(auto &t, auto &&v) {
    v(ref(Table::Node, t.variable), refs(Table::Field, t.path), t.isZero);
  }
};
template <> struct Of<PointerPair> {
  static void list(auto &p, auto &&v) {
    v(ref(Table::Node, p.first), ref(Table::Node, p.second));
  }
};
template <> struct Of<ArgValue> {
  static void list(auto &a, auto &&v) {
    v(a.arg, a.value, ref(Table::Node, a.param));
  }
};
template <> struct Of<ScannedArg> {
  static void list(auto &a, auto &&v) { v(a.arg, a.extent, a.bytes); }
};
template <> struct Of<Call> {
  static void list(auto &c, auto &&v) {
    v(ref(Table::Function, c.function), ref(Table::Function, c.callee),
      ref(Table::Node, c.target), refs(Table::Node, c.args),
      ref(Table::Node, c.result), c.loc, c.span, c.calleeSpan, c.argSpans,
      c.argIsZeroOrNull, c.argValues, c.argChoices, c.argsOfZeros, c.phrases,
      c.mode, c.argIsHooked, c.scanned, c.argIsReadOnly, c.statement,
      ref(Table::Loop, c.loop), c.deadEnd, refs(Table::Record, c.sizeofRecords),
      refs(Table::Type, c.sizeofTypes), ref(Table::Record, c.resultRecord),
      ref(Table::Type, c.resultType), c.inHook, refs(Table::Node, c.nonNull),
      c.different, refs(Table::Node, c.zero), refs(Table::Node, c.inChildOf),
      refs(Table::Node, c.inParentOf), c.goesOnInChild, c.flags, c.statics,
      c.tests, c.arms);
  }
};
template <> struct Of<Callees> {
  static void list(auto &c, auto &&v) {
    v(refs(Table::Function, c.functions), refs(Table::Node, c.pointers));
  }
};
template <> struct Of<StoreSite> {
  static void list(auto &s, auto &&v) {
    v(s.form, ref(Table::Function, s.function), s.loc,
      ref(Table::Node, s.address), ref(Table::Record, s.record),
      ref(Table::Field, s.field), ref(Table::Type, s.valueType), s.span, s.base,
      s.before, s.statement, s.baseIsPointer, s.stored, s.readModifyWrite,
      s.hooked, s.announcedBefore, s.within, s.since,
      refs(Table::Node, s.nonNull), refs(Table::Node, s.judged), s.statics);
  }
};
template <> struct Of<StaticWrite> {
  static void list(auto &w, auto &&v) {
    v(ref(Table::Node, w.variable), refs(Table::Field, w.path),
      ref(Table::Function, w.function), w.loc, ref(Table::Node, w.address),
      ref(Table::Node, w.value), w.readModifyWrite, w.isScalar, w.isZero,
      w.statement, ref(Table::Loop, w.loop), refs(Table::Node, w.nonNull),
      refs(Table::Node, w.judged), w.statics);
  }
};
template <> struct Of<AddressUse> {
  static void list(auto &u, auto &&v) {
    v(ref(Table::Node, u.variable), ref(Table::Function, u.function), u.span,
      u.loc, u.inConstantInitialiser, u.inHook, u.interior,
      ref(Table::Node, u.value));
  }
};
template <> struct Of<SizeofUse> {
  static void list(auto &u, auto &&v) {
    v(ref(Table::Record, u.record), ref(Table::Function, u.function), u.loc);
  }
};
template <> struct Of<Gap> {
  static void list(auto &g, auto &&v) {
    v(g.kind, g.loc, ref(Table::Function, g.function), g.what, g.span, g.macros,
      refs(Table::Node, g.handed));
  }
};
template <> struct Of<FlowWrite> {
  static void list(auto &w, auto &&v) {
    v(ref(Table::Node, w.variable), ref(Table::Field, w.field), w.how, w.value,
      w.calls);
  }
};
template <> struct Of<BlockStore> {
  static void list(auto &s, auto &&v) { v(s.store, s.calls); }
};
template <> struct Of<Block> {
  static void list(auto &b, auto &&v) {
    v(b.successors, b.calls, b.writes, b.stores, b.staticWrites,
      ref(Table::Node, b.tested), ref(Table::Field, b.testedField), b.whenZero,
      b.returnsConstant, b.returned);
  }
};
template <> struct Of<ReturnedValue> {
  static void list(auto &a, auto &&v) {
    v(a.isConstant, a.constant, ref(Table::Node, a.value),
      ref(Table::Node, a.local), a.isInitial, a.counts, a.from, a.at, a.arms,
      a.equal);
  }
};
template <> struct Of<PointerUse> {
  static void list(auto &u, auto &&v) {
    v(ref(Table::Field, u.field), ref(Table::Node, u.param),
      ref(Table::Node, u.result), u.how, u.isTested, u.call, u.arg, u.loc);
  }
};
template <> struct Of<Definition::Head> {
  static void list(auto &h, auto &&v) { v(h.block, h.last, h.statement); }
};
template <> struct Of<Definition> {
  static void list(auto &d, auto &&v) {
    v(ref(Table::Function, d.function), ref(Table::Node, d.variable), d.loc,
      refs(Table::Node, d.params), ref(Table::Node, d.variadic),
      ref(Table::Node, d.result), d.isNoReturn, d.blocks, d.bodyStart, d.text,
      d.body, d.heads, d.mixesCode, d.answers, d.otherWrites, d.pointerUses,
      d.lines, d.nodes, d.constraints, d.calls, d.loops, d.stores,
      d.staticWrites, d.localWrites, d.addressUses, d.sizeofUses, d.gaps);
  }
};
template <> struct Of<Facts> {
  static void list(auto &f, auto &&v) {
    v(f.files, f.types, f.records, f.fields, f.nodes, f.functions,
      f.constraints, f.calls, f.loops, f.stores, f.staticWrites, f.localWrites,
      f.addressUses, f.sizeofUses, f.gaps, f.definitions,
      refs(Table::File, f.units));
  }
};

/// Converts to whatever a member is, to count them.
struct Anything {
  template <class T> operator T() const;
};
template <class Struct, class... Found> consteval size_t count() {
  if constexpr (requires { Struct{Found{}..., Anything{}}; })
    return count<Struct, Found..., Anything>();
  else
    return sizeof...(Found);
}

} // namespace members

/// A struct that has a list of its members.
template <class T>
concept Described = requires { sizeof(members::Of<T>); };

template <class T> inline constexpr bool isReference = false;
template <class I> inline constexpr bool isReference<Reference<I>> = true;
template <class T> inline constexpr bool isReferenceList = false;
template <class L>
inline constexpr bool isReferenceList<ReferenceList<L>> = true;
template <class T> inline constexpr bool isVector = false;
template <class T> inline constexpr bool isVector<std::vector<T>> = true;

/// Calls `visit(member)` for each member: a Reference, a ReferenceList, or the
/// member itself. `object` may be const.
template <class Visit> void forEachMember(auto &object, Visit &&visit) {
  using Struct = std::remove_cvref_t<decltype(object)>;
  members::Of<Struct>::list(object, [&](auto &&...member) {
    static_assert(sizeof...(member) == members::count<Struct>(),
                  "members::Of<Struct> must list every member of the struct");
    (visit(member), ...);
  });
}

} // namespace nvmove

#endif // NVMOVE_PASSES_FACTS_MEMBERS_H
