//===- detach_test.cpp - What a program does when it is done --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "nvmove/restart.h"
#include "support.h"
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <unistd.h>

using namespace nvmtest;

NVM_TYPE(Item);

namespace {

struct Item {
  Item *next;
  long number;
};
const nvm_field itemFields[] = {NVM_POINTER(Item, next),
                                NVM_FIELD(Item, number)};
Item *items;

void registerProgram() {
  nvm_layout(&nvm_type_Item, sizeof(Item), itemFields, 2);
  NVM_ROOT(items);
}

void add(long number) {
  auto *item = static_cast<Item *>(nvm_alloc(&nvm_type_Item, sizeof(Item)));
  REQUIRE(item);
  NVM(item->number) = number;
  NVM(item->next) = items;
  items = item;
}

/// What expectAll() expects.
void addAll() {
  for (long i = 0; i < 100; i++)
    add(i);
}

void freeAll() {
  while (items) {
    Item *next = items->next;
    NVM(items->number) = -1;
    nvm_free(items);
    items = next;
  }
}

class Detach : public testing::TestWithParam<const char *> {
protected:
  void open() {
    nvm_options options = ofSize(32 * MiB);
    options.engine = GetParam();
    registerProgram();
    openPool(pool, options);
    nvm_restore();
    nvm_ready();
  }
  /// 99, 98, .. 0 and nothing else.
  void expectAll() {
    Ending e = inChild([&] {
      open();
      long expected = 100;
      for (Item *i = items; i; i = i->next)
        REQUIRE(i->number == --expected);
      REQUIRE(expected == 0);
      nvm_close();
    });
    EXPECT_TRUE(e.fine()) << e;
    EXPECT_EQ(checkOfPool(), 0);
  }
  int checkOfPool() const {
    return std::system(
        (NVM_POOL_TOOL " check " + pool + " > /dev/null").c_str());
  }
  Directory dir;
  std::string pool = dir / "pool";
};

/// It frees all, stores and allocates, and exits.
TEST_P(Detach, WhatFollowsIsNotKept) {
  Ending e = inChild([&] {
    open();
    nvm_begin();
    addAll();
    nvm_end();
    nvm_detach();
    nvm_detach();
    REQUIRE(items->number == 99);
    freeAll();
    for (long i = 0; i < 5000; i++)
      add(1000 + i);
    nvm_checkpoint();
    nvm_output();
    REQUIRE(items->number == 5999);
    exit(0);
  });
  EXPECT_TRUE(e.fine()) << e;
  expectAll();
}

/// Nothing is acknowledged that the next start would not have.
TEST_P(Detach, ASectionThatFollowsEndsTheProcess) {
  Ending e = inChild([&] {
    open();
    nvm_begin();
    addAll();
    nvm_end();
    nvm_detach();
    nvm_begin();
    exit(0);
  });
  EXPECT_EQ(e.exitStatus, 70) << e;
  EXPECT_NE(e.text.find("[detached-early]"), std::string::npos) << e;
  expectAll();
}

/// A thread that works until the process ends does not know that it is about
/// to.
TEST_P(Detach, ASectionOfAnotherThreadWaitsForTheEnd) {
  for (bool doesEnd : {true, false}) {
    Ending e = inChild([&] {
      open();
      nvm_begin();
      if (!items)
        addAll();
      nvm_end();
      nvm_detach();
      std::thread other([] {
        nvm_begin();
        add(1000);
        nvm_end();
      });
      if (!doesEnd)
        other.join();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      freeAll();
      exit(0);
    });
    EXPECT_EQ(e.exitStatus, doesEnd ? 0 : 70) << e;
    EXPECT_EQ(e.text.find("[detached-early]") == std::string::npos, doesEnd)
        << e;
  }
  expectAll();
}

/// Nor is a load, which commits nothing before nvm_ready().
TEST_P(Detach, ALoadThatFollowsEndsTheProcess) {
  Ending e = inChild([&] {
    open();
    nvm_begin();
    addAll();
    nvm_end();
    nvm_close();
  });
  ASSERT_TRUE(e.fine()) << e;
  for (bool isRestored : {false, true}) {
    e = inChild([&] {
      nvm_options options = ofSize(32 * MiB);
      options.engine = GetParam();
      registerProgram();
      openPool(pool, options);
      if (isRestored)
        nvm_restore();
      nvm_detach();
      if (isRestored)
        nvm_ready();
      else
        nvm_restore();
    });
    EXPECT_EQ(e.exitStatus, 70) << e;
    EXPECT_NE(e.text.find("[detached-early]"), std::string::npos) << e;
  }
  expectAll();
}

/// A command that ends the program: its section's changes count.
TEST_P(Detach, InASectionEndsIt) {
  Ending e = inChild([&] {
    open();
    nvm_begin();
    addAll();
    nvm_detach();
    freeAll();
    nvm_end();
    nvm_close();
    exit(0);
  });
  EXPECT_TRUE(e.fine()) << e;
  expectAll();
}

/// As exit() there: nothing of the section counts.
TEST_P(Detach, InANestedSectionCommitsNothing) {
  Ending e = inChild([&] {
    open();
    nvm_begin();
    addAll();
    nvm_end();
    nvm_checkpoint();
    nvm_begin();
    add(100);
    nvm_begin();
    add(101);
    nvm_detach();
    freeAll();
    nvm_end();
    nvm_end();
    exit(0);
  });
  EXPECT_TRUE(e.fine()) << e;
  // Who only reads the file takes no open transaction for a commit.
  if (engineNamed(GetParam()).by_transaction)
    EXPECT_NE(checkOfPool(), 0);
  expectAll();
}

/// The pool stays this process's until it ends; a crash behind is none.
TEST_P(Detach, CrashBehindLosesNothing) {
  Ending e = inChild([&] {
    open();
    nvm_begin();
    addAll();
    nvm_end();
    nvm_detach();
    Ending other = inChild([&] {
      nvm_options options = ofSize(32 * MiB);
      REQUIRE(nvm_open(pool.c_str(), &options) != 0);
    });
    REQUIRE(other.fine());
    freeAll();
    _exit(0);
  });
  EXPECT_TRUE(e.fine()) << e;
  expectAll();
}

INSTANTIATE_TEST_SUITE_P(Of, Detach,
                         testing::ValuesIn(alsoThreaded(allEngines())),
                         ByParameter());

TEST(Detached, WithoutAPoolNothingHappens) {
  Ending e = inChild([] { nvm_detach(); });
  EXPECT_TRUE(e.fine()) << e;
}

} // namespace
