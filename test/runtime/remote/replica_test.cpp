//===- replica_test.cpp - a pool on another machine -----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first machine is gone: its process killed, its pool deleted. What was
// acknowledged is in the pool of the replica, which any program can open.
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "program.h"
#include "replica_process.h"
#include "support.h"
#include <csignal>
#include <unistd.h>

using namespace nvmtest;

namespace {

#define NEEDS_SUPPORT                                                          \
  if (!hasReplicas())                                                          \
  GTEST_SKIP() << "built without libfabric"

class ReplicaOf : public testing::TestWithParam<const char *> {};

/* Both are killed, and the program's own pool is gone. */
void expectAllWithoutPrimary(Program &program, Replica &replica) {
  program.kill();
  unlink(program.pool.c_str());
  replica.kill();
  expectWorld(replica.pool, program.acknowledged.get());
}

TEST_P(ReplicaOf, HasWhatWasAcknowledgedWhenThePrimaryIsGone) {
  NEEDS_SUPPORT;
  Directory directory;
  Replica replica(directory / "replica");
  Program program(directory / "pool", replica);
  program.start(GetParam());
  program.awaitSteps(300);
  program.kill();
  unlink(program.pool.c_str());
  ASSERT_TRUE(replica.says("the primary has disconnected")) << replica.text();
  EXPECT_EQ(replica.stop(), 0);
  expectWorld(replica.pool, program.acknowledged.get());
}

TEST_P(ReplicaOf, HasItAlsoWhenBothAreKilled) {
  NEEDS_SUPPORT;
  Directory directory;
  Replica replica(directory / "replica");
  Program program(directory / "pool", replica);
  program.start(GetParam());
  program.awaitSteps(200);
  program.kill();
  replica.kill();
  unlink(program.pool.c_str());
  expectWorld(replica.pool, program.acknowledged.get());
}

TEST_P(ReplicaOf, GoesOnWithRecordsWhenTheProgramStartsAgain) {
  NEEDS_SUPPORT;
  Directory directory;
  Replica replica(directory / "replica");
  Program program(directory / "pool", replica);
  for (long most = 50; most <= 150; most += 50) {
    program.start(GetParam(), 50);
    EXPECT_EQ(program.end(), 0) << program.text();
    EXPECT_EQ(program.acknowledged.get(), most);
  }
  /* Pages once: afterwards it had all but the next record. */
  std::string said = replica.text();
  EXPECT_EQ(said.find("pages up to"), said.rfind("pages up to")) << said;
  replica.kill();
  expectWorld(replica.pool, 150);
}

TEST_P(ReplicaOf, IsWaitedForAndTakesRecordsWhenItIsBack) {
  NEEDS_SUPPORT;
  Directory directory;
  Replica replica(directory / "replica");
  Program program(directory / "pool", replica);
  program.start(GetParam());
  program.awaitSteps(50);
  for (int i = 0; i < 3; i++) {
    replica.kill();
    long before = program.acknowledged.get();
    usleep(200000);
    EXPECT_LE(program.acknowledged.get(), before + 1);
    replica.start();
    program.awaitSteps(before + 50);
  }
  expectAllWithoutPrimary(program, replica);
}

TEST_P(ReplicaOf, CatchesUpByPagesWhenItHasLostItsPool) {
  NEEDS_SUPPORT;
  Directory directory;
  Replica replica(directory / "replica");
  Program program(directory / "pool", replica);
  program.start(GetParam());
  program.awaitSteps(50);
  replica.kill();
  unlink(replica.pool.c_str());
  replica.start();
  program.awaitSteps(program.acknowledged.get() + 50);
  expectAllWithoutPrimary(program, replica);
}

TEST_P(ReplicaOf, IsGoneOnWithoutIfThatIsWanted) {
  NEEDS_SUPPORT;
  Directory directory;
  Replica replica(directory / "replica");
  Program program(directory / "pool", replica);
  program.env("NVM_REPLICA_PARTITION", "go-on");
  program.start(GetParam());
  program.awaitSteps(50);
  replica.kill();
  program.awaitSteps(program.acknowledged.get() + 20000);
  EXPECT_NE(program.text().find("continuing without it"), std::string::npos);
  EXPECT_NE(program.text().find("[replica-away]"), std::string::npos);
  replica.start();
  EXPECT_TRUE(replica.says("pages up to")) << replica.text() << program.text();
  for (int i = 0; i < 500 && program.text().find("is connected again") ==
                                 std::string::npos;
       i++)
    usleep(10000);
  EXPECT_NE(program.text().find("is connected again"), std::string::npos);
  program.awaitSteps(program.acknowledged.get() + 50);
  expectAllWithoutPrimary(program, replica);
}

TEST_P(ReplicaOf, MayLagBehindIfThatIsWanted) {
  NEEDS_SUPPORT;
  Directory directory;
  Replica replica(directory / "replica");
  Program program(directory / "pool", replica);
  program.env("NVM_REPLICA_MODE", "async");
  program.start(GetParam(), 3000);
  EXPECT_EQ(program.end(), 0) << program.text();
  replica.kill();
  expectWorld(replica.pool, 3000); /* at its end a program waits */
}

INSTANTIATE_TEST_SUITE_P(
    Engines, ReplicaOf,
    testing::ValuesIn(alsoThreaded(enginesThat({&nvm_engine::can_replicate}))),
    ByParameter());

} // namespace
