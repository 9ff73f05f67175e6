//===- NamedSections.cpp - What runs within them -------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/sections/NamedSections.h"
#include "passes/solve/flow/CallGraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

NamedSections::NamedSections(const SolveContext &c) {
  const Program &p = c.program;
  const Facts &f = p.facts;
  for (const std::string &name : c.options.section)
    if (Id fn = p.functionNamed(name); fn != None)
      if (const std::vector<Id> &calls = p.callersOf(fn);
          !calls.empty() && llvm::all_of(calls, [&](Id i) {
            return f.calls[i].statement.span.valid();
          }))
        named_.insert(fn);
  if (named_.empty())
    return;
  std::vector<Id> work = c.loop.mains;
  auto handedOver = [&](const std::vector<Id> &functions) {
    for (Id fn : functions) {
      named_.erase(fn); // a library's call is in no section
      work.push_back(fn);
    }
  };
  for (const Call &call : f.calls) {
    if (call.callee == None || f.functions[call.callee].hasBody)
      continue;
    for (Id a : call.args)
      if (a != None) {
        if (p.isFunctionPointer(f.nodes[a].type))
          handedOver(c.flow.functionsIn(c.flow.atNode(a)));
        handedOver(c.flow.functionsInTable(a));
      }
  }
  outside_ =
      CallGraph(p, c.flow)
          .reach(work, {.enters = [&](Id fn) { return !named_.contains(fn); }})
          .set();
}
