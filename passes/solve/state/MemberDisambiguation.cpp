//===- MemberDisambiguation.cpp - Which of two members does the load fill? ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/MemberDisambiguation.h"
#include "passes/solve/pointsto/PointsTo.h"
#include <set>

using namespace nvmove;

MemberDisambiguation::Ways MemberDisambiguation::waysTo(Id record, Id field) {
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

std::string MemberDisambiguation::notKept(const std::string &head,
                                          const std::string &root) {
  return head + " is not kept, though " + root +
         " is: the load does not fill it by name. If the load fills it through "
         "a pointer, name it with nvm_root()";
}

/// Fields that what the load runs fills by name, and those whose address
/// anything may keep.
const IdSet &MemberDisambiguation::named() {
  if (!named_.empty())
    return named_;
  named_.insert(None);
  const Facts &f = p_.facts;
  IdSet kept; // nodes
  for (const Constraint &c : f.constraints)
    if (c.flow == Flow::Store || c.function == None ||
        (c.dst != None && f.nodes[c.dst].kind == NodeKind::Global))
      kept.insert(c.src);
  std::set<std::pair<Id, Id>> seen; // function, field
  for (const Constraint &c : f.constraints)
    if (c.flow == Flow::Member && !named_.contains(c.extra) &&
        (c.function == None || kept.contains(c.dst) ||
         (pt_.reached().contains(c.function) &&
          seen.insert({c.function, c.extra}).second &&
          (p_.recordOf(f.fields[c.extra].type) == None ||
           fillers_.fills(c.function, c.extra)))))
      named_.insert(c.extra);
  return named_;
}
