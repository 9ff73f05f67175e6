//===- headroom_test.cpp - starting again with a full heap ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "support.h"
#include <cerrno>
#include <unistd.h>

using namespace nvmtest;

NVM_TYPE(shared);
NVM_TYPE(chunk);

namespace {

struct Chunk {
  Chunk *next;
  char bytes[19992];
};
Chunk *chunks;

/// What the program makes at every start and does not find again.
constexpr int SharedObjects = 30;
void makeSharedObjects() {
  for (int i = 0; i < SharedObjects; i++)
    REQUIRE(nvm_alloc(&nvm_type_shared, 20000));
}

void start(const std::string &pool) {
  NVM_ROOT(chunks);
  openPool(pool, ofSize(32 * MiB));
  makeSharedObjects();
  nvm_restore();
  nvm_ready();
}

int fill() {
  for (int n = 0;; n++) {
    nvm_begin();
    auto *c = static_cast<Chunk *>(nvm_zalloc(&nvm_type_chunk, sizeof(Chunk)));
    if (c) {
      NVM(c->next) = chunks;
      chunks = c;
    }
    nvm_end();
    if (!c)
      return n;
  }
}

int freeAll() {
  int n = 0;
  nvm_begin();
  for (Chunk *c = chunks, *next; c; c = next, n++) {
    next = c->next;
    nvm_free(c);
  }
  chunks = nullptr;
  nvm_end();
  return n;
}

TEST(Headroom, AProgramWithAFullHeapStartsAgain) {
  Directory dir;
  SharedLong count;
  auto run = [&](const std::function<void()> &body) {
    Ending e = inChild([&] {
      start(dir / "pool");
      body();
      _exit(0); // as a crash
    });
    EXPECT_TRUE(e.fine()) << e;
    return count.get();
  };
  long held = run([&] { count.set(fill()); });
  EXPECT_GT(held, 500);
  // Full at once: the objects of the start have taken what was held back. A
  // part of it is left to sections, or nothing could ever be freed.
  run([&] {
    nvm_begin();
    REQUIRE(nvm_alloc(&nvm_type_chunk, 60000));
  });
  run([&] {
    REQUIRE(freeAll() == held);
    count.set(fill());
  });
  EXPECT_GT(count.get(), held - 5 * SharedObjects);
  // What was held back is so again.
  run([&] { freeAll(); });
}

TEST(Headroom, TheLoadIsNotTakenForAStart) {
  Directory dir;
  Ending e = inChild([&] {
    NVM_ROOT(chunks);
    openPool(dir / "pool", ofSize(32 * MiB));
    nvm_restore();
    for (int i = 0; i < 900; i++) {
      auto *c =
          static_cast<Chunk *>(nvm_zalloc(&nvm_type_chunk, sizeof(Chunk)));
      REQUIRE(c);
      NVM(c->next) = chunks;
      chunks = c;
    }
    nvm_ready();
    fill();
    nvm_stats s;
    nvm_get_stats(&s);
    REQUIRE(s.heap_size_bytes - s.heap_used_bytes < 8 * 65536ul);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// NVM_FULL_AT counts all allocations, those of the start too, and leaves the
/// others as they are.
TEST(Headroom, IsFullAsOfTheAllocationThatATestNames) {
  Directory dir;
  for (int at : {1, 2, SharedObjects, SharedObjects + 1, SharedObjects + 7}) {
    Ending e = inChild([&] {
      setenv("NVM_FULL_AT", std::to_string(at).c_str(), 1);
      NVM_ROOT(chunks);
      openPool(dir / "pool", ofSize(32 * MiB));
      unsetenv("NVM_FULL_AT");
      for (int n = 1; n < at; n++)
        REQUIRE(nvm_alloc(&nvm_type_shared, n % 2 ? 100 : 200000));
      errno = 0;
      REQUIRE(!nvm_alloc(&nvm_type_shared, 100) && errno == ENOMEM);
      REQUIRE(!nvm_zalloc(&nvm_type_chunk, 200000));
    });
    EXPECT_TRUE(e.fine()) << at << e;
  }
}

} // namespace
