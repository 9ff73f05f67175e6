//===- LibraryHandles.cpp - Handles behind void * -------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/LibraryHandles.h"
#include "passes/facts/IdSet.h"
#include "passes/facts/References.h"
#include <map>
#include <tuple>

using namespace nvmove;

static const std::string Mark = "void *";

std::string nvmove::handleRecordName(const std::string &typedefName) {
  return Mark + typedefName;
}

namespace {

class HandleFinder {
public:
  explicit HandleFinder(const Facts &facts) : f_(facts) {}

  /// Records of handles that the program knows more of, or no library does.
  IdSet others() {
    IdSet marked;
    for (Id r = 0; r < f_.records.size(); ++r)
      if (f_.records[r].name.starts_with(Mark))
        marked.insert(r);
    if (marked.empty())
      return marked;
    for (const Constraint &c : f_.constraints)
      if (c.flow == Flow::Member)
        members_[c.dst] = c.extra;
    for (const Constraint &c : f_.constraints)
      if (c.flow == Flow::Copy || c.flow == Flow::Cast || c.flow == Flow::Index)
        meet(typeOf(c.dst), typeOf(c.src));
      else if (c.flow == Flow::Store)
        meet(typeAt(c.dst), typeOf(c.src));
      else if (c.flow == Flow::Load)
        meet(typeOf(c.dst), typeAt(c.src));
    for (const Call &c : f_.calls)
      look(c);
    IdSet result;
    for (Id r : marked)
      if (converted_.contains(r) || !given_.contains(r) || !asked_.contains(r))
        result.insert(r);
    return result;
  }

private:
  Id typeOf(Id node) const { return node == None ? None : f_.nodes[node].type; }
  Id pointee(Id type) const {
    return type != None && f_.types[type].kind == TypeKind::Pointer
               ? f_.types[type].inner
               : None;
  }
  /// Of what lies at an address. A pointer to a handle is one to void *.
  Id typeAt(Id address) const {
    auto member = members_.find(address);
    return member == members_.end() ? pointee(typeOf(address))
                                    : f_.fields[member->second].type;
  }
  /// The record for a handle.
  Id handle(Id type) const {
    Id to = pointee(type);
    Id r = to != None && f_.types[to].kind == TypeKind::Record
               ? f_.types[to].inner
               : None;
    return r != None && f_.records[r].name.starts_with(Mark) ? r : None;
  }
  /// A pointer to something that the program knows; not a void **.
  bool isTyped(Id type) const {
    Id to = pointee(type);
    while (pointee(to) != None && handle(to) == None)
      to = pointee(to);
    return to != None && handle(to) == None &&
           f_.types[to].kind != TypeKind::Void;
  }
  void meet(Id a, Id b) {
    Id here = handle(a), there = handle(b);
    if (here == there)
      return;
    if (here != None && isTyped(b))
      converted_.insert(here);
    if (there != None && isTyped(a))
      converted_.insert(there);
  }
  void look(const Call &c) {
    Id made = handle(typeOf(c.result));
    if (made != None && c.resultRecord != None && c.resultRecord != made)
      converted_.insert(made);
    bool isOfLibrary = c.callee != None && !f_.functions[c.callee].hasBody;
    if (isOfLibrary && made != None)
      given_.insert(made);
    for (size_t k = 0; k < c.args.size(); ++k)
      if (isOfLibrary && handle(typeOf(c.args[k])) != None)
        asked_.insert(handle(typeOf(c.args[k])));
      else if (!isOfLibrary && c.callee != None &&
               k < f_.functions[c.callee].params.size())
        meet(typeOf(f_.functions[c.callee].params[k]), typeOf(c.args[k]));
  }

  const Facts &f_;
  IdMap<Id> members_;               ///< address -> field
  IdSet converted_, given_, asked_; ///< records
};

/// Equal types keep equal ids.
class TypeChanger {
public:
  TypeChanger(Facts &facts, const IdSet &others)
      : f_(facts), others_(others), to_(facts.types.size(), None) {}

  void run() {
    // Those that stay as they are first: the rest becomes one of them.
    for (Id i = 0; i < f_.types.size(); ++i)
      if (!changes(i))
        known_.try_emplace(key(f_.types[i]), i);
    for (Id i = 0; i < to_.size(); ++i)
      settle(i);
    auto change = [&](auto &facts) {
      for (auto &fact : facts)
        forEachReference(fact, [&](Table table, Id &id) {
          if (table == Table::Type && id != None)
            id = to_[id];
        });
    };
    change(f_.fields);
    change(f_.nodes);
    change(f_.constraints);
    change(f_.calls);
    change(f_.stores);
  }

private:
  using Key = std::tuple<TypeKind, Id, uint64_t>;
  static Key key(const Type &t) { return {t.kind, t.inner, t.size_bytes}; }
  bool changes(Id type) const {
    const Type &t = f_.types[type];
    if (t.kind == TypeKind::Record)
      return others_.contains(t.inner);
    return t.inner != None && changes(t.inner);
  }
  Id settle(Id type) {
    if (to_[type] != None)
      return to_[type];
    if (!changes(type))
      return to_[type] = type;
    Type t = f_.types[type];
    if (t.kind == TypeKind::Record)
      t = {TypeKind::Void, None, 0};
    else
      t.inner = settle(t.inner);
    auto [at, fresh] = known_.try_emplace(key(t), type);
    if (fresh)
      f_.types[type] = t;
    return to_[type] = at->second;
  }

  Facts &f_;
  const IdSet &others_;
  std::vector<Id> to_;
  std::map<Key, Id> known_;
};

} // namespace

void nvmove::settleHandles(Facts &facts) {
  IdSet others = HandleFinder(facts).others();
  if (!others.empty())
    TypeChanger(facts, others).run();
}
