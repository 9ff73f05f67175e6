//===- proof.h - power cuts of a scenario on an engine ----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NVMOVE_TEST_RUNTIME_PROOF_H
#define NVMOVE_TEST_RUNTIME_PROOF_H

#include "faults.h"
#include "scenarios.h"
#include "sim.h"
#include "support.h"
#include <random>

namespace nvmtest {

/// An engine as it is used.
struct Setting {
  const char *name; ///< of the test
  const char *engine;
  bool epochs = false;  ///< every third section is followed by a checkpoint
  bool disk = false;    ///< power durability on a disk
  bool atomic = true;   ///< false: cuts between sections only
  bool goesBack = true; ///< false: threads cannot meet at restart points
};
/// Each durable engine as it is meant to be used, by its name; and NAMEEpochs
/// with checkpoints instead of commits, or NAMEEach the other way round;
/// NAMEThread with a second thread; NAMEOnDisk.
const std::vector<Setting> &settings();
const Setting &settingNamed(const char *name);

/// How a proof goes.
struct Plan {
  long states = 40; ///< that are looked at; 0: one for every primitive
  int sections = 12;
  int baseSections = 10;
  sim_fault medium = SIM_NO_FAULT;
  fault engine = FAULT_NONE;
  bool hookMissing = false; ///< one store of the scenario is not announced
  bool leavesEarly = false; ///< a section of threads beside each other, too
  bool wholeLines = false;  ///< the stores to one line stay in order
  bool tornLines = false;   ///< not even where the scenario relies on it
  bool forgedKeys = false;  ///< records bring tags along that count
  bool stopAtFirst = false;
  bool load = false; ///< cut the load, of a pool without a commit
};

class Proof {
public:
  Proof(const Setting &setting, const Scenario &scenario)
      : setting(setting), scenario(scenario) {}

  /// Looks at states until there were enough. Gives back how many were wrong.
  long run(const Plan &plan);
  long states = 0;     ///< looked at
  std::string problem; ///< what the last wrong one said

private:
  nvm_options options() const;
  bool makeBase();
  void step();
  void sections(int count, bool cuts);
  void live(const sim_plan &sim);
  bool round(long odds);
  void stateIsThere();
  bool check(const std::string &file, long low, long high);
  bool checkZeroes(const std::string &file, long low, long high);
  bool cutRecovery(unsigned seed);

  const Setting &setting;
  const Scenario &scenario;
  Plan plan;
  Directory dir;
  std::string base = dir / "base", pool = dir / "pool", left = dir / "left",
              left2 = dir / "left2";
  SharedLong acknowledged, begun, primitives;
  std::mt19937 random{17};
  long wrong = 0;
};

} // namespace nvmtest

#endif // NVMOVE_TEST_RUNTIME_PROOF_H
