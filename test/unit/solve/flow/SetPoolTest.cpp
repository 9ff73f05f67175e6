//===- SetPoolTest.cpp - Equal sets stand once ----------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/SetPool.h"
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

using namespace nvmove;

namespace {

using Ref = SetPool::Ref;

std::set<unsigned> members(const SetPool &pool, Ref r) {
  std::set<unsigned> result;
  for (unsigned m : pool[r])
    result.insert(m);
  return result;
}

TEST(SetPool, EqualSetsHaveOneName) {
  SetPool pool;
  Ref a = pool.of(Id(1)), b = pool.of(Id(200));
  EXPECT_EQ(pool.of(SetPool::Set()), Ref::Empty);
  EXPECT_EQ(pool.unite(a, b), pool.unite(b, a));
  EXPECT_EQ(pool.unite(pool.unite(a, b), a), pool.unite(a, b));
  EXPECT_EQ(pool.subtract(pool.unite(a, b), b), a);
  EXPECT_EQ(pool.subtract(a, a), Ref::Empty);
  EXPECT_EQ(pool.subtract(a, b), a);
}

/// Beside std::set, with sweeps in between: persistent state keeps its name and
/// its members, and new sets may take the place of what was forgotten.
TEST(SetPool, DoesWhatSetsDo) {
  SetPool pool;
  std::mt19937 random(7);
  std::vector<Ref> refs(40, Ref::Empty);
  std::vector<std::set<unsigned>> sets(40);
  for (unsigned round = 0; round < 20000; ++round) {
    unsigned a = random() % 40, b = random() % 40, to = random() % 40;
    switch (random() % 4) {
    case 0: {
      Id m = random() % 300;
      refs[to] = pool.unite(refs[a], pool.of(m));
      sets[to] = sets[a];
      sets[to].insert(m);
      break;
    }
    case 1: {
      std::set<unsigned> both = sets[a];
      both.insert(sets[b].begin(), sets[b].end());
      refs[to] = pool.unite(refs[a], refs[b]);
      sets[to] = both;
      break;
    }
    default: {
      std::set<unsigned> rest = sets[a];
      for (unsigned m : sets[b])
        rest.erase(m);
      refs[to] = pool.subtract(refs[a], refs[b]);
      sets[to] = rest;
      break;
    }
    }
    ASSERT_EQ(members(pool, refs[to]), sets[to]);
    if (round % 1000 == 999) {
      pool.sweep([&](llvm::function_ref<void(Ref)> keep) {
        for (Ref r : refs)
          keep(r);
      });
      for (unsigned i = 0; i < 40; ++i) {
        ASSERT_EQ(members(pool, refs[i]), sets[i]);
        for (unsigned k = 0; k < 40; ++k)
          ASSERT_EQ(refs[i] == refs[k], sets[i] == sets[k]);
      }
    }
  }
}

} // namespace
