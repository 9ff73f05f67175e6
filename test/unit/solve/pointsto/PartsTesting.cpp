//===- PartsTesting.cpp - The parts of points-to, for tests ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/solve/pointsto/PartsTesting.h"

using namespace nvmove;
using namespace nvmove::test;

namespace {

Facts factsOf(const std::string &code) {
  SourceFolder folder;
  CollectResult collected = collectResult(folder, code);
  EXPECT_FALSE(collected.failure) << "the snippet does not compile";
  return merge({std::move(collected.facts)});
}

template <class T>
Id named(const std::vector<T> &all, const std::string &name) {
  for (Id i = 0; i < all.size(); ++i)
    if (all[i].name == name)
      return i;
  ADD_FAILURE() << "nothing is named " << name;
  return None;
}

PointsToOptions optionsFor(const Program &program) {
  PointsToOptions options;
  options.load = {program.functionNamed("load")};
  return options;
}

} // namespace

Snippet::Snippet(const std::string &code)
    : facts(factsOf(code)), program(facts), allocators(program),
      flow(program, allocators),
      loop(program, flow, {program.functionNamed("load")}),
      phases(program, flow, loop, {program.functionNamed("load")}),
      nullness(program, allocators, flow, loop, phases,
               {program.functionNamed("load")}, {}),
      text(program, allocators, flow),
      input{program, allocators, flow, nullness, text, optionsFor(program)} {}

Id Snippet::node(const std::string &name) const {
  return named(facts.nodes, name);
}

Id Snippet::function(const std::string &name) const {
  return named(facts.functions, name);
}

Id Snippet::record(const std::string &name) const {
  return named(facts.records, name);
}

Id Snippet::field(const std::string &name) const {
  return named(facts.fields, name);
}

Id Snippet::callOf(const std::string &name) const {
  return program.callersOf(function(name)).front();
}
