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
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SECTIONS_LOCKFLOW_H
#define NVMOVE_PASSES_SOLVE_SECTIONS_LOCKFLOW_H

#include "passes/facts/Library.h"
#include "passes/solve/sections/CallPaths.h"
#include "passes/solve/state/Context.h"
#include <map>

namespace nvmove {

/// How many of a lock are held: at least, and at most. More than Many are that.
struct HeldRange {
  static constexpr int8_t Many = 3;
  int8_t least = 0, most = 0;
  bool operator==(const HeldRange &) const = default;
};
/// By lock. None: control does not get there.
using HeldLocks = std::vector<HeldRange>;

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
  /// nothing.
  using Entries = IdMap<HeldLocks>;
  /// `cut`: calls that are not followed.
  Entries from(std::vector<Id> roots, const CallPaths &paths,
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
  using Effect = HeldLocks; ///< what a call adds; empty: nothing
  void findCalls();
  std::string nameOfField(Id field) const;
  void findSummaries();
  Effect effectOf(Id call) const;
  Effect summaryOf(const Definition &definition) const;
  const LockCall *triedLast(const Definition &d, const Block &b) const;
  void add(HeldLocks &held, const Effect &effect, bool isAbsolute) const;
  void add(HeldLocks &held, unsigned lock, HeldRange by, bool isAbsolute) const;
  static HeldLocks joined(const HeldLocks &a, const HeldLocks &b);
  std::vector<HeldLocks> through(const Definition &d, const HeldLocks &entry,
                                 bool isAbsolute) const;
  void pass(const Definition &d, const Block &b, HeldLocks &held,
            bool isAbsolute,
            llvm::function_ref<void(Id, const HeldLocks &)> see) const;

  const ProgramContext &c_;
  const Program &p_;
  const Facts &f_;
  std::map<Id, LockCall> calls_;
  std::vector<std::string> names_;
  std::set<Id> fields_;
  FieldFlow::Callers callers_;
  IdMap<Effect> summaries_; ///< functions that take or release for others
};

/// As far as blocks tell.
bool isWriteOf(const FlowWrite &block, const StaticWrite &write);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SECTIONS_LOCKFLOW_H
