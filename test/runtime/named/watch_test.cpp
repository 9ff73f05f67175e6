//===- watch_test.cpp - which pages of a root were written ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "support.h"
#include <cstring>
#include <fcntl.h>
#include <random>
#include <unistd.h>
#include <vector>
extern "C" {
#include "named/watch.h"
}

using namespace nvmtest;

namespace {

constexpr size_t Page = 4096, Pages = 512, Bytes = Pages * Page;
unsigned char table[Bytes + 100]; // no page of it begins where it does

struct Parts {
  std::vector<nvmi_part> parts;
  bool has(size_t at) const {
    for (const nvmi_part &p : parts)
      if (at >= p.from && at < p.end)
        return true;
    return false;
  }
  size_t bytes() const {
    size_t sum = 0;
    for (const nvmi_part &p : parts)
      sum += p.end - p.from;
    return sum;
  }
};

struct Watched {
  nvmi_watch watch = {};
  unsigned char *place = table + 50;
  Watched() { ask(); }
  Parts ask() {
    nvmi_part part[NVMI_MAX_PARTS];
    unsigned count = nvmi_watch_ask(&watch, place, Bytes, part);
    return {{part, part + count}};
  }
  // An older kernel knows nothing: then all is compared.
  bool knows() const { return watch.state == NVMI_WATCHED; }
};

TEST(Watch, TheFirstTimeItIsAll) {
  nvmi_watch watch = {};
  nvmi_part part[NVMI_MAX_PARTS];
  ASSERT_EQ(nvmi_watch_ask(&watch, table, Bytes, part), 1u);
  EXPECT_EQ(part[0].from, 0u);
  EXPECT_EQ(part[0].end, Bytes);
}

TEST(Watch, WhatIsNotWrittenIsNotCompared) {
  Watched w;
  Parts parts = w.ask();
  EXPECT_EQ(parts.bytes(),
            w.knows() ? Page : Bytes); // both edges are less than a page
  EXPECT_TRUE(parts.has(0));
  EXPECT_TRUE(parts.has(Bytes - 1));
}

TEST(Watch, StoresAndWhatSystemCallsWriteAreSeen) {
  Watched w;
  int zero = open("/dev/zero", O_RDONLY);
  w.ask();
  w.place[100 * Page] = 1;
  ASSERT_EQ(read(zero, w.place + 300 * Page, 10), 10);
  Parts parts = w.ask();
  EXPECT_TRUE(parts.has(100 * Page));
  EXPECT_TRUE(parts.has(300 * Page));
  EXPECT_EQ(parts.has(200 * Page), !w.knows());
  EXPECT_EQ(w.ask().has(100 * Page), !w.knows());
  close(zero);
}

TEST(Watch, MorePlacesThanAreToldAtOnce) {
  Watched w;
  for (size_t i = 0; i < 40; i++)
    w.place[i * 10 * Page + Page] = 1;
  for (int round = 0; round < 2;
       round++) { // the second finds those that were not told
    Parts parts = w.ask();
    for (size_t i = round ? 30 : 0; i < 40; i++)
      EXPECT_TRUE(parts.has(i * 10 * Page + Page)) << i;
  }
}

TEST(Watch, NothingIsMissed) {
  Watched w;
  std::mt19937 random(1);
  std::vector<unsigned char> mirror(w.place, w.place + Bytes);
  for (int round = 0; round < 2000; round++) {
    unsigned stores = round % 100 < 90 ? random() % 4 : random() % 400;
    for (unsigned i = 0; i < stores; i++)
      w.place[random() % Bytes] = static_cast<unsigned char>(random());
    for (const nvmi_part &p : w.ask().parts)
      memcpy(&mirror[p.from], w.place + p.from, p.end - p.from);
    ASSERT_EQ(memcmp(mirror.data(), w.place, Bytes), 0) << round;
  }
}

TEST(Watch, WhatIsWrittenAllTheTimeIsComparedWithoutAsking) {
  Watched w;
  for (int round = 0; round < 3; round++) {
    memset(w.place, round, Bytes);
    EXPECT_EQ(w.ask().bytes(), Bytes);
  }
  EXPECT_EQ(w.ask().bytes(), Bytes); // though nothing was
}

TEST(Watch, WithoutItsDescriptorsItIsAll) {
  Ending e = inChild([] {
    Watched w;
    for (int fd = 3; fd < 100; fd++)
      close(fd);
    w.place[Page * 7] = 1;
    REQUIRE(w.ask().bytes() == Bytes);
    REQUIRE(w.ask().bytes() == Bytes);
  });
  EXPECT_TRUE(e.fine()) << e;
}

} // namespace
