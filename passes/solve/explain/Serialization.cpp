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

#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/state/Analysis.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

using SerializationParts = View<Serialization>;

class SerializationFinder {
public:
  SerializationFinder(const SolveContext &c, const std::vector<Id> &load,
                      const std::vector<Id> &save)
      : f_(c.program.facts), c_(c), load_(load), save_(save),
        wanted_(f_.functions.size()) {
    for (Id i = 0; i < f_.calls.size(); ++i)
      for (Id callee : c.flow.callees(i))
        want(f_.calls[i].function, callee);
    // An address that is taken may be called by code that is not seen.
    for (const Constraint &k : f_.constraints)
      if (k.flow == Flow::AddressOf && k.src != None)
        if (Id fn = c.program.functionOf(k.src); fn != None) {
          want(k.function, fn);
          if (k.function != None)
            named_[k.function].push_back(fn);
        }
  }

  std::vector<SerializationFunction> run() const {
    // What the program starts with: nothing else leads there.
    std::vector<Id> entries = outside_;
    for (Id fn = 0; fn < f_.functions.size(); ++fn)
      if (f_.functions[fn].hasBody && !wanted_[fn])
        entries.push_back(fn);
    IdSet stop(load_.begin(), load_.end());
    stop.insert(save_.begin(), save_.end());
    const CallGraph::Reached live = reach(entries, stop);
    // Events that are served meanwhile are neither.
    IdSet serving = c_.loop.serving;
    serving.insert(c_.loop.reentering.begin(), c_.loop.reentering.end());
    const CallGraph::Reached loads = reach(load_, serving),
                             saves = reach(save_, serving);
    std::vector<SerializationFunction> result;
    for (Id fn = 0; fn < f_.functions.size(); ++fn)
      if (f_.functions[fn].hasBody && !live.contains(fn) &&
          (loads.contains(fn) || saves.contains(fn)))
        result.push_back(
            {fn, loads.contains(fn), saves.contains(fn), stop.contains(fn)});
    llvm::sort(result, [&](auto &a, auto &b) {
      return f_.functions[a.function].loc < f_.functions[b.function].loc;
    });
    return result;
  }

private:
  void want(Id from, Id to) {
    if (from == to)
      return; // a recursion is no reason to be there
    if (from == None)
      outside_.push_back(to);
    wanted_[to] = true;
  }

  CallGraph::Reached reach(const std::vector<Id> &from,
                           const IdSet &stop) const {
    return CallGraph(c_.program, c_.flow)
        .reach(from, {.enters = [&](Id fn) { return !stop.contains(fn); },
                      .also =
                          [&](Id fn, CallGraph::Policy::Lead lead) {
                            if (auto at = named_.find(fn); at != named_.end())
                              llvm::for_each(at->second, lead);
                          }});
  }

  const Facts &f_;
  const SolveContext &c_;
  const std::vector<Id> &load_, &save_;
  IdMap<std::vector<Id>> named_; ///< functions, by those that name them
  std::vector<bool> wanted_;
  std::vector<Id> outside_; ///< named in static initialisers
};

} // namespace

namespace nvmove {

void findSerialization(SerializationParts a) {
  a.serialization.isOptional = a.context.options.noSerialization;
  a.serialization.functions =
      SerializationFinder(a.context, a.load, a.save).run();
}

} // namespace nvmove
