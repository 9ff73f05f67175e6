//===- AccessPath.cpp - Which place an address is of ----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/AccessPath.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace nvmove;

AccessPath::AccessPath(const Program &program, Id value, FlowSet follow)
    : base(value) {
  const Facts &f = program.facts;
  for (Id d = None; base != None; base = f.constraints[d].src) {
    d = program.definition(base);
    if (d == None || f.constraints[d].src == None)
      break;
    const Constraint &c = f.constraints[d];
    if (c.flow == Flow::AddressOf) {
      base = c.src;
      isAddress = true;
      break;
    }
    if (!follow.contains(c.flow))
      break;
    if (!Copies.contains(c.flow))
      steps.push_back(&c);
  }
  std::reverse(steps.begin(), steps.end());
}

bool AccessPath::operator==(const AccessPath &other) const {
  return base == other.base && isAddress == other.isAddress &&
         llvm::equal(steps, other.steps,
                     [](const Constraint *a, const Constraint *b) {
                       return a->flow == b->flow && a->extra == b->extra;
                     });
}

Id AccessPath::member() const {
  for (auto at = steps.rbegin(); at != steps.rend(); ++at)
    if ((*at)->flow == Flow::Member)
      return (*at)->extra;
  return None;
}

std::vector<Id> AccessPath::members() const {
  std::vector<Id> result;
  for (const Constraint *c : steps)
    if (c->flow == Flow::Member)
      result.push_back(c->extra);
  return result;
}

Id nvmove::memberAt(const Program &program, Id address) {
  Id d = address == None ? None : program.definition(address);
  return d != None && program.facts.constraints[d].flow == Flow::Member
             ? program.facts.constraints[d].extra
             : None;
}

Id nvmove::memberRead(const Program &program, Id value) {
  value = program.origin(value);
  Id d = value == None ? None : program.definition(value);
  return d != None && program.facts.constraints[d].flow == Flow::Load
             ? memberAt(program, program.facts.constraints[d].src)
             : None;
}
