//===- LineLogs.cpp - Which records can have the copy of a word in them ---===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A record with a line log is larger than it was. That is seen by whoever
// knows its size otherwise than by its type: the layout of other records, of
// blocks that hold more than it, of files, and functions that go over its
// bytes. So all that its address gets to is followed, through the whole
// program; in doubt the record stays as it is.
//
// Tested by: test/lit/rewrite/layouts/LineLogs-line_logs.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

REPORTS(NoLineLog)

using namespace nvmove;

namespace {

using LineLogsParts =
    View<const Types, const Roots, const Addresses, LineLogs, UnknownLineLogs>;

class LineLogFinder {
public:
  LineLogFinder(const SolveContext &c, const LineLogsParts &found)
      : c_(c), p_(c.program), f_(c.program.facts), out_(found) {}

  void run() {
    connect();
    std::vector<std::string> unknown = c_.options.lineLogTypes;
    for (const PersistentType &type : out_.types) {
      const Record &r = f_.records[type.record];
      bool asked = llvm::is_contained(c_.options.lineLogTypes, r.name);
      std::erase(unknown, r.name);
      if (!asked && !c_.options.lineLogTypes.empty())
        continue;
      if (llvm::any_of(r.fields, [&](Id field) {
            return f_.fields[field].name == "nvm_line_log";
          }))
        continue;
      log_ = {type.record, asked, {}, {}, {}, {}, {}};
      log_.refused = whyNot(type);
      if (!log_.refused.empty())
        out_.findings.report(
            {FindingId::NoLineLog, r.loc, None,
             "'" + r.spelling + "' gets no line log: " + log_.refused});
      out_.lineLogs.push_back(log_);
    }
    out_.unknownLineLogs = std::move(unknown);
  }

private:
  std::string whyNot(const PersistentType &type) {
    for (auto check : {&LineLogFinder::shape, &LineLogFinder::neighbours,
                       &LineLogFinder::blocks, &LineLogFinder::origins,
                       &LineLogFinder::uses})
      if (std::string why = (this->*check)(); !why.empty())
        return why;
    if (type.bytes != PersistentType::Bytes::None)
      return "it is part of bytes that are filled without naming it";
    return "";
  }

  std::string nameOf(Id record) const { return f_.records[record].spelling; }

  /// The record by itself.
  std::string shape() {
    const Record &r = f_.records[log_.record];
    if (!r.complete || r.isUnion || r.fields.empty())
      return "it is not a struct with members";
    if (r.packed)
      return "it is packed";
    if (r.size_bytes > 48)
      return "it has " + std::to_string(r.size_bytes) + " bytes, more than 48";
    const Field &last = f_.fields[r.fields.back()];
    if (last.width_bits)
      return "it ends with bit-fields";
    if (llvm::any_of(r.fields,
                     [&](Id field) { return f_.fields[field].flexible; }))
      return "it has a flexible array member";
    return "";
  }

  /// What else would have another layout.
  std::string neighbours() {
    Id record = log_.record;
    for (const Field &field : f_.fields)
      if (p_.recordOf(field.type) == record)
        return "it is part of " + nameOf(field.record);
    for (auto [a, b] : out_.addresses.sharing)
      if (a == record || b == record)
        return "it may share its bytes with " + nameOf(a == record ? b : a);
    for (const Root &root : out_.roots)
      if (root.container == record)
        return "each start creates it anew, and a root restores fields of it";
    for (const Node &n : f_.nodes)
      if (n.kind == NodeKind::Global && !n.isDefined && n.type != None &&
          p_.recordOf(n.type) == record)
        return n.name + " is not defined in these files";
    return "";
  }

  /// Its own blocks, by sizeof alone.
  std::string blocks() {
    for (const Allocators::Site &site : c_.allocators.sites()) {
      if (!llvm::is_contained(site.records, log_.record))
        continue;
      const Call &call = f_.calls[site.call];
      std::string where = " [" + p_.describe(call.loc) + "]";
      if (site.records.size() > 1)
        return "an allocation may be for another record, too" + where;
      if (!site.hasOwnRecord || call.sizeofTypes.size() != 1 ||
          call.sizeofRecords != std::vector<Id>{log_.record})
        return "an allocation does not use exactly its sizeof" + where;
      if (!addFactors(site.call))
        return "the size of an allocated block is unknown" + where;
      log_.sites.push_back(site.call);
    }
    return log_.sites.empty() ? "no allocation of it is known" : "";
  }

  /// The arguments of the function whose product is the size of the block that
  /// it gives back.
  llvm::SmallVector<uint32_t, 2> factorsOf(Id function, unsigned depth = 0) {
    if (!f_.functions[function].hasBody) {
      llvm::SmallVector<uint32_t, 2> sizes;
      const auto [first, second] =
          libraryFact(f_.functions[function].name, &LibraryFunction::sizes);
      for (int size : {first, second})
        if (size >= 0)
          sizes.push_back(size);
      return sizes;
    }
    if (depth > 4 || !c_.allocators.isWrapper(function) ||
        c_.allocators.isCarving(function) || computesPointer(function))
      return {};
    llvm::SmallVector<uint32_t, 2> result;
    for (Id k : p_.callsOf(function)) {
      const Call &c = f_.calls[k];
      if (!c_.allocators.allocates(c))
        continue;
      auto inner = c.callee == None ? llvm::SmallVector<uint32_t, 2>()
                                    : handedOn(c, function, depth);
      if (inner.empty() || (!result.empty() && inner != result))
        return {};
      result = inner;
    }
    return result;
  }

  /// The parameters of `function` that the factors of a call in it are.
  llvm::SmallVector<uint32_t, 2> handedOn(const Call &call, Id function,
                                          unsigned depth) {
    const std::vector<Id> &params = f_.functions[function].params;
    llvm::SmallVector<uint32_t, 2> result;
    for (uint32_t factor : factorsOf(call.callee, depth + 1)) {
      auto param = llvm::find_if(params, [&](Id node) {
        return factor < call.args.size() && call.args[factor] != None &&
               p_.isCopyOf(call.args[factor], node);
      });
      if (param == params.end() || isWritten(*param, function))
        return {};
      log_.sizes.push_back(*param); // whoever has the text looks once more
      result.push_back(uint32_t(param - params.begin()));
    }
    return result;
  }

  bool isWritten(Id param, Id function) const {
    return p_.isAddressTaken(param) ||
           llvm::any_of(p_.constraintsOf(function),
                        [&](Id k) { return f_.constraints[k].dst == param; });
  }

  /// What it gives back may not be where a block begins.
  bool computesPointer(Id function) const {
    return llvm::any_of(p_.constraintsOf(function), [&](Id k) {
      const Constraint &c = f_.constraints[k];
      return (c.flow == Flow::Index || c.flow == Flow::Arith ||
              c.flow == Flow::Member) &&
             c.dst != None && p_.isPointer(f_.nodes[c.dst].type);
    });
  }

  bool addFactors(Id call) {
    const Call &c = f_.calls[call];
    auto factors = c.callee == None ? llvm::SmallVector<uint32_t, 2>()
                                    : factorsOf(c.callee);
    if (factors.empty())
      return false;
    log_.factors.push_back({factors.begin(), factors.end()});
    return true;
  }

  /// Nothing else becomes a pointer to it: bytes of an arena, of a file.
  std::string origins() {
    for (const Constraint &k : f_.constraints) {
      if ((k.flow != Flow::Copy && k.flow != Flow::Cast) || k.src == None ||
          k.dst == None || pointee(k.dst) != log_.record ||
          pointee(k.src) == log_.record)
        continue;
      std::string where = " [" + p_.describe(k.loc) + "]";
      Id from = p_.pointee(f_.nodes[k.src].type);
      if (from == None || p_.kind(from) != TypeKind::Void)
        return "a pointer to it is created from something else" + where;
      for (unsigned t : c_.flow.atNode(k.src))
        if (isBytes(c_.flow.tokens()[t]))
          return "a pointer to it may point to bytes of another size" + where;
    }
    return "";
  }

  bool isBytes(const FieldFlow::Token &token) const {
    using K = FieldFlow::Token;
    if (token.kind == K::Site) {
      const Allocators::Site &site = c_.allocators.sites()[token.ref];
      return site.raw() && !site.isPointerTable;
    }
    return token.kind == K::Static &&
           p_.recordOf(f_.nodes[token.ref].type) == None;
  }

  /// Record that a value points to.
  Id pointee(Id node) const {
    return f_.nodes[node].type == None ? None
                                       : p_.pointeeRecord(f_.nodes[node].type);
  }

  /// Who is handed its address, and what becomes of the bytes there.
  std::string uses() {
    IdSet reached = follow();
    for (Id i = 0; i < f_.calls.size(); ++i) {
      const Call &c = f_.calls[i];
      if (c.result != None && pointee(c.result) == log_.record &&
          c.callee != None && !f_.functions[c.callee].hasBody)
        return f_.functions[c.callee].name + "() creates it";
      bool any = llvm::any_of(
          c.args, [&](Id arg) { return arg != None && reached.contains(arg); });
      if (!any)
        continue;
      auto callees = c_.flow.callees(i);
      std::string where = " [" + p_.describe(c.loc) + "]";
      if (callees.empty())
        return "an unknown function gets its address" + where;
      for (Id callee : callees)
        if (!f_.functions[callee].hasBody && !isHarmless(i, callee))
          return f_.functions[callee].name + "() gets its bytes" + where;
    }
    return "";
  }

  bool isHarmless(Id call, Id callee) {
    const Call &c = f_.calls[call];
    LineEffect effect =
        libraryFact(f_.functions[callee].name, &LibraryFunction::lines);
    if (effect == LineEffect::Unknown)
      return false;
    log_.others.push_back(call);
    const bool searches = effect == LineEffect::Searches;
    size_t records = effect == LineEffect::Copies                 ? 2
                     : effect == LineEffect::Arranges || searches ? 1
                                                                  : 0;
    // The key comes first: whatever the program compares with.
    size_t first = searches ? 1 : 0;
    for (size_t k = first; k < first + records; ++k)
      if (k >= c.args.size() || c.args[k] == None || !isRecord(c.args[k]))
        return false;
    return true;
  }

  /// By its spelling.
  bool isRecord(Id value) const {
    while (value != None && pointee(value) != log_.record) {
      Id d = p_.definition(value);
      if (d == None || (f_.constraints[d].flow != Flow::Copy &&
                        f_.constraints[d].flow != Flow::Cast &&
                        f_.constraints[d].flow != Flow::Index))
        return false;
      value = f_.constraints[d].src;
    }
    return value != None;
  }

  /// Values that may be the address of such a record as a whole, and memory
  /// that holds them; not addresses of its members, nor what a pointer to
  /// another record takes them for.
  IdSet follow() const {
    IdSet reached;
    std::vector<Id> work;
    auto add = [&](Id cell) {
      if (cell < f_.nodes.size() && f_.nodes[cell].type != None) {
        Id type = f_.nodes[cell].type, to = pointee(cell);
        if (!p_.isPointer(type) || (to != None && to != log_.record))
          return;
      }
      if (reached.insert(cell).second)
        work.push_back(cell);
    };
    for (Id n = 0; n < f_.nodes.size(); ++n)
      if (pointee(n) == log_.record)
        add(n);
    while (!work.empty()) {
      Id from = work.back();
      work.pop_back();
      for (Id to : next_[from])
        add(to);
    }
    return reached;
  }

  void edge(Id from, Id to) {
    if (from != None && to != None)
      next_[from].push_back(to);
  }

  void connect() {
    next_.resize(c_.flow.cells());
    for (const Constraint &k : f_.constraints)
      switch (k.flow) {
      case Flow::Copy:
      case Flow::Cast:
      case Flow::Index:
      case Flow::Arith:
        edge(k.src, k.dst);
        break;
      case Flow::Load:
        edge(c_.flow.cellBehind(k.src, k.dst), k.dst);
        break;
      case Flow::Store:
        edge(k.src, c_.flow.cellBehind(k.dst, k.src));
        break;
      case Flow::AddressOf:
      case Flow::Member:
      case Flow::CopyMemory:
        break;
      }
    for (Id i = 0; i < f_.calls.size(); ++i) {
      const Call &c = f_.calls[i];
      for (Id callee : c_.flow.callees(i)) {
        const Function &fn = f_.functions[callee];
        for (size_t k = 0; k < c.args.size(); ++k)
          edge(c.args[k], k < fn.params.size() ? fn.params[k] : fn.variadic);
        edge(fn.result, c.result);
      }
    }
  }

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  LineLogsParts out_;
  LineLog log_; ///< of the type that is looked at
  std::vector<llvm::SmallVector<Id, 2>> next_;
};

} // namespace

namespace nvmove {

void findLineLogs(LineLogsParts a) {
  if (a.context.options.lineLogs)
    LineLogFinder(a.context, a).run();
}

} // namespace nvmove
