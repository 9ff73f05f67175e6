//===- Solve.cpp - Facts in, solution out -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/Solution.h"
#include "passes/solve/pointsto/LoggingFunctions.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/types/PaperWorklist.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string_view>

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
    return calls.empty()
               ? llvm::createStringError("there is no call at " + name)
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

struct Rule {
  llvm::StringLiteral name;
  void (*run)(Analysis &);
  llvm::StringLiteral after; ///< "findTypes, findRoots"
};

#define AFTER(...) #__VA_ARGS__
constexpr Rule Rules[] = {
#define RULE(function, room, after) {#function, function, after},
#include "passes/solve/Findings.def"
};

/// Each rule stands below those that it builds on.
constexpr bool areInOrder() {
  for (size_t i = 0; i < std::size(Rules); ++i) {
    std::string_view after(Rules[i].after.data(), Rules[i].after.size());
    while (!after.empty()) {
      size_t comma = after.find(',');
      std::string_view name = after.substr(0, comma);
      after.remove_prefix(comma == after.npos ? after.size() : comma + 2);
      bool isAbove = false;
      for (size_t k = 0; k < i; ++k)
        isAbove |= name ==
                   std::string_view(Rules[k].name.data(), Rules[k].name.size());
      if (!isAbove)
        return false;
    }
  }
  return true;
}
static_assert(areInOrder(), "a rule in Findings.def is above one that is "
                            "named in its AFTER");

/// A build with tests can do without a rule, to see that its tests miss it.
bool isLeftOut([[maybe_unused]] const Rule &rule) {
#ifdef NVMOVE_RULES_CAN_BE_LEFT_OUT
  const char *name = getenv("NVMOVE_WITHOUT_RULE");
  return name && rule.name == name;
#else
  return false;
#endif
}

/// Follows the load, and lets the rules judge what stays of it; nullopt: that
/// needs more than the limit. Each call begins with nothing but `named`.
std::optional<Solution> followAndJudge(const ProgramContext &k,
                                       std::optional<NullAtExit> &nullAtExit,
                                       const std::vector<Id> &save,
                                       const Solution &named,
                                       const PointsTo::Options &phase) {
  PointsTo pointsTo(k.program, k.allocators, k.flow, k.unfilled, k.pointers,
                    phase);
  FilledMembers members(k.program, k.flow, pointsTo);
  SolveContext context{k, pointsTo, members};
  if (!pointsTo.run())
    return std::nullopt;
  if (!nullAtExit)
    nullAtExit.emplace(k.program, k.flow, k.loop, k.unfilled, phase.load,
                       phase.cut);
  k.options.tell("finding what is persistent");
  Solution solution = named;
  LoadedState state(context);
  IndicesAndSizes measures(context, state);
  listReached(pointsTo, state, solution);
  Analysis analysis(context, phase, save, state, measures, solution);
  for (const Rule &rule : Rules)
    if (!isLeftOut(rule))
      rule.run(analysis);
  solution.callersKeep = phase.callersKeep && !solution.types.empty();
  solution.findings.sort();
  solution.statistics.functionsReached = pointsTo.reached().size();
  solution.statistics.objects = pointsTo.objects().size();
  solution.statistics.iterations = pointsTo.iterations();
  return solution;
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
  ProgramPhases phases(program, flow, loop, solution.load);
  phase.load = solution.load;
  phase.onTheWay = loop.startUp;
  phase.onRequest = loop.onRequest;
  phase.cut.insert(loop.serving.begin(), loop.serving.end());
  phase.cut.insert(loop.reentering.begin(), loop.reentering.end());
  if (!options.followMessages)
    for (Id fn : findLoggingFunctions(program, flow, phase.load))
      phase.logging.insert(fn);
  PreLoadNullness unfilled(program, allocators, flow, loop, phases, phase.load,
                           phase.cut);
  LoaderTemporaries own(program, flow, loop, phases, phase.load);
  std::optional<NullAtExit> nullAtExit;
  const DefinitionIndex values(facts);
  const ProgramPointers pointers(program, allocators, flow);
  const ProgramContext known{program,    values, allocators, flow,
                             loop,       phases, unfilled,   pointers,
                             nullAtExit, own,    options};
  auto follow = [&] {
    return followAndJudge(known, nullAtExit, save, solution, phase);
  };
  // Where that is much work already, telling calls apart is of little use.
  phase.limit = options.pointsToLimit / 10;
  phase.tellCallsApart = true;
  std::optional<Solution> judged = follow();
  phase.limit = options.pointsToLimit;
  if (!judged) {
    phase.tellCallsApart = false;
    judged = follow();
  }
  // What does not hang from static memory hangs from what the callers hold.
  if (judged && judged->types.empty() && judged->roots.empty() &&
      judged->scalars.empty()) {
    phase.callersKeep = true;
    judged = follow();
  }
  if (!judged) {
    solution.algorithm = Algorithm::Worklist;
    worklistTypes(program, allocators, flow, options, solution);
    return solution;
  }
  judged->statistics.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return std::move(*judged);
}
