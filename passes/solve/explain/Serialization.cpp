//===- Serialization.cpp - Code that only loading or saving needs ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/rewrite/sites/Serialization-serialization.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

class SerializationFinder {
public:
  SerializationFinder(const SolveContext &c, const std::vector<Id> &load,
                      const std::vector<Id> &save)
      : f_(c.program.facts), c_(c), load_(load), save_(save),
        next_(f_.functions.size()), wanted_(f_.functions.size()) {
    for (Id i = 0; i < f_.calls.size(); ++i)
      for (Id callee : c.flow.callees(i))
        add(f_.calls[i].function, callee);
    // An address that is taken may be called by code that is not seen.
    for (const Constraint &k : f_.constraints)
      if (k.flow == Flow::AddressOf && k.src != None)
        if (Id fn = c.program.functionOf(k.src); fn != None)
          add(k.function, fn);
  }

  std::vector<SerializationFunction> run() const {
    // What the program starts with: nothing else leads there.
    std::vector<Id> entries = outside_;
    for (Id fn = 0; fn < f_.functions.size(); ++fn)
      if (f_.functions[fn].hasBody && !wanted_[fn])
        entries.push_back(fn);
    std::vector<bool> stop(f_.functions.size());
    for (Id fn : load_)
      stop[fn] = true;
    for (Id fn : save_)
      stop[fn] = true;
    std::vector<bool> live = reach(entries, stop);
    // Events that are served meanwhile are neither.
    std::vector<bool> serving(f_.functions.size());
    for (Id fn : c_.loop.serving)
      serving[fn] = true;
    for (Id fn : c_.loop.reentering)
      serving[fn] = true;
    std::vector<bool> loads = reach(load_, serving),
                      saves = reach(save_, serving);
    std::vector<SerializationFunction> result;
    for (Id fn = 0; fn < f_.functions.size(); ++fn)
      if (f_.functions[fn].hasBody && !live[fn] && (loads[fn] || saves[fn]))
        result.push_back({fn, loads[fn], saves[fn], stop[fn]});
    llvm::sort(result, [&](auto &a, auto &b) {
      return f_.functions[a.function].loc < f_.functions[b.function].loc;
    });
    return result;
  }

private:
  void add(Id from, Id to) {
    if (from == to)
      return; // a recursion is no reason to be there
    if (from == None)
      outside_.push_back(to);
    else
      next_[from].push_back(to);
    wanted_[to] = true;
  }

  std::vector<bool> reach(std::vector<Id> open,
                          const std::vector<bool> &stop) const {
    std::vector<bool> seen(f_.functions.size());
    while (!open.empty()) {
      Id fn = open.back();
      open.pop_back();
      if (seen[fn] || stop[fn])
        continue;
      seen[fn] = true;
      open.insert(open.end(), next_[fn].begin(), next_[fn].end());
    }
    return seen;
  }

  const Facts &f_;
  const SolveContext &c_;
  const std::vector<Id> &load_, &save_;
  std::vector<std::vector<Id>> next_;
  std::vector<bool> wanted_;
  std::vector<Id> outside_; ///< named in static initialisers
};

} // namespace

void nvmove::findSerialization(Analysis &a) {
  Solution &solution = a.solution;
  solution.noSerialization = a.context.options.noSerialization;
  solution.serialization =
      SerializationFinder(a.context, solution.load, a.save).run();
}
