//===- ThreadChanges.cpp - What threads change of what is kept ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   static void *work(void *unused) {
//     push(&jobs, job);        <- jobs is made by each start: no change
//     push(&accounts, a);      <- accounts is a root: push() changes what is
//   }                             kept
//
// The types say that both are lists. So each change is followed back to where a
// thread has its object from: by the calls that threads make alone, up to the
// statics that the pool keeps.
//
// Tested by: test/lit/solve/sections/ThreadChanges-queue.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/sections/ThreadChanges.h"
#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/flow/BackwardSlice.h"
#include "passes/solve/sites/PoolMembership.h"
#include "passes/solve/state/RestoredStatics.h"

using namespace nvmove;

/// Back from an address to what is kept, or to what each start makes.
class ThreadChanges::Roots : public BackwardSlice {
public:
  explicit Roots(const ThreadChanges &of)
      : BackwardSlice(of.p_, of.c_.values,
                      {.flows = AccessPath::Loads | Flow::AddressOf,
                       .results = true,
                       .parameters = true}),
        of_(of), kept_(of.found_.roots, of.found_.scalars),
        callers_(of.c_.flow.callers()) {
    for (Id i = 0; i < f_.staticWrites.size(); ++i)
      writes_[f_.staticWrites[i].variable].push_back(i);
    for (const Root &r : of.found_.roots)
      if (r.kept() && f_.nodes[r.variable].kind == NodeKind::Local)
        locals_.insert(r.variable);
    for (const RestoredScalar &s : of.found_.scalars)
      if (f_.nodes[s.variable].kind == NodeKind::Local)
        locals_.insert(s.variable);
  }

  bool leadsToKept(Id address) { return run(address) != BackwardSlice::Whole; }
  bool holds(const StaticWrite &w) const { return kept_.holds(w); }
  bool isSure = true; ///< of the last one

private:
  Step value(Id n) override {
    const AccessPath path(p_, n, AccessPath::Loads);
    const NodeKind kind = f_.nodes[path.base].kind;
    if (locals_.contains(path.base))
      return Stop;
    // What leads from a record of this process alone to a persistent one.
    bool isBehind = kind != NodeKind::Global || !path.isAddress;
    for (const Constraint *c : path.steps) {
      if (isBehind && c->flow == Flow::Member &&
          !of_.heap_.isPersistent(f_.fields[c->extra].record) &&
          leadsToHeap(c->extra, n))
        return Stop;
      isBehind |= c->flow == Flow::Load;
    }
    if (kind == NodeKind::Global)
      return ofStatic(path);
    // What somebody has put into a local by its address.
    if (kind == NodeKind::Local && path.isAddress && path.ends(Flow::Load) &&
        isPersistent(f_.nodes[n].type))
      return Stop;
    return Follow;
  }

  bool isPersistent(Id type) const {
    const Id record = p_.pointeeRecord(type);
    return record != None && of_.heap_.isPersistent(record);
  }
  bool leadsToHeap(Id field, Id value) {
    const Id type = f_.fields[field].type;
    if (!p_.isPointer(type) || p_.pointeeRecord(type) != None ||
        isPersistent(f_.nodes[value].type))
      return isPersistent(type) || isPersistent(f_.nodes[value].type);
    if (!of_.heap_.holds(value))
      return false;
    isSure = false; // a void * of many kinds
    return true;
  }

  /// One that is not kept may lead to what others have put there.
  Step ofStatic(const AccessPath &path) {
    std::vector<Id> members;
    for (const Constraint *c : path.steps) {
      if (c->flow == Flow::Load)
        break;
      if (c->flow == Flow::Member)
        members.push_back(c->extra);
    }
    if (kept_.holds(path.base, members))
      return Stop;
    if (auto at = writes_.find(path.base); at != writes_.end())
      for (Id i : at->second) {
        const StaticWrite &w = f_.staticWrites[i];
        const size_t common = std::min(w.path.size(), members.size());
        if (std::equal(members.begin(), members.begin() + common,
                       w.path.begin()))
          follow(w.value);
      }
    return Skip;
  }

  Step call(Id i) override {
    const Call &c = f_.calls[i];
    if (of_.c_.allocators.allocates(c))
      return Skip;
    if (const LibraryFunction *l = p_.library(c);
        l && l->flow.result >= 0 && size_t(l->flow.result) < c.args.size())
      follow(c.args[l->flow.result]);
    return c.callee == None && isPersistent(f_.nodes[c.result].type) ? Stop
                                                                     : Follow;
  }

  Step parameter(Id param) override {
    for (const Thread &t : of_.threads_)
      if (llvm::is_contained(f_.functions[t.function].params, param))
        for (Id start : t.starts)
          follow(handedBy(start));
    return Follow;
  }
  Id handedBy(Id start) const {
    const Call &c = f_.calls[start];
    const int at =
        libraryFact(f_.functions[c.callee].name, &LibraryFunction::thread)
            .handed;
    return at >= 0 && size_t(at) < c.args.size() ? c.args[at] : None;
  }

  /// Those that threads make, where they run the function.
  llvm::ArrayRef<Id> callersOf(Id function) override {
    auto at = callers_.find(function);
    if (at == callers_.end())
      return {};
    if (!of_.reached_.contains(function))
      return at->second;
    auto [own, fresh] = own_.try_emplace(function);
    if (fresh)
      for (Id i : at->second)
        if (of_.reached_.contains(f_.calls[i].function))
          own->second.push_back(i);
    return own->second;
  }

  const ThreadChanges &of_;
  const RestoredStatics kept_;
  FieldFlow::Callers callers_, own_;
  IdMap<std::vector<Id>> writes_; ///< staticWrites, by variable
  IdSet locals_;                  ///< of main, of which something is kept
};

ThreadChanges::ThreadChanges(const ChangeSources &found,
                             const PoolMembership &heap)
    : c_(found.context), p_(c_.program), f_(p_.facts), heap_(heap),
      found_(found) {
  threads_ = threadsOf(c_);
  if (threads_.empty())
    return;
  reached_ = reachedBy(threads_, c_);
  findCounted();
  Roots roots(*this);
  for (const Change &change : changesOf(found_))
    if (reached_.contains(change.function) && isKept(change, roots))
      changes_.push_back({change, isSure(change, roots)});
  llvm::stable_sort(changes_, [](const ThreadChange &a, const ThreadChange &b) {
    return a.loc < b.loc;
  });
}

/// How many bytes an allocator has given out is no state of the program.
void ThreadChanges::findCounted() {
  for (const StaticWrite &w : f_.staticWrites)
    if (w.function != None && c_.allocators.isWrapper(w.function) &&
        !c_.allocators.isLinking(w.function))
      counted_.insert({w.variable, w.path});
}

bool ThreadChanges::isKept(const Change &change, Roots &roots) const {
  if (change.write != None) {
    const StaticWrite &w = f_.staticWrites[change.write];
    return roots.holds(w) && !counted_.count({w.variable, w.path});
  }
  if (change.store != None)
    return roots.leadsToKept(f_.stores[change.store].address);
  // A block that is allocated is nothing yet.
  const Call &c = f_.calls[change.call];
  const LibraryFunction *l = p_.library(c);
  if (!l || l->kind == LibraryFunction::Allocate)
    return false;
  const bool isBlock = l->kind == LibraryFunction::Free ||
                       l->kind == LibraryFunction::Reallocate;
  const int at = isBlock ? 0 : l->destination;
  return at >= 0 && size_t(at) < c.args.size() && c.args[at] != None &&
         roots.leadsToKept(c.args[at]);
}

bool ThreadChanges::isSure(const Change &change, const Roots &roots) const {
  const Id record =
      change.store == None ? None : f_.stores[change.store].record;
  return change.write != None ||
         (roots.isSure && (record == None || heap_.isPersistent(record)));
}
