//===- RootFinder.h - From which static memory objects hang -----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A root is a slot in static memory, or in a local of main, from which
// something loaded hangs. Roots.cpp goes through the slots,
// RootsBehindRecords.cpp follows records that each start makes further than one
// hop, RootsNotKept.cpp says which of what was found is not restored, and why.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_ROOTS_ROOTFINDER_H
#define NVMOVE_PASSES_SOLVE_ROOTS_ROOTFINDER_H

#include "passes/facts/IdSet.h"
#include "passes/facts/StaticNames.h"
#include "passes/solve/roots/MainLocals.h"
#include "passes/solve/roots/RootPath.h"
#include "passes/solve/state/LoadedState.h"
#include <set>
#include <tuple>

namespace nvmove {

class RootFinder {
public:
  /// What it adds to, and where it reports.
  struct Output {
    std::vector<PersistentType> &types;
    std::vector<Twin> &twins;
    IdSet &headsReported;
    FindingList &findings;
  };
  RootFinder(const SolveContext &c, const LoadedState &s,
             llvm::ArrayRef<Id> load, Output out)
      : s_(s), p_(c.program), f_(c.program.facts), values_(c.values),
        pt_(c.pointsTo), flow_(c.flow), nullness_(c.nullness), load_(load),
        out_(out), members_(c.members.pointers), frames_(c, s),
        fillers_(c.program, c.flow, /*numbers=*/true) {
    for (const Constraint &q : f_.constraints)
      if (q.flow == Flow::Index && q.src != None)
        noteIndexed(q.src);
    for (const PersistentType &t : out_.types)
      if (t.isCopy)
        copies_.insert(t.record);
  }
  std::vector<Root> run();

private:
  using Object = PointsTo::Object;
  using Slot = std::tuple<Id, std::vector<Id>, Id>; ///< as in Root
  static Slot slotOf(const Root &r) {
    return {r.variable, r.fields, r.element};
  }

  // Roots.cpp
  bool isLocalVariable(Id node) const {
    return f_.nodes[node].kind == NodeKind::Local ||
           f_.nodes[node].kind == NodeKind::Return;
  }
  bool isLocal(Id object) const { return frames_.isLocal(object); }
  bool isCopy(Id object) const {
    Id record = pt_.objects()[object].record;
    return record != None && copies_.contains(record);
  }
  void findStatic();
  bool walksTo(Id variable, Id l, Id object) const;
  void noteIndexed(Id node);
  void slot(Id variable, Id l);
  void slot(Id variable, const std::vector<Id> &fields, Id l);
  bool isChosen(Id variable, Id l, Id o);
  void through(const Root &slot, Id o);
  bool leadsIntoOwn(Id field);
  IdSet findIntoOwn() const;
  bool isOfStatics(const FieldFlow::Set &held, bool functions = false) const;
  bool leadsToStatics(Id variable, const std::vector<Id> &fields, Id at) const;
  Root *add(Root r, Id at, Id target);
  Id filled(Id object) const;

  // RootsBehindRecords.cpp
  void keepFarFromRoots();
  bool isMadeAnew(Id o) const;
  void keepFarAlong(std::vector<Id> &way, IdSet &seen, bool addsRoot);
  void keepAlong(const std::vector<Id> &way, bool addsRoot);
  const Root *keptAt(Id slot) const;
  Root *rootAlong(const std::vector<Id> &way);
  bool isOne(Id l) const;
  bool hangsFromLike(Id object) const;
  void reportLists();
  bool isIndexed(Id l) const;

  // RootsNotKept.cpp
  void reportNotFilled(
      const std::string &root, const MemberDisambiguation::Paths &others,
      llvm::function_ref<std::string(const std::vector<Id> &)> spelled,
      Id variable);
  bool isStillEmpty(Id slot, Id o);
  bool isFilledBehind(Id o);
  void ofLibrary(const Root &slot, Id l, Id o);
  std::string nameOf(Id o) const;
  void reportOfLibrary(const std::string &path, Id o, Loc loc, Id function);
  void findLibraryMemory();
  void listOnly(Root &r);
  void findConstants();
  void dropContainersOfRoots();
  void drop(llvm::function_ref<bool(const Root &)> isMeant, const char *why);
  void dropEmptied();
  void reportHead(Id variable, const std::string &path, std::string text,
                  std::string advice = {}, std::string subject = {});
  void reportIntoOwn(const std::string &path, Id variable);
  bool isOnlyEmptied(Id variable);
  void dropWalked();
  bool isOnlyWalked(const Root &r);
  bool handsToLoad(Id function, const Root &r);
  bool isFilledElsewhere(const Root &r) const;
  bool isAddressKept(Id variable) const;
  bool isHeldElsewhere(Id variable) const;
  IdSet namedBy(Id variable) const;

  const LoadedState &s_;
  const Program &p_;
  const Facts &f_;
  const DefinitionIndex &values_;
  const PointsTo &pt_;
  const FieldFlow &flow_;
  const PreLoadNullness &nullness_;
  const llvm::ArrayRef<Id> load_; ///< functions
  const Output out_;
  MemberDisambiguation &members_;
  MainLocals frames_;
  ContainerInsertions fillers_; ///< of those that are dropped
  IdSet copies_;                ///< records: PersistentType::isCopy
  std::vector<Root> roots_;     ///< found so far, as they come
  IdSet indexedFields_, indexedVariables_;
  std::optional<IdSet> intoOwn_; ///< cells, once asked
  IdSet static_, framed_; ///< objects: behind statics, behind locals of main
  IdSet filledBehind_;    ///< objects, and None, once asked
  /// Slots that lead to a record from which others of its type hang.
  std::set<Slot> toLists_;
  std::set<std::string> seen_; ///< paths
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_ROOTS_ROOTFINDER_H
