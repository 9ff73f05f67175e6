//===- Solve.cpp - Facts in, solution out -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/RuleOrder.h"
#include "passes/solve/Solution.h"
#include "passes/solve/pointsto/FirstUses.h"
#include "passes/solve/pointsto/LoggingFunctions.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/types/PaperWorklist.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <chrono>
#include <optional>
#include <string_view>

REPORTS(RuleLeftOut)

#define READS(...) void(__VA_ARGS__)
#define WRITES(...) void(__VA_ARGS__)

namespace nvmove {
#define RULE(function, room, reads, writes)                                    \
  void function(ViewOfRow<reads, writes>::Type);
#include "passes/solve/Findings.def"
} // namespace nvmove

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
    solution.load.reached.push_back(
        {function, path.empty() ? None : path.back()});
  }
}

struct Rule {
  llvm::StringLiteral name;
  void (*run)(Analysis &);
};

constexpr Rule Rules[] = {
#define RULE(function, room, reads, writes)                                    \
  {#function, [](Analysis &a) { function(ViewOfRow<reads, writes>::Type(a)); }},
#include "passes/solve/Findings.def"
};

// An error of the compiler names these.
enum class RuleNamed : size_t {
#define RULE(function, room, reads, writes) function,
#include "passes/solve/Findings.def"
};
enum class PartNamed : size_t {
#define PART(Name, member, Type, place) Name,
#define LATER(Name, Earlier) Name,
#include "passes/solve/Parts.def"
};

template <OrderFault::Kind fault, RuleNamed rule, PartNamed part>
struct OrderOfRules {
  static_assert(
      fault == OrderFault::Kind::None,
      "the order of Findings.def is not that of its READS and WRITES");
};
constexpr size_t positionOf(std::string_view name, const auto &rows) {
  return std::ranges::find(rows, name, [](auto &row) { return row.name; }) -
         std::begin(rows);
}
constexpr OrderFault Fault =
    faultIn(DeclaredParts, DeclaredOrders, DeclaredRules);
template struct OrderOfRules<Fault.kind,
                             RuleNamed(positionOf(Fault.rule, DeclaredRules)),
                             PartNamed(positionOf(Fault.part, DeclaredParts))>;

bool isMade(const auto &) { return true; }
template <class Object> bool isMade(const std::shared_ptr<Object> &part) {
  return part != nullptr;
}

/// Parts that lists are stay empty without the rule that fills them; others are
/// not there at all.
bool isThereWhatItReads(const DeclaredRule &rule, const Analysis &analysis) {
#define PART(Name, member, Type, place)                                        \
  if (isNamedIn(rule.reads, #Name) && !isMade(analysis.place))                 \
    return false;
#include "passes/solve/Parts.def"
  return true;
}

/// Runs the rules. One that is left out is reported in its place, and so is one
/// that cannot do without it.
void judge(Analysis &analysis, const SolveOptions &options,
           FindingList &findings) {
  for (auto [rule, declared] : llvm::zip_equal(Rules, DeclaredRules)) {
    const bool isNamed = llvm::is_contained(options.withoutRules, rule.name);
    if (!isNamed && isThereWhatItReads(declared, analysis)) {
      rule.run(analysis);
      continue;
    }
    findings.report({FindingId::RuleLeftOut,
                     {},
                     None,
                     "the rule " + rule.name.str() + " did not run" +
                         (isNamed ? "" : ", for want of what another makes") +
                         ": what it finds is missing"});
  }
}

/// Follows the load, and lets the rules judge what stays of it; nullopt: that
/// needs more than the limit. Each call begins with nothing but `named`.
std::optional<Solution> followAndJudge(const ProgramContext &k,
                                       std::optional<NullAtExit> &nullAtExit,
                                       const std::vector<Id> &save,
                                       const Solution &named,
                                       const PointsTo::Options &phase) {
  PointsTo pointsTo(k.program, k.allocators, k.flow, k.nullness, k.pointers,
                    phase);
  FilledMembers members(k.program, k.flow, pointsTo);
  SolveContext context{k, pointsTo, members};
  if (!pointsTo.run())
    return std::nullopt;
  if (!nullAtExit)
    nullAtExit.emplace(k.program, k.flow, k.loop, k.nullness, phase.load,
                       phase.cut);
  k.options.showProgress("finding what is persistent");
  Solution solution = named;
  LoadedState state(context);
  IndicesAndSizes measures(context, state);
  listReached(pointsTo, state, solution);
  Analysis analysis(context, phase, save, state, measures, solution);
  judge(analysis, k.options, solution.findings);
  solution.load.callersKeep =
      phase.callersKeep && !solution.records.types.empty();
  solution.findings.sort();
  solution.load.statistics.functionsReached = pointsTo.reached().size();
  solution.load.statistics.objects = pointsTo.objects().size();
  solution.load.statistics.iterations = pointsTo.iterations();
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
  solution.load.algorithm = options.algorithm;
  PointsTo::Options phase;
  for (const auto &name : options.load) {
    Id fn = program.functionNamed(name);
    if (fn == None || !facts.functions[fn].hasBody)
      return unknown(facts, "--load", name);
    if (!llvm::is_contained(solution.load.functions, fn))
      solution.load.functions.push_back(fn);
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

  options.showProgress("following all values");
  Allocators allocators(program);
  FieldFlow flow(program, allocators);
  if (options.algorithm == Algorithm::Worklist) {
    worklistTypes(program, allocators, flow, options, solution);
    return solution;
  }
  options.showProgress("following the load functions");
  EventLoop loop(program, flow, solution.load.functions);
  ProgramPhases phases(program, flow, loop, solution.load.functions);
  phase.load = solution.load.functions;
  phase.onTheWay = loop.startUp;
  phase.onRequest = loop.onRequest;
  phase.cut.insert(loop.serving.begin(), loop.serving.end());
  phase.cut.insert(loop.reentering.begin(), loop.reentering.end());
  if (!options.followMessages)
    for (Id fn : findLoggingFunctions(program, flow, phase.load))
      phase.logging.insert(fn);
  for (Id call : findFirstUses(program, flow, phases, phase.load))
    phase.firstUses.insert(call);
  PreLoadNullness nullness(program, allocators, flow, loop, phases, phase.load,
                           phase.cut);
  LoaderTemporaries own(program, flow, loop, phases, phase.load);
  std::optional<NullAtExit> nullAtExit;
  const DefinitionIndex values(facts);
  const ProgramPointers pointers(program, allocators, flow);
  const ProgramContext known{program,    values, allocators, flow,
                             loop,       phases, nullness,   pointers,
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
  if (judged && judged->records.types.empty() &&
      judged->restored.roots.empty() && judged->restored.scalars.empty()) {
    phase.callersKeep = true;
    judged = follow();
  }
  if (!judged) {
    solution.load.algorithm = Algorithm::Worklist;
    worklistTypes(program, allocators, flow, options, solution);
    return solution;
  }
  judged->load.statistics.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return std::move(*judged);
}
