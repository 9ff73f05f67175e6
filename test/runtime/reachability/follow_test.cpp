//===- follow_test.cpp - pointers follow statics that move ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "nvmove/restart.h"
#include "support.h"
#include <cerrno>
#include <cstring>

using namespace nvmtest;

NVM_TYPE(Link);
NVM_TYPE(Room);

namespace {

struct Room {
  long number;
};
struct Link {
  Link *next, *previous;
  Room *room;
  long number;
  char text[16];
};

// Where the statics of several builds lie. One's list begins where another has
// its rooms.
alignas(64) unsigned char image[4096];
constexpr int Rooms = 4, Links = 5000;

/// A build: the head of a circular list and a table, at these offsets.
struct Build {
  size_t listOffset, roomsOffset;
  int rooms = Rooms;
  Link *list() const { return reinterpret_cast<Link *>(image + listOffset); }
  Room *room() const { return reinterpret_cast<Room *>(image + roomsOffset); }
};
const Build First{0, 512}, Second{8, 40}, Third{512, 0}, Larger{0, 512, 6};

Room *here; ///< a root
struct Mixed {
  long number;
  Room *there;
} mixed;
uint64_t numbers[300];
bool hasNumbers; ///< they are a root

void registerLink() {
  static const nvm_field link[] = {
      NVM_POINTER(Link, next), NVM_POINTER(Link, previous),
      NVM_POINTER(Link, room), NVM_FIELD(Link, number), NVM_FIELD(Link, text)};
  nvm_layout(&nvm_type_Link, sizeof(Link), link, 5);
}

class Statics : public testing::TestWithParam<const char *> {
protected:
  Ending run(const Build &build, const std::function<void()> &body,
             bool typed = true, long cutAt = 0) {
    return inChild([&, typed] {
      if (typed)
        registerLink();
      memset(image, 0, sizeof(image));
      for (int i = 0; i < build.rooms; i++)
        build.room()[i].number = i;
      build.list()->next = build.list()->previous = build.list();
      nvm_root_pointers("list.next", &build.list()->next, 8);
      nvm_root_pointers("list.previous", &build.list()->previous, 8);
      NVM_ROOT_POINTERS(here);
      NVM_ROOT(mixed);
      if (hasNumbers)
        NVM_ROOT(numbers);
      nvm_register_static("list", build.list(), sizeof(Link), sizeof(Link));
      nvm_register_static("rooms", build.room(), build.rooms * sizeof(Room),
                          sizeof(Room));
      if (cutAt)
        setenv("NVM_CRASH_AT", std::to_string(cutAt).c_str(), 1);
      nvm_options options = ofSize(16 * MiB);
      options.engine = GetParam();
      openPool(pool, options);
      nvm_restore();
      nvm_ready();
      body();
    });
  }
  static void put(Link *list, Room *rooms, int number) {
    auto *l = static_cast<Link *>(nvm_alloc(&nvm_type_Link, sizeof(Link)));
    REQUIRE(l);
    *NVM_OBJ(l) = {list, list->previous, &rooms[number % Rooms], number, ""};
    snprintf(l->text, sizeof(l->text), "%d", number);
    NVM(list->previous->next) = l;
    list->previous = l;
  }
  void makePool(const Build &build, int links = Links) {
    Ending e = run(build, [&] {
      nvm_begin();
      for (int i = 0; i < links; i++)
        put(build.list(), build.room(), i);
      here = &build.room()[2];
      // Number 2 is of the size of an address, and stays.
      mixed = {2, build.room() + 3};
      nvm_end();
      nvm_checkpoint();
    });
    ASSERT_TRUE(e.fine()) << e;
  }
  static void requireAll(const Build &build, int links = Links) {
    int count = 0;
    for (Link *l = build.list()->next; l != build.list(); l = l->next) {
      REQUIRE(nvm_contains(l) && l->next->previous == l);
      REQUIRE(l->number == count && std::to_string(count) == l->text);
      REQUIRE(l->room == &build.room()[count % Rooms]);
      REQUIRE(l->room->number == count % Rooms);
      count++;
    }
    REQUIRE(count == links && here == &build.room()[2]);
    REQUIRE(mixed.number == 2 && mixed.there == &build.room()[3]);
  }
  void expectAll(const Build &build, bool changes) {
    Ending e = run(build, [&] { requireAll(build); });
    EXPECT_TRUE(e.fine()) << e;
    EXPECT_EQ(e.text.find("pointers to statics that have other") !=
                  std::string::npos,
              changes)
        << e;
  }
  Directory dir;
  std::string pool = dir / "pool";
};

TEST_P(Statics, AreFollowedWhereverTheyLie) {
  makePool(First);
  expectAll(First, false);
  expectAll(Second, true);
  expectAll(Second, false);
  expectAll(Third, true);
  expectAll(First, true);
  expectAll(Larger, false);
}

/// The next process has them elsewhere again, and finishes.
TEST_P(Statics, ACutWhilePointersChangeLosesNothing) {
  makePool(First);
  std::string before = readFile(pool);
  const Build *builds[] = {&Second, &Third, &First};
  int cuts = 0;
  for (long at = 1; at < 100000; at = at < 12 ? at + 1 : at + at / 2) {
    writeFile(pool, before);
    Ending e = run(Second, [&] { requireAll(Second); }, true, at);
    if (!e.killed()) {
      EXPECT_TRUE(e.fine()) << e;
      break;
    }
    // Cut the second one, too.
    run(*builds[cuts % 3], [] {}, true, at);
    cuts++;
    const Build &last = *builds[(cuts + cuts / 3) % 3];
    e = run(last, [&] { requireAll(last); });
    ASSERT_TRUE(e.fine()) << "event " << at << ": " << e;
  }
  EXPECT_GT(cuts, 10);
}

/// Data that looks like what pointers are while they change: doubles with zeros
/// at their end, and the first places that the runtime would take.
TEST_P(Statics, NumbersStayAsTheyAre) {
  hasNumbers = true;
  auto number = [](unsigned i) {
    double small = 131 + 8 * int(i % 60);
    uint64_t bits;
    memcpy(&bits, &small, sizeof(bits));
    return i < 150 ? bits
                   : uint64_t(0x4060) << 48 |
                         (0x81d69b3a5000 + i % 3 * 0x7a1c35d000 +
                          i % 2 * (uint64_t(1) << 32));
  };
  Ending e = run(First, [&] {
    nvm_begin();
    for (int i = 0; i < Links; i++)
      put(First.list(), First.room(), i);
    here = &First.room()[2];
    mixed = {2, First.room() + 3};
    for (unsigned i = 0; i < 300; i++)
      numbers[i] = number(i);
    nvm_end();
    nvm_checkpoint();
  });
  ASSERT_TRUE(e.fine()) << e;
  for (const Build *build : {&Second, &Third, &First})
    expectAll(*build, true);
  e = run(Second, [&] {
    requireAll(Second);
    for (unsigned i = 0; i < 300; i++)
      REQUIRE(numbers[i] == number(i));
  });
  EXPECT_TRUE(e.fine()) << e;
  hasNumbers = false;
}

INSTANTIATE_TEST_SUITE_P(Of, Statics, testing::ValuesIn(allEngines()),
                         ByParameter());

class StaticsOfRedo : public Statics {
protected:
  void expectRefused(const std::function<void()> &registerAll,
                     const char *text) {
    std::string before = readFile(pool);
    Ending e = inChild([&] {
      registerLink();
      NVM_ROOT_POINTERS(here);
      NVM_ROOT(mixed);
      nvm_root_pointers("list.next", &First.list()->next, 8);
      nvm_root_pointers("list.previous", &First.list()->previous, 8);
      registerAll();
      REQUIRE(nvm_open(pool.c_str(), nullptr) == ENOEXEC);
      dprintf(2, "%s", nvm_errormsg());
    });
    EXPECT_NE(e.text.find(text), std::string::npos) << e;
    EXPECT_TRUE(readFile(pool) == before);
  }
  static void add(const char *name, size_t size, size_t element) {
    nvm_register_static(name, image, size, element);
  }
};
INSTANTIATE_TEST_SUITE_P(Of, StaticsOfRedo, testing::Values("redo"),
                         ByParameter());

TEST_P(StaticsOfRedo, AProgramWithoutThemIsRefused) {
  makePool(First, 10);
  expectRefused([] { add("list", sizeof(Link), sizeof(Link)); },
                "may point to static rooms, which this program does not have "
                "[pool-layout]");
  expectRefused(
      [] {
        add("list", sizeof(Link), sizeof(Link));
        add("rooms", sizeof(Room), sizeof(Room));
      },
      "static rooms has shrunk from 32 to 8 bytes");
  expectRefused(
      [] {
        add("list", sizeof(Link), sizeof(Link));
        add("rooms", Rooms * 16, 16);
      },
      "an element of static rooms had 8 bytes and now has 16 [pool-layout]");
}

/// Bytes of no type: at an address, aligned, is a pointer.
TEST_P(StaticsOfRedo, WhatHasNoTypeIsFollowedAtAddressesOnly) {
  Ending e = run(
      First,
      [] {
        nvm_begin();
        put(First.list(), First.room(), 1);
        auto **words = static_cast<void **>(nvm_zalloc(&nvm_type_bytes, 64));
        First.list()->next->next = reinterpret_cast<Link *>(words);
        nvm_store(words, 64);
        words[1] = &First.room()[1];
        memcpy(reinterpret_cast<char *>(words) + 21, &words[1], 8);
        // A tag above the address stays.
        words[5] = reinterpret_cast<void *>(
            reinterpret_cast<unsigned long>(&First.room()[1]) | 0x5aul << 56);
        nvm_end();
      },
      false);
  ASSERT_TRUE(e.fine()) << e;
  e = run(
      Second,
      [] {
        void **words = reinterpret_cast<void **>(Second.list()->next->next);
        void *old = &First.room()[1];
        REQUIRE(words[1] == &Second.room()[1]);
        REQUIRE(!memcmp(reinterpret_cast<char *>(words) + 21, &old, 8));
        REQUIRE(reinterpret_cast<unsigned long>(words[5]) ==
                (reinterpret_cast<unsigned long>(words[1]) | 0x5aul << 56));
      },
      false);
  EXPECT_TRUE(e.fine()) << e;
}

/// As a program has them that is linked to fixed addresses: a number of that
/// size may be a number.
TEST_P(StaticsOfRedo, WhatHasNoTypeIsRefusedAtLowAddresses) {
  auto start = [&](unsigned long at) {
    registerLink();
    nvm_register_static("low", reinterpret_cast<void *>(at), 64, 64);
    NVM_ROOT_POINTERS(here);
    nvm_options options = ofSize(16 * MiB);
    return nvm_open(pool.c_str(), &options);
  };
  Ending e = inChild([&] {
    REQUIRE(start(0x404040) == 0);
    nvm_ready();
    nvm_begin();
    auto *l = static_cast<Link *>(nvm_zalloc(&nvm_type_Link, sizeof(Link)));
    *NVM_OBJ(l) = {reinterpret_cast<Link *>(0x404040), nullptr, nullptr,
                   0x404040, ""};
    here = reinterpret_cast<Room *>(l);
    nvm_end();
  });
  ASSERT_TRUE(e.fine()) << e;
  std::string before = readFile(pool);
  e = inChild([&] {
    REQUIRE(start(0x404080) == EFAULT);
    dprintf(2, "%s", nvm_errormsg());
  });
  EXPECT_NE(e.text.find("pointers to them: Link.number [pointers-unknown]"),
            std::string::npos)
      << e;
  EXPECT_TRUE(readFile(pool) == before);
}

/// Of a program that is linked to fixed addresses only a local of main has
/// moved: a number that is the address of a static that stays is none of its
/// pointers.
TEST_P(StaticsOfRedo, WhatStaysIsNotSought) {
  auto start = [&](unsigned long frame) {
    registerLink();
    nvm_register_static("low", reinterpret_cast<void *>(0x404040), 64, 64);
    nvm_register_static("main.list", reinterpret_cast<void *>(frame), 64, 64);
    NVM_ROOT_POINTERS(here);
    nvm_options options = ofSize(16 * MiB);
    return nvm_open(pool.c_str(), &options);
  };
  Ending e = inChild([&] {
    REQUIRE(start(0x7ffc00001000) == 0);
    nvm_ready();
    nvm_begin();
    auto *l = static_cast<Link *>(nvm_zalloc(&nvm_type_Link, sizeof(Link)));
    *NVM_OBJ(l) = {reinterpret_cast<Link *>(0x404040),
                   reinterpret_cast<Link *>(0x7ffc00001000), nullptr, 0x404040,
                   ""};
    here = reinterpret_cast<Room *>(l);
    nvm_end();
  });
  ASSERT_TRUE(e.fine()) << e;
  e = inChild([&] {
    REQUIRE(start(0x7ffd00002040) == 0);
    nvm_restore();
    auto *l = reinterpret_cast<Link *>(here);
    REQUIRE(l->next == reinterpret_cast<Link *>(0x404040));
    REQUIRE(l->number == 0x404040);
    REQUIRE(l->previous == reinterpret_cast<Link *>(0x7ffd00002040));
  });
  EXPECT_TRUE(e.fine()) << e;
}

} // namespace
