//===- Scalars.cpp - Static scalars that outlive the process --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/Verdict.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>
#include <set>

using namespace nvmove;

namespace {

using Object = PointsTo::Object;

/// Values that differ from run to run: the time, a random number, a process id.
class Chance {
public:
  Chance(const Program &program, const FieldFlow &flow)
      : p(program), flow(flow), f(program.facts) {
    for (const Constraint &c : f.constraints)
      if (c.src != None && c.flow != Flow::Store && c.flow != Flow::CopyMemory)
        sources[c.dst].push_back(c.src);
    for (Id i = 0; i < f.calls.size(); ++i) {
      const Call &c = f.calls[i];
      if (c.result != None)
        callOf[c.result] = i;
      if (p.isLibrary(c, LibraryFunction::Chance))
        for (Id a : c.args)
          if (a != None && p.definition(a) != None &&
              f.constraints[p.definition(a)].flow == Flow::AddressOf)
            filled.insert(f.constraints[p.definition(a)].src);
    }
  }

  /// Is the value of `node` computed from one?
  bool isBehind(Id node) const;

private:
  const Program &p;
  const FieldFlow &flow;
  const Facts &f;
  llvm::DenseMap<Id, llvm::SmallVector<Id, 2>> sources;
  llvm::DenseMap<Id, Id> callOf;
  llvm::DenseSet<Id> filled; ///< variables whose address such a function got
};

bool Chance::isBehind(Id node) const {
  static constexpr size_t limit = 5000;
  llvm::DenseSet<Id> seen;
  for (std::vector<Id> work{node}; !work.empty() && seen.size() < limit;) {
    Id n = work.back();
    work.pop_back();
    if (n == None || !seen.insert(n).second)
      continue;
    if (filled.contains(n))
      return true;
    if (auto at = callOf.find(n); at != callOf.end()) {
      const Call &c = f.calls[at->second];
      if (p.isLibrary(c, LibraryFunction::Chance))
        return true;
      for (Id callee : flow.callees(at->second))
        work.push_back(f.functions[callee].result);
      if (p.library(c) || (c.callee != None && !f.functions[c.callee].hasBody))
        work.insert(work.end(), c.args.begin(), c.args.end());
    }
    if (auto at = sources.find(n); at != sources.end())
      work.insert(work.end(), at->second.begin(), at->second.end());
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

std::string spellPath(const Facts &f, Id variable,
                      const std::vector<Id> &path) {
  std::string s = f.nodes[variable].name;
  for (Id k : path)
    s += "." + f.fields[k].name;
  return s;
}

} // namespace

void nvmove::findScalars(const SolveContext &c, const LoadedState &s,
                         Solution &solution) {
  const Facts &f = c.program.facts;
  const PointsTo &pt = c.pointsTo;
  std::map<std::string, RestoredScalar> found;
  for (const StaticWrite &w : f.staticWrites) {
    const Node &n = f.nodes[w.variable];
    if (w.function == None || !pt.reached().contains(w.function) ||
        !w.isScalar || !n.isDefined)
      continue;
    Id type = w.path.empty() ? c.program.element(n.type)
                             : c.program.element(f.fields[w.path.back()].type);
    if (c.program.isPointer(type) || c.program.kind(n.type) == TypeKind::Array)
      continue;
    bool file = w.value != None && pt.holdsFileBytes(pt.pointsTo(w.value));
    if (!w.readModifyWrite && !file)
      continue;
    std::string path = spellPath(f, w.variable, w.path);
    found.try_emplace(path,
                      RestoredScalar{w.variable, w.path, path,
                                     (file ? "gets a value from the file at "
                                           : "counts what is loaded at ") +
                                         c.program.describe(w.loc)});
  }
  // Those written through pointers too, and arrays: load(&settings).
  llvm::DenseMap<Id, Loc> counted;
  for (auto &[fn, call] : pt.reached())
    for (Id i : c.program.storesOf(fn))
      if (f.stores[i].stored == Stored::Step && f.stores[i].address != None)
        for (Id l : pt.pointsTo(f.stores[i].address))
          counted.try_emplace(l, f.stores[i].loc);
  for (Id l = 0; l < pt.locations().size(); ++l) {
    const auto &at = pt.locations()[l];
    const auto &o = pt.objects()[at.object];
    if (o.kind != Object::Variable || f.nodes[o.ref].kind != NodeKind::Global ||
        !f.nodes[o.ref].isDefined || f.nodes[o.ref].isConst)
      continue;
    const Node &n = f.nodes[o.ref];
    std::vector<Id> path;
    if (at.field != None) {
      if (o.record == None || c.program.kind(n.type) == TypeKind::Array)
        continue;
      path = c.program.memberPath(o.record, at.field);
      while (path.size() > 1 && f.records[f.fields[path.back()].record].isUnion)
        path.pop_back();
    }
    Id type =
        c.program.element(path.empty() ? n.type : f.fields[path.back()].type);
    bool file = !s.writesTo(l).empty() && pt.holdsFileBytes(pt.content(l));
    auto step = counted.find(l);
    if (type == None || c.program.isPointer(type) ||
        (path.empty() && c.program.recordOf(type) != None) ||
        (!file && step == counted.end()))
      continue;
    std::string name = spellPath(f, o.ref, path);
    found.try_emplace(
        name, RestoredScalar{Id(o.ref), path, name,
                             (file ? "gets a value from the file at "
                                   : "counts what is loaded at ") +
                                 c.program.describe(file ? s.proof(l).loc
                                                         : step->second)});
  }
  for (auto [l, call] : pt.fills()) {
    const auto &o = pt.objects()[pt.locations()[l].object];
    if (o.kind != Object::Variable || f.nodes[o.ref].kind != NodeKind::Global ||
        !f.nodes[o.ref].isDefined || pt.locations()[l].field != None ||
        o.record != None)
      continue;
    found.try_emplace(
        f.nodes[o.ref].name,
        RestoredScalar{Id(o.ref),
                       {},
                       f.nodes[o.ref].name,
                       "read from the file at " +
                           c.program.describe(f.calls[call].loc)});
  }
  // head = take(): what is computed from them goes with them.
  auto isRestored = [&](Id l) {
    const auto &o = pt.objects()[pt.locations()[l].object];
    return llvm::any_of(found, [&](const auto &entry) {
      const RestoredScalar &r = entry.second;
      return r.variable == Id(o.ref) &&
             (pt.locations()[l].field == None
                  ? r.fields.empty()
                  : !r.fields.empty() &&
                        f.fields[r.fields.back()].cell ==
                            f.fields[pt.locations()[l].field].cell);
    });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const StaticWrite &w : f.staticWrites) {
      const Node &n = f.nodes[w.variable];
      if (w.function == None || !pt.reached().contains(w.function) ||
          w.value == None || !w.isScalar || !n.isDefined)
        continue;
      Id type = c.program.element(
          w.path.empty() ? n.type : f.fields[w.path.back()].type);
      if (c.program.isPointer(type) ||
          c.program.kind(n.type) == TypeKind::Array ||
          llvm::none_of(pt.staticValuesIn(pt.pointsTo(w.value)), isRestored))
        continue;
      std::string path = spellPath(f, w.variable, w.path);
      changed |=
          found
              .try_emplace(path, RestoredScalar{w.variable, w.path, path,
                                                "is computed from what is "
                                                "restored at " +
                                                    c.program.describe(w.loc)})
              .second;
    }
  }
  for (auto &[path, scalar] : found)
    solution.scalars.push_back(std::move(scalar));

  // Seeds: static scalars that choose a place in loaded memory.
  std::set<Id> seeds;
  for (auto &[fn, call] : pt.reached())
    for (Id i : c.program.constraintsOf(fn)) {
      const Constraint &q = f.constraints[i];
      if (q.flow != Flow::Index || q.extra == None || q.src == None)
        continue;
      bool inState = false;
      for (Id l : pt.pointsTo(q.src)) {
        auto kind = pt.objects()[pt.locations()[l].object].kind;
        inState |= kind == Object::Heap || kind == Object::Preexisting ||
                   (kind == Object::Variable && s.isNew(l));
      }
      if (inState)
        for (Id l : pt.staticValuesIn(pt.pointsTo(q.extra)))
          seeds.insert(pt.objects()[pt.locations()[l].object].ref);
    }
  llvm::DenseSet<Id> handlers = c.loop.reachableFrom(c.loop.handlerCalls);
  std::optional<Chance> chance;
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
    if (k.writes.empty() || !startUpOnly || !differs)
      continue;
    k.why = "differs from run to run and decides where loaded data lie";
    solution.kept.push_back(std::move(k));
  }
}
