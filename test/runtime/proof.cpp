//===- proof.cpp - power cuts of a scenario on an engine ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One process runs the scenario on the simulated medium. At each cut it leaves
// a file and waits; another process opens the file, looks and goes on from
// there.
//
//===----------------------------------------------------------------------===//
#include "proof.h"
#include "beside.h"
#include "engine_lists.h"
#include "logged.h"
#include "nvmove/restart.h"
#include <csignal>
#include <cstring>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#include "medium/log_limit.h"
}

namespace nvmtest {

static std::vector<Setting> settingsOf(const nvm_engine &engine) {
  // What the parameters of tests point to.
  static std::set<std::string> kept;
  auto keep = [&](const char *suffix) {
    return kept.insert(engine.name + std::string(suffix)).first->c_str();
  };
  Setting usual = {engine.name, engine.name,   engine.epoch_ms != 0,
                   false,       engine.atomic, engine.goes_back};
  std::vector<Setting> all = {usual};
  auto add = [&](const char *suffix) -> Setting & {
    all.push_back(usual);
    all.back().name = keep(suffix);
    return all.back();
  };
  if (engine.power_on_disk && engine.hooked)
    add("OnDisk").disk = true;
  if (engine.second_thread)
    add("Thread").engine = keep("+thread");
  if (engine.goes_back && engine.epoch_ms == 0)
    add("Epochs").epochs = true;
  if (engine.goes_back && engine.epoch_ms > 0)
    add("Each").epochs = false;
  return all;
}

const std::vector<Setting> &settings() {
  static const std::vector<Setting> all = [] {
    std::vector<Setting> all;
    for (const char *name : allEngines())
      for (const Setting &setting : settingsOf(engineNamed(name)))
        all.push_back(setting);
    return all;
  }();
  return all;
}

const Setting &settingNamed(const char *name) {
  for (const Setting &setting : settings())
    if (strcmp(setting.name, name) == 0)
      return setting;
  ADD_FAILURE() << "there is no setting " << name;
  return settings().front();
}

nvm_options Proof::options() const {
  nvm_options o = ofSize(16 * MiB);
  if (scenario.maxBytes) {
    o.max_size_bytes = scenario.maxBytes;
    if (!engineNamed(setting.engine).grows)
      o.size_bytes = scenario.maxBytes;
  }
  o.engine = setting.engine;
  o.power = setting.disk;
  // Epochs end when the scenario says so, or with each section.
  o.epoch_ms = setting.epochs ? 3600000 : -1;
  return o;
}

void Proof::step() {
  if (!scenario.ownSections)
    nvm_begin();
  scenario.step();
  if (!scenario.ownSections)
    nvm_end();
}

/// What has been promised, once it has been.
void Proof::sections(int count, bool cuts) {
  for (int i = 0; i < count; i++) {
    begun.set(scenario.steps() + 1);
    step();
    bool promised = !setting.epochs;
    if (setting.epochs && i % 3 == 2) {
      nvm_checkpoint();
      promised = true;
    } else if (i % 2) {
      nvm_output(); // on a disk and with a thread nothing is promised before
    } else if (setting.disk || isThreaded(setting.engine))
      promised = false;
    if (promised)
      acknowledged.set(scenario.steps());
    if (cuts && !setting.atomic)
      sim_cut();
  }
}

bool Proof::makeBase() {
  Ending e = inChild([&] {
    scenario.registerRoots();
    openPool(base, options());
    scenario.opened();
    if (plan.load) {
      acknowledged.set(0);
      return;
    }
    nvm_restore();
    for (int i = 0; i < plan.baseSections / 2 && !scenario.ownSections; i++)
      scenario.step();
    nvm_ready();
    acknowledged.set(scenario.steps());
    sections(plan.baseSections - plan.baseSections / 2, false);
  });
  if (!e.fine())
    problem = "no base: " + e.text;
  return e.fine();
}

// Of the running simulation, in its process.
static int readyEnd, goEnd;
static void waitAtCut() {
  char c;
  if (write(readyEnd, "c", 1) != 1 || read(goEnd, &c, 1) != 1)
    _exit(0); // enough
}

void Proof::live(const sim_plan &sim) {
  scenario.registerRoots();
  sim_install(&sim);
  besideIsCut(plan.leavesEarly, !setting.epochs);
  if (!setting.atomic)
    sim_arm(0);
  openPool(pool, options());
  scenario.opened();
  REQUIRE(nvm_restore() == !plan.load);
  scenario.check(scenario.steps());
  if (plan.load) {
    acknowledged.set(0);
    begun.set(plan.baseSections);
    for (int i = 0; i < plan.baseSections; i++)
      scenario.step();
  }
  nvm_ready();
  begun.set(scenario.steps());
  acknowledged.set(scenario.steps());
  fault_plant(plan.engine);
  listForgetsAHook = plan.hookMissing;
  loggedForgesKeys = plan.forgedKeys;
  sections(plan.sections, sim.at_cut != nullptr);
  nvm_close();
  primitives.set(sim_count());
}

/// Pages that no commit has used are zero, whatever a cut has left in them.
static void requireZeroes() {
  static const char zero[200000] = {};
  for (int i = 0; i < 20; i++) {
    void *p = nvm_zalloc(&nvm_type_bytes, sizeof(zero));
    if (!p)
      return; // it is full
    REQUIRE(memcmp(p, zero, sizeof(zero)) == 0);
  }
}

/// Opens what a cut left, looks, goes on and is looked at again.
bool Proof::check(const std::string &file, long low, long high) {
  SharedLong found;
  auto look = [&](int more) {
    scenario.registerRoots();
    openPool(file, options());
    scenario.opened();
    REQUIRE(nvm_restore() || (plan.load && low == 0));
    REQUIRE(scenario.steps() >= low);
    REQUIRE(scenario.steps() <= high);
    scenario.check(scenario.steps());
    nvm_ready();
    for (int i = 0; i < more; i++)
      step();
    scenario.check(scenario.steps());
    found.set(scenario.steps());
    nvm_close();
  };
  Ending e = inChild([&] { look(2); });
  if (e.fine() && states % 3 == 0) {
    low = high = found.get();
    e = inChild([&] { look(0); });
  }
  if (!e.fine())
    problem = testing::PrintToString(e);
  return e.fine();
}

/// The first commit after a cut, and then memory that no commit has used.
bool Proof::checkZeroes(const std::string &file, long low, long high) {
  auto start = [&](bool commits) {
    return inChild([&] {
      scenario.registerRoots();
      openPool(file, options());
      scenario.opened();
      REQUIRE(nvm_restore() || (plan.load && low == 0));
      REQUIRE(scenario.steps() >= low && scenario.steps() <= high);
      scenario.check(scenario.steps());
      if (commits)
        nvm_ready();
      else
        requireZeroes();
    });
  };
  Ending e = start(true);
  if (e.fine())
    e = start(false);
  if (!e.fine())
    problem = testing::PrintToString(e);
  return e.fine();
}

/// Cuts the recovery of what a cut left, too. False: it went wrong.
bool Proof::cutRecovery(unsigned seed) {
  Ending e = inChild([&] {
    scenario.registerRoots();
    sim_plan sim = {};
    sim.pool_path = left.c_str();
    sim.left_path = left2.c_str();
    sim.medium = setting.disk ? SIM_SYNC_IS_NEEDED : SIM_FENCE_IS_ENOUGH;
    sim.fault = plan.medium;
    sim.seed = seed;
    sim.whole_lines = plan.wholeLines;
    sim.cut_at = 1 + long(seed % 60);
    sim.at_cut = [] { _exit(7); };
    sim_install(&sim);
    openPool(left, options());
    scenario.opened();
    REQUIRE(nvm_restore() || plan.load);
    nvm_ready();
    _exit(0);
  });
  if (e.exitStatus != 7 && e.exitStatus != 0) {
    problem = testing::PrintToString(e);
    return false;
  }
  return check(e.exitStatus == 7 ? left2 : left, acknowledged.get(),
               begun.get());
}

void Proof::stateIsThere() {
  states++;
  bool again = setting.atomic && states % 4 == 0;
  bool fine = again ? cutRecovery(unsigned(random()))
              : states % 4 == 1
                  ? checkZeroes(left, acknowledged.get(), begun.get())
                  : check(left, acknowledged.get(), begun.get());
  wrong += !fine;
}

/// One run of the scenario, with some cuts in it. False: it failed by itself.
bool Proof::round(long odds) {
  int ready[2], go[2];
  if (pipe(ready) != 0 || pipe(go) != 0)
    abort();
  copyFile(base, pool);
  sim_plan sim = {};
  sim.pool_path = pool.c_str();
  sim.left_path = left.c_str();
  sim.medium = setting.disk ? SIM_SYNC_IS_NEEDED : SIM_FENCE_IS_ENOUGH;
  sim.fault = plan.medium;
  sim.seed = unsigned(random());
  sim.whole_lines = plan.wholeLines;
  sim.odds = odds;
  sim.at_cut = waitAtCut;
  long floor = acknowledged.get();
  begun.set(floor + plan.baseSections);
  pid_t child = fork();
  if (child == 0) {
    close(ready[0]);
    close(go[1]);
    readyEnd = ready[1];
    goEnd = go[0];
    live(sim);
    _exit(0);
  }
  close(ready[1]);
  close(go[0]);
  char c;
  while (read(ready[0], &c, 1) == 1) {
    stateIsThere();
    if ((plan.states && states >= plan.states) || (plan.stopAtFirst && wrong) ||
        write(go[1], "g", 1) != 1)
      break;
  }
  close(ready[0]);
  close(go[1]);
  int status;
  waitpid(child, &status, 0);
  acknowledged.set(floor);
  bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!fine)
    problem +=
        " (the run itself ended with status " + std::to_string(status) + ")";
  return fine;
}

/// While it lives a slice of a log has few entries, so threads come to its end.
struct SmallSlices {
  explicit SmallSlices(bool wanted) {
    nvmi_log_slice_limit_bytes = wanted ? 1024 : 0;
  }
  ~SmallSlices() { nvmi_log_slice_limit_bytes = 0; }
};

long Proof::run(const Plan &wanted) {
  SmallSlices slices(setting.epochs || scenario.ownSections);
  plan = wanted;
  if (scenario.wholeLines && engineNamed(setting.engine).log_word)
    plan.wholeLines = !plan.tornLines;
  // After a crash the base holds at least what was acknowledged.
  if (!makeBase())
    return -1;
  long floor = acknowledged.get();
  copyFile(base, pool);
  Ending e = inChild([&] {
    sim_plan sim = {};
    sim.pool_path = pool.c_str();
    plan.engine = FAULT_NONE; // in this process only
    plan.hookMissing = plan.forgedKeys = plan.leavesEarly = false;
    live(sim);
  });
  if (!e.fine()) {
    problem = "without cuts: " + e.text;
    return -1;
  }
  // A dozen cuts in a run, or all; a long proof would mostly start runs.
  long cuts = plan.states < 1000 ? 12 : 48;
  long odds =
      !plan.states ? 1000000 : cuts * 1000000 / (primitives.get() + 1) + 1;
  do {
    acknowledged.set(floor);
    if (!round(odds) && !wrong)
      return -1;
  } while (states < plan.states && !(plan.stopAtFirst && wrong));
  return wrong;
}

} // namespace nvmtest
