//===- LockFlow.h - Which locks are held where ------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static void enter(struct bucket *b) { pthread_mutex_lock(&b->mu); }
//   ..
//   enter(b);          0 of bucket.mu
//   b->n++;            1
//   leave(b);          1
//
// Locks are told apart by the text: a static, or the member of a record. What
// one function or one macro takes is one of them, whatever it is handed.
//
// What a call adds is found once for each function, callees before callers, and
// once for all calls that lead to the same functions. Where no lock is taken or
// released below a function, nothing is computed.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SECTIONS_LOCKFLOW_H
#define NVMOVE_PASSES_SOLVE_SECTIONS_LOCKFLOW_H

#include "passes/facts/Library.h"
#include "passes/solve/flow/CalleeSets.h"
#include "passes/solve/sections/CallPaths.h"
#include "passes/solve/sections/HeldLocks.h"
#include "passes/solve/state/Context.h"
#include <map>

namespace nvmove {

class LockEffects;
class LockEntries;

class LockFlow {
public:
  explicit LockFlow(const ProgramContext &context);

  struct LockCall {
    LockUse::Effect effect;
    unsigned lock;
  };
  /// Calls of the library.
  const std::map<Id, LockCall> &calls() const { return calls_; }
  /// Such a call, else null.
  const LockCall *lockOf(Id call) const {
    auto at = calls_.find(call);
    return at == calls_.end() ? nullptr : &at->second;
  }
  /// The call, or what it calls, takes the lock or releases it.
  bool changes(Id call, unsigned lock) const;
  /// What it calls takes the lock, on each way, and comes back with it.
  bool keeps(Id call, unsigned lock) const;
  size_t locks() const { return names_.size(); }
  /// Members that are locks.
  const std::set<Id> &fields() const { return fields_; }
  const std::string &nameOf(unsigned lock) const { return names_[lock]; }

  /// What is held where functions begin that `roots` get to, themselves with
  /// nothing. None, if the program has no locks.
  using Entries = std::map<Id, HeldLocks>;
  /// `cut`: calls that are not followed.
  Entries from(llvm::ArrayRef<Id> roots, const CallPaths &paths,
               const IdSet &cut = {}) const;
  /// `threads`, and functions that nothing calls: all that the program may do.
  std::vector<Id> allRoots(std::vector<Id> threads) const;
  /// What is held before each call of the function, and where it returns: None.
  void
  eachCall(Id function, const Entries &entries,
           llvm::function_ref<void(Id call, const HeldLocks &held)> see) const;
  /// At a store or a static write of the function, or at a call.
  HeldLocks at(Id function, const Entries &entries, Id store, Id write,
               Id call) const;

private:
  friend class LockEffects;
  friend class LockEntries;
  using See = llvm::function_ref<void(Id call, const HeldLocks &held)>;
  void findCalls();
  std::string nameOfField(Id field) const;
  void findEffects();
  /// What functions of the program that the call leads to take and release.
  const HeldLocks &effectOf(Id call) const;
  const LockCall *triedLast(const Definition &d, const Block &b) const;
  std::vector<HeldLocks> through(const Definition &d, const HeldLocks &entry,
                                 int lowest) const;
  void pass(const Definition &d, const Block &b, HeldLocks &held, int lowest,
            See see) const;
  void eachCallFrom(Id function, const HeldLocks &entry, See see) const;

  const ProgramContext &c_;
  const Program &p_;
  const Facts &f_;
  std::map<Id, LockCall> calls_;
  std::vector<std::string> names_;
  std::set<Id> fields_;
  FieldFlow::Callers callers_;
  CalleeSets callees_;
  std::vector<HeldLocks> effects_; ///< by node of `callees_`
  std::vector<Id> position_;       ///< likewise: callees before callers
};

/// As far as blocks tell.
bool isWriteOf(const FlowWrite &block, const StaticWrite &write);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SECTIONS_LOCKFLOW_H
