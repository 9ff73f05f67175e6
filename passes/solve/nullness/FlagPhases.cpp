//===- FlagPhases.cpp - What a flag may be at each point ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/nullness/FlagValues.h"
#include "passes/solve/program/BlockDataflow.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

// A large program does without the rest.
static constexpr size_t MostPhaseWork = 20'000'000;

/// How many records of this kind lie in something of this type; two for more.
unsigned FlagValues::objectsIn(Id type, Id record) const {
  if (type == None)
    return 0;
  const Type &t = f_.types[type];
  if (t.kind == TypeKind::Array)
    return objectsIn(t.inner, record) ? 2 : 0;
  return t.kind == TypeKind::Record ? objectsWithin(t.inner, record) : 0;
}

unsigned FlagValues::objectsWithin(Id outer, Id record) const {
  if (!p_.contains(outer, record))
    return 0;
  unsigned n = outer == record;
  for (Id field : f_.records[outer].fields)
    n += objectsIn(f_.fields[field].type, record);
  return std::min(n, 2u);
}

/// There is one object of the kind, as far as the program lives.
bool FlagValues::isSingle(Id record) const {
  auto [at, fresh] = single_.try_emplace(record, false);
  if (!fresh)
    return at->second;
  unsigned n = 0;
  for (const Node &node : f_.nodes) {
    if (node.kind == NodeKind::Function || node.kind == NodeKind::Literal)
      continue;
    unsigned here = objectsIn(node.type, record);
    if (here && node.kind != NodeKind::Global &&
        !(node.kind == NodeKind::Local &&
          llvm::is_contained(loop_.mains, node.function)))
      return false;
    n += here;
  }
  for (const Allocators::Site &site : a_.sites())
    for (Id r : site.records)
      if (unsigned here = objectsWithin(r, record))
        n += phases_.isMadeOnce(site.call) ? here : 2;
  return single_[record] = n == 1;
}

bool FlagValues::isBehind(Id pointer, Id record) const {
  Id to = pointer == None ? None : p_.pointeeRecord(f_.nodes[pointer].type);
  return to != None && p_.contains(to, record);
}

bool FlagValues::counts(const Phase &phase, Id call) const {
  return !phase.early.late.contains(call) && !keepBack(call);
}

void FlagValues::enter(Phase &phase, Id function, State state) const {
  if (!phase.early.functions.contains(function))
    return;
  State &entry = phase.entry[function];
  if ((entry | state) == entry)
    return;
  entry = State(entry | state);
  if (phase.waiting.insert(function).second)
    phase.work.push_back(function);
}

FlagValues::State FlagValues::throughCall(Phase &phase, Id call,
                                          State state) const {
  const Call &c = f_.calls[call];
  phase.reached.insert(call);
  if (!counts(phase, call))
    return state;
  if (p_.isDeadEnd(call) && !p_.isNoReturn(c.function))
    return Unreached;
  bool calls = false;
  State result = Unreached;
  for (Id callee : flow_.callees(call)) {
    if (!phase.early.functions.contains(callee))
      continue;
    calls = true;
    enter(phase, callee, state);
    if (phase.affected.contains(callee)) {
      phase.callers[callee].insert(c.function);
      result = State(result | phase.exit.lookup(callee));
    } else {
      result = State(result | state);
    }
  }
  if (calls)
    return result;
  // It may come back here another time, or clear the object.
  bool changes = p_.hasTraitOf(c, LibraryFunction::SetJump);
  if (isField(phase.flag) && p_.isLibrary(c, LibraryFunction::Write))
    changes |= llvm::any_of(
        c.args, [&](Id a) { return isBehind(a, recordOf(phase.flag)); });
  return changes ? Either : state;
}

FlagValues::State FlagValues::throughBlocks(Phase &phase, Id function,
                                            const Definition &d) const {
  std::vector<bool> &reached = phase.blocks[function];
  reached.resize(d.blocks.size());
  auto through = [&](const Block &b, State state, auto goOn) {
    ++work_;
    if (state != Unreached)
      reached[&b - d.blocks.data()] = true;
    auto written = [&](size_t calls) {
      for (const FlowWrite &w : b.writes)
        if (w.calls == calls && flagOf(w.variable, w.field) == phase.flag)
          state = w.isZero() ? Zero
                  : (w.how == FlowWrite::Constant ||
                     (w.how == FlowWrite::SetsBits && w.value))
                      ? Set
                      : Either;
    };
    for (size_t i = 0; i < b.calls.size() && state != Unreached; ++i) {
      written(i);
      state = throughCall(phase, d.calls.begin + b.calls[i], state);
    }
    if (state == Unreached)
      return;
    written(b.calls.size());
    bool tests = phase.followsTests &&
                 (b.tested != None || b.testedField != None) &&
                 flagOf(b.tested, b.testedField) == phase.flag;
    for (uint32_t s : b.successors)
      goOn(s, tests ? State(state & (s == b.whenZero ? Zero : Set)) : state);
  };
  auto join = [](State a, State b) { return State(a | b); };
  return nvmove::throughBlocks(d, phase.entry.lookup(function), join, through)
      .front();
}

void FlagValues::follow(Phase &phase, Id function) const {
  const auto &all = p_.definitionsOf(function);
  State exit = phase.entry.lookup(function);
  bool matters =
      phase.affected.contains(function) || phase.testers.contains(function);
  if (matters && all.size() == 1 && !all.front()->blocks.empty()) {
    exit = throughBlocks(phase, function, *all.front());
  } else {
    if (phase.affected.contains(function))
      exit = Either;
    for (Id k : p_.callsOf(function))
      throughCall(phase, k, exit);
  }
  State &before = phase.exit[function];
  if ((before | exit) == before)
    return;
  before = State(before | exit);
  for (Id caller : phase.callers[function])
    if (phase.waiting.insert(caller).second)
      phase.work.push_back(caller);
}

void FlagValues::run(Phase &phase,
                     llvm::ArrayRef<std::pair<Id, State>> entries) const {
  for (auto [function, state] : entries)
    enter(phase, function, state);
  while (!phase.work.empty() && work_ < MostPhaseWork) {
    Id function = phase.work.back();
    phase.work.pop_back();
    phase.waiting.erase(function);
    follow(phase, function);
  }
}

/// if (loading) return; .. count++;
void FlagValues::noteUnwritten(const Phase &phase) {
  for (const auto &[function, reached] : phase.blocks) {
    const Definition &d = *p_.definitionsOf(function).front();
    IdSet written, unwritten;
    for (const FlowWrite &w : d.otherWrites)
      written.insert(w.variable);
    for (size_t i = 0; i < d.blocks.size(); ++i)
      for (const FlowWrite &w : d.blocks[i].writes)
        if (w.variable != None && w.how != FlowWrite::Through)
          (reached[i] ? written : unwritten).insert(w.variable);
    for (Id variable : unwritten)
      if (!written.contains(variable))
        unwritten_.insert({function, variable});
  }
}

/// What a library may call, whenever it likes.
void FlagValues::addHandedOver(std::vector<Id> &functions) const {
  for (const Call &c : f_.calls) {
    if (c.callee == None || f_.functions[c.callee].hasBody)
      continue;
    for (Id a : c.args)
      if (a != None)
        for (const auto &handed :
             {flow_.functionsIn(flow_.atNode(a)), flow_.functionsInTable(a)})
          functions.insert(functions.end(), handed.begin(), handed.end());
  }
}

/// A load that a request asks for: start-up has run, and has always set the
/// flag.
void FlagValues::findSettled(Phase start, Phase all, Phase some,
                             std::vector<std::pair<Id, State>> entries,
                             std::vector<std::pair<Id, State>> mains,
                             llvm::ArrayRef<Id> load) {
  mains.insert(mains.end(), entries.begin(), entries.end());
  run(start, mains);
  State state = Unreached;
  for (Id fn : load)
    state = State(state | start.entry.lookup(fn));
  if (state != Zero && state != Set)
    return;
  for (Id fn : load)
    entries.push_back({fn, state});
  run(all, entries);
  run(some, entries);
  if (work_ >= MostPhaseWork)
    return;
  for (Id k : all.reached)
    if (!some.reached.contains(k))
      keptBackInLoad_.insert(k);
  noteUnwritten(some);
}

bool FlagValues::findPhases(const Early &known, llvm::ArrayRef<Id> load) {
  IdSet functions = known.functions;
  if (!loop_.loadsAtStart) // what waits for requests, too
    for (Id fn = 0; fn < f_.functions.size(); ++fn)
      if (f_.functions[fn].hasBody)
        functions.insert(fn);
  const Early early{functions,       known.late,   known.loading,
                    known.byLibrary, known.others, known.loadEnds};
  // Who writes which flag, and who calls whom.
  IdMap<std::vector<Id>> writers;
  IdMap<std::vector<Id>> callers;
  IdMap<IdSet> testers;
  IdSet called, elsewhere, set, replaced;
  std::vector<Id> byLibrary(early.byLibrary.begin(), early.byLibrary.end());
  if (!loop_.loadsAtStart)
    addHandedOver(byLibrary);
  for (Id fn : early.functions)
    if (f_.functions[fn].isConstructor)
      byLibrary.push_back(fn);
  for (Id fn : early.functions) {
    forEachWrite(fn, early, [&](const FlowWrite &w) {
      Id flag = flagOf(w.variable, w.field);
      writers[flag].push_back(fn);
      if (!w.isZero())
        set.insert(flag);
    });
    for (Id k : p_.callsOf(fn))
      if (!early.late.contains(k) && !keepBack(k))
        for (Id callee : flow_.callees(k)) {
          callers[callee].push_back(fn);
          called.insert(callee);
        }
    for (const Definition *d : p_.definitionsOf(fn)) {
      for (const Block &b : d->blocks)
        if (b.tested != None || b.testedField != None)
          testers[flagOf(b.tested, b.testedField)].insert(fn);
      for (const FlowWrite &w : d->otherWrites)
        if (!w.isZero())
          elsewhere.insert(flagOf(w.variable, w.field));
    }
    for (Id i : p_.constraintsOf(fn))
      if (const Constraint &c = f_.constraints[i]; c.flow == Flow::CopyMemory)
        if (Id to =
                c.dst == None ? None : p_.pointeeRecord(f_.nodes[c.dst].type);
            to != None)
          replaced.insert(to);
  }
  // What is written when a library says so is written at any time; so is, where
  // all that the program does is early, what no call leads to.
  if (!loop_.loadsAtStart)
    for (Id fn : early.functions)
      if (!called.contains(fn) && !llvm::is_contained(loop_.mains, fn) &&
          !llvm::is_contained(load, fn))
        byLibrary.push_back(fn);
  const CallGraph::Reached atAnyTime =
      CallGraph(p_, flow_).reach(byLibrary, {});
  for (Id fn : atAnyTime.functions())
    forEachWrite(fn, early, [&](const FlowWrite &w) {
      elsewhere.insert(flagOf(w.variable, w.field));
    });
  for (Id fn : early.others)
    forEachWrite(fn, early, [&](const FlowWrite &w) {
      elsewhere.insert(flagOf(w.variable, w.field));
    });
  std::vector<std::pair<Id, State>> entries;
  std::vector<Id> mains;
  for (Id fn : early.byLibrary)
    entries.push_back({fn, Either});
  for (Id fn : early.functions)
    if (llvm::is_contained(loop_.mains, fn))
      mains.push_back(fn);
    else if (!called.contains(fn))
      entries.push_back({fn, Either});
  bool any = false;
  set.insert(setAtStart_.begin(), setAtStart_.end());
  std::vector<Id> flags(set.begin(), set.end());
  llvm::sort(flags);
  for (Id flag : flags) {
    if (!values_.contains(flag) || !testers.contains(flag) ||
        elsewhere.contains(flag) || work_ >= MostPhaseWork)
      continue;
    if (isField(flag)) {
      Id record = recordOf(flag);
      auto holds = [&](Id r) { return p_.contains(r, record); };
      if (llvm::any_of(cleared_, holds) || llvm::any_of(replaced, holds) ||
          !isSingle(record))
        continue;
    }
    IdSet affected;
    std::vector<Id> work = writers[flag];
    while (!work.empty()) {
      Id fn = work.back();
      work.pop_back();
      if (affected.insert(fn).second)
        work.insert(work.end(), callers[fn].begin(), callers[fn].end());
    }
    std::vector<std::pair<Id, State>> from;
    for (Id fn : mains)
      from.push_back({fn, setAtStart_.contains(flag) ? Set : Zero});
    Phase all{flag, false, early, affected, testers[flag]},
        some{flag, true, early, affected, testers[flag]};
    if (!loop_.loadsAtStart) {
      findSettled(some, all, some, entries, from, load);
      continue;
    }
    from.insert(from.end(), entries.begin(), entries.end());
    run(all, from);
    run(some, from);
    if (work_ >= MostPhaseWork)
      break;
    for (Id k : all.reached)
      if (!some.reached.contains(k) && !keepBack(k)) {
        any |= keptBack_.insert(k).second;
        answers_[k] = Yes;
      }
    noteUnwritten(some);
  }
  return any;
}
