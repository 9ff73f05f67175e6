//===- proof_test.cpp - every scenario on every engine --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// kill -9 never loses what lies in the page cache or in a processor's cache; a
// power cut does. A sample of the states it may leave is looked at; with
// NVMOVE_LONG=1 there are 10 000 for each scenario and engine.
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "proof.h"
#include <cstdlib>
#include <cstring>

using namespace nvmtest;

namespace {

bool isLong() {
  const char *text = getenv("NVMOVE_LONG");
  return text && *text == '1';
}

std::string nameOf(const Setting &setting) { return setting.name; }

class PowerCuts : public testing::TestWithParam<std::tuple<Setting, Scenario>> {
};

TEST_P(PowerCuts, LoseNothingThatWasPromised) {
  const auto &[setting, scenario] = GetParam();
  if (scenario.restartPoints && !setting.goesBack)
    GTEST_SKIP() << "engine " << setting.engine
                 << " cannot go back to a restart point";
  Proof proof(setting, scenario);
  Plan plan;
  plan.states = isLong() ? 10000 : 12;
  EXPECT_EQ(proof.run(plan), 0) << proof.problem;
  EXPECT_GE(proof.states, plan.states);
}

INSTANTIATE_TEST_SUITE_P(Of, PowerCuts,
                         testing::Combine(testing::ValuesIn(settings()),
                                          testing::ValuesIn(scenarios())),
                         [](const auto &info) {
                           return nameOf(std::get<0>(info.param)) + "_" +
                                  std::get<1>(info.param).name;
                         });

/// libpmemobj's own recovery is cut while it frees a log: see nvmi_pmem_open().
TEST(PowerCutsOfTx, InTheRecoveryOfALargeTransaction) {
  Proof proof(settingNamed("tx"), scenarioNamed("table"));
  Plan plan;
  plan.states = 64;
  EXPECT_EQ(proof.run(plan), 0) << proof.problem;
}

class EveryCut : public testing::TestWithParam<Setting> {};

/// A short run, cut before each primitive.
TEST_P(EveryCut, OfTwoSections) {
  Proof proof(GetParam(), scenarioNamed("list"));
  Plan plan;
  // A checkpoint of all that the heap uses has tens of thousands.
  plan.states = engineNamed(GetParam().engine).hooked || isLong() ? 0 : 60;
  plan.sections = 2;
  plan.baseSections = 4;
  EXPECT_EQ(proof.run(plan), 0) << proof.problem;
  EXPECT_GE(proof.states, GetParam().atomic ? 10 : 2);
}

INSTANTIATE_TEST_SUITE_P(Of, EveryCut, testing::ValuesIn(settings()),
                         [](const auto &info) { return nameOf(info.param); });

class Loads : public testing::TestWithParam<Setting> {};

/// Children look on meanwhile. All of the load is there afterwards, or nothing.
TEST_P(Loads, AreCutAnywhere) {
  Proof proof(GetParam(), scenarioNamed("fork"));
  Plan plan;
  plan.load = true;
  plan.states = isLong() ? 10000 : 24;
  plan.sections = 1;
  EXPECT_EQ(proof.run(plan), 0) << proof.problem;
  EXPECT_GE(proof.states, plan.states);
}

INSTANTIATE_TEST_SUITE_P(Of, Loads, testing::ValuesIn(settings()),
                         [](const auto &info) { return nameOf(info.param); });

/// The test of the test: each of these must be found.
struct Planted {
  const char *name, *setting, *scenario;
  sim_fault medium;
  fault engine;
  bool hookMissing = false, forgedKeys = false, tornLines = false,
       leavesEarly = false;
};

class PlantedFault : public testing::TestWithParam<Planted> {};

TEST_P(PlantedFault, IsFound) {
  const Planted &p = GetParam();
  Proof proof(settingNamed(p.setting), scenarioNamed(p.scenario));
  Plan plan;
  plan.states = 400;
  plan.medium = p.medium;
  plan.engine = p.engine;
  plan.hookMissing = p.hookMissing;
  plan.forgedKeys = p.forgedKeys;
  plan.tornLines = p.tornLines;
  plan.leavesEarly = p.leavesEarly;
  plan.stopAtFirst = true;
  EXPECT_GT(proof.run(plan), 0) << proof.states << " states " << proof.problem;
}

INSTANTIATE_TEST_SUITE_P(
    Of, PlantedFault,
    testing::Values(
        Planted{"RedoWithoutFence", "redo", "list", SIM_NO_FENCE, FAULT_NONE},
        Planted{"RedoOnDiskWithoutSync", "redoOnDisk", "list", SIM_NO_SYNC,
                FAULT_NONE},
        Planted{"RedoOnDiskSyncedTooLittle", "redoOnDisk", "list",
                SIM_SHORT_SYNC, FAULT_NONE},
        Planted{"RedoLogLineLost", "redo", "table", SIM_LOG_LINE_LOST,
                FAULT_NONE},
        Planted{"RedoLineNotCommitted", "redo", "table", SIM_NO_FAULT,
                FAULT_LINE_NOT_COMMITTED},
        Planted{"RedoMissingHook", "redo", "list", SIM_NO_FAULT, FAULT_NONE,
                true},
        Planted{"UndoMissingHook", "undo", "list", SIM_NO_FAULT, FAULT_NONE,
                true},
        Planted{"UndoWithoutFlush", "undo", "list", SIM_NO_FLUSH, FAULT_NONE},
        Planted{"UndoWithoutFence", "undo", "list", SIM_NO_FENCE, FAULT_NONE},
        Planted{"UndoLineNotSaved", "undo", "strings", SIM_NO_FAULT,
                FAULT_LINE_NOT_SAVED},
        Planted{"UndoSavedLate", "undo", "strings", SIM_NO_FAULT,
                FAULT_SAVED_LATE},
        Planted{"UndoCommitFirst", "undo", "strings", SIM_NO_FAULT,
                FAULT_COMMIT_FIRST},
        Planted{"UndoLineNotCommitted", "undo", "strings", SIM_NO_FAULT,
                FAULT_LINE_NOT_COMMITTED},
        Planted{"VersionsSavedLate", "versions", "strings", SIM_NO_FAULT,
                FAULT_SAVED_LATE},
        Planted{"VersionsFewFences", "versionsEach", "table",
                SIM_EVERY_THIRD_FENCE, FAULT_NONE},
        Planted{"IncllLineNotSaved", "incll", "strings", SIM_NO_FAULT,
                FAULT_LINE_NOT_SAVED},
        Planted{"IncllWithoutFlush", "incll", "table", SIM_NO_FLUSH,
                FAULT_NONE},
        Planted{"IncllLineNotSavedBesideLogs", "incll", "logged", SIM_NO_FAULT,
                FAULT_LINE_NOT_SAVED},
        Planted{"IncllTagBeforeCopy", "incll", "logged", SIM_NO_FAULT,
                FAULT_TAG_BEFORE_COPY},
        Planted{"IncllWordNotFlushed", "incll", "logged", SIM_NO_FAULT,
                FAULT_WORD_NOT_FLUSHED},
        Planted{"IncllPartNotNoted", "incll", "logged", SIM_NO_FAULT,
                FAULT_PART_NOT_NOTED},
        Planted{"IncllTagsThatWereThere", "incll", "logged", SIM_NO_FAULT,
                FAULT_NONE, false, true},
        Planted{"IncllTornLines", "incll", "logged", SIM_NO_FAULT, FAULT_NONE,
                false, false, true},
        Planted{"IncllLeftEarly", "incll", "beside", SIM_NO_FAULT, FAULT_NONE,
                false, false, false, true},
        Planted{"IncllMarkedFirst", "incll", "beside", SIM_NO_FAULT,
                FAULT_MARKED_FIRST},
        Planted{"IncllMarkedFirstBetweenPoints", "incll", "besidePoints",
                SIM_NO_FAULT, FAULT_MARKED_FIRST},
        Planted{"VersionsLeftEarly", "versions", "beside", SIM_NO_FAULT,
                FAULT_NONE, false, false, false, true},
        Planted{"RedoLeftEarly", "redoEpochs", "beside", SIM_NO_FAULT,
                FAULT_NONE, false, false, false, true},
        Planted{"UndoLeftEarly", "undoEpochs", "beside", SIM_NO_FAULT,
                FAULT_NONE, false, false, false, true},
        Planted{"RedoOutputLeftEarly", "redo", "besideOutputs", SIM_NO_FAULT,
                FAULT_NONE, false, false, false, true},
        Planted{"UndoOutputLeftEarly", "undo", "besideOutputs", SIM_NO_FAULT,
                FAULT_NONE, false, false, false, true},
        Planted{"UndoOutputMarkedFirst", "undo", "besideOutputs", SIM_NO_FAULT,
                FAULT_MARKED_FIRST},
        Planted{"UndoMarkedFirst", "undoEpochs", "beside", SIM_NO_FAULT,
                FAULT_MARKED_FIRST},
        Planted{"UndoMarkedFirstBetweenPoints", "undoEpochs", "besidePoints",
                SIM_NO_FAULT, FAULT_MARKED_FIRST},
        Planted{"UndoHeadNotFenced", "undoEpochs", "beside", SIM_NO_FAULT,
                FAULT_HEAD_NOT_FENCED},
        Planted{"UndoOutputHeadNotFenced", "undo", "besideOutputs",
                SIM_NO_FAULT, FAULT_HEAD_NOT_FENCED},
        Planted{"UndoHeadNotFencedBetweenPoints", "undoEpochs", "besidePoints",
                SIM_NO_FAULT, FAULT_HEAD_NOT_FENCED},
        Planted{"UndoSliceShared", "undoEpochs", "beside", SIM_NO_FAULT,
                FAULT_SLICE_SHARED},
        Planted{"UndoSliceSharedBetweenPoints", "undoEpochs", "besidePoints",
                SIM_NO_FAULT, FAULT_SLICE_SHARED},
        Planted{"DualLeftEarly", "dual", "beside", SIM_NO_FAULT, FAULT_NONE,
                false, false, false, true},
        Planted{"DualCopyNotFenced", "dual", "table", SIM_NO_COPY_FENCE,
                FAULT_NONE},
        Planted{"DualLineNotCommitted", "dual", "strings", SIM_NO_FAULT,
                FAULT_LINE_NOT_COMMITTED},
        Planted{"CheckpointFewFences", "checkpoint", "strings", SIM_NO_FENCE,
                FAULT_NONE},
        Planted{"TxPartOfARange", "tx", "strings", SIM_FIRST_CUT_LINE,
                FAULT_NONE},
        Planted{"TxWithoutFence", "tx", "list", SIM_NO_FENCE, FAULT_NONE},
        Planted{"CollectionWithoutFence", "redo", "collection", SIM_NO_FENCE,
                FAULT_NONE},
        Planted{"CollectionLineNotSaved", "undo", "collection", SIM_NO_FAULT,
                FAULT_LINE_NOT_SAVED},
        Planted{"CollectionLineNotCommitted", "dual", "collection",
                SIM_NO_FAULT, FAULT_LINE_NOT_COMMITTED},
        Planted{"FlushWithoutFlush", "flush", "list", SIM_NO_FLUSH,
                FAULT_NONE}),
    [](const auto &info) { return std::string(info.param.name); });

} // namespace
