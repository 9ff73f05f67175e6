//===- ScalarFinder.h - Static scalars that outlive the process -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the load puts into static numbers, text and arrays of them. Scalars.cpp
// finds what it takes from the file, counts, or computes from these,
// SizeScalars.cpp what says how large something loaded is or where in it
// things lie, AssignedRecords.cpp what it puts aside and copies there,
// ControlDependentScalars.cpp the constants by which it says what
// it has seen.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SCALARS_SCALARFINDER_H
#define NVMOVE_PASSES_SOLVE_SCALARS_SCALARFINDER_H

#include "passes/facts/IdSet.h"
#include "passes/solve/roots/MainLocals.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/TextLookups.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace nvmove {

/// What the load puts into static numbers, text and arrays of them.
class ScalarFinder {
public:
  using Parts = View<const LoadedTypes, LoadedStatics>;
  explicit ScalarFinder(const Parts &a)
      : a_(a), c_(a.context), s_(a.state), f_(c_.program.facts),
        pt_(c_.pointsTo), load_(a.load), statics_(a.statics),
        values_(a.context.values), origins_(a.measures.origins()),
        measures_(a.measures), lookUps_(c_, s_, values_),
        members_(c_.members.numbers), inMain_(c_, s_) {
    for (const StaticWrite &w : f_.staticWrites)
      if (const Node &n = f_.nodes[w.variable];
          w.function != None && pt_.reached().contains(w.function) &&
          w.isScalar && n.isDefined && !pt_.neverDone(w) &&
          !c_.program.isPointer(c_.program.typeOf(w.variable, w.path)))
        (c_.program.kind(n.type) == TypeKind::Array && !w.path.empty()
             ? inArrays_
             : writes_)
            .push_back(&w);
  }

  void run();

private:
  using Object = PointsTo::Object;
  using Place = ScalarOrigins::Place;

  // Scalars.cpp
  bool add(Id variable, const std::vector<Id> &path, Evidence why, Loc loc);
  void addWritten(Id variable, const std::vector<Id> &path, bool fromFile,
                  Loc loc);
  /// A static, or a record of main that is there as long.
  bool stays(const Object &o) {
    if (o.kind != Object::Variable)
      return false;
    const Node &n = f_.nodes[o.ref];
    return n.kind == NodeKind::Global
               ? n.isDefined
               : c_.program.kind(n.type) == TypeKind::Record &&
                     c_.program.isProgramRecord(c_.program.recordOf(n.type)) &&
                     inMain_.canKeep(o.ref);
  }
  void byName();
  Id opens(Id value);
  bool isDescriptor(const StaticWrite &w);
  bool isJudged(const std::vector<Id> &nodes);
  Place placeOf(const StaticWrite &w) const {
    return {w.variable, w.path.empty() ? None : f_.fields[w.path.back()].cell};
  }
  Id origin(Id value);
  bool isLookedUp(Id value);
  void
  eachNumberBehind(Id address,
                   llvm::function_ref<void(Id, const std::vector<Id> &)> see);
  void
  eachNumberWritten(const StoreSite &store,
                    llvm::function_ref<void(Id, const std::vector<Id> &)> see);
  Place placeAt(Id l) const {
    const auto &at = pt_.locations()[l];
    return {pt_.objects()[at.object].ref, at.field};
  }
  MemberDisambiguation::Paths numbersAt(Id l);
  void fromFile();
  void inLists();
  void counted();
  void filled();
  void filledFields(Id variable, const std::vector<Id> &path, Loc loc);
  std::vector<Id> wholeUnion(std::vector<Id> path) const;
  bool computed();
  void placed();
  bool isPlaced(Id address);
  void steps();
  void localCounts();

  // AssignedRecords.cpp
  void assigned();
  bool endsWithProcess(Id value) const;

  // SizeScalars.cpp
  void measures();
  void copied(const Constraint &c);

  // ControlDependentScalars.cpp
  void flags();
  /// Functions of a library may write it, too.
  bool isElement(const StaticWrite &w) const {
    return c_.program.kind(f_.nodes[w.variable].type) == TypeKind::Array;
  }
  /// A constant, or what a local has counted: the way that the load took says
  /// which.
  bool isChosen(const StaticWrite &w) const {
    return w.value == None || origins_.isCounted(w.value);
  }
  bool isSetting(const StaticWrite &w);
  void reportSet(const StaticWrite &w, bool alone,
                 const StaticWrite *made = nullptr);
  bool isMadeAnew(const StaticWrite &w);
  bool isOfPlace(Id value, const StaticWrite &w);
  bool makesOnly(Id function, unsigned depth = 0);
  bool restores(const StaticWrite &w) const;

  Parts a_;
  const SolveContext &c_;
  const LoadedState &s_;
  const Facts &f_;
  const PointsTo &pt_;
  const std::vector<Id> &load_; ///< functions
  StaticEvidence &statics_;
  const DefinitionIndex &values_;
  const ScalarOrigins &origins_;
  const IndicesAndSizes &measures_;
  const TextLookups lookUps_;
  MemberDisambiguation &members_;
  MainLocals inMain_;
  std::vector<const StaticWrite *> writes_;   ///< of numbers and arrays of them
  std::vector<const StaticWrite *> inArrays_; ///< of records
  std::set<Id> stored_; ///< numbers written through pointers: locations
  ScalarOrigins::Places restored_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SCALARS_SCALARFINDER_H
