//===- Solve.cpp - Facts in, solution out -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/Verdict.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>

using namespace nvmove;

namespace {

llvm::Error unknown(const Facts &f, llvm::StringRef what,
                    llvm::StringRef name) {
  std::vector<std::pair<unsigned, std::string>> near;
  for (const Function &fn : f.functions)
    if (fn.hasBody) {
      unsigned d = name.edit_distance(fn.name, true, 8);
      if (llvm::StringRef(fn.name).contains_insensitive(name) ||
          name.contains_insensitive(fn.name))
        d = std::min(d, 2u);
      if (d <= std::max<size_t>(2, name.size() / 3))
        near.push_back({d, fn.name});
    }
  llvm::sort(near);
  near.erase(llvm::unique(near), near.end());
  std::string text = ("[unknown-" + what + "] no function named '" + name +
                      "' has a body in these files")
                         .str();
  for (size_t i = 0; i < near.size() && i < 5; ++i)
    text += (i ? ", '" : "; did you mean '") + near[i].second + "'";
  return llvm::createStringError(text + (near.empty() ? "" : "?"));
}

void listGaps(const SolveContext &c, Solution &solution) {
  const Facts &f = c.program.facts;
  auto &out = solution.notCovered;
  for (auto &[fn, call] : c.pointsTo.reached()) {
    if (f.functions[fn].hasInlineAsm)
      out.push_back({"inline-assembly", f.functions[fn].loc, fn,
                     f.functions[fn].name +
                         " is part of the load and contains inline assembly, "
                         "which may write anything it is given"});
    for (Id i : c.program.callsOf(fn)) {
      const Call &k = f.calls[i];
      if (k.callee != None || k.deadEnd)
        continue;
      bool any = false;
      for (Id l : c.pointsTo.pointsTo(k.target))
        any |= c.pointsTo.objects()[c.pointsTo.locations()[l].object].kind ==
               PointsTo::Object::Function;
      if (!any)
        out.push_back({"unresolved-call", k.loc, fn,
                       "no function is known that this pointer may call during "
                       "the load"});
    }
  }
  llvm::DenseSet<Id> cut;
  llvm::DenseSet<Id> serving = c.loop.dispatcher;
  serving.insert(c.loop.reentering.begin(), c.loop.reentering.end());
  for (Id d : serving)
    for (Id i : c.program.callersOf(d))
      if (c.pointsTo.reached().contains(f.calls[i].function) &&
          cut.insert(i).second)
        out.push_back({"dispatcher-reentered", f.calls[i].loc,
                       f.calls[i].function,
                       "the load serves events here; what the handlers do is "
                       "not counted as loading"});
  for (Id i : c.pointsTo.libraryCallsReached()) {
    const Call &k = f.calls[i];
    bool record = false;
    for (Id a : k.args)
      record |=
          a != None && c.program.pointeeRecord(f.nodes[a].type) != None &&
          c.program.isProgramRecord(c.program.pointeeRecord(f.nodes[a].type));
    if (record && !c.program.library(k))
      out.push_back({"no-body", k.loc, k.function,
                     f.functions[k.callee].name +
                         " has no body in these files and is handed a record "
                         "during the load; what it does with it is not seen"});
  }
}

void classifyFields(const SolveContext &c, const LoadedState &s,
                    Solution &solution) {
  const Facts &f = c.program.facts;
  const PointsTo &pt = c.pointsTo;
  llvm::DenseMap<Id, FieldResult> best;
  llvm::DenseSet<Id> persistent;
  for (const PersistentType &t : solution.types)
    persistent.insert(t.record);
  for (Id l = 0; l < pt.locations().size(); ++l) {
    Id field = pt.locations()[l].field;
    if (field == None || !persistent.contains(f.fields[field].record) ||
        s.writesTo(l).empty())
      continue;
    FieldResult r{field, FieldVerdict::Persistent,
                  "written at " +
                      c.program.describe(s.writesTo(l).front().loc)};
    for (Id t : pt.content(l)) {
      const auto &o = pt.objects()[pt.locations()[t].object];
      if (o.kind == PointsTo::Object::Heap)
        r.verdict = FieldVerdict::PointerToPersistent;
      else if (o.kind == PointsTo::Object::Function &&
               r.verdict == FieldVerdict::Persistent)
        r.verdict = FieldVerdict::PointerToCode;
      else if (o.kind == PointsTo::Object::Variable &&
               r.verdict == FieldVerdict::Persistent &&
               f.nodes[o.ref].kind == NodeKind::Global)
        r.verdict = FieldVerdict::PointerToStatic;
    }
    auto [at, fresh] = best.try_emplace(field, r);
    if (!fresh && r.verdict == FieldVerdict::PointerToPersistent)
      at->second = r;
  }
  for (const PersistentType &t : solution.types)
    for (Id field : f.records[t.record].fields) {
      auto at = best.find(f.fields[field].cell);
      FieldResult r = at == best.end()
                          ? FieldResult{field, FieldVerdict::Transient,
                                        "not written by the load"}
                          : at->second;
      r.field = field;
      solution.fields.push_back(std::move(r));
    }
}

void sortReports(Solution &s) {
  llvm::sort(s.notCovered, [](const NotCovered &a, const NotCovered &b) {
    return std::tie(a.id, a.loc, a.what) < std::tie(b.id, b.loc, b.what);
  });
  s.notCovered.erase(std::unique(s.notCovered.begin(), s.notCovered.end(),
                                 [](auto &a, auto &b) {
                                   return a.id == b.id && a.loc == b.loc &&
                                          a.what == b.what;
                                 }),
                     s.notCovered.end());
}

} // namespace

llvm::Expected<Solution> nvmove::solve(const Facts &facts,
                                       const SolveOptions &options) {
  auto start = std::chrono::steady_clock::now();
  Program program(facts);
  Solution solution;
  solution.algorithm = options.algorithm;
  PointsTo::Options phase;
  for (const auto &name : options.load) {
    Id fn = program.functionNamed(name);
    if (fn == None || !facts.functions[fn].hasBody)
      return unknown(facts, "load", name);
    if (!llvm::is_contained(solution.load, fn))
      solution.load.push_back(fn);
  }
  for (const auto &name : options.stop) {
    Id fn = program.functionNamed(name);
    if (fn == None)
      return unknown(facts, "stop", name);
    phase.cut.insert(fn);
  }
  for (const auto &name : options.section)
    if (program.functionNamed(name) == None)
      return unknown(facts, "section", name);

  Allocators allocators(program);
  FieldFlow flow(program, allocators);
  if (options.algorithm == Algorithm::Worklist) {
    worklistTypes(program, allocators, flow, options, solution);
    return solution;
  }
  EventLoop loop(program, flow, solution.load);
  phase.load = solution.load;
  phase.onTheWay = loop.startUp;
  phase.cut.insert(loop.dispatcher.begin(), loop.dispatcher.end());
  phase.cut.insert(loop.reentering.begin(), loop.reentering.end());
  PointsTo pointsTo(program, allocators, flow, std::move(phase));
  pointsTo.run();

  SolveContext context{program, allocators, flow, loop, pointsTo, options};
  LoadedState state(context);
  findTypes(context, state, solution);
  findRoots(context, state, solution);
  findScalars(context, state, solution);
  findTwins(context, state, solution);
  findSites(context, state, solution);
  findSections(context, solution);
  classifyFields(context, state, solution);
  listGaps(context, solution);
  sortReports(solution);
  solution.statistics.functionsReached = pointsTo.reached().size();
  solution.statistics.objects = pointsTo.objects().size();
  solution.statistics.iterations = pointsTo.iterations();
  solution.statistics.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return solution;
}
