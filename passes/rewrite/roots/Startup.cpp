//===- Startup.cpp - main and the guarded load ----------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/roots/Guards.h"
#include "passes/rewrite/roots/RootEdits.h"
#include "passes/rewrite/text/Directives.h"
#include "llvm/ADT/StringExtras.h"

REPORTS(NoMain, UneditableSite, WrittenOtherwise)

using namespace llvm;

namespace nvmove {

namespace {

bool isCallOf(const Facts &facts, const Call &call, StringRef callee) {
  return call.callee != None && facts.functions[call.callee].name == callee;
}

/// Several programs in one tree each have a main, and these are one entity of
/// the facts. The right one is that from which the load is reached.
bool reaches(const Facts &facts, const Definition &main, Id target) {
  std::set<Id> seen;
  std::vector<Id> work;
  auto follow = [&](const Call &call) {
    if (call.callee != None && seen.insert(call.callee).second)
      work.push_back(call.callee);
  };
  std::multimap<Id, const Call *> callsOf;
  for (const Call &call : facts.calls)
    callsOf.emplace(call.function, &call);
  for (Id id = main.calls.begin; id < main.calls.end; ++id) {
    if (id == target)
      return true;
    follow(facts.calls[id]);
  }
  while (!work.empty()) {
    auto [first, last] = callsOf.equal_range(work.back());
    work.pop_back();
    for (auto it = first; it != last; ++it) {
      if (it->second == &facts.calls[target])
        return true;
      follow(*it->second);
    }
  }
  return false;
}

/// nvm_start() where main's own code begins.
void addStart(Context &context, Id main, Span at) {
  const Function &function = context.facts.functions[main];
  if (at.file == None || !context.facts.files[at.file].editable ||
      at.begin > context.content(at.file).size()) {
    context.refuse(FindingId::UneditableSite, function.loc, main,
                   "the body of main cannot be edited in place",
                   "call nvm_start() first in it");
    return;
  }
  Lines lines = context.lines(at.file);
  if (lines.inDirective(at.begin)) {
    context.refuse(FindingId::UneditableSite, function.loc, main,
                   "main is defined by a macro",
                   "call nvm_start() first in it");
    return;
  }
  StringRef content = context.content(at.file);
  uint32_t head = function.loc.file == at.file
                      ? lines.startOfLine(function.loc.line)
                      : at.begin;
  // Not in a part that another build leaves out.
  std::optional<uint32_t> conditional =
      conditionalAround(content, head, at.begin);
  bool isFirst = lines.isFirstOnLine(at.begin);
  std::string indentation = lines.indentation(at.begin).str(),
              ownLine = "\n" + indentation, text;
  bool declares =
      context.isBeforeDeclaration(at.file, conditional.value_or(at.begin));
  std::vector<std::string> calls = {"nvm_start()"};
  if (context.solution.commits.holdsOutput)
    calls.push_back("nvm_hold_output()");
  if (context.solution.commits.commitsAtOutput)
    calls.push_back("nvm_commit_at_output()");
  if (!context.solution.commits.threads
           .empty()) // how it opens the pool depends on it
    calls.insert(calls.begin(), "nvm_restart_points()");
  text = declares
             ? "NVM_DECLARED(" + join(calls, "; ") + ");"
             : join(calls, isFirst || conditional ? ";" + ownLine : "; ") + ";";
  if (conditional)
    text = indentation + text + "\n";
  else if (at.begin < content.size() &&
           !isSpace(content[at.begin])) // before the first statement
    text += isFirst ? ownLine : " ";
  else if (!isFirst) // behind the last declaration
    text.insert(0, lines.endOfLineAfter(at.begin) == lines.end(at.begin)
                       ? ownLine
                       : " ");
  context.edits.insert(at.file, conditional.value_or(at.begin), text,
                       Layer::Roots);
  ++context.counts["calls of nvm_start"];
}

bool callsFunction(const Facts &facts, Id caller, StringRef callee) {
  return any_of(facts.calls, [&](const Call &call) {
    return call.function == caller && isCallOf(facts, call, callee);
  });
}

} // namespace

void addStartup(Context &context) {
  const Facts &facts = context.facts;
  std::set<std::pair<Id, Span>> starts;
  std::set<std::pair<Loc, Id>> withoutHold, withoutWait, withoutPoints;
  for (const LoadGuard &guard : context.solution.startup.guards) {
    addGuard(context, guard);
    if (guard.main == None) {
      context.refuse(FindingId::NoMain, facts.calls[guard.call].loc,
                     facts.calls[guard.call].function,
                     "no main was found for this load");
      continue;
    }
    std::vector<const Definition *> mains;
    for (const Definition &definition : facts.definitions)
      if (definition.function == guard.main)
        mains.push_back(&definition);
    if (mains.size() >
        1) // a load reached through pointers alone leaves all of them
      if (any_of(mains, [&](const Definition *d) {
            return reaches(facts, *d, guard.call);
          }))
        llvm::erase_if(mains, [&](const Definition *d) {
          return !reaches(facts, *d, guard.call);
        });
    for (const Definition *definition : mains) {
      bool started = false, holds = false, waits = false, meets = false;
      Loc at;
      for (Id id = definition->calls.begin; id < definition->calls.end; ++id) {
        const Call &call = facts.calls[id];
        holds |= isCallOf(facts, call, "nvm_hold_output");
        waits |= isCallOf(facts, call, "nvm_commit_at_output");
        meets |= isCallOf(facts, call, "nvm_restart_points");
        if (isCallOf(facts, call, "nvm_start")) {
          started = true;
          at = call.loc;
        }
      }
      if (!started)
        starts.emplace(guard.main, definition->bodyStart);
      else if (context.solution.commits.holdsOutput && !holds)
        withoutHold.emplace(at, guard.main);
      else if (context.solution.commits.commitsAtOutput && !waits)
        withoutWait.emplace(at, guard.main);
      else if (!context.solution.commits.threads.empty() && !meets)
        withoutPoints.emplace(at, guard.main);
    }
    if (mains.empty() && !callsFunction(facts, guard.main, "nvm_start"))
      starts.emplace(guard.main, facts.functions[guard.main].bodyStart);
  }
  for (const auto &[at, main] : withoutHold)
    context.refuse(FindingId::WrittenOtherwise, at, main,
                   "nvm_hold_output() is not after nvm_start(): the output of "
                   "sections may be written before their commit");
  for (const auto &[at, main] : withoutWait)
    context.refuse(FindingId::WrittenOtherwise, at, main,
                   "nvm_commit_at_output() is not after nvm_start(): sections "
                   "commit at their ends");
  for (const auto &[at, main] : withoutPoints)
    context.refuse(FindingId::WrittenOtherwise, at, main,
                   "nvm_restart_points() is not before nvm_start(): each "
                   "restart point is a commit");
  for (const auto &[main, at] : starts)
    addStart(context, main, at);
}

} // namespace nvmove
