//===- CommitPoints.cpp - Which functions may end a section ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/CommitPoints.h"
#include "passes/solve/flow/CallGraph.h"

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
  // The same library function may write a log file elsewhere: the callers are
  // those of the calls given.
  std::vector<Id> committing;
  for (Id i : outputs) {
    functions_.insert(f.calls[i].callee);
    if (!p_.isDeadEnd(i))
      committing.push_back(f.calls[i].function);
  }
  for (Id fn : functions)
    if (!functions_.contains(fn))
      committing.push_back(fn);
  for (Id fn = 0; fn < f.functions.size(); ++fn)
    if (commits(f.functions[fn].name) && !f.functions[fn].hasBody)
      committing.push_back(fn);
  // What a call that never returns commits, no store follows. Calls through
  // pointers count where they stand beside the store, but not below it: one
  // table of destructors would make everything that frees commit.
  auto mayReturn = [&](Id i) { return !p_.isNoReturn(f.calls[i].callee); };
  const CallGraph::Reached reached = CallGraph(p_, flow_).reachedBy(
      committing, {.pointers = false, .deadEnds = false, .follows = mayReturn});
  functions_.insert(reached.functions().begin(), reached.functions().end());
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
