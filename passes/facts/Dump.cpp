//===- Dump.cpp - Facts as text -------------------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/Facts.h"
#include <string_view>

using namespace nvmove;

namespace {

class Dumper {
public:
  explicit Dumper(const Facts &facts)
      : f_(facts), definitionOf_(facts.nodes.size(), None) {
    for (Id d = 0; d < f_.definitions.size(); ++d)
      for (Id n = f_.definitions[d].nodes.begin;
           n < f_.definitions[d].nodes.end; ++n)
        definitionOf_[n] = d;
  }
  std::string run();

private:
  void entities();
  void functions();
  void definition(const Definition &d);
  void constraint(const Constraint &c);
  void call(const Call &c, Id firstLoop);
  std::string callees(const char *what, const Callees &c) const;
  std::string nonNull(const std::vector<Id> &nodes) const;
  std::string judged(const std::vector<Id> &nodes) const;
  std::string statics(const std::vector<StaticTest> &tests) const;
  void store(const StoreSite &s);
  std::string place(Id variable, Id field) const {
    return field == None ? node(variable) : this->field(field);
  }
  std::string flowWrite(const FlowWrite &w) const;
  void write(const std::string &kind, const StaticWrite &w);
  void addressUse(const AddressUse &u);
  void gap(const Gap &g);
  void pointerUse(const Definition &d, const PointerUse &u);

  std::string type(Id id) const;
  std::string node(Id id) const;
  std::string field(Id id) const;
  std::string function(Id id) const {
    return id == None ? "-" : f_.functions[id].key;
  }
  std::string file(Id id) const { return id == None ? "?" : f_.files[id].path; }
  std::string loc(Loc l) const {
    return file(l.file) + ":" + std::to_string(l.line) + ":" +
           std::to_string(l.column);
  }
  std::string span(Span s) const {
    return s.file == None ? "[]"
                          : "[" + file(s.file) + ":" + std::to_string(s.begin) +
                                "-" + std::to_string(s.end) + "]";
  }
  std::string statement(const StatementSpan &s) const;
  static std::string flag(bool b, const char *name) {
    return b ? std::string(" ") + name : "";
  }
  void line(const std::string &text) { out_ += text + "\n"; }

  const Facts &f_;
  std::vector<Id> definitionOf_;
  std::string out_;
};

std::string Dumper::type(Id id) const {
  if (id == None)
    return "-";
  const Type &t = f_.types[id];
  std::string size = std::to_string(t.size_bytes);
  switch (t.kind) {
  case TypeKind::Void:
    return "void";
  case TypeKind::Byte:
    return "byte";
  case TypeKind::Integer:
    return "int" + size;
  case TypeKind::Floating:
    return "float" + size;
  case TypeKind::Pointer:
    return type(t.inner) + "*";
  case TypeKind::Array:
    return type(t.inner) + "[" + size + "]";
  case TypeKind::Record:
    return "{" + f_.records[t.inner].key + (t.size_bytes ? "}" : "?}");
  case TypeKind::Function:
    return "function";
  }
  return "?";
}

std::string Dumper::node(Id id) const {
  if (id == None)
    return "-";
  const Node &n = f_.nodes[id];
  if (n.kind == NodeKind::Global)
    return n.key;
  if (n.kind == NodeKind::Function)
    return n.key + "()";
  if (n.kind == NodeKind::Return)
    return "return";
  Id d = definitionOf_[id];
  std::string number =
      std::to_string(d == None ? id : id - f_.definitions[d].nodes.begin);
  if (n.kind == NodeKind::Literal)
    return "literal#" + number;
  return n.kind == NodeKind::Local ? n.name + "#" + number : "%" + number;
}

std::string Dumper::field(Id id) const {
  if (id == None)
    return "-";
  const Field &d = f_.fields[id];
  if (!d.name.empty())
    return f_.records[d.record].name + "." + d.name;
  size_t ordinal = 0;
  for (Id i : f_.records[d.record].fields) {
    if (i == id)
      break;
    ordinal += f_.fields[i].name.empty();
  }
  return f_.records[d.record].name + ".<" + std::to_string(ordinal) + ">";
}

std::string Dumper::statement(const StatementSpan &s) const {
  if (!s.span.valid())
    return "";
  return " statement=" + span(s.span) + flag(s.isDeclaration, "declaration") +
         flag(s.inCompound, "in-compound") +
         flag(s.isWholeExpression, "whole") + flag(s.mayLeave, "may-leave");
}

void Dumper::entities() {
  for (const File &x : f_.files)
    line("file " + x.path + " " + std::to_string(x.size_bytes) + " " +
         std::to_string(x.hash) + flag(x.editable, "editable"));
  for (Id u : f_.units)
    line("unit " + file(u));
  for (Id t = 0; t < f_.types.size(); ++t)
    line("type " + type(t) + " " + std::to_string(f_.types[t].size_bytes));
  for (const Record &r : f_.records) {
    std::string aliases;
    for (const std::string &alias : r.aliases)
      aliases += " alias=" + alias;
    line("record " + r.key + " name=" + r.name + " spelling='" + r.spelling +
         "'" + aliases + " " + loc(r.loc) +
         " size=" + std::to_string(r.size_bytes) + flag(r.isUnion, "union") +
         flag(r.complete, "complete") + flag(r.packed, "packed"));
    for (Id i : r.fields) {
      const Field &d = f_.fields[i];
      line("field " + r.key + " " + field(i) + " " + type(d.type) + " at " +
           std::to_string(d.offset_bits) +
           (d.width_bits ? " bit-field of " + std::to_string(d.width_bits)
                         : "") +
           flag(d.flexible, "flexible") +
           (d.cell == i ? "" : " cell=" + field(d.cell)));
    }
  }
  for (const Node &n : f_.nodes)
    if (n.kind == NodeKind::Global)
      line("global " + n.key + " name=" + n.name + " " + type(n.type) + " " +
           loc(n.loc) + flag(n.isStatic, "static") +
           flag(n.isFunctionScope, "function-scope") +
           flag(n.isThreadLocal, "thread-local") +
           flag(n.isDefined, "defined") + flag(n.isText, "text") +
           flag(n.isConst, "const") +
           (n.definedIn == None || n.definedIn == n.loc.file
                ? ""
                : " by " + f_.files[n.definedIn].path) +
           (n.function == None ? "" : " in " + function(n.function)));
}

void Dumper::functions() {
  for (const Function &x : f_.functions) {
    std::string params;
    for (Id p : x.params)
      params += " " + node(p);
    line("function " + x.key + " name=" + x.name + " " + loc(x.loc) +
         " params=(" + params + " )" +
         (x.variadic == None ? "" : " variadic=" + node(x.variadic)) +
         (x.result == None ? "" : " result") + flag(x.hasBody, "body") +
         flag(x.isStatic, "static") + flag(x.isVariadic, "variadic") +
         flag(x.hasPrototype, "prototype") + flag(x.isNoReturn, "noreturn") +
         flag(x.allocates, "allocates") + flag(x.reallocates, "reallocates") +
         flag(x.declaredNoReturn, "declared-noreturn") +
         flag(x.hasInlineAsm, "asm") + flag(x.isInline, "inline") +
         flag(x.isConstructor, "constructor") +
         " lines=" + std::to_string(x.lines) +
         (x.bodyStart.file == None ? "" : " start=" + span(x.bodyStart)));
  }
}

void Dumper::constraint(const Constraint &c) {
  std::string text, dst = node(c.dst), src = node(c.src);
  switch (c.flow) {
  case Flow::Copy:
    text = dst + " = " + src;
    break;
  case Flow::Arith:
    text = dst + " = op " + src;
    break;
  case Flow::AddressOf:
    text = dst + " = &" + src;
    break;
  case Flow::Member:
    text = dst + " = &" + src + "->" + field(c.extra);
    break;
  case Flow::Load:
    text = dst + " = *" + src;
    break;
  case Flow::Store:
    text = "*" + dst + " = " + src;
    break;
  case Flow::CopyMemory:
    text = "*" + dst + " := *" + src;
    if (c.extra != None)
      text += " as " + type(c.extra);
    break;
  case Flow::Index:
    text = dst + " = " + src + "[" + node(c.extra) + "]";
    break;
  case Flow::Cast:
    text = dst + " = (" + type(f_.nodes[c.dst].type) + ")" + src;
    break;
  }
  line("flow " + function(c.function) + ": " + text + " at " + loc(c.loc));
}

void Dumper::call(const Call &c, Id firstLoop) {
  std::string text = "call " + function(c.function) + ": ";
  text += c.callee != None ? function(c.callee) : "*" + node(c.target);
  text += "(";
  for (size_t i = 0; i < c.args.size(); ++i) {
    text += (i ? ", " : "") + node(c.args[i]) + " " + span(c.argSpans[i]);
    text +=
        flag(c.argIsZeroOrNull[i], "zero") + flag(c.argIsHooked[i], "hooked");
  }
  text += ") -> " + node(c.result) + " at " + loc(c.loc) + " " + span(c.span) +
          " callee=" + span(c.calleeSpan) + statement(c.statement);
  if (c.loop != None)
    text += " loop=" + std::to_string(c.loop - firstLoop);
  text += flag(c.deadEnd, "dead-end") + flag(c.inHook, "in-hook");
  for (Id r : c.sizeofRecords)
    text += " sizeof=" + f_.records[r].key;
  for (Id t : c.sizeofTypes)
    text += " sizeof-type=" + type(t);
  if (c.resultRecord != None)
    text += " makes=" + f_.records[c.resultRecord].key;
  if (c.resultType != None)
    text += " as=" + type(c.resultType);
  text += nonNull(c.nonNull);
  for (const PointerPair &p : c.different)
    text += " different=" + node(p.first) + "," + node(p.second);
  for (Id n : c.zero)
    text += " zero=" + node(n);
  for (Id n : c.inChildOf)
    text += " in-child-of=" + node(n);
  for (Id n : c.inParentOf)
    text += " in-parent-of=" + node(n);
  if (c.goesOnInChild)
    text += " goes-on-in-child";
  auto test = [&](const std::string &what, const auto &t) {
    text += " test=" + what;
    if (t.mask != ~uint64_t(0))
      text += "&" + std::to_string(t.mask);
    text += (t.equal ? "==" : "!=") + std::to_string(t.value);
  };
  for (const FlagTest &t : c.flags)
    test(place(t.variable, t.field), t);
  text += statics(c.statics);
  for (uint32_t arm : c.arms)
    text += " arm=" + std::to_string(arm / 2) + (arm % 2 ? "-" : "+");
  for (const ParamTest &t : c.tests)
    test(node(t.param), t);
  for (const ArgValue &a : c.argValues)
    text += " argument" + std::to_string(a.arg) + "=" +
            (a.param == None ? std::to_string(a.value) : node(a.param));
  for (const ArgValue &a : c.argChoices)
    text +=
        " argument" + std::to_string(a.arg) + "|=" + std::to_string(a.value);
  for (uint32_t a : c.argsOfZeros)
    text += " zeros=" + std::to_string(a);
  for (uint32_t a : c.phrases)
    text += " phrase=" + std::to_string(a);
  static const char *const modes[] = {"", "reads", "writes", "appends"};
  text += flag(c.mode != FileMode::Unknown, modes[size_t(c.mode)]);
  for (const ScannedArg &a : c.scanned)
    text += " scanned" + std::to_string(a.arg) + "=" + std::to_string(a.bytes);
  for (size_t i = 0; i < c.args.size(); ++i)
    if (!c.argIsReadOnly[i])
      text += " may-write=" + std::to_string(i);
  line(text);
}

std::string Dumper::nonNull(const std::vector<Id> &nodes) const {
  std::string text;
  for (Id n : nodes)
    text += " non-null=" + node(n);
  return text;
}

std::string Dumper::statics(const std::vector<StaticTest> &tests) const {
  std::string text;
  for (const StaticTest &t : tests) {
    text += (t.isZero ? " zero=" : " nonzero=") + node(t.variable);
    for (Id i : t.path)
      text += "/" + field(i);
  }
  return text;
}

std::string Dumper::judged(const std::vector<Id> &nodes) const {
  std::string text;
  for (Id n : nodes)
    text += " judged=" + node(n);
  return text;
}

std::string Dumper::flowWrite(const FlowWrite &w) const {
  static const char *how[] = {"", " = ", " |= ", " &= ", " -> "};
  return "set " + place(w.variable, w.field) + how[w.how] +
         (w.how == FlowWrite::Constant || w.how == FlowWrite::SetsBits ||
                  w.how == FlowWrite::Through
              ? std::to_string(int64_t(w.value))
              : "");
}

std::string Dumper::callees(const char *what, const Callees &c) const {
  std::string text;
  for (Id f : c.functions)
    text += what + function(f);
  for (Id n : c.pointers)
    text += what + ("*" + node(n));
  return text;
}

void Dumper::store(const StoreSite &s) {
  static const char *forms[] = {"lvalue", "bit-field", "atomic"};
  static const char *stored[] = {"", " constant", " step"};
  line("store " + function(s.function) + ": " + forms[size_t(s.form)] + " *" +
       node(s.address) +
       " record=" + (s.record == None ? "-" : f_.records[s.record].key) +
       " field=" + field(s.field) + " type=" + type(s.valueType) + " at " +
       loc(s.loc) + " " + span(s.span) + flag(s.baseIsPointer, "arrow") +
       stored[size_t(s.stored)] + flag(s.readModifyWrite, "read-modify-write") +
       flag(s.hooked, "hooked") + flag(s.announcedBefore, "announced-before") +
       callees(" within=", s.within) + callees(" since=", s.since) +
       nonNull(s.nonNull) + judged(s.judged) + statics(s.statics) +
       (s.base.file == None ? "" : " base=" + span(s.base)) +
       (s.before.empty() ? "" : " before=" + s.before));
}

void Dumper::write(const std::string &kind, const StaticWrite &w) {
  std::string path;
  for (Id i : w.path)
    path += "/" + field(i);
  line(kind + " " + function(w.function) + ": " + node(w.variable) + path +
       " = " + node(w.value) + " at " + loc(w.loc) +
       flag(w.readModifyWrite, "read-modify-write") +
       flag(w.isScalar, "scalar") + statement(w.statement) +
       nonNull(w.nonNull) + judged(w.judged) + statics(w.statics) +
       (w.address == None ? "" : " address=" + node(w.address)));
}

void Dumper::addressUse(const AddressUse &u) {
  line("address-use " + function(u.function) + ": " + node(u.variable) +
       " -> " + node(u.value) + " at " + loc(u.loc) + " " + span(u.span) +
       flag(u.inConstantInitialiser, "constant") + flag(u.inHook, "in-hook") +
       flag(u.interior, "interior"));
}

void Dumper::gap(const Gap &g) {
  static const char *kinds[] = {
      "inline-asm",     "uneditable-store", "skipped-file",   "parse-error",
      "missing-header", "variadic",         "unfollowed",     "parsed-branch",
      "skipped-branch", "register-write",   "bit-field-write"};
  std::string macros;
  for (const std::string &macro : g.macros)
    macros += (macros.empty() ? " if=" : ",") + macro;
  for (Id pointer : g.handed)
    macros += " handed=" + node(pointer);
  line(std::string("gap ") + kinds[size_t(g.kind)] + " " +
       function(g.function) + ": " + g.what + " at " + loc(g.loc) +
       (g.span.valid() ? " " + span(g.span) : "") + macros);
}

void Dumper::pointerUse(const Definition &d, const PointerUse &u) {
  static const char *how[] = {"followed", "compared", "handed to", "returned"};
  std::string text = "pointer-use " + function(d.function) + ": ";
  text += u.field != None ? field(u.field)
                          : node(u.param != None ? u.param : u.result);
  text += std::string(" ") + how[size_t(u.how)];
  if (u.how == PointerUse::Handed)
    text += " call " + std::to_string(u.call) + " as " + std::to_string(u.arg);
  line(text + " at " + loc(u.loc) + flag(u.isTested, "tested"));
}

void Dumper::definition(const Definition &d) {
  std::string returned;
  for (const ReturnedValue &a : d.answers)
    returned += " returns=" +
                (a.isConstant ? std::to_string(a.constant) : node(a.value)) +
                (a.counts ? "++" : "") +
                (a.equal.first == None ? ""
                                       : " " + node(a.equal.first) +
                                             "==" + node(a.equal.second)) +
                " at " + loc(a.at);
  std::string blocks, otherWrites;
  for (const FlowWrite &w : d.otherWrites)
    otherWrites += " [" + flowWrite(w) + "]";
  for (const Block &b : d.blocks) {
    blocks += " [";
    for (uint32_t c : b.calls)
      blocks += "call " + std::to_string(c) + " ";
    for (const FlowWrite &w : b.writes)
      blocks += flowWrite(w) + " behind " + std::to_string(w.calls) + " ";
    for (const BlockStore &s : b.stores)
      blocks += "store " + std::to_string(s.store) + " behind " +
                std::to_string(s.calls) + " ";
    for (const BlockStore &s : b.staticWrites)
      blocks += "static write " + std::to_string(s.store) + " behind " +
                std::to_string(s.calls) + " ";
    if (b.tested != None || b.testedField != None)
      blocks += "zero " + place(b.tested, b.testedField) + " at " +
                std::to_string(b.whenZero) + " ";
    if (b.returnsConstant)
      blocks += "return " + std::to_string(b.returned) + " ";
    blocks += "to";
    for (uint32_t s : b.successors)
      blocks += " " + std::to_string(s);
    blocks += "]";
  }
  line("definition " +
       (d.function != None ? function(d.function) : node(d.variable)) + " " +
       loc(d.loc) + flag(d.isNoReturn, "noreturn") +
       " lines=" + std::to_string(d.lines) +
       (d.text.valid() ? " text=" + span(d.text) + " body=" + span(d.body)
                       : "") +
       returned + blocks + otherWrites);
  for (Id i = d.nodes.begin; i < d.nodes.end; ++i) {
    const Node &n = f_.nodes[i];
    static const char *kinds[] = {"global",   "local",   "return",
                                  "function", "literal", "temp"};
    line(std::string(kinds[size_t(n.kind)]) + " " + function(n.function) +
         ": " + node(i) + " " + type(n.type) + " " + loc(n.loc) +
         flag(n.isConst, "const"));
  }
  for (Id i = d.loops.begin; i < d.loops.end; ++i)
    line("loop " + function(f_.loops[i].function) + ": " +
         std::to_string(i - d.loops.begin) + " in " +
         (f_.loops[i].parent == None
              ? "-"
              : std::to_string(f_.loops[i].parent - d.loops.begin)) +
         " at " + loc(f_.loops[i].loc) +
         (f_.loops[i].body.empty() ? ""
                                   : " body=" + span(f_.loops[i].body.front()) +
                                         ".." + span(f_.loops[i].body.back())) +
         flag(f_.loops[i].isCompound, "compound") +
         flag(f_.loops[i].isEntered, "entered"));
  for (Id i = d.constraints.begin; i < d.constraints.end; ++i)
    constraint(f_.constraints[i]);
  for (Id i = d.calls.begin; i < d.calls.end; ++i)
    call(f_.calls[i], d.loops.begin);
  for (Id i = d.stores.begin; i < d.stores.end; ++i)
    store(f_.stores[i]);
  for (Id i = d.staticWrites.begin; i < d.staticWrites.end; ++i)
    write("static-write", f_.staticWrites[i]);
  for (Id i = d.localWrites.begin; i < d.localWrites.end; ++i)
    write("local-write", f_.localWrites[i]);
  for (Id i = d.addressUses.begin; i < d.addressUses.end; ++i)
    addressUse(f_.addressUses[i]);
  for (Id i = d.sizeofUses.begin; i < d.sizeofUses.end; ++i)
    line("sizeof " + function(f_.sizeofUses[i].function) + ": " +
         f_.records[f_.sizeofUses[i].record].key + " at " +
         loc(f_.sizeofUses[i].loc));
  for (Id i = d.gaps.begin; i < d.gaps.end; ++i)
    gap(f_.gaps[i]);
  for (const PointerUse &u : d.pointerUses)
    pointerUse(d, u);
}

std::string Dumper::run() {
  entities();
  functions();
  Id constraints = 0, gaps = 0;
  for (const Definition &d : f_.definitions) {
    definition(d);
    constraints = d.constraints.end;
    gaps = d.gaps.end;
  }
  for (Id i = constraints; i < f_.constraints.size(); ++i)
    constraint(f_.constraints[i]);
  for (Id i = gaps; i < f_.gaps.size(); ++i)
    gap(f_.gaps[i]);
  return std::move(out_);
}

} // namespace

std::string nvmove::dump(const Facts &facts) { return Dumper(facts).run(); }
