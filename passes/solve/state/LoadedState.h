//===- LoadedState.h - What the load leaves -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_LOADEDSTATE_H
#define NVMOVE_PASSES_SOLVE_STATE_LOADEDSTATE_H

#include "passes/facts/IdSet.h"
#include "passes/solve/state/Context.h"
#include "passes/solve/state/RecordCopies.h"
#include <optional>

namespace nvmove {

class ObservedState;

/// The load phase's writes, and what of them can be reached from static memory.
class LoadedState {
public:
  /// With `observed`, without what no run has shown.
  explicit LoadedState(const SolveContext &context,
                       const ObservedState *observed = nullptr);

  struct Write {
    Id function = None;
    Loc loc;
    Id value = None;     ///< node
    bool direct = false; ///< a store to this very member, not a copy of bytes
    bool flag = false;   ///< a constant, by a function that sees what is read
    bool counts = false; ///< or a count, by one that puts what is loaded there
    bool copied = false; ///< as a part of something larger
  };

  /// The writes to a location. Stores through pointers that lead to the same
  /// places stand together: of such a group there is one list.
  class Writes {
  public:
    Writes(const LoadedState &state, llvm::ArrayRef<uint32_t> groups)
        : state_(state), groups_(groups) {}
    bool empty() const { return groups_.empty(); }
    bool any(llvm::function_ref<bool(const Write &)> holds) const {
      return first(holds) != nullptr;
    }
    void each(llvm::function_ref<void(const Write &)> visit) const {
      any([&](const Write &w) { return visit(w), false; });
    }
    /// The first one, in the order of the program, for which that holds.
    const Write *first(llvm::function_ref<bool(const Write &)> holds) const;

  private:
    const LoadedState &state_;
    llvm::ArrayRef<uint32_t> groups_;
  };
  Writes writesTo(Id location) const;
  /// The write that convinces most: a direct one, if there is any. Not for a
  /// location without writes.
  const Write &proof(Id location) const;
  bool reachable(Id object) const { return parent_.contains(object); }
  /// A reachable block of bytes: its allocation names no record.
  bool isUntypedBlock(Id object) const;
  /// Location whose content leads to the object; None for static memory itself.
  Id parentOf(Id object) const { return parent_.lookup(object); }
  /// The way there that a person would show: over pointers that have the type
  /// of what they point to and that the load stored, from the static memory
  /// with the most restored content.
  std::vector<Hop> chainTo(Id object) const;
  /// How hard that way is to believe: the sum over its hops.
  unsigned strainOf(Id object) const { return strain_.lookup(object); }
  /// The load put something new here: a block of its own, or outside data.
  bool isNew(Id location) const;
  /// What the load puts into other records, of which it copies the value here:
  /// tmp.count++; world = tmp. None where nothing of the file is there.
  const std::vector<Write> &putAside(Id location) const;
  /// A constant says there which way the file took.
  bool isFlag(Id location) const {
    return writesTo(location).any(
        [](const Write &w) { return w.flag && !w.counts; });
  }
  /// Some value in the function is data of the file.
  bool seesFile(Id function) const;
  bool isLoadedValue(const PointsTo::Set &set) const;
  bool
  isLoaded(Id object) const; ///< a block of the load, or some cell of it is new
  /// The objects that the pointers there lead to. Valid as long as this is.
  const std::vector<Id> &targets(Id location) const;
  /// A run has shown that the function runs in the load; true without runs.
  bool hasRun(Id function) const;
  /// Without what no run has shown.
  bool isObserved() const { return observed_; }
  bool readOutsideLoad(Id record) const {
    return readOutside_.contains(record);
  }
  /// table[i], where the load made or filled the table.
  bool isIndexOfLoaded(const Constraint &constraint) const;
  std::vector<Id> callPathTo(Id function) const;

private:
  class Collector;
  void spread();
  bool judgeNew(Id location) const;
  bool judgeLoaded(Id object) const;
  std::vector<Id> findTargets(Id location) const;
  bool isLastingVariable(Id object) const;
  bool isOfParser(Id variable) const;
  std::vector<Id> staticObjects() const;
  unsigned typeStrain(Id location, Id target) const;
  unsigned hopStrain(Id location, Id target) const;
  bool hasTypedContent(Id location) const;
  void findCallPaths();
  void measureNaming();
  Hop hop(Id location, Id target) const;
  void collectEarlierStores();
  Hop storedBefore(Id location) const;

  const RecordCopies &copies() const;
  bool isCopied(Id object) const;

  const SolveContext &c_;
  const ObservedState *observed_;
  mutable std::vector<std::optional<bool>> isSeenWritten_; ///< by location
  mutable std::optional<RecordCopies> copies_;             ///< once asked for
  mutable std::optional<IdSet> copied_; ///< objects that it copies to others
  // As asked for so far: rules walk the same ways again and again.
  mutable IdMap<std::vector<Write>> putAside_;
  mutable std::vector<std::optional<bool>> isNew_;              ///< by location
  mutable std::vector<std::optional<bool>> isLoaded_;           ///< by object
  mutable std::vector<std::optional<std::vector<Id>>> targets_; ///< by location
  std::vector<Write> writes_;
  std::vector<std::vector<uint32_t>> groups_; ///< of writes
  IdMap<std::vector<uint32_t>> writesTo_;     ///< location -> groups
  IdMap<Id> parent_;
  IdMap<unsigned> strain_;
  struct CallPath {
    Id call = None; ///< the last one
    unsigned length = 0;
  };
  std::map<Id, CallPath> paths_; ///< by function
  /// How many calls below the load function a location of static memory is
  /// first named.
  IdMap<unsigned> named_;
  IdMap<Hop> earlierFields_, earlierVariables_;
  IdSet readOutside_;
  IdSet ownOfLoad_;      ///< objects
  mutable IdSet seeing_; ///< functions, and None, when it was asked
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_LOADEDSTATE_H
