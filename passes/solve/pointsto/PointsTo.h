//===- PointsTo.h - Where pointers lead during the load ---------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inclusion-based, field-sensitive points-to analysis of the load phase only:
// it starts at the load functions, takes calls on the fly and meets the state
// that existed before as lazily made objects. Small functions, those of
// containers say, are told apart by the calls that lead to them
// (CallContexts.h). This is what others ask; how it is solved, by which parts,
// is in PointsToSolver.h.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_POINTSTO_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_POINTSTO_H

#include "passes/solve/pointsto/Cells.h"
#include <memory>

namespace nvmove {

class PointsToSolver;

class PointsTo {
public:
  using Set = ValueGraph::Set;
  using Object = MemoryObject;
  using Location = MemoryLocation;
  using Options = PointsToOptions;
  using ArrayCasts = ProgramPointers::ArrayCasts;

  PointsTo(const Program &program, const Allocators &allocators,
           const FieldFlow &flow, const PreLoadNullness &nullness,
           const ProgramPointers &text, Options options);
  ~PointsTo();
  /// False when there were more edges than the limit allows: nothing is known.
  bool run();
  unsigned iterations() const { return graph_.iterations(); }

  // Memory.
  const std::vector<Object> &objects() const { return cells_.objects(); }
  const std::vector<Location> &locations() const { return cells_.locations(); }
  const std::vector<Id> &locationsOf(Id object) const {
    return cells_.locationsOf(object);
  }
  bool isMemory(Id location) const { return cells_.isMemory(location); }
  /// Records that may lie in an object.
  llvm::SmallVector<Id, 4> recordsOf(Id object) const {
    return cells_.recordsOf(object);
  }
  /// Bytes from before the load are also an object for each record that they
  /// are used as; none for other objects.
  std::vector<Id> usedAs(Id object) const { return cells_.usedAs(object); }
  /// The location of a variable, or of a field in it, or None if the load never
  /// met it.
  Id find(Id variable, Id field) const { return cells_.find(variable, field); }
  /// The same of any object; `cell`: None for all of it.
  Id locationIn(Id object, Id cell) const {
    return cells_.locationIn(object, cell);
  }
  /// "dict, created before the load", "dictEntry, allocated at dict.c:364".
  std::string describe(Id object) const { return cells_.describe(object); }
  /// Memory of a library, which gives back what it was given.
  bool isContainer(Id object) const;
  /// Made by a library: a container, a reader of files, what that has read, or
  /// a record that only a library knows.
  bool isOfLibrary(Id object) const;
  /// What a library has read for the program.
  bool isRead(Id object) const;
  /// A library makes it during the load.
  bool isMadeByLibrary(Id object) const;
  /// Arrays that are cast to records.
  const ArrayCasts &castArrays() const { return text_.arrayCasts(); }

  // What lies there.
  /// Of a node of the text: in all instances of its function.
  const Set &pointsTo(Id node) const {
    auto all = inAllInstances_.find(node);
    return all == inAllInstances_.end() ? graph_.setOf(node)
                                        : graph_[all->second];
  }
  const Set &content(Id location) const {
    return graph_.setOf(cells_.content(location));
  }
  bool holdsFileBytes(const Set &set) const {
    return set.test(cells_.fileBytes());
  }
  /// The static scalars whose value is among `set`: locations.
  std::vector<Id> staticValuesIn(const Set &set) const {
    return cells_.staticValuesIn(set);
  }
  /// Memory that an input function filled with bytes from outside: location,
  /// call.
  const std::vector<std::pair<Id, Id>> &fills() const;
  /// What a library was given together with such a record, before the load or
  /// by it.
  const Set &givenWith(Id container) const;
  /// Calls `see` with the addresses of each copy of memory: where it goes, what
  /// is copied, and the record that is named for it or None.
  void eachCopy(
      llvm::function_ref<void(const Set &to, const Set &from, Id record)> see)
      const;

  // What runs.
  /// Load-phase functions and the call that first reached each (None for the
  /// start).
  const std::map<Id, Id> &reached() const;
  /// On the way from main, or from a handler, to the load, and not called by
  /// it: what flows there is followed.
  bool isPassing(Id function) const;
  /// Calls that were followed, and where each leads: (call, function).
  const std::vector<std::pair<Id, Id>> &followed() const;
  /// Functions that a library may call during the load, but that carry out
  /// requests of any kind: not followed.
  const IdMap<Id> &requestCallbacks() const;
  /// What runs only where these are not null is not done by the load:
  /// StaticWrite, StoreSite.
  bool neverDone(llvm::ArrayRef<Id> nonNull, Id function) const;
  bool neverDone(const StaticWrite &w) const;
  /// Calls that nothing can lead to before the load has ended.
  std::vector<Id> neverRun() const;
  /// Calls that the load reaches and that only set something up, in order.
  std::vector<Id> setUpsNotFollowed() const;
  /// Logging functions, each with the first of its calls that are not followed
  /// for that.
  std::vector<std::pair<Id, Id>> logsNotFollowed() const;
  /// Call and function; a pointer may call several.
  const std::vector<std::pair<Id, Id>> &libraryCallsReached() const;
  /// A parameter through which a load function that nothing on the way from
  /// main calls is handed memory that lasts: load(server), by a handler. With
  /// Options::callersKeep, of any load function, and its result.
  bool isHandedOver(Id node) const;
  bool callersKeep() const;

private:
  void joinInstances();

  const Program &p_;
  const PreLoadNullness &nullness_;
  const ProgramPointers &text_;
  const std::unique_ptr<PointsToSolver> solver_;
  ValueGraph &graph_;
  const Cells &cells_;
  IdMap<ValueGraph::Ref> inAllInstances_; ///< by node of the text
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_POINTSTO_H
