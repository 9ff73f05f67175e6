//===- ParameterValues.cpp - Constants that parameters are called with ----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/ParameterValues.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

ParameterValues::ParameterValues(const PointsToInput &input,
                                 const ValueGraph &graph,
                                 const CallContexts &contexts, Calls &calls)
    : nullness_(input.nullness), graph_(graph), contexts_(contexts),
      calls_(calls) {
  const Facts &f = input.program.facts;
  for (Id i = 0; i < f.calls.size(); ++i)
    for (const ParamTest &t : f.calls[i].tests)
      mayDecide(t.param, i);
  for (const Call &c : f.calls)
    for (const ArgValue &a : c.argValues)
      if (a.param != None)
        follow(a.param);
  for (Id key : nullness_.keyed().keys())
    follow(key);
  for (Id owner : nullness_.owned().owners())
    follow(owner);
}

bool ParameterValues::exclude(const Call &call) const {
  return llvm::any_of(call.tests, [&](const ParamTest &one) {
    const Values &v = values_.at(one.param);
    return !v.any && llvm::none_of(v.constants, [&](uint64_t n) {
      return llvm::all_of(call.tests, [&](const ParamTest &t) {
        return t.param != one.param || ((n & t.mask) == t.value) == t.equal;
      });
    });
  });
}

void ParameterValues::add(Id param, std::optional<uint64_t> value) {
  constexpr size_t Most = 64; // then any
  auto at = values_.find(param);
  if (at == values_.end() || at->second.any)
    return;
  Values &v = at->second;
  if (value &&
      (v.constants.size() >= Most || !v.constants.insert(*value).second)) {
    if (v.constants.contains(*value))
      return;
    value = std::nullopt;
  }
  v.any = !value;
  for (size_t i = 0; i < v.passedTo.size(); ++i)
    add(v.passedTo[i], value);
  for (size_t i = 0; i < v.calls.size(); ++i)
    calls_.valueCame(v.calls[i]);
  for (auto [call, function] : std::exchange(v.callbacks, {}))
    if (!awaitsKey(call, function))
      calls_.bind(call, function);
}

bool ParameterValues::isOwner(Id param) const {
  return nullness_.owned().owners().contains(graph_.textOf(param));
}

void ParameterValues::addOwner(Id param, Id argument, bool isNull) {
  if (argument == None)
    return isNull ? void() : add(param, std::nullopt);
  const ObjectOrigins::Makers &makers =
      nullness_.owned().makersOf(graph_.textOf(param), graph_.textOf(argument));
  if (makers.any)
    add(param, std::nullopt);
  for (uint64_t maker : makers.known)
    add(param, maker);
}

void ParameterValues::pass(Id from, Id to) {
  Values &v = values_.find(from)->second;
  v.passedTo.push_back(to);
  for (uint64_t n : std::set<uint64_t>(v.constants))
    add(to, n);
  if (v.any)
    add(to, std::nullopt);
}

bool ParameterValues::awaitsKey(Id call, Id function) {
  const Id text = contexts_.callInText(call);
  Id key = contexts_.inInstance(contexts_.instanceOf(call),
                                nullness_.chooserOf(text));
  if (key == None)
    return false;
  Values &v = values_.find(key)->second;
  if (v.any || llvm::any_of(v.constants, [&](uint64_t value) {
        return nullness_.leadsTo(text, function, value);
      }))
    return false;
  v.callbacks.push_back({call, function});
  return true;
}
