//===- threads_test.cpp - several threads in one heap ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "support.h"
#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <unistd.h>

using namespace nvmtest;

NVM_TYPE(knot);
NVM_TYPE(slots);

namespace {

struct Knot {
  Knot *next;
  long owner, number;
};
constexpr int Threads = 4;
Knot *lists[Threads];

/// Allocates and frees outside of sections all the time, and keeps a list of
/// its own inside of sections; blocks go from thread to thread.
void live(int self, std::atomic<char *> *exchange, int steps) {
  std::mt19937 random(unsigned(self) + 1);
  for (int i = 0; i < steps; i++) {
    size_t size = 16 + random() % (i % 50 ? 500 : 100000);
    char *p = static_cast<char *>(nvm_alloc(&nvm_type_bytes, size));
    REQUIRE(p && nvm_usable_size(p) >= size);
    char *old = exchange[random() % 64].exchange(p);
    nvm_free(old);
    if (i % 4)
      continue;
    nvm_begin();
    auto *k = static_cast<Knot *>(nvm_alloc(&nvm_type_knot, sizeof(Knot)));
    REQUIRE(k);
    *NVM_OBJ(k) = {lists[self], self,
                   lists[self] ? lists[self]->number + 1 : 1};
    lists[self] = k;
    if (i % 12 == 0) {
      lists[self] = k->next;
      nvm_free(k);
    }
    nvm_end();
  }
}

void requireLists() {
  for (int i = 0; i < Threads; i++) {
    long number = lists[i] ? lists[i]->number : 0;
    for (Knot *k = lists[i]; k; k = k->next, number--)
      REQUIRE(k->owner == i && k->number == number);
    REQUIRE(number == 0);
  }
}

class ThreadsOf : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(Each, ThreadsOf, testing::ValuesIn(allEngines()),
                         ByParameter());

TEST_P(ThreadsOf, AllocateAndFreeAtOnce) {
  Directory dir;
  auto body = [&](bool crash) {
    nvm_options options = ofSize(64 * MiB);
    options.engine = GetParam();
    NVM_ROOT(lists);
    openPool(dir / "pool", options);
    nvm_restore();
    nvm_ready();
    requireLists();
    std::vector<std::thread> threads;
    static std::atomic<char *> exchange[64];
    for (int i = 0; i < Threads; i++)
      threads.emplace_back(live, i, exchange, 4000);
    for (std::thread &t : threads)
      t.join();
    requireLists();
    if (crash)
      _exit(0);
    for (auto &p : exchange)
      nvm_free(p);
    nvm_close();
  };
  for (bool crash : {false, true, false}) {
    Ending e = inChild([&] { body(crash); });
    if (engineNamed(GetParam()).by_transaction) {
      ASSERT_NE(e.text.find("[tx-threads]"), std::string::npos) << e;
      return;
    }
    ASSERT_TRUE(e.fine()) << e;
  }
}

/// What one thread frees another can use: nothing is kept back when the heap is
/// full.
TEST(Threads, AFullHeapIsFullForAll) {
  Directory dir;
  Ending e = inChild([&] {
    openPool(dir / "pool", ofSize(16 * MiB));
    nvm_ready();
    std::vector<char *> blocks;
    for (char *p; (p = static_cast<char *>(nvm_alloc(&nvm_type_bytes, 1000)));)
      blocks.push_back(p);
    for (size_t i = 0; i < blocks.size(); i += 2)
      nvm_free(blocks[i]); // in every slab
    nvm_begin();
    nvm_end();
    std::thread other([&] {
      for (size_t i = 0; i < blocks.size(); i += 2)
        REQUIRE(nvm_alloc(&nvm_type_bytes, 1000));
      REQUIRE(!nvm_alloc(&nvm_type_bytes, 1000));
    });
    other.join();
  });
  EXPECT_TRUE(e.fine()) << e;
}

} // namespace
