//===- References.h - Every cross reference inside a fact -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_FACTS_REFERENCES_H
#define NVMOVE_PASSES_FACTS_REFERENCES_H

#include "passes/facts/Members.h"

namespace nvmove {

/// Calls `visit(Table, Id &)` for each reference in `fact`, which may be const.
template <class Visit> void forEachReference(auto &fact, Visit &&visit) {
  forEachMember(fact, [&](auto &member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    if constexpr (isReference<Member>) {
      visit(member.table, member.id);
    } else if constexpr (isReferenceList<Member>) {
      for (auto &id : member.ids)
        visit(member.table, id);
    } else if constexpr (isVector<Member>) {
      if constexpr (Described<typename Member::value_type>)
        for (auto &element : member)
          forEachReference(element, visit);
    } else if constexpr (Described<Member>) {
      forEachReference(member, visit);
    }
  });
}

/// Calls `visit(member of Facts, member of Definition)` for each vector whose
/// elements belong to definitions, except nodes.
template <class Visit> void forEachDefinitionList(Visit &&visit) {
  visit(&Facts::constraints, &Definition::constraints);
  visit(&Facts::calls, &Definition::calls);
  visit(&Facts::loops, &Definition::loops);
  visit(&Facts::stores, &Definition::stores);
  visit(&Facts::staticWrites, &Definition::staticWrites);
  visit(&Facts::localWrites, &Definition::localWrites);
  visit(&Facts::addressUses, &Definition::addressUses);
  visit(&Facts::sizeofUses, &Definition::sizeofUses);
  visit(&Facts::gaps, &Definition::gaps);
}

} // namespace nvmove

#endif // NVMOVE_PASSES_FACTS_REFERENCES_H
