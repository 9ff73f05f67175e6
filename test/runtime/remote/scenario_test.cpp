//===- scenario_test.cpp - every scenario has a replica -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The programs that every engine must serve, each with a replica: it is cut
// after some steps, its pool is deleted, and the replica's has to be what the
// last step left.
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "replica_process.h"
#include "scenarios.h"
#include "support.h"
#include <unistd.h>

using namespace nvmtest;

namespace {

constexpr int Sessions = 2, Steps = 12;

class ReplicaScenario
    : public testing::TestWithParam<std::tuple<const char *, Scenario>> {};

TEST_P(ReplicaScenario, IsThereAfterTheFirstMachine) {
  if (!hasReplicas())
    GTEST_SKIP() << "built without libfabric";
  const auto &[engine, scenario] = GetParam();
  Directory directory;
  Replica replica(directory / "replica");
  std::string pool = directory / "pool";
  SharedLong steps;
  for (int session = 0; session < Sessions; session++) {
    Ending ending = inChild([&, engine = engine, &scenario = scenario] {
      setenv("NVM_REPLICA", replica.address().c_str(), 1);
      scenario.registerRoots();
      nvm_options options = ofSize(16 * MiB);
      if (scenario.maxBytes)
        options.max_size_bytes = scenario.maxBytes;
      options.engine = engine;
      options.epoch_ms = -1; /* each section's end */
      REQUIRE(nvm_open(pool.c_str(), &options) == 0);
      scenario.opened();
      nvm_restore();
      nvm_ready();
      for (int i = 0; i < Steps; i++) {
        if (!scenario.ownSections)
          nvm_begin();
        scenario.step();
        if (!scenario.ownSections)
          nvm_end();
        nvm_output();
        steps.set(scenario.steps());
      }
      _exit(0); /* as if it were killed: after the output */
    });
    ASSERT_TRUE(ending.fine()) << ending;
  }
  unlink(pool.c_str());
  replica.kill();
  Ending ending = inChild([&, &scenario = scenario] {
    scenario.registerRoots();
    REQUIRE(nvm_open(replica.pool.c_str(), nullptr) == 0);
    scenario.opened();
    REQUIRE(nvm_restore());
    nvm_ready();
    REQUIRE(scenario.steps() == steps.get());
    scenario.check(steps.get());
    nvm_close();
  });
  EXPECT_TRUE(ending.fine()) << ending;
}

INSTANTIATE_TEST_SUITE_P(
    All, ReplicaScenario,
    testing::Combine(testing::ValuesIn(alsoThreaded(
                         enginesThat({&nvm_engine::can_replicate}))),
                     testing::ValuesIn(scenarios())),
    [](const auto &info) {
      std::string name = std::get<0>(info.param);
      for (char &c : name)
        c = c == '+' ? '_' : c;
      return name + "_" + std::get<1>(info.param).name;
    });

} // namespace
