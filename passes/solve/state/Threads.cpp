//===- Threads.cpp - Functions that the program starts as threads ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/sections/ThreadChanges-queue.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/Threads.h"
#include "passes/solve/flow/CallGraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

std::vector<Thread> nvmove::threadsOf(const SolveContext &context) {
  const Facts &f = context.program.facts;
  std::vector<Thread> threads;
  for (Id i = 0; i < f.calls.size(); ++i) {
    const Call &c = f.calls[i];
    if (c.callee == None || f.functions[c.callee].hasBody)
      continue;
    const int at =
        libraryFact(f.functions[c.callee].name, &LibraryFunction::thread)
            .function;
    if (at < 0 || size_t(at) >= c.args.size() || c.args[at] == None)
      continue;
    for (Id fn : context.flow.functionsIn(context.flow.atNode(c.args[at]))) {
      if (!f.functions[fn].hasBody)
        continue;
      auto known = llvm::find_if(
          threads, [&](const Thread &t) { return t.function == fn; });
      if (known == threads.end())
        threads.push_back({fn, {i}});
      else
        known->starts.push_back(i);
    }
  }
  return threads;
}

IdSet nvmove::reachedBy(const std::vector<Thread> &threads,
                        const SolveContext &context) {
  std::vector<Id> functions;
  for (const Thread &t : threads)
    functions.push_back(t.function);
  return CallGraph(context.program, context.flow)
      .reach(functions, {.deadEnds = false, .children = false, .fitting = true})
      .set();
}
