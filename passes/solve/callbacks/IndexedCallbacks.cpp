//===- IndexedCallbacks.cpp - Callbacks that a key chooses ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/callbacks/IndexedCallbacks.h"
#include "passes/solve/callbacks/CallbackUses.h"
#include "passes/solve/program/LocalFixpoint.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>

using namespace nvmove;

namespace {

/// table[(unsigned char)key] is table[key] in the facts: keys that are alike in
/// the lowest byte may be one.
uint64_t asIndex(uint64_t key) { return key & 0xff; }

/// What a value has to do with the array.
struct Place {
  enum Kind : uint8_t {
    Null,    ///< or nothing so far
    Array,   ///< its address
    Element, ///< an address in the element that `key` chooses, or a value that
             ///< was reached from there
    Some,    ///< of some element, nobody knows which
    Outside,
  } kind = Null;
  Id key = None;
  bool isAddress = false; ///< of what must not change behind our back
  bool operator==(const Place &) const = default;
};

/// What is registered where: each is known, a parameter of `function`, or not
/// known at all.
struct Registration {
  Id function;
  Id callback, callbackParam;
  std::optional<uint64_t> key;
  Id keyParam;
};

class TableProof {
public:
  /// The array is a variable or, in each object, a member.
  TableProof(const Program &program, const Allocators &allocators,
             const CallbackUses &uses, Id variable, Id field)
      : p_(program), f_(program.facts), a_(allocators), values_(uses.values),
        uses_(uses), variable_(variable), field_(field) {}

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
      if (at.kind == Place::Element && !at.isAddress) {
        found.push_back({i, at.key});
        need(c.target);
      }
    }
    return found;
  }

  bool holds() {
    if (variable_ != None &&
        (!f_.nodes[variable_].isDefined || f_.nodes[variable_].isThreadLocal))
      return false;
    // The further the stored values are followed, the more members count.
    for (size_t known = ~size_t(0); known != fields_.size();) {
      known = fields_.size();
      places_.clear();
      fresh_.clear();
      registrations_.clear();
      std::set<Id> functions = users();
      if (functions.contains(None)) // put there under whatever index
        return false;
      for (Id fn : functions) {
        analyse(fn);
        findFresh(fn);
        analyse(fn);
      }
      for (Id fn : functions)
        if (!holdsIn(fn))
          return false;
      if (llvm::any_of(uses_.copies,
                       [&](Id i) { return overwrites(f_.constraints[i]); }))
        return false;
    }
    return llvm::all_of(fields_, [&](Id k) {
      return f_.fields[k].cell == k && !f_.records[f_.fields[k].record].isUnion;
    });
  }

  /// False if a registration is called by who knows whom.
  bool fill(IndexedCallbacks::Table &table) {
    return llvm::all_of(registrations_, [&](const Registration &r) {
      return enter(r, table, /*depth=*/0);
    });
  }

private:
  bool counts(Id field) const { return fields_.contains(field); }

  bool isSteady(Id key) const {
    return key != None && f_.nodes[key].isUnchanged;
  }

  std::set<Id> users() const {
    std::set<Id> all;
    auto add = [&](const IdMap<std::set<Id>> &functions, Id what) {
      if (auto at = functions.find(what); at != functions.end())
        all.insert(at->second.begin(), at->second.end());
    };
    add(uses_.ofVariable, variable_);
    add(uses_.ofField, field_);
    for (Id field : fields_)
      add(uses_.ofField, field);
    return all;
  }

  /// What a node is before its definitions are looked at.
  Place start(Id node) const {
    const Node &n = f_.nodes[node];
    if (auto at = fresh_.find(node); at != fresh_.end())
      return {Place::Element, at->second};
    bool isLocal = n.kind == NodeKind::Local && !uses_.params.contains(node);
    bool isDefined = n.kind == NodeKind::Temp && values_.call(node) == None &&
                     !values_.definitions(node).empty();
    return (isLocal || isDefined) && !p_.isAddressTaken(node)
               ? Place{}
               : Place{Place::Outside};
  }

  Place of(Id node) const {
    auto at = places_.find(node);
    return at == places_.end() ? start(node) : at->second;
  }

  void analyse(Id function) {
    settlePlaces(
        p_, function, places_, [&](Id node) { return start(node); }, join,
        [&](const Constraint &c) { return follow(c); });
  }

  static Place join(Place a, Place b) {
    bool isAddress = a.isAddress || b.isAddress;
    if (a.kind == Place::Null)
      a = b;
    else if (a.kind == Place::Outside || b.kind == Place::Outside)
      a = {Place::Outside};
    else if (b.kind != Place::Null && (a.kind != b.kind || a.key != b.key))
      a = {Place::Some};
    a.isAddress = isAddress;
    return a;
  }

  Place follow(const Constraint &c) const {
    if (c.flow == Flow::AddressOf)
      return c.src == variable_ ? Place{Place::Array, None, true}
                                : Place{Place::Outside};
    if (c.flow == Flow::Member && c.extra == field_)
      return {Place::Array, None, true};
    Place from = of(c.src);
    bool isArray = from.kind == Place::Array;
    switch (c.flow) {
    case Flow::Copy:
    case Flow::Cast:
      return from;
    case Flow::Index:
      if (isArray)
        return isSteady(c.extra) ? Place{Place::Element, c.extra, true}
                                 : Place{Place::Some, None, true};
      // An array in the element; else it may lead to the next one.
      if (Id to = p_.pointee(f_.nodes[c.src].type);
          from.kind == Place::Element &&
          (to == None || p_.kind(to) != TypeKind::Array))
        from = {Place::Some, None, from.isAddress};
      return from;
    case Flow::Member:
      if (isArray)
        from = {Place::Some};
      from.isAddress = counts(c.extra);
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

  /// The members count that the value is reached through.
  void need(Id node) {
    std::vector<Id> work = {node};
    IdSet seen;
    while (!work.empty()) {
      Id n = work.back();
      work.pop_back();
      if (!seen.insert(n).second)
        continue;
      for (Id i : values_.definitions(n)) {
        const Constraint &c = f_.constraints[i];
        if (c.flow == Flow::Member && c.extra != field_ &&
            of(c.src).kind != Place::Outside)
          fields_.insert(c.extra);
        if (c.flow != Flow::AddressOf)
          work.push_back(c.src);
      }
    }
  }

  /// e = malloc(sizeof *e); .. table[key] = e;
  void findFresh(Id function) {
    IdMap<Id> keys; // None: of several
    for (Id i : p_.constraintsOf(function)) {
      const Constraint &c = f_.constraints[i];
      if (c.flow != Flow::Store || c.src == None)
        continue;
      Place to = of(c.dst);
      Id block = p_.origin(c.src), call = values_.call(block);
      if (!to.isAddress || to.kind != Place::Element || call == None ||
          !a_.allocates(f_.calls[call]))
        continue;
      auto [at, isFirst] = keys.try_emplace(block, to.key);
      if (!isFirst && at->second != to.key)
        at->second = None;
    }
    for (auto [block, key] : keys)
      if (key != None)
        fresh_[block] = key;
  }

  bool holdsIn(Id function) {
    for (Id i : p_.constraintsOf(function)) {
      const Constraint &c = f_.constraints[i];
      if (c.flow == Flow::Store ? !isRight(c) : escapes(c))
        return false;
    }
    return llvm::none_of(p_.callsOf(function), [&](Id i) {
      const Call &c = f_.calls[i];
      return !setsZeros(c) && llvm::any_of(c.args, [&](Id a) {
        return a != None && of(a).isAddress;
      });
    });
  }

  /// memset(table, 0, sizeof table)
  bool setsZeros(const Call &c) const {
    return c.callee != None && f_.functions[c.callee].name == "memset" &&
           c.args.size() == 3 && c.argIsZeroOrNull[1];
  }

  bool isRight(const Constraint &c) {
    if (c.src == None)
      return true;
    Place to = of(c.dst), what = of(c.src);
    if (what.isAddress)
      return false;
    Id type = p_.pointee(f_.nodes[c.dst].type);
    if (!to.isAddress || !p_.isPointer(type) || what.kind == Place::Null)
      return true;
    if (to.kind != Place::Element)
      return false;
    if (what.kind == Place::Element && what.key == to.key) {
      need(c.src);
      return true;
    }
    Id from = p_.origin(c.src);
    if (!p_.isFunctionPointer(type))
      return false;
    registrations_.push_back({c.function, functionAt(from),
                              uses_.isParameter(from) ? from : None,
                              std::nullopt, to.key});
    return true;
  }

  /// The function whose address it is; None.
  Id functionAt(Id node) const {
    Id origin = p_.origin(node), taken = p_.variableAt(origin);
    return p_.functionOf(taken != None ? taken : origin);
  }

  /// The address goes where it is not followed.
  bool escapes(const Constraint &c) const {
    return c.flow != Flow::CopyMemory && c.flow != Flow::AddressOf &&
           c.flow != Flow::Load && c.flow != Flow::Member && c.src != None &&
           c.dst != None && of(c.src).isAddress && !isFollowed(c.dst);
  }
  bool isFollowed(Id node) const {
    Place at = of(node);
    Id call = values_.call(node); // what memset() gives back
    return (at.isAddress && at.kind != Place::Outside) ||
           (call != None && setsZeros(f_.calls[call]) && !isRead(node));
  }
  bool isRead(Id node) const {
    return llvm::any_of(p_.constraintsOf(f_.nodes[node].function),
                        [&](Id i) { return f_.constraints[i].src == node; });
  }

  /// Memory is copied over an element, or a record with a member that counts.
  bool overwrites(const Constraint &c) const {
    auto isOver = [&](Id record) {
      auto holds = [&](Id field) {
        return p_.contains(record, f_.fields[field].record);
      };
      return record != None && (llvm::any_of(fields_, holds) ||
                                (field_ != None && holds(field_)));
    };
    Place to = of(c.dst);
    return (to.kind != Place::Outside && to.kind != Place::Null &&
            to.isAddress) ||
           isOver(c.extra == None ? None : p_.recordOf(c.extra)) ||
           isOver(p_.pointeeRecord(f_.nodes[c.dst].type)) ||
           isOver(p_.pointeeRecord(f_.nodes[p_.origin(c.dst)].type));
  }

  /// From caller to caller, until the callback and the key are known.
  bool enter(const Registration &r, IndexedCallbacks::Table &table,
             unsigned depth) {
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
             Registration up = r;
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

  const Program &p_;
  const Facts &f_;
  const Allocators &a_;
  const DefinitionIndex &values_;
  const CallbackUses &uses_;
  const Id variable_, field_;
  std::set<Id> fields_; ///< members that a walk goes through: they count
  IdMap<Place> places_; ///< by node
  IdMap<Id> fresh_;     ///< block that its maker puts into an element -> key
  std::vector<Registration> registrations_;
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
    TableProof proof(program, allocators, uses, array.first, array.second);
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
