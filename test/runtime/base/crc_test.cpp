//===- crc_test.cpp - CRC-32C in hardware and by table --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

extern "C" {
#include "base/crc32c.h"
uint32_t portable_crc32c(uint32_t crc, const void *data, size_t size_bytes);
uint32_t portable_crc32c_lines(uint32_t crc, const void *lines, size_t count);
uint32_t portable_crc32c_gather(uint32_t crc, void *dst,
                                const unsigned char *base,
                                const uint32_t *number, size_t count);
}

namespace {

struct alignas(64) Lines {
  unsigned char bytes[64 * 64];
  Lines() {
    std::mt19937 random(3);
    for (unsigned char &b : bytes)
      b = static_cast<unsigned char>(random());
  }
};

TEST(Crc, KnownValue) {
  EXPECT_EQ(nvmi_crc32c(0, "123456789", 9), 0xe3069283u);
  EXPECT_EQ(portable_crc32c(0, "123456789", 9), 0xe3069283u);
}

TEST(Crc, PartsContinue) {
  Lines l;
  for (size_t cut = 0; cut < 100; cut++)
    EXPECT_EQ(
        nvmi_crc32c(nvmi_crc32c(0, l.bytes, cut), l.bytes + cut, 1000 - cut),
        nvmi_crc32c(0, l.bytes, 1000));
}

TEST(Crc, AProcessorWithoutTheInstructionReadsThePoolOfOneWithIt) {
  Lines l, a, b;
  std::mt19937 random(4);
  for (size_t n = 0; n < 64; n++) {
    EXPECT_EQ(nvmi_crc32c(7, l.bytes, 61 * n),
              portable_crc32c(7, l.bytes, 61 * n));
    EXPECT_EQ(nvmi_crc32c_lines(9, l.bytes, n),
              portable_crc32c_lines(9, l.bytes, n));
    uint32_t number[64];
    for (size_t i = 0; i < n; i++)
      number[i] = random() % 64;
    uint32_t crc = nvmi_crc32c_gather(5, a.bytes, l.bytes, number, n);
    EXPECT_EQ(crc, portable_crc32c_gather(5, b.bytes, l.bytes, number, n));
    EXPECT_EQ(crc, nvmi_crc32c_lines(5, a.bytes, n));
    EXPECT_EQ(memcmp(a.bytes, b.bytes, 64 * n), 0);
  }
}

/// What a cut tears off may be old in two places whose counters moved alike: an
/// epoch and the last word of a line, words of two lines.
TEST(Crc, CountersThatMoveTogetherDoNotCancelOut) {
  for (auto lines : {nvmi_crc32c_lines, portable_crc32c_lines})
    for (uint64_t old = 0; old < 64; old++) {
      auto withEpoch = [&](uint64_t epoch, uint64_t count) {
        alignas(64) uint64_t line[8] = {1, 2, 3, 4, 5, 6, 7, count};
        return lines(nvmi_crc32c(0, &epoch, sizeof(epoch)), line, 1);
      };
      EXPECT_NE(withEpoch(old + 1, old), withEpoch(old + 2, old + 1)) << old;
      for (unsigned at = 0; at < 16; at++) {
        auto inTwo = [&](uint64_t count) {
          alignas(64) uint64_t two[16] = {};
          two[at] = two[7] = count;
          return lines(0, two, 2);
        };
        EXPECT_NE(inTwo(old), inTwo(old + 1)) << old << " at " << at;
      }
    }
}

/// The heap's header ends with its own CRC-32C, and so may a program's record:
/// all such lines have the same CRC.
TEST(Crc, ALineThatEndsWithItsCrcIsNotAlwaysTheSame) {
  for (auto lines : {nvmi_crc32c_lines, portable_crc32c_lines}) {
    auto withCrc = [&](uint32_t count) {
      alignas(64) uint32_t line[16] = {1, count, 100 - count};
      line[15] = nvmi_crc32c(0, line, 60);
      return lines(0, line, 1);
    };
    for (uint32_t count = 0; count < 64; count++)
      EXPECT_NE(withCrc(count), withCrc(count + 1));
  }
}

TEST(Crc, OneBitChangesIt) {
  Lines l;
  uint32_t before = nvmi_crc32c_lines(0, l.bytes, 64);
  for (size_t bit = 0; bit < sizeof(l.bytes) * 8; bit += 37) {
    l.bytes[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
    EXPECT_NE(nvmi_crc32c_lines(0, l.bytes, 64), before);
    l.bytes[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
  }
}

} // namespace
