//===- TableElements.cpp - What is taken out of a table? ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/contents/TableElements.h"
#include "passes/solve/flow/AccessPath.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

IdSet TableElements::takenOut(const Root &root) {
  seeds_.clear();
  at_.clear();
  found_.clear();
  return find(root) ? std::move(found_) : IdSet();
}

bool TableElements::isSetByLoad(const Root &root) const {
  const PointsTo &pt = c_.pointsTo;
  Id l =
      pt.find(root.variable, root.fields.empty() ? None : root.fields.back());
  if (l != None)
    for (Id t : pt.content(l))
      if (pt.isMemory(t) &&
          pt.objects()[pt.locations()[t].object].kind == PointsTo::Object::Heap)
        return true;
  return l == None;
}

/// &server.table, but to read or to set it.
bool TableElements::isAddressKept(Id field) {
  if (kept_.empty()) {
    kept_.insert(None);
    IdMap<Id> members; // node -> field
    for (const Constraint &c : f_.constraints)
      if (c.flow == Flow::Member)
        members[c.dst] = c.extra;
    auto keep = [&](Id node) {
      if (auto at = members.find(node); at != members.end())
        kept_.insert(at->second);
    };
    for (const Constraint &c : f_.constraints)
      if (c.flow != Flow::Load)
        keep(c.src);
    for (const Call &c : f_.calls)
      for (Id a : c.args)
        keep(a);
  }
  return kept_.contains(field);
}

/// A pointer to a record says what it leads to; this one does not.
bool TableElements::isPlain(Id type) const {
  return p_.isPointer(type) && !p_.isFunctionPointer(type) &&
         p_.pointeeRecord(type) == None && !p_.isPointer(p_.pointee(type));
}

bool TableElements::find(const Root &root) {
  if (isSetByLoad(root) ||
      (root.fields.empty() ? p_.isAddressTaken(root.variable)
                           : isAddressKept(root.fields.back())))
    return false;
  for (const auto &[fn, call] : c_.pointsTo.reached()) {
    auto seed = [&, fn = fn](Id node) { seeds_[fn].insert(node); };
    for (Id i : p_.constraintsOf(fn)) {
      const Constraint &c = f_.constraints[i];
      if (root.fields.empty() && c.src == root.variable)
        seed(root.variable);
      else if (!root.fields.empty() && c.flow == Flow::Load &&
               memberAt(p_, c.src) == root.fields.back())
        seed(c.dst);
    }
    for (Id i : p_.callsOf(fn))
      if (root.fields.empty() &&
          llvm::is_contained(f_.calls[i].args, root.variable))
        seed(root.variable);
  }
  // What a function gives back is inside in those that call it.
  std::vector<Id> work;
  for (const auto &[fn, nodes] : seeds_)
    work.push_back(fn);
  while (!work.empty()) {
    Id fn = work.back();
    work.pop_back();
    IdSet inside = seeds_[fn];
    if (!spread(fn, inside) || putsInto(fn, inside))
      return false;
    Id result = f_.functions[fn].result;
    if (result == None || !inside.contains(result))
      continue;
    for (Id i : p_.callersOf(fn))
      if (const Call &c = f_.calls[i];
          isReached(c.function) && c.result != None &&
          seeds_[c.function].insert(c.result).second)
        work.push_back(c.function);
  }
  return true;
}

bool TableElements::follow(Id function, IdSet inside) {
  return spread(function, inside) && !putsInto(function, inside);
}

/// each(table, use): what is called there differs from call to call.
bool TableElements::isParameter(Id node, Id function) const {
  return node != None &&
         llvm::is_contained(f_.functions[function].params, node);
}

/// All that comes from inside, and what holds that: an iterator. False where
/// that cannot be followed.
bool TableElements::spread(Id function, IdSet &inside) {
  for (size_t before = 0; before != inside.size();) {
    before = inside.size();
    for (Id i : p_.constraintsOf(function)) {
      const Constraint &c = f_.constraints[i];
      if (c.src == None || !inside.contains(c.src) || c.dst == None ||
          c.flow == Flow::CopyMemory)
        continue;
      if (c.flow == Flow::Store) {
        if (!spreadBack(c.dst, inside))
          return false;
        continue;
      }
      Id to = f_.nodes[c.dst].type, record = p_.pointeeRecord(to);
      if ((c.flow == Flow::Copy || c.flow == Flow::Cast) &&
          isPlain(f_.nodes[c.src].type) && record != None)
        found_.insert(record);
      else if (f_.nodes[c.dst].kind == NodeKind::Global)
        return false;
      else if (p_.isPointer(to) || p_.recordOf(to) != None)
        inside.insert(c.dst);
    }
    for (Id i : p_.callsOf(function))
      if (!spreadInto(f_.calls[i], inside))
        return false;
  }
  return true;
}

bool TableElements::spreadBack(Id address, IdSet &inside) const {
  for (Id n = address; n != None && !isPlain(f_.nodes[n].type);) {
    if (f_.nodes[n].kind == NodeKind::Global)
      return false;
    inside.insert(n);
    Id d = p_.definition(n);
    n = d == None || f_.constraints[d].flow == Flow::Load
            ? None
            : f_.constraints[d].src;
  }
  return true;
}

bool TableElements::spreadInto(const Call &c, IdSet &inside) {
  std::vector<Id> params;
  bool others = false;
  const bool isKnown = c.callee != None && f_.functions[c.callee].hasBody;
  for (size_t k = 0; k < c.args.size(); ++k) {
    Id a = c.args[k];
    bool isReadOnly = k < c.argIsReadOnly.size() && c.argIsReadOnly[k];
    if (a == None || (!isKnown && isReadOnly))
      continue;
    if (inside.contains(a))
      params.push_back(k);
    else
      others |= p_.isPointer(f_.nodes[a].type);
  }
  if (params.empty())
    return true;
  if (!isKnown && (others || isParameter(c.target, c.function)))
    return false; // but free(entry), table->hash(key)
  if (isKnown && at_.insert({c.callee, params}).second) {
    const Function &fn = f_.functions[c.callee];
    if (params.back() >= fn.params.size())
      return false;
    IdSet there;
    for (Id k : params)
      there.insert(fn.params[k]);
    if (!follow(c.callee, std::move(there)))
      return false;
  }
  if (c.result != None && p_.isPointer(f_.nodes[c.result].type) &&
      !found_.contains(p_.pointeeRecord(f_.nodes[c.result].type)))
    inside.insert(c.result);
  return true;
}

/// A pointer from elsewhere.
bool TableElements::putsInto(Id function, const IdSet &inside) const {
  return llvm::any_of(p_.constraintsOf(function), [&](Id i) {
    const Constraint &c = f_.constraints[i];
    return c.dst != None && c.src != None && inside.contains(c.dst) &&
           !inside.contains(c.src) &&
           (c.flow == Flow::CopyMemory ||
            (c.flow == Flow::Store &&
             (p_.isPointer(f_.nodes[c.src].type) ||
              p_.recordOf(f_.nodes[c.src].type) != None)));
  });
}
