//===- tool_test.cpp - nvm-pool -------------------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "nvmove/restart.h"
#include "support.h"
#include "world.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#define _Static_assert static_assert
#include "base/layout.h"
#undef _Static_assert
}

using namespace nvmtest;

namespace {

class PoolTool : public testing::Test {
protected:
  /// Runs nvm-pool; its stdout goes where inChild() collects stderr.
  Ending tool(const std::string &verb, const std::string &file) {
    return inChild([&] {
      dup2(STDERR_FILENO, STDOUT_FILENO);
      execl(NVM_POOL_TOOL, "nvm-pool", verb.c_str(),
            file.empty() ? nullptr : file.c_str(), nullptr);
      _exit(127);
    });
  }
  void openWorld() {
    registerWorld();
    openPool(pool, ofSize(16 * MiB));
  }
  static void run25Sections() {
    nvm_restore();
    nvm_ready();
    for (int i = 0; i < 25; i++) {
      nvm_begin();
      stepWorld();
      nvm_end();
    }
  }
  void makePool(bool commit) {
    Ending e = inChild([&] {
      openWorld();
      if (commit)
        run25Sections();
    });
    ASSERT_TRUE(e.fine()) << e;
  }
  void expectText(const Ending &e, const std::string &text) {
    EXPECT_NE(e.text.find(text), std::string::npos) << text << "\nin " << e;
  }
  Directory dir;
  std::string pool = dir / "pool";
};

TEST_F(PoolTool, InfoTellsWhatThePoolHolds) {
  makePool(true);
  std::string before = readFile(pool);
  Ending e = tool("info", pool);
  EXPECT_TRUE(e.fine()) << e;
  expectText(e, "16.0 MiB, format 5");
  expectText(e, "state      commit 26; ");
  expectText(e, "root       steps  8 bytes, 0x19\n");
  expectText(e, "type       Table  1 objects, 32 bytes\n");
  EXPECT_EQ(e.text.find("in use,"), std::string::npos);
  EXPECT_TRUE(readFile(pool) == before);
}

/// For each type what `stats` says, which reads all of the pool; a section that
/// was cut counts for neither.
TEST_F(PoolTool, InfoCountsWhatTheLastCommitHolds) {
  for (const char *engine : enginesThat({&nvm_engine::goes_back})) {
    pool = dir / engine;
    Ending e = inChild([&] {
      registerWorld();
      nvm_options o = ofSize(64 * MiB);
      o.engine = engine;
      openPool(pool, o);
      nvm_restore();
      for (int i = 0; i < 60; i++)
        stepWorld();
      nvm_ready();
      nvm_checkpoint();
      nvm_begin();
      for (int i = 0; i < 60; i++)
        stepWorld();
      _exit(0);
    });
    ASSERT_TRUE(e.fine()) << e;
    std::istringstream stats(tool("stats", pool).text);
    Ending info = tool("info", pool);
    std::string line, name, objects, bytes;
    std::getline(stats, line);
    int types = 0;
    while (stats >> name >> objects >> bytes && std::getline(stats, line)) {
      if (name == "all") {
        expectText(info, "in use by " + objects + " objects of " + bytes +
                             " bytes\n");
        break;
      }
      expectText(info, "type       " + name + "  " + objects + " objects, " +
                           bytes + " bytes\n");
      types++;
    }
    EXPECT_GE(types, 4) << engine << stats.str();
  }
}

/// The last process's, also of one that was killed; of none that was not asked.
TEST_F(PoolTool, StatsTellsWhatWasCounted) {
  makePool(true);
  EXPECT_EQ(tool("stats", pool).text.find("stores"), std::string::npos);
  setenv("NVM_STATS", "1", 1);
  setenv("NVM_MEDIA", "stt-ram", 1);
  Ending e = inChild([&] {
    openWorld();
    run25Sections();
    nvm_stats stats;
    nvm_get_stats(&stats);
    dprintf(2, "stores %lu\nlines read %lu\nfences %lu\nenergy, nJ %lu\n",
            stats.stores, stats.lines_read, stats.fences, stats.energy_nj);
    kill(getpid(), SIGKILL);
  });
  unsetenv("NVM_STATS");
  unsetenv("NVM_MEDIA");
  EXPECT_TRUE(e.killed()) << e;
  Ending told = tool("stats", pool);
  expectText(told, ", media stt-ram:\n");
  std::istringstream counted(e.text);
  std::string line;
  int rows = 0;
  for (; std::getline(counted, line); rows++) {
    size_t space = line.rfind(' ');
    std::string name = line.substr(0, space), value = line.substr(space + 1);
    EXPECT_NE(value, "0") << name;
    name.resize(24, ' ');
    value.insert(0, 13 - value.size(), ' ');
    expectText(told, "\n" + name + value + "\n");
  }
  EXPECT_EQ(rows, 4);
}

TEST_F(PoolTool, CheckReadsAllOfIt) {
  makePool(true);
  std::string before = readFile(pool);
  Ending e = tool("check", pool);
  EXPECT_TRUE(e.fine()) << e;
  expectText(e, "sound: commit 26, ");
  EXPECT_TRUE(readFile(pool) == before);
  // A bit in the bitmap of a page that is no slab.
  uint64_t root;
  memcpy(&root, before.data() + 6144, sizeof(root));
  nvm_disk_header h;
  memcpy(&h, before.data() + (root + 63) / 64 * 64, sizeof(h));
  size_t bitmap =
      h.arena_offset + h.bitmap_offset + (h.page_count - 1) * NVM_BITMAP_BYTES;
  patchFile(pool, bitmap, "\1");
  e = tool("check", pool);
  EXPECT_EQ(e.exitStatus, 1);
  expectText(e, "is damaged [pool-damaged]");
}

/// Every option and subcommand is in the manual, and the variables, too.
TEST_F(PoolTool, TheManualHasAllOfIt) {
  std::string manual = readFile(MAN_PAGES "/nvm-pool.1"),
              variables = readFile(MAN_PAGES "/nvmove-runtime.7"),
              documented = readFile(MAN_PAGES "/../runtime.md");
  std::string usage = tool("--help", "").text;
  for (const char *verb :
       {"info", "check", "stats", "dump", "gc", "relocate"}) {
    EXPECT_NE(usage.find(std::string("nvm-pool ") + verb), std::string::npos);
    EXPECT_NE(manual.find(std::string(".B ") + verb + "\n"), std::string::npos)
        << verb;
  }
  for (size_t at = 0;
       (at = documented.find("| `NVM_", at)) != std::string::npos;) {
    at += 3;
    std::string name =
        documented.substr(at, documented.find_first_of("`=", at) - at);
    EXPECT_NE(variables.find(name), std::string::npos) << name;
  }
}

TEST_F(PoolTool, StatsCountsByType) {
  makePool(true);
  std::string before = readFile(pool);
  Ending e = tool("stats", pool);
  EXPECT_TRUE(e.fine()) << e;
  Ending info = tool("check", pool);
  size_t comma = info.text.find(", ");
  std::string objects = info.text.substr(comma + 2);
  objects = objects.substr(0, objects.find(' '));
  expectText(e, "type                          objects");
  expectText(e,
             "\nTable                               1             32         1 "
             "      100.0 %\n");
  size_t all = e.text.find("\nall ");
  ASSERT_NE(all, std::string::npos) << e;
  EXPECT_NE(e.text.find(" " + objects + " ", all), std::string::npos) << e;
  expectText(e, "file 16.0 MiB; heap ");
  EXPECT_TRUE(readFile(pool) == before);
}

// A ring, two ways to one object, text, a table of pointers, a number.
struct Ring {
  Ring *next, *friendOfAll;
  int number;
  char name[12];
  double real;
};
Ring *ring;
char *text;
long plain = 42;
nvm_type ringType = {"Ring", 0, nullptr, 0, 0};

TEST_F(PoolTool, DumpFollowsTypedPointers) {
  static const nvm_field fields[] = {
      NVM_POINTER(Ring, next), NVM_POINTER(Ring, friendOfAll),
      NVM_FIELD(Ring, number), NVM_FIELD(Ring, name), NVM_FIELD(Ring, real)};
  Ending e = inChild([&] {
    nvm_layout(&ringType, sizeof(Ring), fields, 5);
    NVM_ROOT(ring);
    NVM_ROOT(text);
    NVM_ROOT(plain);
    openPool(pool, ofSize(16 * MiB));
    nvm_restore();
    Ring *all[3];
    for (int i = 0; i < 3; i++) {
      all[i] = static_cast<Ring *>(nvm_zalloc(&ringType, sizeof(Ring)));
      nvm_store(all[i], sizeof(Ring));
      all[i]->number = -i;
      all[i]->real = 1.5;
      strcpy(all[i]->name, i ? "a \"b\"" : "first");
    }
    for (int i = 0; i < 3; i++) {
      all[i]->next = all[(i + 1) % 3];
      all[i]->friendOfAll = all[0];
    }
    ring = all[0];
    text = NVM_ALLOC(bytes, nvm_strdup("some\ntext"));
    nvm_ready();
  });
  ASSERT_TRUE(e.fine()) << e;
  std::string before = readFile(pool);
  writeFile(
      dir / "look.py",
      "import json, sys\n"
      "d = json.load(sys.stdin)\n"
      "o, ring = d['objects'], d['roots'].get('ring')\n"
      "if sys.argv[1] == 'all':\n"
      "    assert d['commit'] == 1 and d['roots']['plain'] == 42\n"
      "    assert o[d['roots']['text']]['text'] == 'some\\ntext'\n"
      "    assert len(o) == 4 and d['not_shown'] == 0\n"
      "    at = ring\n"
      "    for i in range(3):\n"
      "        assert o[at]['type'] == 'Ring', o[at]\n"
      "        f = o[at]['fields']\n"
      "        assert f['number'] & 0xffffffff == -i & 0xffffffff, f\n"
      "        assert f['friendOfAll'] == ring and float(f['real']) == 1.5\n"
      "        assert f['name'] == ('a \"b\"' if i else 'first')\n"
      "        at = f['next']\n"
      "    assert at == ring\n"
      "else:\n"
      "    assert list(d['roots']) == ['ring'] and len(o) == 1\n"
      "    assert d['not_shown'] == 1\n");
  auto look = [&](const std::string &arguments, const std::string &how) {
    std::string command = std::string(NVM_POOL_TOOL) + " dump " + pool + " " +
                          arguments + " | python3 " + (dir / "look.py") + " " +
                          how;
    return system(command.c_str());
  };
  EXPECT_EQ(look("", "all"), 0);
  EXPECT_EQ(look("ring --depth 1", "one"), 0);
  EXPECT_NE(look("nothing", "one"), 0);
  EXPECT_TRUE(readFile(pool) == before);
}

// One field of each sort.
struct Inner {
  int first;
  float second;
};
struct Values {
  int negative;
  short little;
  signed char least;
  float single;
  long double longest;
  char word[4];
  char name[8];
  char letters[20];
  int numbers[3];
  Inner inner, inners[2];
  Values *next, *none;
  unsigned bits : 31;
};
Values *values;
int negative = -7;
short table[3] = {1, -2, 3};
nvm_type innerType = {"Inner", 0, nullptr, 0, 0};
nvm_type valuesType = {"Values", 0, nullptr, 0, 0};

TEST_F(PoolTool, DumpShowsValuesOfAllSorts) {
  static const nvm_field innerFields[] = {NVM_FIELD(Inner, first),
                                          NVM_FIELD(Inner, second)};
  static const nvm_field fields[] = {NVM_FIELD(Values, negative),
                                     NVM_FIELD(Values, little),
                                     NVM_FIELD(Values, least),
                                     NVM_FIELD(Values, single),
                                     NVM_FIELD(Values, longest),
                                     NVM_FIELD(Values, word),
                                     NVM_FIELD(Values, name),
                                     NVM_FIELD(Values, letters),
                                     NVM_FIELD(Values, numbers),
                                     NVM_RECORD(Values, inner, Inner),
                                     NVM_RECORD(Values, inners, Inner),
                                     NVM_POINTER(Values, next),
                                     NVM_FIELD(Values, none)};
  Ending e = inChild([&] {
    nvm_layout(&innerType, sizeof(Inner), innerFields, 2);
    nvm_layout(&valuesType, sizeof(Values), fields, 13);
    NVM_ROOT(values);
    NVM_ROOT(negative);
    NVM_ROOT(table);
    openPool(pool, ofSize(16 * MiB));
    nvm_restore();
    values = static_cast<Values *>(nvm_zalloc(&valuesType, sizeof(Values)));
    *NVM_OBJ(values) = {-3,
                        -4,
                        -5,
                        0.25f,
                        1.75L,
                        "abc",
                        "letters",
                        "many more",
                        {-1, 2, 3},
                        {-6, 0.5f},
                        {{7, 1.5f}, {-8, 2.5f}},
                        values,
                        nullptr,
                        0};
    nvm_ready();
  });
  ASSERT_TRUE(e.fine()) << e;
  writeFile(dir / "look.py",
            "import json, sys\n"
            "d = json.load(sys.stdin)\n"
            "r = d['roots']\n"
            "f = d['objects'][r['values']]['fields']\n"
            "inner = lambda i: (i['first'], float(i['second']))\n"
            "assert r['negative'] == -7, r\n"
            "assert r['table'] == 'hex:0100feff0300', r\n"
            "assert f['negative'] == -3 and f['little'] == -4, f\n"
            "assert f['least'] == -5 and float(f['single']) == 0.25, f\n"
            "assert float(f['longest']) == 1.75 and f['word'] == 'abc', f\n"
            "assert f['name'] == 'letters' and f['letters'] == 'many more', f\n"
            "assert f['numbers'] == 'hex:ffffffff0200000003000000', f\n"
            "assert inner(f['inner']) == (-6, 0.5), f\n"
            "assert [inner(i) for i in f['inners']] == [(7, 1.5), (-8, 2.5)]\n"
            "assert f['next'] == r['values'] and f['none'] == 0, f\n");
  std::string dump = std::string(NVM_POOL_TOOL) + " dump " + pool;
  EXPECT_EQ(system((dump + " | python3 " + (dir / "look.py")).c_str()), 0);
  // What is refused prints nothing that a program could take for an answer.
  std::string out = dir / "out";
  EXPECT_NE(system((dump + " nosuch > " + out).c_str()), 0);
  EXPECT_EQ(readFile(out), "");
}

/// What libpmemobj has not rolled back yet is no commit.
TEST_F(PoolTool, APoolOfTxThatACrashHasLeft) {
  auto live = [&](bool crash) {
    return inChild([&] {
      NVM_ROOT(ring);
      nvm_options o = ofSize(64 * MiB);
      o.engine = "tx";
      openPool(pool, o);
      if (!nvm_restore())
        ring = static_cast<Ring *>(nvm_zalloc(&ringType, sizeof(Ring)));
      REQUIRE(ring->number == 0);
      nvm_ready();
      if (crash) {
        nvm_begin();
        NVM(ring->number) = 777;
        kill(getpid(), SIGKILL);
      }
      nvm_close();
    });
  };
  ASSERT_TRUE(live(false).fine());
  EXPECT_TRUE(tool("check", pool).fine());
  EXPECT_TRUE(live(true).killed());
  for (const char *verb : {"check", "dump", "stats"}) {
    Ending e = tool(verb, pool);
    EXPECT_EQ(e.exitStatus, 1) << e;
    expectText(e, "[pool-unsettled]");
  }
  Ending next = live(false);
  EXPECT_TRUE(next.fine()) << next;
  Ending e = tool("check", pool);
  EXPECT_TRUE(e.fine()) << e;
}

TEST_F(PoolTool, APoolWithoutACommit) {
  makePool(false);
  Ending e = tool("info", pool);
  EXPECT_TRUE(e.fine()) << e;
  expectText(e, "no commit yet");
  e = tool("check", pool);
  EXPECT_TRUE(e.fine()) << e;
}

TEST_F(PoolTool, APoolInUse) {
  makePool(true);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  pid_t user = fork();
  if (user == 0) {
    registerWorld();
    openPool(pool);
    REQUIRE(write(ends[1], "r", 1) == 1);
    pause();
  }
  char c;
  ASSERT_EQ(read(ends[0], &c, 1), 1);
  expectText(tool("info", pool), ", in use\n");
  Ending e = tool("check", pool);
  EXPECT_EQ(e.exitStatus, 1);
  expectText(e, "[pool-busy]");
  kill(user, SIGKILL);
  waitpid(user, nullptr, 0);
}

TEST_F(PoolTool, WhatIsNoPoolIsSaidSo) {
  writeFile(pool, std::string(20000, 'x'));
  Ending e = tool("check", pool);
  EXPECT_EQ(e.exitStatus, 1);
  expectText(e, "nvm-pool: error: " + pool + " is not a pool [pool-foreign]");
  e = tool("info", dir / "none");
  EXPECT_EQ(e.exitStatus, 1);
  expectText(e, "[pool-missing]");
  EXPECT_EQ(tool("repair", pool).exitStatus, 2);
}

} // namespace
