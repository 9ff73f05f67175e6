//===- IndexedCallbacks.cpp - Callbacks that a key chooses ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/callbacks/IndexedCallbacks.h"
#include "passes/solve/callbacks/PartitionProof.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>

using namespace nvmove;

namespace {

/// table[(unsigned char)key] is table[key] in the facts: keys that are alike in
/// the lowest byte may be one.
uint64_t asIndex(uint64_t key) { return key & 0xff; }

/// What is registered where: each is known, a parameter of `function`, or not
/// known at all.
struct Entry {
  Id function;
  Id callback, callbackParam;
  std::optional<uint64_t> key;
  Id keyParam;
};

/// The elements of an array, a variable or, in each object, a member.
class ElementProof : public PartitionProof {
public:
  ElementProof(const Program &program, const Allocators &allocators,
               const CallbackUses &uses, Id variable, Id field)
      : PartitionProof(program, allocators, uses), variable_(variable),
        field_(field) {}

  bool holds() {
    return (variable_ == None || (f_.nodes[variable_].isDefined &&
                                  !f_.nodes[variable_].isThreadLocal)) &&
           PartitionProof::holds();
  }

  /// Indirect calls of the function, with the parameter that chooses the
  /// element that each pointer is from.
  std::vector<std::pair<Id, Id>> callsIn(Id function) {
    std::vector<std::pair<Id, Id>> found;
    analyse(function);
    for (Id i : p_.callsOf(function)) {
      const Call &c = f_.calls[i];
      if (c.callee != None || c.target == None)
        continue;
      Place at = of(c.target);
      if (at.kind == Place::Part && !at.isAddress) {
        found.push_back({i, at.key});
        need(c.target);
      }
    }
    return found;
  }

  /// False if a registration is called by who knows whom.
  bool fill(IndexedCallbacks::Table &table) {
    return llvm::all_of(registrations(), [&](const Registration &r) {
      const Id from = p_.origin(r.value);
      return enter({r.function, functionAt(from),
                    uses_.isParameter(from) ? from : None, std::nullopt, r.key},
                   table, /*depth=*/0);
    });
  }

private:
  bool isSteady(Id key) const {
    return key != None && f_.nodes[key].isUnchanged;
  }

  std::set<Id> users() const override {
    std::set<Id> all = PartitionProof::users();
    auto add = [&](const IdMap<std::set<Id>> &functions, Id what) {
      if (auto at = functions.find(what); at != functions.end())
        all.insert(at->second.begin(), at->second.end());
    };
    add(uses_.ofVariable, variable_);
    add(uses_.ofField, field_);
    return all;
  }

  Place start(Id node) const override {
    const Node &n = f_.nodes[node];
    bool isLocal = n.kind == NodeKind::Local && !uses_.params.contains(node);
    bool isDefined = n.kind == NodeKind::Temp && values_.call(node) == None &&
                     !values_.definitions(node).empty();
    return (isLocal || isDefined) && !p_.isAddressTaken(node)
               ? Place{}
               : Place{Place::Outside};
  }

  Place follow(const Constraint &c) const override {
    if (c.flow == Flow::AddressOf)
      return c.src == variable_ ? Place{Place::Whole, None, true}
                                : Place{Place::Outside};
    if (c.flow == Flow::Member && c.extra == field_)
      return {Place::Whole, None, true};
    Place from = of(c.src);
    bool isArray = from.kind == Place::Whole;
    switch (c.flow) {
    case Flow::Copy:
    case Flow::Cast:
      return from;
    case Flow::Index:
      if (isArray)
        return isSteady(c.extra) ? Place{Place::Part, c.extra, true}
                                 : Place{Place::Some, None, true};
      // An array in the element; else it may lead to the next one.
      if (Id to = p_.pointee(f_.nodes[c.src].type);
          from.kind == Place::Part &&
          (to == None || p_.kind(to) != TypeKind::Array))
        from = {Place::Some, None, from.isAddress};
      return from;
    case Flow::Member:
      if (isArray)
        from = {Place::Some};
      from.isAddress = links_.contains(c.extra);
      return from;
    case Flow::Load:
      if (isArray)
        from = {Place::Some};
      from.isAddress = false;
      return from;
    default:
      return {Place::Outside, None, from.isAddress};
    }
  }

  /// e = malloc(sizeof *e); .. table[key] = e;
  std::vector<Id> newBlocks(Id value) const override {
    Id block = p_.origin(value), call = values_.call(block);
    if (call == None || !a_.allocates(f_.calls[call]))
      return {};
    return {block};
  }

  bool mayBeLink(Id member, Place of) const override {
    return member != field_ && of.kind != Place::Outside;
  }

  bool holdsLink(Id record) const override {
    return PartitionProof::holdsLink(record) ||
           (field_ != None && p_.contains(record, f_.fields[field_].record));
  }

  bool isHarmless(const Call &c) const override { return p_.clears(c); }

  bool isRight(const Constraint &c) override {
    if (c.src == None)
      return true;
    Place to = of(c.dst), what = of(c.src);
    if (what.isAddress)
      return false;
    Id type = p_.pointee(f_.nodes[c.dst].type);
    if (!to.isAddress || !p_.isPointer(type) || what.kind == Place::Null)
      return true;
    if (to.kind != Place::Part)
      return false;
    if (what.kind == Place::Part && what.key == to.key) {
      need(c.src);
      return true;
    }
    if (!p_.isFunctionPointer(type))
      return false;
    registrations_.push_back({c.function, c.src, to.key});
    return true;
  }

  /// The function whose address it is; None.
  Id functionAt(Id node) const {
    Id origin = p_.origin(node), taken = p_.variableAt(origin);
    return p_.functionOf(taken != None ? taken : origin);
  }

  /// From caller to caller, until the callback and the key are known.
  bool enter(const Entry &r, IndexedCallbacks::Table &table, unsigned depth) {
    if ((r.callbackParam == None && r.keyParam == None) || depth == 4) {
      IndexedCallbacks::Keys &keys =
          r.callback == None ? table.ofOthers : table.keysOf[r.callback];
      if (r.key)
        keys.values.insert(asIndex(*r.key));
      keys.any |= !r.key;
      return true;
    }
    const Function &fn = f_.functions[r.function];
    if (uses_.isCalledByOthers(r.function))
      return false;
    auto callers = uses_.callersOf.find(r.function);
    return callers == uses_.callersOf.end() ||
           llvm::all_of(callers->second, [&](Id i) {
             const Call &c = f_.calls[i];
             Entry up = r;
             up.function = c.function;
             if (r.callbackParam != None) {
               size_t at =
                   llvm::find(fn.params, r.callbackParam) - fn.params.begin();
               if (at < c.args.size() && c.argIsZeroOrNull[at])
                 return true; // nothing is registered
               Id a = at < c.args.size() ? c.args[at] : None;
               up.callback = a == None ? None : functionAt(a);
               up.callbackParam = a != None && uses_.isParameter(p_.origin(a))
                                      ? p_.origin(a)
                                      : None;
             }
             if (r.keyParam != None) {
               size_t at =
                   llvm::find(fn.params, r.keyParam) - fn.params.begin();
               auto value = llvm::find_if(
                   c.argValues, [&](const ArgValue &v) { return v.arg == at; });
               bool isKnown = value != c.argValues.end();
               up.keyParam = isKnown ? value->param : None;
               if (isKnown && value->param == None)
                 up.key = value->value;
             }
             return c.function != None && enter(up, table, depth + 1);
           });
  }

  const Id variable_, field_;
};

/// Not table[(bool)key].
bool isLong(const Facts &f, Id type) {
  const Type &array = f.types[type];
  return array.kind == TypeKind::Array &&
         array.size_bytes > 2 * f.types[array.inner].size_bytes;
}

/// A pointer to a function, or to a record with one or that leads on.
bool mayHoldCallbacks(const Program &p, Id elementAddress) {
  Id to = p.pointee(elementAddress);
  return to != None &&
         (p.isFunctionPointer(p.element(to)) ||
          p.pointeeRecord(p.element(to)) != None || p.recordOf(to) != None);
}

} // namespace

IndexedCallbacks::IndexedCallbacks(const Program &program,
                                   const Allocators &allocators,
                                   const CallbackUses &uses) {
  const Facts &f = program.facts;
  // By array, a variable or a member: functions that call through a pointer.
  std::map<std::pair<Id, Id>, std::set<Id>> candidates;
  for (const Constraint &c : f.constraints) {
    if (c.flow != Flow::Index || c.extra == None ||
        !f.nodes[c.extra].isUnchanged || c.src == None)
      continue;
    Id d = program.definition(c.src);
    if (d == None || !mayHoldCallbacks(program, f.nodes[c.dst].type))
      continue;
    const Constraint &from = f.constraints[d];
    if (from.flow == Flow::AddressOf &&
        f.nodes[from.src].kind == NodeKind::Global &&
        isLong(f, f.nodes[from.src].type))
      candidates[{from.src, None}].insert(c.function);
    else if (from.flow == Flow::Member && isLong(f, f.fields[from.extra].type))
      candidates[{None, from.extra}].insert(c.function);
  }
  for (const auto &[array, functions] : candidates) {
    ElementProof proof(program, allocators, uses, array.first, array.second);
    std::vector<std::pair<Id, Id>> calls;
    for (Id fn : functions)
      llvm::append_range(calls, proof.callsIn(fn));
    auto table = std::make_unique<Table>();
    if (calls.empty() || !proof.holds() || !proof.fill(*table))
      continue;
    for (auto [call, key] : calls) {
      calls_[call] = {key, table.get()};
      keys_.insert(key);
    }
    tables_.push_back(std::move(table));
  }
}

IndexedCallbacks::~IndexedCallbacks() = default;

Id IndexedCallbacks::keyOf(Id call) const {
  auto at = calls_.find(call);
  return at == calls_.end() ? None : at->second.first;
}

bool IndexedCallbacks::leadsTo(Id call, Id function, uint64_t key) const {
  const Table &table = *calls_.find(call)->second.second;
  auto has = [&](const Keys &keys) {
    return keys.any || keys.values.contains(asIndex(key));
  };
  auto at = table.keysOf.find(function);
  return has(table.ofOthers) || (at != table.keysOf.end() && has(at->second));
}
