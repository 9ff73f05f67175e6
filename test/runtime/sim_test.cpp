//===- sim_test.cpp - power cuts ------------------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// kill -9 never loses what lies in the page cache or in a processor's cache;
// a power cut does. The simulator cuts between any two primitives and lets each
// unfinished line show any of its versions.
//
//===----------------------------------------------------------------------===//
#include "sim.h"
#include "support.h"
#include "world.h"
#include <cstdlib>
#include <random>
#include <unistd.h>

extern "C" {
#include "create.h"
}

using namespace nvmtest;

namespace {

class PowerCut : public testing::TestWithParam<sim_medium> {
protected:
  void SetUp() override {
    Ending made = inChild([&] {
      registerWorld();
      nvmi_log_soft_limit_bytes = 64 << 10;
      openPool(base, ofSize(16 * MiB));
      nvm_restore();
      for (int i = 0; i < 30; i++)
        stepWorld();
      nvm_ready();
      nvm_close();
    });
    ASSERT_TRUE(made.fine()) << made;
    Ending fresh = inChild([&] {
      nvmi_log_soft_limit_bytes = 64 << 10;
      openPool(empty, ofSize(16 * MiB));
    });
    ASSERT_TRUE(fresh.fine()) << fresh;
  }

  bool onDisk() const { return GetParam() == SIM_SYNC_IS_NEEDED; }

  /// Runs from a copy of `from` until the cut and leaves the cut file.
  Ending run(const std::string &from, sim_plan plan) {
    plan.medium = GetParam();
    plan.left_path = left.c_str();
    acknowledged.set(floor);
    begun.set(floor);
    copyFile(from, pool);
    return inChild([&] {
      registerWorld();
      sim_install(plan);
      nvm_options options = ofSize(16 * MiB);
      options.power = onDisk();
      openPool(pool, options);
      if (!nvm_restore())
        begun.set(3), stepWorld(), stepWorld(), stepWorld();
      nvm_ready();
      acknowledged.set(worldSteps());
      for (int i = 0; i < 12; i++) {
        nvm_begin();
        begun.set(worldSteps() + 1);
        stepWorld();
        nvm_end();
        if (onDisk() && i % 3 == 0)
          nvm_output(); // otherwise nothing has been promised
        if (!onDisk() || i % 3 == 0)
          acknowledged.set(worldSteps());
      }
      nvm_close();
      count.set(sim_count());
      barriers.set(sim_barriers());
    });
  }

  /// What is left must be a commit not older than what was promised, and life
  /// must go on from there: the next owner commits some steps and is killed.
  bool recovers(long low, long high) {
    SharedLong found;
    auto look = [&](long steps) {
      registerWorld();
      openPool(left, ofSize(16 * MiB));
      Model model;
      if (nvm_restore())
        while (model.steps < worldSteps())
          model.step();
      REQUIRE(worldSteps() >= low && worldSteps() <= high);
      requireWorld(model);
      nvm_ready();
      for (int i = 0; i < steps; i++, model.step()) {
        nvm_begin();
        stepWorld();
        nvm_end();
      }
      requireWorld(model);
      found.set(worldSteps());
    };
    Ending e = inChild([&] { look(3); });
    if (e.fine()) {
      low = high = found.get();
      e = inChild([&] { look(0); });
    }
    if (!e.fine())
      problem = e.text;
    return e.fine();
  }

  /// Cuts at random primitives and before each barrier; gives back how many
  /// cuts were not recovered.
  int cuts(const std::string &from, long from_step, int rounds,
           int seedsPerBarrier) {
    floor = from_step;
    EXPECT_TRUE(run(from, {}).fine());
    std::mt19937 random(11);
    int lost = 0;
    auto cut = [&](long at, long barrier) {
      sim_plan plan = {};
      plan.cut_at = at;
      plan.cut_at_barrier = barrier;
      plan.seed = random();
      Ending e = run(from, plan);
      EXPECT_TRUE(e.fine()) << e;
      lost += !recovers(acknowledged.get(), begun.get());
    };
    long all = count.get(), allBarriers = barriers.get();
    for (int i = 0; i < rounds; i++)
      cut(1 + long(random() % unsigned(all)), 0);
    for (long i = 1; i <= allBarriers; i++)
      for (int k = 0; k < seedsPerBarrier; k++)
        cut(0, i);
    return lost;
  }

  int rounds(int usual) const {
    const char *all = getenv("NVMOVE_EXHAUSTIVE");
    return all && *all == '1' ? 10 * usual : usual;
  }

  long floor = 0; ///< steps in the pool that a run begins with
  SharedLong acknowledged, begun, count, barriers;
  Directory dir;
  std::string base = dir / "base", empty = dir / "empty", pool = dir / "pool",
              left = dir / "left";
  std::string problem;
};

TEST_P(PowerCut, LosesNothingThatWasPromised) {
  EXPECT_EQ(cuts(base, 30, rounds(50), rounds(1)), 0) << problem;
}

TEST_P(PowerCut, InTheFirstCommitLeavesAPoolThatStartsAfresh) {
  EXPECT_EQ(cuts(empty, 0, rounds(25), rounds(1)), 0) << problem;
}

INSTANTIATE_TEST_SUITE_P(Medium, PowerCut,
                         testing::Values(SIM_FENCE_IS_ENOUGH,
                                         SIM_SYNC_IS_NEEDED),
                         [](const auto &info) {
                           return info.param == SIM_FENCE_IS_ENOUGH ? "Fence"
                                                                    : "Sync";
                         });

/// The simulator itself: it must notice a fence that does nothing.
class PlantedBug : public PowerCut {};
TEST_P(PlantedBug, IsFound) { EXPECT_GT(cuts(base, 30, 40, 0), 10); }
INSTANTIATE_TEST_SUITE_P(Medium, PlantedBug,
                         testing::Values(SIM_FENCE_IS_BROKEN));

} // namespace
