//===- SkippedCalls.cpp - What only the guarded load runs -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/startup/LoadLetsOut-told.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/startup/SkippedCalls.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

SkippedCalls::SkippedCalls(const SolveContext &context)
    : c_(context), p_(context.program) {
  for (auto [call, function] : c_.pointsTo.followed())
    followed_[call].push_back(function);
}

bool SkippedCalls::isEntered(Id function) const {
  return p_.facts.functions[function].hasBody &&
         !c_.phases.alwaysAtStart.contains(function) &&
         !c_.loop.dispatcher.contains(function) &&
         !c_.loop.serving.contains(function) &&
         !c_.loop.reentering.contains(function);
}

llvm::SmallVector<Id, 2> SkippedCalls::calleesOf(Id call) const {
  const Call &c = p_.facts.calls[call];
  llvm::SmallVector<Id, 2> callees;
  // A thread, or what runs when a signal comes, does more than load.
  if (const LibraryFunction *l = rowOf(p_, c); l && l->setsUpProcess())
    return callees;
  if (auto at = followed_.find(call); at != followed_.end())
    callees = at->second;
  const bool isOfLoad = c.function != None &&
                        c_.pointsTo.reached().contains(c.function) &&
                        !c_.pointsTo.isPassing(c.function);
  if (isOfLoad)
    return callees;
  if (c.callee != None)
    callees.push_back(c.callee);
  else if (const auto &known = c_.flow.callees(call); known.size() == 1)
    callees.push_back(*known.begin());
  return callees;
}

std::vector<Id> SkippedCalls::below(const LoadGuard &guard) {
  std::vector<Id> found, functions;
  auto enter = [&](Id call) {
    for (Id callee : calleesOf(call))
      if (isEntered(callee) && seen_.insert(callee).second)
        functions.push_back(callee);
  };
  enter(guard.call);
  if (guard.loop != None)
    for (Id call : c_.loop.callsIn(guard.loop))
      if (call != guard.call && !p_.isDeadEnd(call)) {
        found.push_back(call);
        enter(call);
      }
  for (size_t i = 0; i < functions.size(); ++i)
    for (Id call : p_.callsOf(functions[i])) {
      if (p_.isDeadEnd(call) || p_.isInChild(call) ||
          c_.nullness.neverRuns(call))
        continue;
      found.push_back(call);
      enter(call);
    }
  return found;
}

const LibraryFunction *nvmove::rowOf(const Program &program, const Call &call) {
  if (call.callee == None || program.facts.functions[call.callee].hasBody)
    return nullptr;
  const std::string &name = program.facts.functions[call.callee].name;
  const LibraryFunction *l = libraryFunction(name, call.argIsZeroOrNull);
  return l ? l : libraryEntry(name);
}

bool nvmove::isHandedStatic(const Program &program, const Call &call) {
  Id to = call.args.empty() ? None : program.variableAt(call.args[0]);
  return to != None && program.facts.nodes[to].kind == NodeKind::Global;
}

std::string nvmove::listOfCalls(const Program &program,
                                const std::vector<Id> &calls) {
  constexpr size_t most = 6;
  std::string text;
  for (size_t i = 0; i < calls.size() && i < most; ++i) {
    const Call &c = program.facts.calls[calls[i]];
    text += (i ? ", " : "") + program.facts.functions[c.callee].name + "() (" +
            program.describe(c.loc) + ")";
  }
  if (calls.size() > most)
    text += " and " + std::to_string(calls.size() - most) + " more";
  return text;
}
