//===- PerObjectCallbacks.cpp - Callbacks that belong to one object -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/callbacks/PerObjectCallbacks.h"
#include "passes/solve/callbacks/OwnerProof.h"
#include "passes/solve/flow/AccessPath.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

using Makers = ObjectOrigins::Makers;

/// Which functions each registration is of, and of which objects: from caller
/// to caller, as far as either is a parameter.
class Register {
public:
  Register(const Program &program, const FieldFlow &flow,
           const CallbackUses &uses, ObjectOrigins &makers, Id record,
           PerObjectCallbacks::Table &table)
      : p_(program), f_(program.facts), flow_(flow), uses_(uses),
        makers_(makers), record_(record), table_(table) {}

  void enter(const OwnerProof::Registration &r) {
    Known known;
    if (Id value = parameter(r.value); value == None)
      known.functions = functionsAt(r.value);
    if (!uses_.params.contains(r.key))
      known.makers = makersOfKey(r.key);
    enter(r.function, r.value, r.key, known, /*depth=*/0);
  }

private:
  struct Known {
    std::optional<std::vector<Id>> functions;
    std::optional<Makers> makers;
  };

  Id parameter(Id node) const {
    node = p_.origin(node);
    return uses_.isParameter(node) ? node : None;
  }
  std::vector<Id> functionsAt(Id node) const {
    return flow_.functionsIn(flow_.atNode(node));
  }

  /// A variable, a block, or a parameter.
  Makers makersOfKey(Id key) {
    const Id type = f_.nodes[key].type;
    if (p_.recordOf(type) == record_)
      return ObjectOrigins::ofVariable(key);
    if (p_.pointeeRecord(type) == record_)
      return makers_.of(key, record_);
    return {.any = true, .known = {}};
  }

  void enter(Id function, Id value, Id owner, const Known &known,
             unsigned depth) {
    const Id valueParam = known.functions ? None : parameter(value),
             ownerParam = known.makers ? None : parameter(owner);
    auto callers = uses_.callersOf.find(function);
    if ((valueParam == None && ownerParam == None) || depth == 4 ||
        uses_.isCalledByOthers(function) || callers == uses_.callersOf.end()) {
      const Makers makers = known.makers ? *known.makers : makersOfKey(owner);
      for (Id fn : known.functions ? *known.functions : functionsAt(value))
        table_[fn].join(makers);
      return;
    }
    const std::vector<Id> &params = f_.functions[function].params;
    for (Id i : callers->second) {
      const Call &c = f_.calls[i];
      Known here = known;
      Id valueHere = value, ownerHere = owner;
      bool isNull = false; // nothing is registered
      auto argument = [&](Id param) {
        size_t at = llvm::find(params, param) - params.begin();
        if (at >= c.args.size())
          return None;
        isNull |= c.args[at] == None && c.argIsZeroOrNull[at];
        return c.args[at];
      };
      if (valueParam != None) {
        valueHere = argument(valueParam);
        if (valueHere == None || parameter(valueHere) == None)
          here.functions = functionsAt(valueHere == None ? value : valueHere);
      }
      if (ownerParam != None) {
        ownerHere = argument(ownerParam);
        if (ownerHere == None)
          here.makers = Makers{.any = true, .known = {}};
        else if (parameter(ownerHere) == None)
          here.makers = makers_.of(ownerHere, record_);
      }
      if (!isNull)
        enter(c.function, valueHere, ownerHere, here, depth + 1);
    }
  }

  const Program &p_;
  const Facts &f_;
  const FieldFlow &flow_;
  const CallbackUses &uses_;
  ObjectOrigins &makers_;
  const Id record_;
  PerObjectCallbacks::Table &table_;
};

} // namespace

PerObjectCallbacks::PerObjectCallbacks(const Program &program,
                                       const Allocators &allocators,
                                       const FieldFlow &flow,
                                       const CallbackUses &uses)
    : p_(program) {
  const Facts &f = p_.facts;
  std::map<Id, std::vector<Id>> candidates; // members -> calls
  for (Id i = 0; i < f.calls.size(); ++i)
    if (const Call &c = f.calls[i];
        c.callee == None && c.target != None && c.function != None)
      if (Id member = memberRead(p_, c.target); member != None)
        candidates[member].push_back(i);
  if (candidates.empty())
    return;
  makers_ = std::make_unique<ObjectOrigins>(p_, allocators, flow, uses);
  // Some caller says which object it is.
  auto isTold = [&](Id function, size_t index) {
    auto callers = uses.callersOf.find(function);
    if (callers == uses.callersOf.end())
      return false;
    const Id param = f.functions[function].params[index];
    return llvm::any_of(callers->second, [&](Id k) {
      const Call &c = f.calls[k];
      return index < c.args.size() && c.args[index] != None &&
             !makersOf(param, c.args[index]).any;
    });
  };
  for (const auto &[member, calls] : candidates) {
    auto users = uses.ofField.find(member);
    if (users == uses.ofField.end() || users->second.contains(None))
      continue;
    std::set<Id> records;
    for (Id i : calls) {
      const Function &fn = f.functions[f.calls[i].function];
      for (size_t k = 0; k < fn.params.size(); ++k)
        if (Id r = p_.pointeeRecord(f.nodes[fn.params[k]].type);
            r != None && isTold(f.calls[i].function, k))
          records.insert(r);
    }
    for (Id record : records) {
      OwnerProof proof(p_, allocators, uses, *makers_, record);
      std::vector<std::pair<Id, Id>> owned;
      for (Id i : calls)
        if (Id owner = proof.ownerOf(i); owner != None)
          owned.push_back({i, owner});
      if (owned.empty() || !proof.holds())
        continue;
      auto table = std::make_unique<Table>();
      Register reg(p_, flow, uses, *makers_, record, *table);
      for (const auto &r : proof.registrations())
        reg.enter(r);
      if (llvm::all_of(*table, [](const auto &t) { return t.second.any; }))
        continue;
      for (auto [call, owner] : owned) {
        calls_[call] = {owner, table.get()};
        owners_.insert(owner);
      }
      tables_.push_back(std::move(table));
      break;
    }
  }
}

PerObjectCallbacks::~PerObjectCallbacks() = default;

Id PerObjectCallbacks::ownerOf(Id call) const {
  auto at = calls_.find(call);
  return at == calls_.end() ? None : at->second.owner;
}

bool PerObjectCallbacks::leadsTo(Id call, Id function, uint64_t maker) const {
  const Table &table = *calls_.find(call)->second.table;
  auto at = table.find(function);
  return at != table.end() && makers_->mayBe(at->second, maker);
}

bool PerObjectCallbacks::leadsToBy(Id way, Id call, Id function) const {
  if (way == None)
    return true;
  const Facts &f = p_.facts;
  const Call &c = f.calls[way];
  const Id owner = ownerOf(call);
  const std::vector<Id> &params = f.functions[f.calls[call].function].params;
  const size_t index = llvm::find(params, owner) - params.begin();
  if (index >= c.args.size())
    return true;
  if (c.args[index] == None)
    return !c.argIsZeroOrNull[index];
  const Makers &makers = makersOf(owner, c.args[index]);
  return makers.any || llvm::any_of(makers.known, [&](uint64_t maker) {
           return leadsTo(call, function, maker);
         });
}

const Makers &PerObjectCallbacks::makersOf(Id param, Id argument) const {
  return makers_->of(argument, p_.pointeeRecord(p_.facts.nodes[param].type));
}
