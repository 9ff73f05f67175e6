//===- damage_test.cpp - what engines keep, damaged after a crash ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process is killed with something to be rolled back or forward. Then one bit
// of each word of the log, of the engine's tables and of the control record is
// flipped, one at a time: the pool is refused and left as it was, or it opens
// to a commit that was promised, also after more commits.
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "nvmove/restart.h"
#include "support.h"
#include "world.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

extern "C" {
#define _Static_assert static_assert
#include "base/layout.h"
#undef _Static_assert
}

using namespace nvmtest;

namespace {

bool everyByte() {
  const char *all = getenv("NVMOVE_EXHAUSTIVE");
  return all && *all == '1';
}

class Damage : public testing::TestWithParam<const char *> {
protected:
  enum : int { Refused = 50 };

  std::string engine() const { return GetParam(); }
  const nvm_engine &table() const { return engineNamed(engine()); }
  /// A section is a commit, or else a checkpoint is.
  bool hasEpochs() const { return table().epoch_ms != 0; }
  nvm_options options() const {
    nvm_options o = ofSize(table().grows ? 16 * MiB : 32 * MiB);
    o.engine = GetParam();
    o.epoch_ms = hasEpochs() ? 3600000 : -1;
    return o;
  }
  void sections(int count) {
    for (int i = 0; i < count; i++) {
      nvm_begin();
      begun.set(worldSteps() + 1);
      stepWorld();
      nvm_end();
      if (!hasEpochs())
        acknowledged.set(worldSteps());
    }
    nvm_checkpoint();
    acknowledged.set(worldSteps());
  }
  /// The run that is to be cut; `before` is the file as it began.
  void live() {
    registerWorld();
    openPool(pool, options());
    REQUIRE(nvm_restore());
    nvm_ready();
    copyFile(pool, before);
    acknowledged.set(worldSteps());
    begun.set(worldSteps());
    sections(3);
    sections(2);
    if (!table().atomic) // nothing is promised inside of a section
      return;
    begun.set(worldSteps() + 1);
    nvm_begin();
    stepWorld();
    nvm_end();
  }
  /// Kills a run at this part of its events, or between two sections.
  void cutAt(double part) {
    copyFile(base, pool);
    Ending e = inChildWithExit([&] {
      setenv("NVM_CRASH_COUNT", "1", 1);
      live();
      if (!table().atomic)
        _exit(0);
    });
    ASSERT_TRUE(e.fine()) << e;
    if (!table().atomic)
      return;
    double events = strtod(e.text.substr(e.text.find(": ") + 2).c_str(), 0);
    ASSERT_GT(events, 100) << e;
    copyFile(base, pool);
    e = inChildWithExit([&] {
      setenv("NVM_CRASH_AT", std::to_string(long(events * part)).c_str(), 1);
      live();
    });
    ASSERT_TRUE(e.killed()) << e;
  }
  void makeBase() {
    Ending e = inChild([&] {
      registerWorld();
      openPool(pool, options());
      nvm_restore();
      for (int i = 0; i < 12; i++)
        stepWorld();
      nvm_ready();
      sections(3);
    });
    ASSERT_TRUE(e.fine()) << e;
    copyFile(pool, base);
    locate();
  }
  void locate() {
    std::string bytes = readFile(base);
    uint64_t root;
    memcpy(&root, bytes.data() + 6144, sizeof(root));
    headerAt = (root + 63) / 64 * 64;
    memcpy(&header, bytes.data() + headerAt, sizeof(header));
    ASSERT_EQ(header.magic, NVM_DISK_MAGIC);
  }

  /// Two slots and the marks.
  static constexpr size_t ControlLines =
      (NVM_MARKS_OFFSET + sizeof(nvm_disk_marks)) / NVM_LINE_BYTES;
  /// The control record, and the lines that the run has changed of what the
  /// engine keeps about the heap. A second copy of the heap is left out.
  std::vector<size_t> changedLines() {
    std::string was = readFile(before);
    copyFile(pool, cut);
    good = readFile(pool);
    size_t area = header.log_offset, end = area + header.log_size_bytes;
    if (engine() == "dual")
      area += header.arena_size_bytes;
    if (engine() == "checkpoint")
      area = end;
    std::vector<size_t> lines;
    auto add = [&](size_t from, size_t to) {
      for (size_t at = from; at < to; at += NVM_LINE_BYTES)
        if (memcmp(&was[at], &good[at], NVM_LINE_BYTES) != 0)
          lines.push_back(at);
    };
    size_t control = headerAt + NVM_CONTROL_OFFSET;
    for (size_t line = 0; line < ControlLines; line++)
      lines.push_back(control + line * NVM_LINE_BYTES);
    add(area, end);
    return lines;
  }

  /// Opens, looks, goes on through both copies, and is looked at again.
  Ending look(long low, long high) {
    SharedLong found;
    Ending e = inChild([&] {
      registerWorld();
      nvm_options o = options();
      int error = nvm_open(pool.c_str(), &o);
      if (error) {
        dprintf(2, "%s", nvm_errormsg());
        _exit(error == EINVAL ? Refused : 98);
      }
      REQUIRE(nvm_restore());
      REQUIRE(worldSteps() >= low && worldSteps() <= high);
      compare();
      nvm_ready();
      sections(2);
      sections(2);
      compare();
      found.set(worldSteps());
    });
    if (!e.fine())
      return e;
    return inChild([&] {
      registerWorld();
      openPool(pool, options());
      REQUIRE(nvm_restore() && worldSteps() == found.get());
      compare();
    });
  }
  static void compare() {
    Model model;
    while (model.steps < worldSteps())
      model.step();
    requireWorld(model);
  }

  /// One flipped bit. True: refused.
  bool flip(size_t at, unsigned bit, long low, long high) {
    std::string bad = good;
    bad[at] = char(bad[at] ^ 1 << bit);
    patchFile(pool, at, bad.substr(at, 1));
    Ending e = look(low, high);
    bool refused = e.exitStatus == Refused;
    if (refused) {
      EXPECT_NE(e.text.find("[pool-damaged]"), std::string::npos) << e;
      EXPECT_TRUE(readFile(pool) == bad) << "changed although refused: " << at;
    } else
      EXPECT_TRUE(e.fine())
          << "bit " << bit << " at " << at << " ("
          << long(at) - long(header.log_offset) << " in the area, "
          << long(at) - long(headerAt) - NVM_CONTROL_OFFSET
          << " in the control record): " << e;
    copyFile(cut, pool);
    return refused;
  }

  Directory dir;
  std::string pool = dir / "pool", base = dir / "base", before = dir / "before",
              cut = dir / "cut";
  std::string good;
  size_t headerAt = 0;
  nvm_disk_header header = {};
  SharedLong acknowledged, begun;
};

TEST_P(Damage, IsRefusedOrChangesNothing) {
  makeBase();
  size_t refused = 0, flips = 0;
  for (double part : {0.97, 0.8}) {
    cutAt(part);
    if (HasFatalFailure())
      return;
    std::vector<size_t> lines = changedLines();
    long low = acknowledged.get(), high = begun.get();
    if (engine() == "redo") // the last record may be one that a crash has torn
      low--;
    size_t step = everyByte() ? 1 : 8;
    size_t stride = everyByte() ? 1 : lines.size() / 5 + 1;
    for (size_t i = 0; i < lines.size(); i += i < ControlLines ? 1 : stride)
      for (size_t at = lines[i]; at < lines[i] + NVM_LINE_BYTES; at += step) {
        size_t shift = step == 1 ? 0 : flips % 8;
        refused += flip(at + shift, unsigned(flips * 5 % 8), low, high);
        flips++;
        if (HasFailure())
          return;
      }
  }
  EXPECT_GT(refused, !table().goes_back ? 8 : flips / 8) << flips;
  RecordProperty("flips", int(flips));
  RecordProperty("refused", int(refused));
}

// After a loss of power the marks may say nothing; what was announced later
// still tells.
class DamageWithoutMarks : public Damage {
protected:
  static constexpr size_t Size = 256 << 10;
  static inline unsigned char *bytes;
  void open() {
    nvm_root("bytes", &bytes, sizeof(bytes));
    openPool(pool, options());
  }
  void cutWhileFilling() {
    Ending e = inChild([&] {
      open();
      nvm_restore();
      bytes = static_cast<unsigned char *>(nvm_alloc(&nvm_type_bytes, Size));
      nvm_memset(bytes, 1, Size);
      nvm_ready();
      nvm_checkpoint();
      copyFile(pool, base);
      copyFile(pool, before);
      nvm_begin();
      nvm_memset(bytes, 2, Size);
      _exit(0);
    });
    ASSERT_TRUE(e.fine()) << e;
    locate();
    patchFile(pool, headerAt + NVM_CONTROL_OFFSET + NVM_MARKS_OFFSET,
              std::string(sizeof(nvm_disk_marks), 0));
  }
  /// Without what the last announcement, of 64 lines, may have changed.
  std::vector<size_t> earlierLines() {
    constexpr size_t Table = 300, LastOnes = 140;
    std::vector<size_t> lines = changedLines(), earlier;
    for (size_t i = ControlLines, end; i < lines.size(); i = end) {
      for (end = i + 1; end < lines.size() &&
                        lines[end] - lines[end - 1] < 64 * NVM_LINE_BYTES;)
        end++;
      if (end - i > Table)
        earlier.insert(earlier.end(), lines.begin() + long(i),
                       lines.begin() + long(end - LastOnes));
    }
    return earlier;
  }
  bool isRefused(size_t at) {
    char bad = char(good[at] ^ 16);
    patchFile(pool, at, std::string(1, bad));
    Ending e = inChild([&] {
      nvm_root("bytes", &bytes, sizeof(bytes));
      nvm_options o = options();
      if (nvm_open(pool.c_str(), &o) != 0) {
        dprintf(2, "%s", nvm_errormsg());
        _exit(Refused);
      }
      REQUIRE(nvm_restore());
      for (size_t i = 0; i < Size; i++)
        REQUIRE(bytes[i] == 1);
    });
    bool refused = e.exitStatus == Refused;
    EXPECT_TRUE(refused ? e.text.find("[pool-damaged]") != std::string::npos
                        : e.fine())
        << at - header.log_offset << " in the area: " << e;
    copyFile(cut, pool);
    return refused;
  }
};

TEST_P(DamageWithoutMarks, IsSeenUnlessItIsInTheLastAnnouncement) {
  cutWhileFilling();
  if (HasFatalFailure())
    return;
  std::vector<size_t> lines = earlierLines();
  ASSERT_GT(lines.size(), Size / NVM_LINE_BYTES);
  size_t refused = 0, flips = 0;
  for (size_t i = 0; i < lines.size() && !HasFailure();
       i += lines.size() / 24 + 1)
    for (size_t at = 0; at < NVM_LINE_BYTES; at += 8, flips++)
      refused += isRefused(lines[i] + at + flips % 8);
  EXPECT_GT(refused, flips / 2) << flips;
}

INSTANTIATE_TEST_SUITE_P(Of, DamageWithoutMarks,
                         testing::ValuesIn(enginesThat({&nvm_engine::goes_back,
                                                        &nvm_engine::direct})),
                         ByParameter());

INSTANTIATE_TEST_SUITE_P(Of, Damage, testing::ValuesIn(allEngines()),
                         ByParameter());

} // namespace
