//===- Verdict.h - From points-to sets to persistent types and roots ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_VERDICT_H
#define NVMOVE_PASSES_SOLVE_STATE_VERDICT_H

#include "passes/facts/IdSet.h"
#include "passes/solve/Solution.h"
#include "passes/solve/nullness/NullAtExit.h"
#include "passes/solve/phases/EventLoop.h"
#include "passes/solve/pointsto/PointsTo.h"
#include "passes/solve/state/LoaderTemporaries.h"
#include "passes/solve/state/MemberDisambiguation.h"
#include <optional>

namespace nvmove {

/// What every later step of solve() works on.
struct SolveContext {
  const Program &program;
  const Allocators &allocators;
  const FieldFlow &flow;
  const EventLoop &loop;
  const PreLoadNullness &unfilled;
  const std::optional<NullAtExit> &endsNull; ///< behind points-to
  const LoaderTemporaries &own;
  const PointsTo &pointsTo;
  FilledMembers &members; ///< behind points-to
  const SolveOptions &options;

  /// A pointer to a block that a function of the load may allocate.
  bool mayBeOfLoad(Id value) const;
};

class IndicesAndSizes;

/// The load phase's writes, and what of them can be reached from static memory.
class LoadedState {
public:
  explicit LoadedState(const SolveContext &context);

  struct Write {
    Id function = None;
    Loc loc;
    Id value = None;     /**< node */
    bool direct = false; ///< a store to this very member, not a copy of bytes
    bool flag = false;   ///< a constant, by a function that sees what is read
    bool counts = false; ///< or a count, by one that puts what is loaded there
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
  /// The objects that the pointers there lead to.
  std::vector<Id> targets(Id location) const;
  bool readOutsideLoad(Id record) const {
    return readOutside_.contains(record);
  }
  /// table[i], where the load made or filled the table.
  bool isIndexOfLoaded(const Constraint &constraint) const;
  std::vector<Id> callPathTo(Id function) const;

private:
  class Collector;
  void spread();
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

  const SolveContext &c_;
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

void findTypes(const SolveContext &context, const LoadedState &state,
               Solution &solution);
/// The same types without their proofs.
IdSet persistentRecords(const SolveContext &context, const LoadedState &state);
/// A record that no allocation of its own and no store makes persistent.
struct RecordInBytes {
  Id record = None;
  Id object = None; ///< where it lies
  Id function = None;
  Loc site;
  std::string action;
  bool carriesFileData = false;
  unsigned strain = 0; ///< how hard that is to believe (WitnessChains.cpp)
  PersistentType::Bytes bytes = PersistentType::Bytes::None;
  bool isCopy = false;
};
void findRecordsInBytes(const SolveContext &context, const LoadedState &state,
                        llvm::function_ref<void(RecordInBytes)> add);
/// The same, where the load knows nothing of the record: the program's other
/// code says what lies there, or a table where members are.
void findRecordsByUse(const SolveContext &context, const LoadedState &state,
                      llvm::function_ref<void(RecordInBytes)> add);
void findRoots(const SolveContext &context, const LoadedState &state,
               Solution &solution);
void findScalars(const SolveContext &context, const LoadedState &state,
                 const IndicesAndSizes &measures, Solution &solution);
/// The same of locals of main that roots are in.
void findFrameScalars(const SolveContext &context, const LoadedState &state,
                      const IndicesAndSizes &measures, Solution &solution);
/// Constants that functions of the load store through an address they are
/// handed. Behind findRoots() and findScalars().
void findSettingsByAddress(const SolveContext &context,
                           const LoadedState &state, Solution &solution);
/// Roots that lead into static arrays that are restored.
void findCursors(const SolveContext &context, const LoadedState &state,
                 Solution &solution);
/// Numbers that are set where what roots lead to is made, by any code.
void findRootMeasures(const SolveContext &context,
                      const IndicesAndSizes &measures, Solution &solution);
/// Tables of the load's objects that other code fills, and how much is there.
void findFilledTables(const SolveContext &context, Solution &solution);
/// Tells of numbers that come back without the arrays that they are indices of.
void tellLooseIndices(const SolveContext &context, const LoadedState &state,
                      const IndicesAndSizes &measures, Solution &solution);
/// What is told of a static that the load sets to a descriptor of a file.
NotCovered leftOpen(const std::string &name, const Function &by, Loc loc,
                    Id function);
/// Tells of statics that only the load sets and that nothing restores.
void tellLostStatics(const SolveContext &context, const LoadedState &state,
                     const IndicesAndSizes &measures, Solution &solution);
/// Tells of what the load fills that no root leads to.
void findFarFromRoots(const SolveContext &context, const LoadedState &state,
                      Solution &solution);
/// Roots that lead to a record that each start makes: behind findScalars().
void findStartRecords(const SolveContext &context, const LoadedState &state,
                      const IndicesAndSizes &measures, Solution &solution);
/// Where the records lie that roots through pointers keep fields of.
void findContainers(const SolveContext &context, Solution &solution);
/// Static numbers that choose a place in loaded memory and differ in each run.
void findSeeds(const SolveContext &context, const LoadedState &state,
               const IndicesAndSizes &measures, Solution &solution);
class PoolMembership;
class ValueOrigins;
void findTwins(const SolveContext &context, const LoadedState &state,
               const PoolMembership &heap, ValueOrigins &origins,
               Solution &solution);
/// Behind findAddresses().
void findVolatile(const SolveContext &context, const PoolMembership &heap,
                  ValueOrigins &origins, Solution &solution);
/// Fields that hold numbers of what ends with the process, too. Behind
/// findAddresses() and all that restores numbers.
void findEndingIds(const SolveContext &context, const IndicesAndSizes &measures,
                   Solution &solution);
class PoolMembership;
void findSites(const SolveContext &context, const PoolMembership &heap,
               ValueOrigins &origins, Solution &solution);
/// Which of the stores found are announced, and which cannot be: an output may
/// come between hook and store, or a section end there. Behind findSections().
/// Which words are addresses, exactly. Behind findSites().
void findAddresses(const SolveContext &context, Solution &solution);
/// If that is wanted. Behind findAddresses().
void findLineLogs(const SolveContext &context, Solution &solution);
void checkStores(const SolveContext &context, Solution &solution);
/// Ways to the main loop past the function that loads. Behind findSections().
void tellWaysAroundLoad(const SolveContext &context, Solution &solution);
/// verify: sections that do not end on some path, that of start-up among them.
void findOpenSections(const SolveContext &context, Solution &solution);
/// verify: everything that may write the heap unannounced.
void findUnannounced(const SolveContext &context, const PoolMembership &heap,
                     Solution &solution);
void classifyFields(const SolveContext &context, const LoadedState &state,
                    Solution &solution);
/// Which calls load, and are skipped after a restart.
void findGuards(const SolveContext &context, Solution &solution);
void findSections(const SolveContext &context, Solution &solution);
/// What leaves a section by itself, or before it is committed. Behind
/// findSections().
void findWays(const SolveContext &context, ValueOrigins &origins,
              Solution &solution);
/// What start-up does around the guarded load, and does again at each start:
/// after findSections().
void checkStartUp(const SolveContext &context, Solution &solution);
/// A daemon that loads before it becomes one. Likewise.
void tellForks(const SolveContext &context, Solution &solution);
/// Solves again without one call of the load phase, for every call that a
/// verdict may hang on, up to SolveOptions::maxCuts times.
void findCuts(const SolveContext &context, const PointsTo::Options &phase,
              Solution &solution);
void listGaps(const SolveContext &context, const LoadedState &state,
              Solution &solution);
/// The functions that nothing but the load functions and `save` lead to.
void findSerialization(const SolveContext &context, const std::vector<Id> &save,
                       Solution &solution);
/// The algorithm of the NVMovE paper, for comparison: a worklist over calls
/// that pass pointers; every record that a visited function allocates or
/// writes.
void worklistTypes(const Program &program, const Allocators &allocators,
                   const FieldFlow &flow, const SolveOptions &options,
                   Solution &solution);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_VERDICT_H
