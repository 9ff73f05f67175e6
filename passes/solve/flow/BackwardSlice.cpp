//===- BackwardSlice.cpp - What a value is computed from ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/BackwardSlice.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

BackwardSlice::End BackwardSlice::run(llvm::ArrayRef<Id> values) {
  seen_[0].clear();
  seen_[1].clear();
  work_.clear();
  for (Id value : values)
    push(value, false);
  while (!work_.empty()) {
    if (seen_[0].size() + seen_[1].size() > MostValues)
      return TooLarge;
    auto [value, isComputed] = work_.back();
    work_.pop_back();
    isComputed_ = isComputed;
    if (!step(value))
      return Stopped;
  }
  return Whole;
}

bool BackwardSlice::step(Id node) {
  if (Step next = value(node); next != Follow)
    return next == Skip;
  if (Id i = values_.call(node); i != None) {
    const Step next = call(i);
    if (next == Stop)
      return false;
    if (Id callee = f_.calls[i].callee; next == Follow && callee != None)
      follow(f_.functions[callee].result);
  }
  if (f_.nodes[node].kind == NodeKind::Local && !stepIntoCallers(node))
    return false;
  for (Id i : values_.definitions(node)) {
    const Constraint &c = f_.constraints[i];
    const Step next = definition(c);
    if (next == Stop)
      return false;
    if (next == Follow)
      push(c.src, isComputed_ || (edges_.computed && c.flow == Flow::Arith));
  }
  return true;
}

bool BackwardSlice::stepIntoCallers(Id node) {
  const Id function = f_.nodes[node].function;
  if (function == None)
    return true;
  const std::vector<Id> &params = f_.functions[function].params;
  const size_t index = llvm::find(params, node) - params.begin();
  if (index == params.size())
    return true;
  if (Step next = parameter(node); next != Follow)
    return next == Skip;
  for (Id i : callersOf(function)) {
    const Call &c = f_.calls[i];
    const Step next = argument(c, index);
    if (next == Stop)
      return false;
    if (next == Follow && index < c.args.size())
      follow(c.args[index]);
  }
  return true;
}
