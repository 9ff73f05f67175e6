//===- CommitPoints.cpp - Which functions may end a section ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/CommitPoints.h"

using namespace nvmove;

/// Besides the outputs of the C library, of which it depends on where they are
/// called.
static bool commits(llvm::StringRef name) {
  const LibraryFunction *l = libraryFunction(name);
  if (l && l->kind == LibraryFunction::Output)
    return isRuntimeCall(name);
  if (const LibraryFunction *known = libraryEntry(name);
      known && isRuntimeCall(name) && known->lock.effect == LockUse::Waits)
    return true;
  return isCommit(name);
}

CommitPoints::CommitPoints(const Program &program, const FieldFlow &flow,
                           const std::vector<Id> &outputs,
                           const IdSet &functions)
    : p_(program), flow_(flow) {
  const Facts &f = p_.facts;
  std::vector<llvm::SmallVector<Id, 4>> callers(f.functions.size());
  // What a call that never returns commits, no store follows. Calls through
  // pointers count where they stand beside the store, but not below it: one
  // table of destructors would make everything that frees commit.
  for (Id i = 0; i < f.calls.size(); ++i)
    if (const Call &c = f.calls[i]; c.function != None && c.callee != None &&
                                    !p_.isDeadEnd(i) &&
                                    !p_.isNoReturn(c.callee))
      callers[c.callee].push_back(c.function);
  std::vector<Id> open;
  auto add = [&](Id function) {
    if (function != None && functions_.insert(function).second)
      open.push_back(function);
  };
  // The same library function may write a log file elsewhere: the callers are
  // those of the calls given.
  for (Id i : outputs) {
    functions_.insert(f.calls[i].callee);
    if (!p_.isDeadEnd(i))
      add(f.calls[i].function);
  }
  for (Id fn : functions)
    add(fn);
  for (Id fn = 0; fn < f.functions.size(); ++fn)
    if (commits(f.functions[fn].name) && !f.functions[fn].hasBody) {
      functions_.insert(fn);
      for (Id caller : callers[fn])
        add(caller);
    }
  while (!open.empty()) {
    Id fn = open.back();
    open.pop_back();
    for (Id caller : callers[fn])
      add(caller);
  }
}

Id CommitPoints::among(const Callees &callees) const {
  for (Id fn : callees.functions)
    if (functions_.contains(fn))
      return fn;
  for (Id pointer : callees.pointers)
    for (Id fn : flow_.functionsIn(flow_.atNode(pointer)))
      if (functions_.contains(fn))
        return fn;
  return None;
}
