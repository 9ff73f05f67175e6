//===- Seeds.cpp - What decides where loaded data lie ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/Values.h"
#include "passes/solve/Verdict.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>
#include <set>

using namespace nvmove;

namespace {

/// Values that differ from run to run: the time, a random number, a process id.
class Chance {
public:
  Chance(const Program &program, const FieldFlow &flow)
      : p(program), flow(flow), f(program.facts), values(f) {
    for (const Call &c : f.calls)
      if (p.isLibrary(c, LibraryFunction::Chance))
        for (Id a : c.args)
          if (Id variable = p.variableAt(a); variable != None)
            filled.insert(variable);
  }

  /// Is the value of `node` computed from one?
  bool isBehind(Id node) const;

private:
  const Program &p;
  const FieldFlow &flow;
  const Facts &f;
  Values values;
  IdSet filled; ///< variables whose address such a function got
};

bool Chance::isBehind(Id node) const {
  static constexpr size_t limit = 5000;
  IdSet seen;
  for (std::vector<Id> work{node}; !work.empty() && seen.size() < limit;) {
    Id n = work.back();
    work.pop_back();
    if (n == None || !seen.insert(n).second)
      continue;
    if (filled.contains(n))
      return true;
    if (Id call = values.call(n); call != None) {
      const Call &c = f.calls[call];
      if (p.isLibrary(c, LibraryFunction::Chance))
        return true;
      for (Id callee : flow.callees(call))
        work.push_back(f.functions[callee].result);
      if (p.library(c) || (c.callee != None && !f.functions[c.callee].hasBody))
        work.insert(work.end(), c.args.begin(), c.args.end());
    }
    for (Id i : values.definitions(n))
      work.push_back(f.constraints[i].src);
    Id fn = f.nodes[n].function;
    if (f.nodes[n].kind == NodeKind::Local && fn != None)
      for (size_t k = 0; k < f.functions[fn].params.size(); ++k)
        if (f.functions[fn].params[k] == n)
          for (Id c : p.callersOf(fn))
            if (k < f.calls[c].args.size())
              work.push_back(f.calls[c].args[k]);
  }
  return false;
}

/// Variables that start-up fills through their address, each with the first
/// call that does so: read(fd, &seed, ..), getrandom(&seed, ..).
IdMap<Id> filledAtStart(const SolveContext &c, const IdSet &handlers) {
  const Program &p = c.program;
  IdMap<Id> filled;
  for (Id i = 0; i < p.facts.calls.size(); ++i) {
    const Call &call = p.facts.calls[i];
    if (call.function == None || handlers.contains(call.function) ||
        c.pointsTo.reached().contains(call.function) ||
        !(p.isLibrary(call, LibraryFunction::Input) ||
          p.isLibrary(call, LibraryFunction::Chance)))
      continue;
    for (Id a : call.args)
      if (Id variable = p.variableAt(a); variable != None)
        filled.try_emplace(variable, i);
  }
  return filled;
}

} // namespace

void nvmove::findSeeds(const SolveContext &c, const LoadedState &s,
                       Solution &solution) {
  const Facts &f = c.program.facts;
  const PointsTo &pt = c.pointsTo;
  // Seeds: static scalars that choose a place in loaded memory.
  std::set<Id> seeds;
  for (auto &[fn, call] : pt.reached())
    for (Id i : c.program.constraintsOf(fn))
      if (s.isIndexOfLoaded(f.constraints[i]))
        for (Id l : pt.staticValuesIn(pt.pointsTo(f.constraints[i].extra)))
          seeds.insert(pt.objects()[pt.locations()[l].object].ref);
  IdSet handlers = c.loop.reachableFrom(c.loop.handlerCalls);
  std::optional<Chance> chance;
  IdMap<Id> filled;
  if (!seeds.empty())
    filled = filledAtStart(c, handlers);
  for (Id variable : seeds) {
    KeptScalar k{variable, {}, ""};
    bool startUpOnly = true, differs = false;
    for (Id i = 0; i < f.staticWrites.size(); ++i) {
      const StaticWrite &w = f.staticWrites[i];
      if (w.variable != variable || !w.path.empty())
        continue;
      if (w.function == None)
        continue;
      startUpOnly &=
          !handlers.contains(w.function) && !pt.reached().contains(w.function);
      if (!chance)
        chance.emplace(c.program, c.flow);
      differs |= w.value != None && chance->isBehind(w.value);
      k.writes.push_back(i);
    }
    if (auto by = filled.find(variable); !differs && by != filled.end()) {
      // No store to keep, and /dev/urandom gives another one in each run.
      const Call &call = f.calls[by->second];
      const std::string &name = f.nodes[variable].name;
      solution.notCovered.push_back(
          {"seed-not-kept", call.loc, call.function,
           name +
               " decides where loaded data lie, and each start reads it "
               "anew: where it differs, what came back is not found again; "
               "put NVM_KEEP(" +
               name + ") behind it"});
    }
    if (k.writes.empty() || !startUpOnly || !differs)
      continue;
    k.why = "differs from run to run and decides where loaded data lie";
    solution.kept.push_back(std::move(k));
  }
}
