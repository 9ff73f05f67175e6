//===- AssignedRecords.cpp - Numbers of records that the load assigns -----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   struct world tmp = {0};
//   tmp.next = 1; while (..) push(&tmp, text);
//   world = tmp;
//
// Careful programs load all or nothing. What is assigned with what is loaded is
// of one state with it, also where the load put but a constant there: it comes
// back. Not what ends with the process, a descriptor or the time.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/BackwardSlice.h"
#include "passes/solve/scalars/ScalarFinder.h"

using namespace nvmove;

void ScalarFinder::assigned() {
  for (Id l = 0; l < pt_.locations().size(); ++l) {
    MemberDisambiguation::Paths paths = numbersAt(l);
    if (paths.empty())
      continue;
    const std::vector<LoadedState::Write> &puts = s_.putAside(l);
    if (puts.empty())
      continue;
    Id by = None;
    for (const LoadedState::Write &w : puts)
      by = by == None && w.direct ? opens(w.value) : by;
    const LoadedState::Write &first = puts.front();
    bool ends = llvm::any_of(puts, [&](const LoadedState::Write &w) {
      return endsWithProcess(w.value);
    });
    for (const std::vector<Id> &path : paths)
      if (by != None)
        statics_.note({placeAt(l).first, path},
                      {Evidence::HoldsOpenFile, first.loc, first.function,
                       f_.functions[by].name});
      else if (!ends)
        add(placeAt(l).first, path, Evidence::AssignedWhole, first.loc);
  }
}

/// What a library says of the process or of the moment goes into it, by the
/// text.
bool ScalarFinder::endsWithProcess(Id value) const {
  struct Search : BackwardSlice {
    Search(const Program &program, const DefinitionIndex &values,
           const PointsTo &pointsTo)
        : BackwardSlice(program, values,
                        {.flows = Copies | Flow::Arith,
                         .results = true,
                         .parameters = true}),
          pt_(pointsTo) {}
    Step call(Id call) override {
      const Call &c = f_.calls[call];
      if (c.callee == None || f_.functions[c.callee].hasBody ||
          pt_.holdsFileBytes(pt_.pointsTo(c.result)))
        return Follow;
      const LibraryFunction *l = libraryEntry(f_.functions[c.callee].name);
      if (!l || l->endsWithProcess())
        return Stop;
      for (Id argument : c.args) // atoi(getenv(..))
        follow(argument);
      return Follow;
    }
    const PointsTo &pt_;
  } search(c_.program, values_, pt_);
  return value != None && search.run(value) != BackwardSlice::Whole;
}
