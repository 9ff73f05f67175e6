//===- PersistentParts.h - Records within persistent objects ----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_PERSISTENTPARTS_H
#define NVMOVE_PASSES_SOLVE_STATE_PERSISTENTPARTS_H

#include "passes/facts/IdSet.h"
#include "passes/solve/Solution.h"
#include "passes/solve/program/Program.h"

namespace nvmove {

/// The persistent types, and what they hold by value, named or not: LIST_ENTRY,
/// struct { .. } ops, unions.
class PersistentParts {
public:
  /// Types in `left` do not count.
  PersistentParts(const Program &program, llvm::ArrayRef<PersistentType> types,
                  const IdSet &left = {})
      : p_(program) {
    for (const PersistentType &t : types)
      if (!t.byValue && !left.contains(t.record))
        add(t.record, t.record);
    for (const PersistentType &t : types)
      if (!t.byValue && !left.contains(t.record))
        for (Id part : program.nested(t.record))
          add(part, t.record);
  }

  /// Each once, the types first.
  const std::vector<Id> &records() const { return records_; }
  bool contains(Id record) const { return around_.count(record); }
  /// A type that holds the record, or is it.
  Id around(Id record) const { return around_.find(record)->second; }
  /// For people: "item.next", "item.link.le_next".
  std::string nameOf(Id field) const {
    const Facts &f = p_.facts;
    auto at = around_.find(f.fields[field].record);
    Id outer = at == around_.end() ? f.fields[field].record : at->second;
    std::string name = f.records[outer].name;
    for (Id k : p_.memberPath(outer, field))
      if (!f.fields[k].name.empty())
        name += "." + f.fields[k].name;
    return name;
  }

private:
  void add(Id record, Id around) {
    if (around_.try_emplace(record, around).second)
      records_.push_back(record);
  }

  const Program &p_;
  std::vector<Id> records_;
  IdMap<Id> around_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_PERSISTENTPARTS_H
