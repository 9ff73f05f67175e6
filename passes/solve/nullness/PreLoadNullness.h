//===- PreLoadNullness.h - What is still empty while the state is loaded ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A load tells the rest of the program what it does: it wakes who waits for a
// key, tells listeners, drops what watches. While the state is loaded nobody
// waits, listens or watches yet, so what would happen then does not:
//
//   if (dictFind(db->waiting, key) == NULL) return;
//   while ((node = listNext(&iterator))) notify(node->value);
//
// Here it is proved for one pointer at a time, a field or a global (the slot):
// the containers that are stored in it before the load ends have known makers,
// no other pointer leads to them, and nothing is put into them. The proof is a
// small points-to analysis with only those containers, and the records on the
// stacks of the functions they are handed to, as objects; all else is one
// value, Other, which is never null. Whatever the analysis cannot follow fails
// it, and then the call counts as made.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_NULLNESS_PRELOADNULLNESS_H
#define NVMOVE_PASSES_SOLVE_NULLNESS_PRELOADNULLNESS_H

#include "passes/facts/IdSet.h"
#include "passes/solve/callbacks/HandleOrigins.h"
#include "passes/solve/callbacks/IndexedCallbacks.h"
#include "passes/solve/callbacks/PerObjectCallbacks.h"
#include "passes/solve/nullness/FlagValues.h"
#include "passes/solve/nullness/InstantiatedRecords.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <memory>
#include <set>

namespace nvmove {

class EmptyContainerProof;

class PreLoadNullness {
public:
  /// `cut`: functions that are not entered.
  PreLoadNullness(const Program &program, const Allocators &allocators,
                  const FieldFlow &flow, const EventLoop &loop,
                  const ProgramPhases &phases, const std::vector<Id> &load,
                  const IdSet &cut);
  ~PreLoadNullness();

  /// The call stands where some pointer is not null that is null until the load
  /// has ended.
  bool neverRuns(Id call) const;
  /// The function does not write the variable before the load has ended.
  bool neverWrites(Id function, Id variable) const {
    return flags_.neverWrites(function, variable);
  }
  /// One of the nodes, of this function, is null whenever it is read till then.
  bool isNull(llvm::ArrayRef<Id> nodes, Id function) const;
  /// The call's result, a pointer, is null until the load has ended.
  bool givesNull(Id call) const;
  /// Into what the slot leads to, a variable or Program::slotOf() a field, no
  /// pointer from elsewhere is put before the load has ended, but into fields
  /// that do not count. What is there may be moved around.
  bool staysEmpty(Id slot, llvm::function_ref<bool(Id)> isOut) const;
  /// A static record, the head of a list, whose pointers lead to itself when
  /// the load begins: so they are initialised, and nothing that runs before the
  /// load names it.
  bool isSelfLinked(Id variable) const {
    return selfLinked_.contains(variable);
  }
  /// Functions that were handed to a library before the load ends together with
  /// a pointer to `handle`, a type that only the library knows: an
  /// interpreter's state. This call with such a handle may call them.
  std::vector<Id> callbacksOf(Id handle, Id call) const;
  /// What such a library was given with a handle before the load, and blocks of
  /// its own that it was asked for: records, None for what is not known.
  const std::set<Id> &heldBy(Id handle) const;
  /// There may be an object of the record before the load has ended.
  bool mayExist(Id record) const {
    return !instantiated_ || instantiated_->mayExist(record);
  }
  /// The function may run before the load has ended.
  bool isEarly(Id function) const { return early_.contains(function); }
  /// A callback that carries out requests is not for loading.
  bool servesRequests(Id function) const {
    auto [at, fresh] = servesRequests_.try_emplace(function, false);
    if (fresh)
      at->second = loop_.servesRequests(function);
    return at->second;
  }
  /// What this library call is handed runs when the main loop waits: the
  /// handlers of an event library.
  bool isForLater(const Call &call) const {
    Id handle = handleOf(call);
    return (handle != None && loopHandles_.contains(handle)) ||
           (call.callee != None &&
            runsLater(p_.facts.functions[call.callee].name));
  }
  /// The record that a library call's handle points to, or None: one that only
  /// the library knows, or a container.
  Id handleOf(const Call &call) const;
  /// A record of a library, of which the program does not know what it points
  /// to, and that gives back what it was handed: GHashTable, GList.
  bool isContainer(Id record) const { return containers_.contains(record); }
  /// A record of a library that reads files: sqlite3_stmt, xmlNode.
  bool isReader(Id record) const { return readers_.contains(record); }
  /// Of a library call: it is handed, or gives, a record that the load hands a
  /// file with, GScanner.
  bool asksForFile(const Call &call) const;
  /// A library is asked for what a file holds, or to read it.
  bool isReading(const Call &call) const;
  /// The flow of what may run before the load has ended: what the load finds in
  /// memory.
  const FieldFlow &before() const { return *before_; }
  const IndexedCallbacks &keyed() const { return keyed_; }
  const PerObjectCallbacks &owned() const { return owned_; }
  /// The parameter of the calling function that chooses what an indirect call
  /// leads to, by a value that callbacks are registered under, or by the object
  /// that they are registered with; None.
  Id chooserOf(Id call) const {
    Id key = keyed_.keyOf(call);
    return key != None ? key : owned_.ownerOf(call);
  }
  bool leadsTo(Id call, Id function, uint64_t chosen) const {
    return keyed_.keyOf(call) != None ? keyed_.leadsTo(call, function, chosen)
                                      : owned_.leadsTo(call, function, chosen);
  }

  /// What is not early, but was handed to a library by then: handlers, threads,
  /// and what these call.
  IdSet handedOver() const;

private:
  void findEarly(const std::vector<Id> &load, const IdSet &cut);
  using Ways = IdMap<std::vector<Id>>;
  bool choosesByKey(Id call, Id function, const Ways &ways) const;
  void findInstantiated(const std::vector<Id> &load, const IdSet &cut);
  void narrow(const std::vector<Id> &load, const IdSet &cut);
  bool needsAbsent(Id call) const {
    return instantiated_ && instantiated_->needsAbsent(call);
  }
  void findLateWrites(Id function, const std::vector<Id> &towards);
  Id slotOf(Id field) const { return p_.slotOf(field); }
  void index();
  void findOtherSetters();
  bool onlyUsersSet(Id slot) const;
  IdSet beforeLoad(const std::vector<Id> &load) const;
  void findSelfLinked(const std::vector<Id> &load);
  void findJoined(Id function);
  const EmptyContainerProof *proof(Id slot) const;
  const EmptyContainerProof *proof(const std::vector<Id> &slots) const;
  void findLoopHandles();
  void findStreams();
  bool isForeign(Id record) const;
  void findContainers();
  bool isOpenFile(Id value) const;
  void findHandedFiles();
  void findReaders();
  void findCallbacks();
  bool argumentsOf(Id function, size_t index,
                   llvm::SmallVectorImpl<Id> &arguments) const;
  bool comesFrom(Id pointer, Id function,
                 llvm::SmallVectorImpl<Id> &from) const;
  void recordsBehind(Id pointer, std::set<Id> &records) const;

  const Program &p_;
  const Allocators &a_;
  const FieldFlow &flow_;
  const EventLoop &loop_;
  const ProgramPhases &phases_;
  FlagValues flags_;
  const DefinitionIndex values_;
  const CallbackUses uses_;
  const IndexedCallbacks keyed_;
  const PerObjectCallbacks owned_;
  IdSet early_; ///< functions that may run before
  IdSet late_;  ///< calls in early functions that follow the load, and never_
  IdSet never_; ///< those that are proved not to be made before its end
  IdSet lateWrites_; ///< constraints
  /// By function that leads to the load: what stands behind there follows it.
  IdMap<Loc> loadEnds_;
  /// A slot is a global's node, or behind them a field's cell.
  std::map<Id, llvm::SmallVector<Id, 4>> usersOf_; ///< slot -> functions
  std::map<Id, llvm::SmallVector<Id, 8>> usedBy_;  ///< function -> slots
  std::map<Id, std::vector<Id>> joined_; ///< slot -> slots, with itself
  IdSet setElsewhere_;                   ///< slots, and other nodes
  IdSet loading_;                        ///< functions that the load may run
  IdSet selfLinked_;                     ///< statics
  IdSet byLibrary_; ///< early functions that a library calls
  IdSet loopHandles_, streams_, containers_, readers_; ///< records
  IdSet withFiles_;   ///< readers that the load hands a file with
  IdSet overwritten_; ///< records whose bytes early code sets
  /// By handle: the function, and the call that handed it over.
  std::map<Id, std::vector<std::pair<Id, Id>>> callbacks_;
  std::unique_ptr<HandleOrigins> makers_;
  std::map<Id, std::set<Id>> held_; ///< by handle
  std::unique_ptr<FieldFlow> before_;
  std::unique_ptr<InstantiatedRecords> instantiated_;
  mutable std::map<std::vector<Id>, std::unique_ptr<EmptyContainerProof>>
      proofs_;              ///< by slots
  mutable size_t work_ = 0; ///< of all proofs
  mutable IdMap<bool> neverRuns_, givesNull_, servesRequests_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_NULLNESS_PRELOADNULLNESS_H
