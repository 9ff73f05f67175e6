//===- Check.cpp - Whether facts can be worked with -----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/Check.h"
#include "passes/facts/References.h"
#include "llvm/ADT/Twine.h"

using namespace nvmove;

namespace {

/// No C program nests types as deeply; passes follow them by recursion.
constexpr unsigned deepestType = 1000;

class Checker {
public:
  explicit Checker(const Facts &facts) : f_(facts) {}

  /// What is wrong first; "" if nothing.
  std::string run() {
    references();
    if (!wrong_.empty())
      return wrong_; // Whatever follows relies on them.
    types();
    records();
    functions();
    calls();
    definitions();
    return wrong_;
  }

private:
  void require(bool holds, const char *what) {
    if (!holds && wrong_.empty())
      wrong_ = what;
  }
  size_t sizeOf(Table table) const;
  void references();
  void types();
  void records();
  void functions();
  void calls();
  void definitions();
  void owned(const Definition &d);
  bool isGlobal(Id node) const {
    NodeKind kind = f_.nodes[node].kind;
    return kind == NodeKind::Global || kind == NodeKind::Function;
  }

  const Facts &f_;
  std::string wrong_;
};

size_t Checker::sizeOf(Table table) const {
  switch (table) {
  case Table::File:
    return f_.files.size();
  case Table::Type:
    return f_.types.size();
  case Table::Record:
    return f_.records.size();
  case Table::Field:
    return f_.fields.size();
  case Table::Node:
    return f_.nodes.size();
  case Table::Function:
    return f_.functions.size();
  case Table::Loop:
    return f_.loops.size();
  }
  return 0;
}

void Checker::references() {
  forEachReference(f_, [&](Table table, Id id) {
    require(id == None || id < sizeOf(table), "a reference is out of range");
  });
  auto allThere = [&](const std::vector<Id> &ids) {
    for (Id id : ids)
      require(id != None, "a list of references has a gap");
  };
  allThere(f_.units);
  for (const Type &t : f_.types)
    require(t.kind != TypeKind::Record || t.inner != None,
            "a record type has no record");
  for (const Field &x : f_.fields)
    require(x.record != None && x.type != None && x.cell != None,
            "a field is incomplete");
  for (const Record &r : f_.records)
    allThere(r.fields);
  for (const Function &x : f_.functions) {
    require(x.node != None, "a function has no node");
    allThere(x.params);
  }
  for (const Constraint &c : f_.constraints)
    require(c.dst != None && c.src != None, "a flow has no ends");
  for (const Call &c : f_.calls) {
    allThere(c.sizeofRecords);
    allThere(c.sizeofTypes);
    for (const FlagTest &t : c.flags)
      require((t.variable == None) != (t.field == None),
              "a test has no subject");
  }
  auto tests = [&](const auto &done) {
    for (const auto &d : done)
      for (const StaticTest &t : d.statics)
        allThere(t.path);
  };
  tests(f_.calls);
  tests(f_.stores);
  tests(f_.staticWrites);
  for (const StoreSite &s : f_.stores)
    for (const Callees *c : {&s.within, &s.since}) {
      allThere(c->functions);
      allThere(c->pointers);
    }
  for (const auto *writes : {&f_.staticWrites, &f_.localWrites})
    for (const StaticWrite &w : *writes)
      allThere(w.path);
  for (const Definition &d : f_.definitions) {
    for (const FlowWrite &w : d.otherWrites)
      require((w.variable == None) != (w.field == None),
              "a definition writes nothing");
    for (const PointerUse &u : d.pointerUses)
      require((u.field != None) + (u.param != None) + (u.result != None) == 1,
              "a definition uses nothing");
  }
  for (const SizeofUse &u : f_.sizeofUses)
    require(u.record != None, "a sizeof has no record");
}

/// Each type is reached from itself by no number of steps inwards.
void Checker::types() {
  std::vector<unsigned> depth(f_.types.size());
  for (Id start = 0; start < f_.types.size(); ++start) {
    std::vector<Id> chain;
    Id at = start;
    while (at != None && !depth[at] && chain.size() < deepestType) {
      chain.push_back(at);
      at = f_.types[at].kind == TypeKind::Record ? None : f_.types[at].inner;
    }
    unsigned below = at == None ? 0 : depth[at];
    require(at == None || depth[at], "a type contains itself");
    for (size_t i = chain.size(); i-- > 0;)
      depth[chain[i]] = ++below;
    require(below <= deepestType, "a type is nested too deeply");
    if (!wrong_.empty())
      return;
  }
}

void Checker::records() {
  std::vector<bool> listed(f_.fields.size());
  for (Id r = 0; r < f_.records.size(); ++r) {
    const Record &record = f_.records[r];
    require(record.complete ||
                (record.fields.empty() && record.key == record.name + "@"),
            "an incomplete record has fields, or the key of a definition");
    for (Id field : record.fields) {
      require(f_.fields[field].record == r && !listed[field],
              "a field is in the wrong record");
      listed[field] = true;
    }
  }
  for (bool is : listed)
    require(is, "a field is in no record");
}

void Checker::functions() {
  for (const Function &x : f_.functions) {
    const Node &n = f_.nodes[x.node];
    require(n.kind == NodeKind::Function && n.key == x.key,
            "a function and its node do not match");
  }
}

void Checker::calls() {
  for (const Call &c : f_.calls) {
    require(c.argSpans.size() == c.args.size() &&
                c.argIsZeroOrNull.size() == c.args.size() &&
                c.argIsHooked.size() == c.args.size() &&
                c.argIsReadOnly.size() == c.args.size(),
            "a call has a wrong number of arguments");
    require(llvm::all_of(c.scanned,
                         [&](const ScannedArg &a) {
                           return a.arg < c.args.size() &&
                                  (a.extent != ScannedArg::Sized ||
                                   a.bytes < c.args.size());
                         }),
            "a call scans into an argument that does not exist");
    require(
        c.resultType == None ||
            f_.types[c.resultType].kind == TypeKind::Pointer,
        "the result of a call is converted to a type that is not a pointer");
  }
}

/// Nodes and loops of other definitions cannot be renumbered with this one.
void Checker::owned(const Definition &d) {
  auto within = [](Range r, Id id) { return id >= r.begin && id < r.end; };
  auto check = [&](Table table, Id id) {
    if (id == None)
      return;
    if (table == Table::Node)
      require(isGlobal(id) || within(d.nodes, id),
              "a definition refers to a value of another");
    if (table == Table::Loop)
      require(within(d.loops, id), "a definition refers to a loop of another");
  };
  forEachReference(d, check);
  for (Id i = d.nodes.begin; i < d.nodes.end; ++i)
    require(!isGlobal(i), "a definition contains what belongs to all");
  forEachDefinitionList([&](auto list, auto range) {
    for (Id i = (d.*range).begin; i < (d.*range).end; ++i)
      forEachReference((f_.*list)[i], check);
  });
  std::vector<Id> typed = d.params;
  typed.insert(typed.end(), {d.variadic, d.result});
  for (Id id : typed)
    require(id == None || f_.nodes[id].type != None,
            "a parameter or result has no type");
}

void Checker::definitions() {
  Definition last;
  for (const Definition &d : f_.definitions) {
    require((d.function == None) != (d.variable == None),
            "a definition defines nothing, or two things");
    auto follows = [&](Range now, Range before, size_t size) {
      require(now.begin >= before.end && now.begin <= now.end &&
                  now.end <= size,
              "a definition's ranges are out of order");
    };
    follows(d.nodes, last.nodes, f_.nodes.size());
    forEachDefinitionList([&](auto list, auto range) {
      follows(d.*range, last.*range, (f_.*list).size());
    });
    require(d.blocks.empty() || d.function != None,
            "something that is not a function has blocks");
    for (const Block &b : d.blocks) {
      for (uint32_t s : b.successors)
        require(s < d.blocks.size(), "a block leads to no block");
      for (uint32_t c : b.calls)
        require(c < d.calls.end - d.calls.begin, "a block calls nothing");
      for (const FlowWrite &w : b.writes)
        require((w.variable == None) != (w.field == None) &&
                    w.calls <= b.calls.size(),
                "a block writes nothing");
      for (const BlockStore &s : b.stores)
        require(s.store < d.stores.end - d.stores.begin &&
                    s.calls <= b.calls.size(),
                "a block stores nothing");
      for (const BlockStore &s : b.staticWrites)
        require(s.store < d.staticWrites.end - d.staticWrites.begin &&
                    s.calls <= b.calls.size(),
                "a block writes no static");
      require((b.tested == None && b.testedField == None) ||
                  b.whenZero < d.blocks.size(),
              "a block leads to no block");
    }
    for (const PointerUse &u : d.pointerUses)
      require(u.how != PointerUse::Handed ||
                  (u.call < d.calls.end - d.calls.begin &&
                   u.arg < f_.calls[d.calls.begin + u.call].args.size()),
              "a pointer is passed to nothing");
    if (!wrong_.empty())
      return;
    owned(d);
    last = d;
  }
}

} // namespace

llvm::Error nvmove::checkFacts(const Facts &facts) {
  std::string wrong = Checker(facts).run();
  if (wrong.empty())
    return llvm::Error::success();
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 llvm::Twine("the facts are not sound: ") +
                                     wrong);
}
