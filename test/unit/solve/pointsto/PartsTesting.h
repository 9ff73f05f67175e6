//===- PartsTesting.h - The parts of points-to, for tests -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TEST_UNIT_SOLVE_POINTSTO_PARTSTESTING_H
#define NVMOVE_TEST_UNIT_SOLVE_POINTSTO_PARTSTESTING_H

#include "passes/solve/pointsto/MemoryCopies.h"
#include "test/support/CollectSource.h"
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nvmove::test {

/// A snippet, whose load is load(), and all that points-to is given for it.
class Snippet {
public:
  explicit Snippet(const std::string &code);

  Id node(const std::string &name) const; ///< of a variable, by its name alone
  Id function(const std::string &name) const;
  Id record(const std::string &name) const;
  Id field(const std::string &name) const; ///< by its name alone
  Id cell(const std::string &name) const {
    return facts.fields[field(name)].cell;
  }
  /// The first call of the function.
  Id callOf(const std::string &name) const;

  const Facts facts;
  const Program program;
  const Allocators allocators;
  const FieldFlow flow;
  const EventLoop loop;
  const ProgramPhases phases;
  const PreLoadNullness nullness;
  const ProgramPointers text;
  const PointsToInput input;
};

/// A graph whose rules are those that a test sets; without one, everything is
/// admitted, and nothing happens.
struct Rules : ValueGraph::Rules {
  std::function<ValueGraph::Ref(Id, ValueGraph::Ref)> admit;
  std::function<void(const Watch &, ValueGraph::Ref)> see;
  std::function<bool(Id, ValueGraph::Copyings &)> repeats;
  std::vector<Id> prepared;

  ValueGraph::Ref admitted(Id record, ValueGraph::Ref what) override {
    return admit ? admit(record, what) : what;
  }
  void apply(const Watch &w, ValueGraph::Ref what) override {
    if (see)
      see(w, what);
  }
  void prepare(Id node) override { prepared.push_back(node); }
  void written(Id) override {}
  bool isRepeated(Id copying, ValueGraph::Copyings &first) override {
    return repeats && repeats(copying, first);
  }
  void forget() override {}
};

struct Observer : Cells::Observer {
  std::function<void(Id)> see;
  void made(Id location) override {
    if (see)
      see(location);
  }
};

/// The lower parts, each of which a test may look at without those above.
struct PointsToParts {
  explicit PointsToParts(const std::string &code)
      : s(code), graph(s.input, rules), cells(s.input, graph, observer),
        contexts(s.input, graph), overlays(s.input, graph, cells),
        prior(s.input, graph, cells, overlays),
        marks(s.input, graph, cells, contexts),
        copies(s.input, graph, cells, overlays, prior, marks) {
    cells.makeMarks();
  }
  void run() {
    while (graph.step())
      ;
  }
  std::vector<Id> at(Id node) const {
    std::vector<Id> result;
    for (Id l : graph.setOf(node))
      result.push_back(l);
    return result;
  }
  /// A node that holds the location.
  Id addressOf(Id location) {
    Id n = graph.newNode(None);
    graph.add(n, location);
    return n;
  }

  const Snippet s;
  Rules rules;
  Observer observer;
  ValueGraph graph;
  Cells cells;
  CallContexts contexts;
  TypeOverlays overlays;
  PriorContents prior;
  Marks marks;
  MemoryCopies copies;
};

} // namespace nvmove::test

#endif // NVMOVE_TEST_UNIT_SOLVE_POINTSTO_PARTSTESTING_H
