//===- NamedMembers.cpp - Which of two members does the load fill? --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/NamedMembers.h"
#include "passes/solve/PointsTo.h"
#include <set>

using namespace nvmove;

NamedMembers::Ways NamedMembers::waysTo(Id record, Id field) {
  Ways ways{p_.memberPaths(record, field), {}};
  if (ways.filled.empty())
    ways.filled = {{field}};
  if (ways.filled.size() == 1)
    return ways;
  auto isNamed = [&](const std::vector<Id> &path) {
    return std::all_of(path.begin(), path.end() - 1, [&](Id k) {
      return p_.facts.fields[k].name.empty() || named().contains(k);
    });
  };
  auto other =
      std::stable_partition(ways.filled.begin(), ways.filled.end(), isNamed);
  if (other == ways.filled.begin())
    return ways;
  ways.others.assign(other, ways.filled.end());
  ways.filled.erase(other, ways.filled.end());
  return ways;
}

std::string NamedMembers::tell(const std::string &head,
                               const std::string &root) {
  return head + " is not kept, though " + root +
         " is: the load does not fill it by name. If it does through a "
         "pointer, name it with nvm_root()";
}

/// Its address may be stored, or is a static's initial value.
bool NamedMembers::isKept(const Constraint &member) {
  const Facts &f = p_.facts;
  if (kept_.empty()) {
    kept_.insert(None);
    for (const Constraint &c : f.constraints)
      if (c.flow == Flow::Store || c.function == None ||
          (c.dst != None && f.nodes[c.dst].kind == NodeKind::Global))
        kept_.insert(c.src);
  }
  return member.function == None || kept_.contains(member.dst);
}

/// Fields that what the load runs fills by name, and those whose address
/// anything may keep.
const IdSet &NamedMembers::named() {
  if (!named_.empty())
    return named_;
  named_.insert(None);
  std::set<std::pair<Id, Id>> seen; // function, field
  for (const Constraint &c : p_.facts.constraints)
    if (c.flow == Flow::Member && !named_.contains(c.extra) &&
        (isKept(c) || (pt_.reached().contains(c.function) &&
                       seen.insert({c.function, c.extra}).second &&
                       (p_.recordOf(p_.facts.fields[c.extra].type) == None ||
                        fillers_.fills(c.function, c.extra)))))
      named_.insert(c.extra);
  return named_;
}

bool NamedMembers::isFilled(Id field) {
  auto [at, fresh] = filled_.try_emplace(field, false);
  if (!fresh)
    return at->second;
  IdSet seen; // functions
  for (const Constraint &c : p_.facts.constraints)
    if (c.flow == Flow::Member && c.extra == field &&
        (isKept(c) ||
         ((pt_.reached().contains(c.function) || pt_.isPassing(c.function)) &&
          seen.insert(c.function).second && fillers_.fills(c.function, field))))
      return filled_[field] = true;
  return false;
}
