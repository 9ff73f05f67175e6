//===- PreLoadNullness.cpp - What is still empty while the state is loaded ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/nullness/PreLoadNullness.h"
#include "passes/facts/IdSet.h"
#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/nullness/EmptyContainerProof.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace nvmove;

namespace {
// All proofs together: a large program does without the rest, and some calls
// count as made.
constexpr size_t MostWork = 10'000'000;

/// What initialises statics that some code names, but none of `early`: a
/// command that nobody has installed.
void addUnnamed(const Program &p, const IdSet &early, IdSet &constraints) {
  const Facts &f = p.facts;
  IdMap<std::vector<Range>> initialisers; // by variable
  IdSet used, named;
  std::vector<Id> work;
  auto name = [&](Id n) {
    if (n != None && f.nodes[n].kind == NodeKind::Global &&
        named.insert(n).second)
      work.push_back(n);
  };
  auto refer = [&](Id n, Id function) {
    if (n != None && f.nodes[n].kind == NodeKind::Global)
      used.insert(n);
    if (function != None && early.contains(function))
      name(n);
  };
  for (const Definition &d : f.definitions) {
    if (d.variable == None)
      continue;
    initialisers[d.variable].push_back(d.constraints);
    for (Id i = d.constraints.begin; i < d.constraints.end; ++i)
      if (f.constraints[i].src != d.variable)
        refer(f.constraints[i].src, None);
  }
  for (const Constraint &c : f.constraints)
    if (c.function != None) {
      refer(c.src, c.function);
      refer(c.dst, c.function);
    }
  for (const Call &c : f.calls) {
    refer(c.target, c.function);
    for (Id a : c.args)
      refer(a, c.function);
  }
  for (const auto &[variable, ranges] : initialisers)
    if (!used.contains(variable)) // by a name that is made up, perhaps
      name(variable);
  while (!work.empty()) {
    Id variable = work.back();
    work.pop_back();
    if (auto at = initialisers.find(variable); at != initialisers.end())
      for (const Range &r : at->second)
        for (Id i = r.begin; i < r.end; ++i)
          name(f.constraints[i].src);
  }
  for (const auto &[variable, ranges] : initialisers)
    if (!named.contains(variable))
      for (const Range &r : ranges)
        for (Id i = r.begin; i < r.end; ++i)
          constraints.insert(i);
}
} // namespace

PreLoadNullness::PreLoadNullness(const Program &program,
                                 const Allocators &allocators,
                                 const FieldFlow &flow, const EventLoop &loop,
                                 const ProgramPhases &phases,
                                 const std::vector<Id> &load, const IdSet &cut)
    : p_(program), a_(allocators), flow_(flow), loop_(loop), phases_(phases),
      flags_(program, allocators, flow, loop, phases), values_(program.facts),
      uses_(program, flow, values_), keyed_(program, allocators, uses_),
      owned_(program, allocators, flow, uses_) {
  for (bool again = true, last = false; again;) {
    findEarly(load, cut);
    const IdSet others = handedOver();
    FlagValues::Early early{early_,     late_,  loading_,
                            byLibrary_, others, loadEnds_};
    again = flags_.addValues(early);
    if (!again && !last) {
      last = true;
      again = flags_.findPhases(early, load);
    }
  }
  findInstantiated(load, cut);
  narrow(load, cut);
  findCallbacks();
  findSelfLinked(load);
}

PreLoadNullness::~PreLoadNullness() = default;

/// What else something early hands to a library: argp_parse() calls at once, a
/// signal comes at any time.
IdSet PreLoadNullness::handedOver() const {
  const Facts &f = p_.facts;
  const FieldFlow &flow = before_ ? *before_ : flow_;
  auto runs = [&](Id k) {
    return !late_.contains(k) && !flags_.keepBack(k) && !needsAbsent(k);
  };
  auto handed = [&](Id fn, CallGraph::Policy::Lead lead) {
    for (Id k : p_.callsOf(fn)) {
      const Call &c = f.calls[k];
      if (!runs(k) || c.callee == None || f.functions[c.callee].hasBody ||
          isForLater(c))
        continue;
      for (Id a : c.args) {
        if (a == None)
          continue;
        llvm::for_each(flow.functionsIn(flow.atNode(a)), lead);
        llvm::for_each(flow.functionsInTable(a), lead);
      }
    }
  };
  const std::vector<Id> early(early_.begin(), early_.end());
  IdSet result =
      CallGraph(p_, flow)
          .reach(early,
                 {.follows =
                      [&](Id k) {
                        return !early_.contains(f.calls[k].function) && runs(k);
                      },
                  .enters =
                      [&](Id fn) {
                        return f.functions[fn].hasBody || early_.contains(fn);
                      },
                  .also = handed})
          .set();
  for (Id fn : early)
    result.erase(fn);
  return result;
}

void PreLoadNullness::findEarly(const std::vector<Id> &load, const IdSet &cut) {
  const Facts &f = p_.facts;
  const FieldFlow &flow = before_ ? *before_ : flow_;
  early_.clear();
  late_.clear();
  lateWrites_.clear();
  loadEnds_.clear();
  byLibrary_.clear();
  std::vector<Id> work;
  IdSet handlers;
  Ways ways; // not by a call: nothing is known of the parameters
  std::vector<std::pair<Id, Id>> awaiting; // calls and callbacks
  auto enter = [&](Id fn, Id call = None) {
    ways[fn].push_back(call);
    if (f.functions[fn].hasBody && !p_.isNoReturn(fn) && !cut.contains(fn) &&
        !handlers.contains(fn) && early_.insert(fn).second)
      work.push_back(fn);
  };
  auto callBack = [&](Id fn) {
    enter(fn);
    byLibrary_.insert(fn);
  };
  // What is handed to a library runs when the library says so: during the load
  // that may be any time; before it what is known to be called at once. Threads
  // wait until there is something to do.
  auto follow = [&](Id call, bool loading) {
    const Call &c = f.calls[call];
    if (flags_.keepBack(call) || needsAbsent(call) || never_.contains(call))
      return;
    for (Id fn : flow.callees(call))
      if (p_.takesArgumentsOf(fn, c) && choosesByKey(call, fn, ways))
        enter(fn, call);
      else if (p_.takesArgumentsOf(fn, c))
        awaiting.push_back({call, fn});
    if (c.callee == None || f.functions[c.callee].hasBody ||
        (!hasTrait(f.functions[c.callee].name,
                   LibraryFunction::RunsCallbacks) &&
         (!loading || p_.library(c))))
      return;
    for (Id a : c.args) {
      if (a == None)
        continue;
      if (p_.isFunctionPointer(f.nodes[a].type))
        for (Id fn : flow.functionsIn(flow.atNode(a)))
          callBack(fn);
      for (Id fn : flow.functionsInTable(a))
        callBack(fn);
    }
  };
  auto close = [&](bool loading) {
    do {
      while (!work.empty()) {
        Id fn = work.back();
        work.pop_back();
        for (Id k : p_.callsOf(fn))
          if (!p_.isDeadEnd(k))
            follow(k, loading);
      }
      llvm::erase_if(awaiting, [&](const std::pair<Id, Id> &a) {
        bool runs = choosesByKey(a.first, a.second, ways);
        if (runs)
          enter(a.second, a.first);
        return runs;
      });
    } while (!work.empty());
  };
  for (Id fn : load)
    enter(fn);
  close(true);
  const IdSet &loading = loading_ = early_;
  if (!loop_.loadsAtStart) { // anything may have run before
    for (Id fn = 0; fn < f.functions.size(); ++fn)
      enter(fn);
    return;
  }
  // No event is served before the loop is entered, not by a thread either.
  for (Id k : loop_.handlerCalls)
    if (f.calls[k].callee == None)
      for (Id fn : flow_.callees(k))
        handlers.insert(fn);
  for (Id fn = 0; fn < f.functions.size(); ++fn)
    if (f.functions[fn].isConstructor)
      enter(fn);
  for (Id fn : loop_.startUp) {
    ways[fn].push_back(None);
    if (loading.contains(fn))
      continue;
    early_.insert(fn);
    std::vector<Id> towards;
    for (Id k : p_.callsOf(fn))
      if (loop_.leadsToLoad(k, load))
        towards.push_back(k);
    findLateWrites(fn, towards);
    // From what leads to a call that comes back, some path comes back too.
    bool neverComesBack =
        llvm::any_of(towards, [&](Id k) { return p_.isDeadEnd(k); });
    for (Id k : p_.callsOf(fn)) {
      if (llvm::is_contained(towards, k))
        continue;
      if (llvm::none_of(towards,
                        [&](Id t) { return phases_.order().mayPrecede(k, t); }))
        late_.insert(k);
      else if (!p_.isDeadEnd(k) || neverComesBack)
        follow(k, false);
    }
  }
  close(false);
  late_.insert(never_.begin(), never_.end());
}

/// The fewer functions run, the fewer records there are, and the other way
/// round. What is not entered, and what a library is handed, makes objects,
/// too.
void PreLoadNullness::findInstantiated(const std::vector<Id> &load,
                                       const IdSet &cut) {
  // What a load that never returns runs is not among them.
  if (llvm::any_of(load, [&](Id fn) { return !early_.contains(fn); }))
    return;
  const IdSet notEntered =
      CallGraph(p_, flow_)
          .reach(std::vector<Id>(cut.begin(), cut.end()), {.bodies = true})
          .set();
  for (size_t absent = 0;;) {
    IdSet makers = handedOver();
    makers.insert(early_.begin(), early_.end());
    makers.insert(notEntered.begin(), notEntered.end());
    instantiated_ =
        std::make_unique<InstantiatedRecords>(p_, a_, flow_, makers, late_);
    if (instantiated_->absent() <= absent)
      return;
    absent = instantiated_->absent();
    findEarly(load, cut);
  }
}

/// What is proved of early code says that less of it runs, and of less code
/// more is proved: what a pointer holds by what other code stores is not
/// called, and a call is not made behind a pointer that stays null.
void PreLoadNullness::narrow(const std::vector<Id> &load, const IdSet &cut) {
  constexpr unsigned MostRounds = 2;
  IdSet runs, except;
  for (unsigned round = 0; loop_.loadsAtStart && round < MostRounds; ++round) {
    const size_t before = early_.size();
    runs = handedOver();
    except = lateWrites_;
    runs.insert(early_.begin(), early_.end());
    addUnnamed(p_, runs, except);
    before_ = std::make_unique<FieldFlow>(
        p_, a_, FieldFlow::Part{&runs, &late_, &except});
    findEarly(load, cut);
    if (round > 0 && early_.size() == before)
      break;
    index();
    IdSet never = never_;
    for (Id fn : early_)
      for (Id k : p_.callsOf(fn))
        if (const Call &c = p_.facts.calls[k];
            !c.nonNull.empty() && isNull(c.nonNull, fn))
          never.insert(k);
    never_ = std::move(never);
    const size_t known = early_.size();
    findEarly(load, cut);
    if (early_.size() == known)
      break;
  }
  addUnnamed(p_, early_, lateWrites_);
  before_ = std::make_unique<FieldFlow>(
      p_, a_, FieldFlow::Part{&early_, &late_, &lateWrites_});
  index();
}

/// The call leads to the function, as far as what it is called with is known by
/// now. `ways`: by function, the calls that led there.
bool PreLoadNullness::choosesByKey(Id call, Id function,
                                   const Ways &ways) const {
  std::vector<Id> work = {chooserOf(call)};
  if (work.front() == None)
    return true;
  const bool byOwner = owned_.owners().contains(work.front());
  for (IdSet seen; !work.empty();) {
    Id param = work.back();
    work.pop_back();
    if (!seen.insert(param).second)
      continue;
    Id fn = p_.facts.nodes[param].function;
    auto at = ways.find(fn);
    if (at == ways.end())
      return true;
    size_t index = llvm::find(p_.facts.functions[fn].params, param) -
                   p_.facts.functions[fn].params.begin();
    for (Id way : at->second) {
      if (byOwner) {
        if (owned_.leadsToBy(way, call, function))
          return true;
        continue;
      }
      const ArgValue *value = nullptr;
      if (way != None)
        for (const ArgValue &a : p_.facts.calls[way].argValues)
          if (a.arg == index)
            value = &a;
      if (!value || (value->param == None &&
                     keyed_.leadsTo(call, function, value->value)))
        return true;
      if (value->param != None)
        work.push_back(value->param);
    }
  }
  return false;
}

/// What `function` itself stores behind all that leads to the load.
void PreLoadNullness::findLateWrites(Id function,
                                     const std::vector<Id> &towards) {
  const Facts &f = p_.facts;
  Loc end; // behind what these calls are handed, too
  for (Id t : towards) {
    const Call &to = f.calls[t];
    if (to.loop != None || (end.file != None && end.file != to.loc.file))
      return;
    Loc last = to.loc;
    for (Id k : p_.callsOf(function)) {
      const Call &c = f.calls[k];
      bool inside = c.span.file == to.span.file &&
                    c.span.begin >= to.span.begin && c.span.end <= to.span.end;
      if (!inside && k != t)
        continue;
      last.line = std::max(last.line, c.loc.line);
      for (Id a : c.args)
        if (a != None && f.nodes[a].loc.file == last.file)
          last.line = std::max(last.line, f.nodes[a].loc.line);
    }
    // The rest of the line may be evaluated before; not behind load(name);
    last.column = to.statement.isWholeExpression && last.line == to.loc.line
                      ? to.loc.column + (to.span.end - to.span.begin)
                      : ~0u;
    end = end.file == None ? last : std::max(end, last);
  }
  if (end.file == None)
    return;
  loadEnds_[function] = end;
  for (Id i : p_.constraintsOf(function)) {
    const Constraint &c = f.constraints[i];
    bool writes = c.flow == Flow::Store || c.flow == Flow::CopyMemory ||
                  f.nodes[c.dst].kind == NodeKind::Global;
    if (writes && c.loc.file == end.file && end < c.loc)
      lateWrites_.insert(i);
  }
}

/// Of the early code as it is known now: what was proved of more code is not
/// asked any more.
void PreLoadNullness::index() {
  const Facts &f = p_.facts;
  usersOf_.clear();
  usedBy_.clear();
  joined_.clear();
  proofs_.clear();
  neverRuns_.clear();
  givesNull_.clear();
  work_ = 0;
  auto use = [&](Id slot, Id fn) {
    auto &users = usersOf_[slot];
    if (users.empty() || users.back() != fn) {
      users.push_back(fn);
      usedBy_[fn].push_back(slot);
    }
  };
  std::vector<Id> functions(early_.begin(), early_.end());
  llvm::sort(functions);
  IdMap<llvm::SmallVector<Id, 2>> tested; // by function
  auto test = [&](const auto &write) {
    if (write.function != None)
      tested[write.function].append(write.nonNull.begin(), write.nonNull.end());
  };
  llvm::for_each(f.staticWrites, test);
  llvm::for_each(f.stores, test);
  for (Id fn : functions) {
    auto global = [&](Id n) {
      if (n != None && f.nodes[n].kind == NodeKind::Global &&
          p_.isPointer(f.nodes[n].type))
        use(n, fn);
    };
    for (Id i : p_.constraintsOf(fn)) {
      const Constraint &c = f.constraints[i];
      if (c.flow == Flow::Member && p_.isPointer(f.fields[c.extra].type))
        use(slotOf(c.extra), fn);
      global(c.src);
      global(c.dst);
    }
    for (Id i : p_.callsOf(fn)) {
      for (Id a : f.calls[i].args)
        global(a);
      for (Id n : f.calls[i].nonNull)
        global(n);
    }
    if (auto at = tested.find(fn); at != tested.end())
      llvm::for_each(at->second, global);
  }
  for (Id fn : functions)
    findJoined(fn);
  findOtherSetters();
}

/// What sets slots without using them by name.
void PreLoadNullness::findOtherSetters() {
  const Facts &f = p_.facts;
  setElsewhere_.clear();
  overwritten_.clear();
  // Initialised, or the address is a constant elsewhere.
  for (Id i : p_.constraintsOf(None)) {
    const Constraint &c = f.constraints[i];
    if (c.flow == Flow::Member)
      setElsewhere_.insert(slotOf(c.extra));
    for (Id n : {c.src, c.dst})
      if (n != None)
        setElsewhere_.insert(n);
  }
  for (Id i = 0; i < f.fields.size(); ++i)
    if (f.fields[i].cell != i) // a union
      setElsewhere_.insert(slotOf(i));
  auto record = [&](Id address) {
    return address == None ? None : p_.pointeeRecord(f.nodes[address].type);
  };
  auto overwritten = [&](Id address) {
    if (Id r = record(address); r != None)
      overwritten_.insert(r);
  };
  for (Id fn : early_) {
    for (Id i : p_.constraintsOf(fn)) {
      const Constraint &c = f.constraints[i];
      if (c.flow == Flow::CopyMemory && record(c.src) != record(c.dst))
        overwritten(c.dst);
    }
    for (Id i : p_.callsOf(fn))
      if (p_.isLibrary(f.calls[i], LibraryFunction::Input))
        llvm::for_each(f.calls[i].args, overwritten);
  }
}

bool PreLoadNullness::onlyUsersSet(Id slot) const {
  const Facts &f = p_.facts;
  if (setElsewhere_.contains(slot))
    return false;
  if (slot < f.nodes.size())
    return f.nodes[slot].isDefined; // else a library's: environ, stdin
  Id holder = f.fields[slot - f.nodes.size()].record;
  if (!p_.isProgramRecord(holder))
    return false; // the library sets it: node->next of an xmlNode
  return llvm::none_of(overwritten_,
                       [&](Id r) { return p_.contains(r, holder); });
}

bool PreLoadNullness::isNull(llvm::ArrayRef<Id> nodes, Id function) const {
  auto slots = usedBy_.find(function);
  if (slots == usedBy_.end())
    return false;
  return llvm::any_of(slots->second, [&](Id slot) {
    const EmptyContainerProof *proof = this->proof(slot);
    return proof && llvm::any_of(nodes, [&](Id n) { return proof->isNull(n); });
  });
}

bool PreLoadNullness::staysEmpty(Id slot,
                                 llvm::function_ref<bool(Id)> isOut) const {
  const EmptyContainerProof *known =
      usersOf_.count(slot) ? proof(slot) : nullptr;
  return known && known->isEmpty(isOut);
}

/// The proof for a slot, or null where there is none; better together with the
/// slots that the same pointer is read from:
/// l = watching ? s->watchers : s->listeners; remove(l, find(l, key));
const EmptyContainerProof *PreLoadNullness::proof(Id slot) const {
  if (auto group = joined_.find(slot); group != joined_.end())
    if (const EmptyContainerProof *together = proof(group->second))
      return together;
  return proof(std::vector<Id>{slot});
}

const EmptyContainerProof *
PreLoadNullness::proof(const std::vector<Id> &slots) const {
  auto [at, fresh] = proofs_.try_emplace(slots);
  auto &proof = at->second;
  if (!fresh || work_ >= MostWork ||
      !llvm::all_of(slots, [&](Id s) { return onlyUsersSet(s); }))
    return proof.get();
  llvm::SetVector<Id> users;
  for (Id s : slots)
    users.insert(usersOf_.at(s).begin(), usersOf_.at(s).end());
  for (bool isCoarse : {false, true}) {
    if (proof && !proof->ranOut())
      break;
    proof = std::make_unique<EmptyContainerProof>(
        p_, a_, flow_, late_, lateWrites_, slots, users.getArrayRef(),
        isCoarse);
    work_ += proof->work();
  }
  if (proof->failed())
    proof.reset(); // thousands of them are kept
  return proof.get();
}

/// The slots that a pointer of `function` may be read from.
void PreLoadNullness::findJoined(Id function) {
  const Facts &f = p_.facts;
  llvm::EquivalenceClasses<Id> same; // variables, and slots
  auto slot = [&](Id n) -> Id {
    if (n == None)
      return None;
    if (f.nodes[n].kind == NodeKind::Global)
      return usersOf_.contains(n) ? n : None;
    Id d = f.nodes[n].kind == NodeKind::Temp ? p_.definition(n) : None;
    return d != None && f.constraints[d].flow == Flow::Member
               ? slotOf(f.constraints[d].extra)
               : None;
  };
  llvm::SmallVector<Id, 8> slots;
  for (Id i : p_.constraintsOf(function)) {
    const Constraint &c = f.constraints[i];
    if (c.dst == None || c.src == None || !p_.isPointer(f.nodes[c.dst].type))
      continue;
    bool reads = c.flow == Flow::Load;
    if (!reads && c.flow != Flow::Copy && c.flow != Flow::Cast)
      continue;
    Id from =
        reads || f.nodes[c.src].kind == NodeKind::Global ? slot(c.src) : c.src;
    if (from == None || f.nodes[c.dst].kind == NodeKind::Global)
      continue;
    if (from != c.src || f.nodes[from].kind == NodeKind::Global)
      slots.push_back(from);
    same.unionSets(c.dst, from);
  }
  for (Id a : slots)
    for (Id b : slots)
      if (a != b && same.isEquivalent(a, b)) {
        auto &group = joined_[a]; // sorted: the others' groups may be the same
        for (Id s : {a, b})
          if (auto at = llvm::lower_bound(group, s);
              at == group.end() || *at != s)
            group.insert(at, s);
      }
}

bool PreLoadNullness::neverRuns(Id call) const {
  const Call &c = p_.facts.calls[call];
  if (flags_.keepBack(call) || flags_.keepBackInLoad(call) ||
      needsAbsent(call) || never_.contains(call))
    return true;
  if (c.nonNull.empty() || c.function == None)
    return false;
  auto [answer, fresh] = neverRuns_.try_emplace(call, false);
  if (!fresh)
    return answer->second;
  bool never = isNull(c.nonNull, c.function);
  return neverRuns_[call] = never;
}

bool PreLoadNullness::givesNull(Id call) const {
  const Call &c = p_.facts.calls[call];
  if (c.result == None || c.function == None ||
      !p_.isPointer(p_.facts.nodes[c.result].type))
    return false;
  auto [answer, fresh] = givesNull_.try_emplace(call, false);
  if (!fresh)
    return answer->second;
  bool null = isNull(c.result, c.function);
  return givesNull_[call] = null;
}
