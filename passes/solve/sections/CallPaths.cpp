//===- CallPaths.cpp - Ways through calls that control can take -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/sections/OutputCommits-ending.c
// Tested by: test/lit/solve/sections/OutputCommits-owned.c
// Tested by: test/lit/solve/sections/OutputCommits-flags.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/sections/CallPaths.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

CallPaths::CallPaths(const ProgramContext &context, Kind kind)
    : c_(context), p_(c_.program), f_(p_.facts), kind_(kind) {
  for (Id i = 0; i < f_.calls.size(); ++i)
    if (f_.calls[i].function != None && isOwned(i))
      owned_[f_.calls[i].function].push_back(i);
  for (const MainLoop &loop : c_.loop.loops)
    loops_.insert(f_.loops[loop.loop].function);
}

bool CallPaths::isOwned(Id call) const {
  return kind_ == Taken && c_.nullness.owned().ownerOf(call) != None;
}

bool CallPaths::isDeadEnd(Id call) const {
  const Call &c = f_.calls[call];
  return p_.isDeadEnd(call) || (c.deadEnd && c.function != None &&
                                !f_.functions[c.function].isNoReturn);
}

llvm::ArrayRef<Id> CallPaths::ownedIn(Id function) const {
  auto at = owned_.find(function);
  return at == owned_.end() ? llvm::ArrayRef<Id>()
                            : llvm::ArrayRef<Id>(at->second);
}

void CallPaths::eachCallee(Id call, Id way,
                           llvm::function_ref<void(Id)> visit) const {
  if (p_.isInChild(call))
    return;
  const PerObjectCallbacks &owned = c_.nullness.owned();
  const bool isOwned = this->isOwned(call);
  for (Id callee : c_.flow.callees(call)) {
    const Function &fn = f_.functions[callee];
    const bool ends = kind_ == Taken && (isDeadEnd(call) || fn.isNoReturn);
    if (fn.hasBody && p_.takesArgumentsOf(callee, f_.calls[call]) &&
        !(isOwned && !owned.leadsToBy(way, call, callee)) &&
        !(ends && !goesOn(callee)))
      visit(callee);
  }
}

/// A main loop runs in it, or it waits for input or for a thread: if it never
/// comes back, the program works in it. Who waits is told by name: through
/// pointers a report of a crash seems to lead anywhere.
bool CallPaths::goesOn(Id function) const {
  if (auto at = goesOn_.find(function); at != goesOn_.end())
    return at->second;
  auto waits = [&](Id call) {
    const Call &c = f_.calls[call];
    if (c.callee == None || f_.functions[c.callee].hasBody)
      return false;
    const llvm::StringRef name = f_.functions[c.callee].name;
    return p_.isLibrary(c, LibraryFunction::Wait) ||
           hasTrait(name, LibraryFunction::MainLoop) ||
           libraryFact(name, &LibraryFunction::lock).effect == LockUse::Waits;
  };
  auto reaches = [&](bool byName, llvm::function_ref<bool(Id)> is) {
    std::vector<Id> work{function};
    for (IdSet seen{function}; !work.empty();) {
      const Id fn = work.back();
      work.pop_back();
      if (is(fn))
        return true;
      for (Id k : p_.callsOf(fn))
        for (Id callee : c_.flow.callees(k))
          if ((!byName || f_.calls[k].callee != None) &&
              p_.takesArgumentsOf(callee, f_.calls[k]) &&
              seen.insert(callee).second)
            work.push_back(callee);
    }
    return false;
  };
  return goesOn_[function] =
             reaches(false, [&](Id fn) { return hasLoop(fn); }) ||
             reaches(true, [&](Id fn) {
               return llvm::any_of(p_.callsOf(fn), waits);
             });
}

namespace {

using Tests = std::vector<FlagTest>;

bool isSame(const FlagTest &a, const FlagTest &b) {
  return a.variable == b.variable && a.mask == b.mask && a.value == b.value &&
         a.equal == b.equal;
}

/// Both never hold.
bool exclude(const FlagTest &a, const FlagTest &b) {
  if (a.variable != b.variable || (!a.equal && !b.equal))
    return false;
  if (a.equal && b.equal)
    return ((a.value ^ b.value) & a.mask & b.mask) != 0;
  const FlagTest &is = a.equal ? a : b, &isNot = a.equal ? b : a;
  return !(isNot.mask & ~is.mask) && (is.value & isNot.mask) == isNot.value;
}

} // namespace

/// From function to function, with the tests that every way to each passes.
class CallPaths::Walk {
public:
  /// `changed`: statics that say nothing.
  Walk(const CallPaths &paths, const IdSet &changed)
      : paths_(paths), p_(paths.p_), f_(paths.f_), changed_(changed) {}

  Reach run(llvm::ArrayRef<Id> threads) {
    for (Id fn : threads)
      enter(fn, None, {});
    while (!work_.empty()) {
      const Id fn = work_.back();
      work_.pop_back();
      follow(fn);
    }
    Reach reach;
    for (const auto &[fn, tests] : tests_) {
      reach.functions.insert(fn);
      for (Id k : p_.callsOf(fn))
        if (const FlagTest *test = contradicted(k, tests)) {
          reach.cut.insert(k);
          reach.flags.insert(test->variable);
        }
    }
    return reach;
  }

private:
  bool isFlag(const FlagTest &test) const {
    if (test.variable == None || changed_.contains(test.variable))
      return false;
    const Node &n = f_.nodes[test.variable];
    return n.kind == NodeKind::Global && n.isDefined && !n.isThreadLocal &&
           (p_.kind(n.type) == TypeKind::Integer ||
            p_.kind(n.type) == TypeKind::Byte) &&
           !p_.isAddressTaken(test.variable);
  }

  const FlagTest *contradicted(Id call, const Tests &tests) const {
    for (const FlagTest &test : f_.calls[call].flags)
      if (isFlag(test) && llvm::any_of(tests, [&](const FlagTest &t) {
            return exclude(t, test);
          }))
        return &test;
    return nullptr;
  }

  void enter(Id function, Id way, Tests tests) {
    auto [at, isNew] = tests_.try_emplace(function, tests);
    const size_t before = at->second.size();
    llvm::erase_if(at->second, [&](const FlagTest &known) {
      return llvm::none_of(tests,
                           [&](const FlagTest &t) { return isSame(t, known); });
    });
    bool isMore = isNew || at->second.size() != before;
    if (!paths_.ownedIn(function).empty() || isNew)
      if (std::vector<Id> &ways = ways_[function];
          !llvm::is_contained(ways, way)) {
        ways.push_back(way);
        isMore = true;
      }
    if (isMore)
      work_.push_back(function);
  }

  void follow(Id function) {
    const Tests tests = tests_.find(function)->second;
    const std::vector<Id> ways = ways_[function];
    for (Id k : p_.callsOf(function)) {
      if (contradicted(k, tests))
        continue;
      Tests there = tests;
      for (const FlagTest &test : f_.calls[k].flags)
        if (isFlag(test))
          there.push_back(test);
      auto on = [&](Id callee) { enter(callee, k, there); };
      if (!paths_.isOwned(k))
        paths_.eachCallee(k, None, on);
      else
        for (Id way : ways)
          paths_.eachCallee(k, way, on);
    }
  }

  const CallPaths &paths_;
  const Program &p_;
  const Facts &f_;
  const IdSet &changed_;
  IdMap<Tests> tests_;          ///< by function
  IdMap<std::vector<Id>> ways_; ///< calls that enter it
  std::vector<Id> work_;
};

/// What a thread changes itself says nothing: the fewer flags, the more it
/// runs.
CallPaths::Reach CallPaths::from(llvm::ArrayRef<Id> threads) const {
  IdSet changed;
  for (;;) {
    Reach reach = Walk(*this, changed).run(threads);
    bool isMore = false;
    for (const StaticWrite &w : f_.staticWrites)
      if (reach.flags.contains(w.variable) &&
          reach.functions.contains(w.function))
        isMore |= changed.insert(w.variable).second;
    if (!isMore)
      return reach;
  }
}
