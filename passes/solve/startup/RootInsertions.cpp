//===- RootInsertions.cpp - Who puts new blocks into roots? ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/startup/RootInsertions.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {
constexpr unsigned MaxHelperDepth = 6; ///< of helpers
}

/// Through one function, for the roots in one variable.
class RootInsertions::Walk {
public:
  Walk(RootInsertions &adders, Id variable, const Instance &instance,
       unsigned depth)
      : a_(adders), p_(a_.p_), f_(a_.f_), variable_(variable),
        function_(instance.first), depth_(depth) {
    const std::vector<Id> &params = f_.functions[function_].params;
    for (size_t k = 0; k < params.size() && k < instance.second.size(); ++k)
      bits_[params[k]] = instance.second[k];
  }

  Outcome run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Id i : p_.constraintsOf(function_))
        changed |= pass(f_.constraints[i]);
      for (Id k : p_.callsOf(function_))
        changed |= call(k);
    }
    Outcome result;
    for (Id i : p_.constraintsOf(function_))
      see(f_.constraints[i], result.added);
    for (Id k : p_.callsOf(function_))
      if (const Outcome *o = below(k))
        result.added.insert(o->added.begin(), o->added.end());
    if (Id r = f_.functions[function_].result; r != None)
      result.result = of(r);
    return result;
  }

private:
  Bits of(Id node) const {
    if (node == None)
      return 0;
    const bool isRead = node == variable_ && ofVariable() == Place &&
                        p_.isPointer(f_.nodes[variable_].type);
    return isRead ? Bits(Inside) : bits_.lookup(node);
  }

  bool add(Id node, Bits bits) {
    if (node == None || !bits || f_.nodes[node].kind == NodeKind::Global)
      return false;
    Bits &b = bits_[node];
    Bits before = b;
    b |= bits;
    return b != before;
  }

  /// What is read from the variable, or its address.
  Bits ofVariable() const {
    return a_.rootOf(variable_, None) ? Place : Around;
  }

  bool pass(const Constraint &c) {
    if (c.src == None || c.dst == None)
      return false;
    Bits from = of(c.src);
    switch (c.flow) {
    case Flow::AddressOf:
      return c.src == variable_ && add(c.dst, ofVariable());
    case Flow::Member:
      if ((from & Around) && a_.rootOf(variable_, c.extra))
        from |= Place;
      return add(c.dst, from);
    case Flow::Index:
    case Flow::Copy:
    case Flow::Cast:
      return add(c.dst, from);
    case Flow::Load:
      return add(c.dst, from & (Place | Inside) ? Inside : 0);
    default:
      return false;
    }
  }

  const Outcome *below(Id k) const {
    const Call &c = f_.calls[k];
    if (c.callee == None || !f_.functions[c.callee].hasBody ||
        p_.isDeadEnd(k) || depth_ >= MaxHelperDepth)
      return nullptr;
    Instance to{c.callee, {}};
    bool any = false;
    for (Id argument : c.args) {
      to.second.push_back(of(argument));
      any |= (to.second.back() & ~New) != 0;
    }
    return any ? &a_.outcome(variable_, std::move(to), depth_ + 1) : nullptr;
  }

  bool call(Id k) {
    Id result = f_.calls[k].result;
    if (result == None)
      return false;
    if (Id record = a_.newRecord(k); record != None) {
      record_ = record;
      return add(result, New);
    }
    if (const Outcome *o = below(k))
      return add(result, o->result);
    // It is handed nothing of the root: find(name), make().
    Id callee = f_.calls[k].callee;
    if (callee == None || !f_.functions[callee].hasBody ||
        depth_ >= MaxHelperDepth)
      return false;
    auto named = a_.namedIn_.find(callee);
    bool names = named != a_.namedIn_.end() &&
                 llvm::is_contained(named->second, variable_);
    return add(result,
               names ? a_.outcome(variable_, {callee, {}}, depth_ + 1).result
               : a_.makes(callee, depth_) ? Bits(New)
                                          : Bits(0));
  }

  /// rule->next = table[i]
  bool pushes() const {
    return llvm::any_of(p_.constraintsOf(function_), [&](Id i) {
      const Constraint &c = f_.constraints[i];
      return c.flow == Flow::Store && (of(c.dst) & New) && (of(c.src) & Inside);
    });
  }

  void see(const Constraint &c, Set &added) const {
    bool toVariable =
        (c.flow == Flow::Copy || c.flow == Flow::Cast) && c.dst == variable_;
    if ((c.flow != Flow::Store && !toVariable) || !(of(c.src) & New) ||
        !p_.isPointer(f_.nodes[c.src].type))
      return;
    Bits to = toVariable ? ofVariable() : of(c.dst);
    if (!(to & (Place | Inside)))
      return;
    Id member = None;
    bool isElement = false, isOfTable = false; // table[n], a block
    for (Id at = toVariable ? None : c.dst; at != None;) {
      Id d = p_.definition(at);
      if (d == None)
        break;
      const Constraint &from = f_.constraints[d];
      if (from.flow == Flow::Member && member == None)
        member = from.extra;
      isElement |= from.flow == Flow::Index;
      isOfTable |= from.flow == Flow::Index && from.src == variable_;
      if (from.flow == Flow::AddressOf || from.flow == Flow::Load)
        break;
      at = from.src;
    }
    bool isBehind =
        (to & Inside) && member != None &&
        p_.pointeeRecord(f_.fields[member].type) == f_.fields[member].record;
    if (!isBehind && !isOfTable && !((to & Place) && isElement) && !pushes())
      return;
    const Roots &roots = a_.roots_.at(variable_);
    const Root *root = a_.rootOf(variable_, member);
    if (!root && roots.size() == 1)
      root = roots.front();
    Id record = p_.pointeeRecord(f_.nodes[c.src].type);
    added.insert({variable_, root ? root->path : p_.nameOf(variable_),
                  record_ == None ? record : record_, record_, c.loc});
  }

  RootInsertions &a_;
  const Program &p_;
  const Facts &f_;
  const Id variable_, function_;
  const unsigned depth_;
  Id record_ = None; ///< of a block that is made here
  IdMap<Bits> bits_; ///< by node
};

RootInsertions::RootInsertions(
    const View<const Types, const nvmove::Roots> &found)
    : c_(found.context), p_(c_.program), f_(p_.facts) {
  for (const Root &r : found.roots)
    if (r.kept() && r.container == None &&
        f_.nodes[r.variable].kind == NodeKind::Global)
      roots_[r.variable].push_back(&r);
  std::set<std::pair<Id, Id>> seen;
  auto name = [&](Id function, Id node) {
    if (function != None && node != None && roots_.count(node) &&
        seen.insert({function, node}).second)
      namedIn_[function].push_back(node);
  };
  for (const Constraint &c : f_.constraints) {
    name(c.function, c.src);
    name(c.function, c.dst);
  }
  for (const Call &c : f_.calls)
    for (Id argument : c.args)
      name(c.function, argument);
  for (const PointsTo::Object &o : c_.pointsTo.objects())
    if (o.kind == PointsTo::Object::Heap)
      for (Id record : c_.allocators.sites()[o.ref].records)
        if (llvm::any_of(found.types, [&](const PersistentType &t) {
              return t.record == record;
            }))
          entries_.insert(record);
}

/// Of which the member is one, or that is all of the variable.
const Root *RootInsertions::rootOf(Id variable, Id field) const {
  for (const Root *r : roots_.at(variable))
    if (r->fields.empty() ||
        (field != None && llvm::any_of(r->fields, [&](Id k) {
           return f_.fields[k].cell == f_.fields[field].cell;
         })))
      return r;
  return nullptr;
}

/// As the load makes them, too.
Id RootInsertions::newRecord(Id call) const {
  const Allocators::Site *site = c_.allocators.siteOf(call);
  if (site)
    for (Id record : site->records)
      if (entries_.contains(record))
        return record;
  return None;
}

/// It gives back a new block, by itself or by what it calls.
bool RootInsertions::makes(Id function, unsigned depth) {
  auto [at, fresh] = makes_.try_emplace(function);
  if (!fresh || depth >= MaxHelperDepth)
    return at->second;
  IdMap<Id> calls; // by result
  for (Id k : p_.callsOf(function))
    if (f_.calls[k].result != None)
      calls[f_.calls[k].result] = k;
  IdMap<llvm::SmallVector<Id, 2>> from;
  for (Id i : p_.constraintsOf(function))
    if (const Constraint &c = f_.constraints[i];
        c.dst != None && c.src != None &&
        (c.flow == Flow::Copy || c.flow == Flow::Cast))
      from[c.dst].push_back(c.src);
  std::vector<Id> work{f_.functions[function].result};
  bool found = false;
  for (IdSet seen; !work.empty() && !found;) {
    Id n = work.back();
    work.pop_back();
    if (n == None || !seen.insert(n).second)
      continue;
    if (auto call = calls.find(n); call != calls.end()) {
      Id callee = f_.calls[call->second].callee;
      found = newRecord(call->second) != None ||
              (callee != None && f_.functions[callee].hasBody &&
               makes(callee, depth + 1));
    }
    if (auto values = from.find(n); values != from.end())
      llvm::append_range(work, values->second);
  }
  return makes_[function] = found;
}

const RootInsertions::Outcome &
RootInsertions::outcome(Id variable, Instance instance, unsigned depth) {
  auto [at, fresh] = outcomes_.try_emplace({variable, instance});
  if (!fresh) // of recursion: nothing yet
    return at->second;
  Outcome found = Walk(*this, variable, instance, depth).run();
  return outcomes_[{variable, std::move(instance)}] = std::move(found);
}

const RootInsertions::Set &RootInsertions::in(Id function) {
  auto [at, fresh] = found_.try_emplace(function);
  if (!fresh)
    return at->second;
  Set found;
  if (auto named = namedIn_.find(function); named != namedIn_.end())
    for (Id variable : named->second) {
      const Set &added = outcome(variable, {function, {}}, 0).added;
      found.insert(added.begin(), added.end());
    }
  return found_[function] = std::move(found);
}
