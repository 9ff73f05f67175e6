//===- HandleOrigins.h - Which object of a library is it? -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library's object that the program knows by a handle alone is told from
// others of its type by the call that made it: XML_ParserCreate(). Backwards
// from a handle, along assignments, arguments and results of the program's
// functions. What is read from memory comes from no known call.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_CALLBACKS_HANDLEORIGINS_H
#define NVMOVE_PASSES_SOLVE_CALLBACKS_HANDLEORIGINS_H

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/FieldFlow.h"
#include "passes/solve/program/DefinitionIndex.h"
#include <map>
#include <set>

namespace nvmove {

class HandleOrigins {
public:
  HandleOrigins(const Program &program, const FieldFlow &flow,
                const DefinitionIndex &values);

  /// Two library calls that are handed, or give, handles of this type: may
  /// these lead to one object?
  bool mayShare(Id handle, Id call, Id other) const;

private:
  const std::set<Id> &of(Id handle, Id call) const;
  bool follow(Id node, Id handle, std::vector<Id> &work,
              std::set<Id> &makers) const;
  bool isOf(Id handle, Id node) const {
    return node != None &&
           p_.pointeeRecord(p_.facts.nodes[node].type) == handle;
  }

  const Program &p_;
  const FieldFlow &flow_;
  const DefinitionIndex &values_;
  IdMap<llvm::SmallVector<Id, 1>> resultOf_; ///< node -> calls
  IdSet joined_; ///< records of which a call is handed several
  mutable std::map<std::pair<Id, Id>, std::set<Id>> known_; ///< handle, call
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_CALLBACKS_HANDLEORIGINS_H
