//===- UsesAfterRestart.h - Who relies on a field when it is null? --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   void show(struct host *h) {     a handler calls it
//     puts(h->network->name);       a use: h->network is null, or dead
//     if (h->network)
//       puts(h->network->name);     none, where it is null
//   }
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_CONTENTS_USESAFTERRESTART_H
#define NVMOVE_PASSES_SOLVE_CONTENTS_USESAFTERRESTART_H

#include "passes/solve/flow/ValueOrigins.h"
#include "passes/solve/sites/PoolMembership.h"
#include "passes/solve/state/Context.h"
#include <set>

namespace nvmove {

/// Of fields that point to what ends with the process: places at which code
/// that runs after a restart follows such a pointer, or compares it with
/// another, without having found that it is not null.
///
/// That code is what handlers run, and start-up behind the load; not what the
/// load runs alone, nor what comes before the end of the program. What is
/// handed to a function is used where that uses its parameter so; what a
/// function gives back, where its callers do.
class UsesAfterRestart {
public:
  UsesAfterRestart(const SolveContext &context, const PoolMembership &pool,
                   ValueOrigins &origins, const std::vector<Id> &load);

  /// In the order of files and lines; each line once. Where the pointer is not
  /// null and leads nowhere (`isNull` false), those behind tests, too.
  ///
  /// None of a field that no start sets, or only as the case may be: then null
  /// is what the program finds after each start. Nor of one that may hold what
  /// lasts: its users may be of other objects.
  std::vector<Loc> usesOf(Id field, bool isNull);
  /// Places at which such code hands a record of a library, which may lie in
  /// the heap, to a function of the library that follows the pointers in it:
  /// strftime(.., &e->tm).
  std::vector<Loc> readersOf(Id record) const;

private:
  struct Use {
    const Definition *definition;
    const PointerUse *use;
    Id call() const { return definition->calls.begin + use->call; }
  };
  using Parameter = std::pair<Id, uint32_t>; ///< function, number

  void findRunning(const std::vector<Id> &load);
  void findBesideLoad();
  void findUses();
  void findUsedParameters();
  void findSets();
  bool runs(Id function, Loc place) const;
  bool runsBeforeLoadEnds(Id function, Loc place) const;
  bool isPassedOver(Id store) const;
  bool mayLast(Id field);
  bool usesArgument(Id call, uint32_t arg) const;
  bool isUse(const Use &u) const;
  bool isBehindTest(Id function, Id field, unsigned depth) const;

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  const PoolMembership &pool_;
  ValueOrigins &origins_;
  IdSet running_; ///< functions, as a whole
  /// Functions of what a restart skips with the load: on the way from main to
  /// it, somebody else opens what it needs.
  IdSet besideLoad_;
  IdMap<std::vector<Use>> ofField_;
  IdMap<std::vector<Use>> ofResult_; ///< by the function that gives it back
  std::vector<std::pair<Use, Parameter>> ofParameters_;
  std::set<Parameter> used_;
  /// Fields, by what happens before the load has ended: set in any case, set
  /// perhaps, made null.
  IdSet set_, setPerhaps_, leftNull_;
  IdSet madeNull_; ///< fields, at any time
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_CONTENTS_USESAFTERRESTART_H
