//===- Roots.cpp - From which static memory persistent objects hang -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/Verdict.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace nvmove;

namespace {

using Object = PointsTo::Object;

class RootFinder {
public:
  RootFinder(const SolveContext &c, const LoadedState &s, Solution &solution)
      : s_(s), p_(c.program), f_(c.program.facts), pt_(c.pointsTo),
        solution_(solution) {
    for (const Constraint &q : f_.constraints)
      if (q.flow == Flow::Index && q.src != None)
        noteIndexed(q.src);
  }

  void run() {
    for (Id o = 0; o < pt_.objects().size(); ++o) {
      if (!s_.reachable(o) || s_.parentOf(o) != None ||
          pt_.objects()[o].kind != Object::Variable)
        continue;
      Id variable = pt_.objects()[o].ref;
      const Node &n = f_.nodes[variable];
      if (n.kind == NodeKind::Global && (!n.isDefined || n.isConst))
        continue;
      std::vector<Id> locations = pt_.locationsOf(o);
      for (Id l : locations)
        slot(variable, l);
    }
    findConstants();
    llvm::sort(solution_.roots,
               [](const Root &a, const Root &b) { return a.path < b.path; });
  }

private:
  // p[i] where p was loaded from a field or variable: what hangs there is an
  // array.
  void noteIndexed(Id node) {
    for (unsigned depth = 0; depth < 4 && node != None; ++depth) {
      if (f_.nodes[node].kind == NodeKind::Global)
        indexedVariables_.insert(node);
      Id d = p_.definition(node);
      if (f_.nodes[node].kind != NodeKind::Temp || d == None)
        return;
      const Constraint &q = f_.constraints[d];
      if (q.flow == Flow::Load) {
        Id m = p_.definition(q.src);
        if (m != None && f_.constraints[m].flow == Flow::Member)
          indexedFields_.insert(f_.constraints[m].extra);
        return;
      }
      node = q.flow == Flow::Copy || q.flow == Flow::Cast ? q.src : None;
    }
  }

  // The fields that lead from a record to an (embedded) one.
  std::vector<Id> pathTo(Id record, Id field) const {
    if (f_.fields[field].record == record)
      return {field};
    for (Id k : f_.records[record].fields)
      if (Id inner = p_.recordOf(f_.fields[k].type);
          inner != None && p_.contains(inner, f_.fields[field].record)) {
        std::vector<Id> rest = pathTo(inner, field);
        rest.insert(rest.begin(), k);
        return rest;
      }
    return {field};
  }

  std::string spell(Id variable, const std::vector<Id> &fields) const {
    std::string s = f_.nodes[variable].name;
    for (Id k : fields) {
      s += "." + f_.fields[k].name;
      if (p_.kind(f_.fields[k].type) == TypeKind::Array)
        s += "[]";
    }
    return s;
  }

  void slot(Id variable, Id l) {
    Id field = pt_.locations()[l].field;
    const Node &n = f_.nodes[variable];
    Id record = p_.recordOf(n.type);
    std::vector<Id> fields;
    if (field != None && record != None && p_.kind(n.type) != TypeKind::Array)
      fields = pathTo(record, field);
    Id slotType = fields.empty() ? n.type : f_.fields[fields.back()].type;
    // An array of records is kept whole: its elements have no names.
    bool whole = p_.kind(n.type) == TypeKind::Array && record != None;
    std::string path =
        spell(variable, fields) +
        (whole && field != None ? "[]." + f_.fields[field].name : "");
    if (whole && s_.isNew(l)) {
      add(variable, {}, n.type, None, {}, path, l, None);
      return;
    }
    for (Id target : pt_.content(l)) {
      if (!pt_.isMemory(target))
        continue;
      Id o = pt_.locations()[target].object;
      Object::Kind kind = pt_.objects()[o].kind;
      if ((kind == Object::Heap || kind == Object::Preexisting) &&
          s_.isLoaded(o)) {
        add(variable, fields, slotType, None, {}, path, l, o);
      } else if (kind == Object::Preexisting &&
                 pt_.objects()[o].record != None) {
        bool indexed = fields.empty() ? indexedVariables_.contains(variable)
                                      : indexedFields_.contains(fields.back());
        through(variable, fields, slotType, path + (indexed ? "[]." : "->"), o);
      }
    }
  }

  // One hop through a record that the program makes at each start.
  void through(Id variable, const std::vector<Id> &fields, Id slotType,
               const std::string &prefix, Id o) {
    std::vector<Id> locations = pt_.locationsOf(o);
    for (Id l : locations) {
      Id field = pt_.locations()[l].field;
      if (field == None)
        continue;
      for (Id target : pt_.content(l)) {
        if (!pt_.isMemory(target))
          continue;
        Id q = pt_.locations()[target].object;
        Object::Kind kind = pt_.objects()[q].kind;
        if ((kind == Object::Heap || kind == Object::Preexisting) &&
            s_.isLoaded(q))
          add(variable, fields, slotType, pt_.objects()[o].record, {field},
              prefix + f_.fields[field].name, l, q);
      }
    }
  }

  void add(Id variable, const std::vector<Id> &fields, Id slotType,
           Id container, std::vector<Id> containerFields,
           const std::string &path, Id at, Id target) {
    if (!seen_.insert(path).second)
      return;
    Root r;
    r.path = path;
    r.variable = variable;
    r.fields = fields;
    r.slotType = slotType;
    r.container = container;
    r.containerFields = std::move(containerFields);
    if (!s_.writesTo(at).empty()) {
      const auto &w = s_.writesTo(at).front();
      r.witness.function = w.function;
      r.witness.site = w.loc;
      r.witness.callPath = s_.callPathTo(w.function);
      r.witness.action = "writes " + path;
    } else if (target != None) {
      r.witness.site = f_.nodes[variable].loc;
      r.witness.action = "leads to " + pt_.name(target);
    }
    r.witness.chain = {path};
    if (f_.nodes[variable].kind == NodeKind::Local) {
      r.kept = false;
      solution_.notCovered.push_back(
          {"root-in-local", f_.nodes[variable].loc, f_.nodes[variable].function,
           path + " hangs from a local variable; make the variable static so "
                  "that the pool can keep it"});
    }
    solution_.roots.push_back(std::move(r));
  }

  // Objects made at each start that loaded data point to: constants shared by
  // reference. Old data go on pointing to the old ones.
  void findConstants() {
    llvm::DenseSet<Id> pointedTo;
    for (Id o = 0; o < pt_.objects().size(); ++o) {
      if (!s_.reachable(o) || !s_.isLoaded(o))
        continue;
      for (Id l : pt_.locationsOf(o))
        for (const auto &w : s_.writesTo(l))
          if (w.value != None)
            for (Id t : pt_.pointsTo(w.value))
              if (pt_.isMemory(t))
                pointedTo.insert(pt_.locations()[t].object);
    }
    for (Id o = 0; o < pt_.objects().size(); ++o) {
      if (pt_.objects()[o].kind != Object::Variable || s_.parentOf(o) != None ||
          !s_.reachable(o))
        continue;
      Id variable = pt_.objects()[o].ref;
      if (f_.nodes[variable].kind != NodeKind::Global ||
          !f_.nodes[variable].isDefined)
        continue;
      for (Id l : pt_.locationsOf(o))
        for (Id t : pt_.content(l)) {
          Id target = pt_.locations()[t].object;
          const Object &object = pt_.objects()[target];
          if (object.kind != Object::Preexisting || object.record == None ||
              s_.isLoaded(target) || !pointedTo.contains(target))
            continue;
          Id field = pt_.locations()[l].field;
          Id record = p_.recordOf(f_.nodes[variable].type);
          std::vector<Id> fields;
          if (field != None && record != None)
            fields = pathTo(record, field);
          size_t before = solution_.roots.size();
          add(variable, fields, None, None, {}, spell(variable, fields), l,
              target);
          if (solution_.roots.size() > before)
            solution_.roots.back().kept = false;
        }
    }
  }

  const LoadedState &s_;
  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  Solution &solution_;
  llvm::DenseSet<Id> indexedFields_, indexedVariables_;
  std::set<std::string> seen_;
};

// Is the value of `node` computed from something that differs from run to run?
bool fromChance(const Program &p, const FieldFlow &flow, Id node) {
  const Facts &f = p.facts;
  static constexpr size_t limit = 5000;
  llvm::DenseMap<Id, llvm::SmallVector<Id, 2>> sources;
  llvm::DenseMap<Id, Id> callOf;
  llvm::DenseSet<Id> filled; // variables whose address a chance function got
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

void nvmove::findRoots(const SolveContext &context, const LoadedState &state,
                       Solution &solution) {
  RootFinder(context, state, solution).run();
}

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
  for (Id variable : seeds) {
    KeptScalar k{variable, {}, ""};
    bool startUpOnly = true, chance = false;
    for (Id i = 0; i < f.staticWrites.size(); ++i) {
      const StaticWrite &w = f.staticWrites[i];
      if (w.variable != variable || !w.path.empty())
        continue;
      if (w.function == None)
        continue;
      startUpOnly &=
          !handlers.contains(w.function) && !pt.reached().contains(w.function);
      chance |= w.value != None && fromChance(c.program, c.flow, w.value);
      k.writes.push_back(i);
    }
    if (k.writes.empty() || !startUpOnly || !chance)
      continue;
    k.why = "differs from run to run and decides where loaded data lie";
    solution.kept.push_back(std::move(k));
  }
}

void nvmove::findTwins(const SolveContext &c, const LoadedState &s,
                       Solution &solution) {
  const Facts &f = c.program.facts;
  const PointsTo &pt = c.pointsTo;
  llvm::DenseSet<Id> persistent;
  for (const PersistentType &t : solution.types)
    persistent.insert(t.record);
  std::map<Id, std::pair<Id, Id>> twins; // variable -> field, witness location
  for (Id o = 0; o < pt.objects().size(); ++o) {
    if (!s.reachable(o) || pt.objects()[o].kind == Object::Variable)
      continue;
    for (Id l : pt.locationsOf(o)) {
      Id field = pt.locations()[l].field;
      if (field == None || !persistent.contains(f.fields[field].record) ||
          s.writesTo(l).empty())
        continue;
      for (const auto &w : s.writesTo(l)) {
        if (w.value == None)
          continue;
        for (Id t : pt.pointsTo(w.value)) {
          const Object &target = pt.objects()[pt.locations()[t].object];
          std::string where = f.records[f.fields[field].record].name + "." +
                              f.fields[field].name;
          if (target.kind == Object::Function) {
            solution.notCovered.push_back(
                {"code-pointer", w.loc, w.function,
                 where + " holds the address of function " +
                     f.functions[target.ref].name +
                     ", which changes with every build"});
          } else if (target.kind == Object::Variable &&
                     f.nodes[target.ref].kind == NodeKind::Literal) {
            solution.notCovered.push_back(
                {"pointer-to-literal", w.loc, w.function,
                 where + " holds the address of a string literal, which "
                         "changes with every build; copy the string"});
          } else if (target.kind == Object::Variable &&
                     f.nodes[target.ref].kind == NodeKind::Global) {
            twins.try_emplace(target.ref, field, t);
            // Every other static of that type that may stand in the field.
            Id pointee = c.program.pointeeRecord(f.fields[field].type);
            for (unsigned token : c.flow.inField(field)) {
              const auto &k = c.flow.tokens()[token];
              if (pointee != None && k.kind == FieldFlow::Token::Static &&
                  c.program.recordOf(f.nodes[k.ref].type) == pointee)
                twins.try_emplace(k.ref, field, t);
            }
          }
        }
      }
    }
  }
  for (auto &[variable, why] : twins) {
    const Field &field = f.fields[why.first];
    std::string where = f.records[field.record].name + "." + field.name;
    const Node &n = f.nodes[variable];
    bool written = llvm::any_of(f.staticWrites, [&](const StaticWrite &w) {
      return w.variable == variable;
    });
    if (written || !n.isDefined) {
      solution.notCovered.push_back(
          {"pointer-to-static", n.loc, None,
           where + " may point to " + n.name +
               (written ? ", which is written at run time"
                        : ", which is not defined here")});
      continue;
    }
    Twin t{variable, {}, why.first, where + " points to it"};
    for (Id u = 0; u < f.addressUses.size(); ++u)
      if (f.addressUses[u].variable == variable)
        t.uses.push_back(u);
    solution.twins.push_back(std::move(t));
  }
}
