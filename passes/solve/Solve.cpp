//===- Solve.cpp - Facts in, solution out -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/ValueOrigins.h"
#include "passes/solve/pointsto/LoggingFunctions.h"
#include "passes/solve/roots/ListTransfers.h"
#include "passes/solve/sites/PoolMembership.h"
#include "passes/solve/startup/ExitTeardown.h"
#include "passes/solve/state/IndicesAndSizes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>
#include <optional>

using namespace nvmove;

namespace {

llvm::Error unknown(const Facts &f, llvm::StringRef option,
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
  std::string text =
      (option + ": no function named '" + name + "' has a body in these files")
          .str();
  for (size_t i = 0; i < near.size() && i < 5; ++i)
    text += (i ? ", '" : "; did you mean '") + near[i].second + "'";
  return llvm::createStringError(text + (near.empty() ? "" : "?"));
}

/// "f", or "file.c:12" for the calls in that line.
llvm::Error addStop(const Program &p, const std::string &name,
                    PointsTo::Options &phase) {
  if (name.find(':') != std::string::npos) {
    std::vector<Id> calls = callsAt(p.facts, name);
    phase.cutCalls.insert(calls.begin(), calls.end());
    return calls.empty() ? llvm::createStringError("no call stands at " + name)
                         : llvm::Error::success();
  }
  Id fn = p.functionNamed(name);
  if (fn == None)
    return unknown(p.facts, "--stop", name);
  phase.cut.insert(fn);
  return llvm::Error::success();
}

void listReached(const PointsTo &pointsTo, const LoadedState &state,
                 Solution &solution) {
  for (auto &[function, call] : pointsTo.reached()) {
    std::vector<Id> path = state.callPathTo(function);
    solution.reached.push_back({function, path.empty() ? None : path.back()});
  }
}

/// db.clients: also db.clients[].name and db.clients->first.
bool isPart(llvm::StringRef path, llvm::StringRef of) {
  return path.consume_front(of) && (path.empty() || path.front() == '.' ||
                                    path.front() == '[' || path.front() == '-');
}

/// What the user knows better: an index of what is open, say.
void leaveAfresh(const SolveOptions &options, Solution &solution) {
  for (const std::string &name : options.afresh) {
    bool found = false;
    for (Root &r : solution.roots)
      if (isPart(r.path, name)) {
        r.notKept = "left to each start, as asked for";
        found = true;
      }
    found |= std::erase_if(solution.scalars, [&](const RestoredScalar &s) {
      return isPart(s.path, name);
    });
    if (!found)
      solution.unknownAfresh.push_back(name);
  }
}

/// One run of the points-to analysis, and what stays of the load by it.
struct Followed {
  Followed(const Program &program, const Allocators &allocators,
           const FieldFlow &flow, const EventLoop &loop,
           const PreLoadNullness &unfilled, std::optional<NullAtExit> &endsNull,
           const LoaderTemporaries &own, const PointsTo::Options &phase,
           const SolveOptions &options)
      : endsNull(endsNull), phase(phase),
        pointsTo(program, allocators, flow, unfilled, phase),
        members(program, flow, pointsTo),
        context{program,  allocators, flow,     loop,    unfilled,
                endsNull, own,        pointsTo, members, options} {}

  /// False when it needs more than the limit.
  bool run(Solution &solution) {
    if (!pointsTo.run())
      return false;
    if (!endsNull)
      endsNull.emplace(context.program, context.flow, context.loop,
                       context.unfilled, phase.load, phase.cut);
    context.options.tell("finding what stays");
    state.emplace(context);
    findTypes(context, *state, solution);
    findRoots(context, *state, solution);
    measures.emplace(context, *state);
    findScalars(context, *state, *measures, solution);
    findFrameScalars(context, *state, *measures, solution);
    findSettingsByAddress(context, *state, solution);
    findCursors(context, *state, solution);
    findStartRecords(context, *state, *measures, solution);
    findFarFromRoots(context, *state, solution);
    tellLooseIndices(context, *state, *measures, solution);
    tellLostStatics(context, *state, *measures, solution);
    tellMovedObjects(context, solution);
    return true;
  }

  std::optional<NullAtExit> &endsNull;
  const PointsTo::Options &phase;
  PointsTo pointsTo;
  FilledMembers members;
  SolveContext context;
  std::optional<LoadedState> state;
  std::optional<IndicesAndSizes> measures;
};

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

std::vector<Id> nvmove::callsAt(const Facts &facts, const std::string &place) {
  auto [file, line] = llvm::StringRef(place).rsplit(':');
  unsigned number = 0;
  std::vector<Id> result;
  if (file.empty() || line.getAsInteger(10, number))
    return result;
  for (Id i = 0; i < facts.calls.size(); ++i) {
    const Loc &loc = facts.calls[i].loc;
    if (loc.line != number || loc.file == None)
      continue;
    llvm::StringRef path = facts.files[loc.file].path;
    if (path == file || path.ends_with(("/" + file).str()))
      result.push_back(i);
  }
  return result;
}

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
      return unknown(facts, "--load", name);
    if (!llvm::is_contained(solution.load, fn))
      solution.load.push_back(fn);
  }
  for (const auto &name : options.stop)
    if (auto error = addStop(program, name, phase))
      return error;
  for (const auto &name : options.section)
    if (program.functionNamed(name) == None)
      return unknown(facts, "--section", name);
  std::vector<Id> save;
  for (const auto &name : options.save) {
    save.push_back(program.functionNamed(name));
    if (save.back() == None)
      return unknown(facts, "--save", name);
  }

  options.tell("following all values");
  Allocators allocators(program);
  FieldFlow flow(program, allocators);
  if (options.algorithm == Algorithm::Worklist) {
    worklistTypes(program, allocators, flow, options, solution);
    return solution;
  }
  options.tell("following the load functions");
  EventLoop loop(program, flow, solution.load);
  phase.load = solution.load;
  phase.onTheWay = loop.startUp;
  phase.onRequest = loop.onRequest;
  phase.cut.insert(loop.serving.begin(), loop.serving.end());
  phase.cut.insert(loop.reentering.begin(), loop.reentering.end());
  if (!options.followMessages)
    for (Id fn : findSpeakers(program, flow, phase.load))
      phase.speakers.insert(fn);
  PreLoadNullness unfilled(program, allocators, flow, loop, phase.load,
                           phase.cut);
  std::optional<NullAtExit> endsNull;
  LoaderTemporaries own(program, flow, loop, phase.load);
  std::optional<Followed> followed;
  auto follow = [&] {
    followed.emplace(program, allocators, flow, loop, unfilled, endsNull, own,
                     phase, options);
    return followed->run(solution);
  };
  // Where that is much work already, telling calls apart is of little use.
  phase.limit = options.pointsToLimit / 10;
  phase.tellCallsApart = true;
  bool isComplete = follow();
  phase.limit = options.pointsToLimit;
  if (!isComplete) {
    phase.tellCallsApart = false;
    isComplete = follow();
  }
  // What does not hang from static memory hangs from what the callers hold.
  if (isComplete && solution.types.empty() && solution.roots.empty() &&
      solution.scalars.empty()) {
    phase.callersKeep = true;
    isComplete = follow();
  }
  if (!isComplete) {
    followed.reset();
    solution.algorithm = Algorithm::Worklist;
    worklistTypes(program, allocators, flow, options, solution);
    return solution;
  }
  solution.callersKeep = phase.callersKeep && !solution.types.empty();
  const PointsTo &pointsTo = followed->pointsTo;
  const SolveContext &context = followed->context;
  const LoadedState &state = *followed->state;
  listReached(pointsTo, state, solution);
  findMadeBefore(context, *followed->measures, solution);
  findSeeds(context, state, *followed->measures, solution);
  findFilledTables(context, solution);
  findRootMeasures(context, *followed->measures, solution);
  findCounters(context, *followed->measures, solution);
  leaveAfresh(options, solution);
  tellLooseSizes(context, *followed->measures, solution);
  findContainers(context, solution);
  ValueOrigins origins(program, allocators, flow);
  PoolMembership heap(context, state, solution);
  findTwins(context, state, heap, origins, solution);
  findSites(context, heap, origins, solution);
  findAddresses(context, solution);
  {
    ValueOrigins all(program, allocators, flow,
                     ValueOrigins::Stores::ThroughPointers);
    findVolatile(context, heap, all, solution);
  }
  findEndingIds(context, *followed->measures, solution);
  findLineLogs(context, solution);
  findGuards(context, solution);
  findSections(context, solution);
  checkStores(context, solution);
  findWays(context, origins, solution);
  findFreedAtExit(context, save, solution);
  checkStartUp(context, solution);
  tellForks(context, solution);
  tellWaysAroundLoad(context, solution);
  classifyFields(context, state, solution);
  options.tell("trying what verdicts hang on");
  findCuts(context, phase, solution);
  findSerialization(context, save, solution);
  listGaps(context, state, solution);
  if (options.verify) {
    findOpenSections(context, solution);
    findUnannounced(context, heap, solution);
  }
  sortReports(solution);
  solution.statistics.functionsReached = pointsTo.reached().size();
  solution.statistics.objects = pointsTo.objects().size();
  solution.statistics.iterations = pointsTo.iterations();
  solution.statistics.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return solution;
}
