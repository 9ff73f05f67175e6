//===- region_test.cpp - named regions, objects with versions -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "nvmove/region.h"
#include "proof.h"
#include <cerrno>
#include <cstring>
#include <unistd.h>

using namespace nvmtest;

NVM_TYPE(Text);

namespace {

//===-- A scenario: versions and regions change together ------------------===//

constexpr int Objects = 6;
struct Directory_ {
  nvm_versioned *object[Objects];
};
long steps;

size_t bytesOf(int object) { return size_t(100 + 60 * object); }

void step() {
  long k = ++steps;
  auto *d =
      static_cast<Directory_ *>(nvm_region("directory", sizeof(Directory_)));
  REQUIRE(d);
  for (int i = 0; !d->object[i] && i < Objects; i++) {
    NVM(d->object[i]) =
        nvm_versioned_new(&nvm_type_Text, bytesOf(i), 2 + unsigned(i) % 2);
    if (i == Objects - 1)
      break;
  }
  for (int i = 0; i < Objects; i++)
    if ((k + i) % 3 != 0)
      for (int again = 0; again < 2; again++) // the second is the same version
        memset(nvm_versioned_write(d->object[i]), int(k * 2 + again),
               bytesOf(i));
  if (k % 4 == 0)
    REQUIRE(nvm_region_free("now and then") == 0);
  else {
    auto *r = static_cast<long *>(nvm_region("now and then", 8000));
    NVM(r[k % 1000]) = k;
  }
}

void check(long k) {
  REQUIRE(steps == k);
  if (!k)
    return;
  auto *d =
      static_cast<Directory_ *>(nvm_region("directory", sizeof(Directory_)));
  for (int i = 0; i < Objects; i++) {
    long last = k;
    while (last > 0 && (last + i) % 3 == 0)
      last--;
    auto *p = static_cast<const char *>(nvm_versioned_read(d->object[i]));
    for (size_t at = 0; at < bytesOf(i); at++)
      REQUIRE(p[at] == char(last ? last * 2 + 1 : 0));
  }
  auto *r = static_cast<long *>(nvm_region("now and then", 8000));
  for (long i = 0; i < 1000; i++) {
    bool set = i > 0 && i <= k && i > k - k % 4;
    REQUIRE(r[i] == (set && k % 4 != 0 ? i : 0));
  }
}

const Scenario Versioned = {"versioned", [] { NVM_ROOT(steps); },
                            [] { return steps; }, step, check};

class VersionedObjects : public testing::TestWithParam<Setting> {};

TEST_P(VersionedObjects, SurvivePowerCuts) {
  Proof proof(GetParam(), Versioned);
  Plan plan;
  plan.states = 30;
  // There the version's number relies on the copy in its line.
  plan.wholeLines = std::string(GetParam().name).starts_with("incl");
  EXPECT_EQ(proof.run(plan), 0) << proof.problem;
}

INSTANTIATE_TEST_SUITE_P(Of, VersionedObjects, testing::ValuesIn(settings()),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

TEST(VersionedObject, NothingIsLoggedForItsBytes) {
  Ending e = inChild([] {
    Directory dir;
    nvm_options o = ofSize(32 * MiB);
    o.engine = "undo";
    openPool(dir / "pool", o);
    nvm_versioned *v = nvm_versioned_new(&nvm_type_Text, 64000, 3);
    nvm_ready();
    nvm_stats before, after;
    for (int i = 1; i < 6; i++) {
      nvm_get_stats(&before);
      nvm_begin();
      memset(nvm_versioned_write(v), i, 64000);
      nvm_end();
      nvm_get_stats(&after);
      REQUIRE(after.lines_logged - before.lines_logged <= 2);
      REQUIRE(*static_cast<const char *>(nvm_versioned_read(v)) == i);
      REQUIRE(*static_cast<const char *>(nvm_versioned_previous(v)) == i - 1);
    }
    REQUIRE(!nvm_versioned_new(&nvm_type_Text, 10, 4) && errno == EINVAL);
    REQUIRE(!nvm_versioned_new(&nvm_type_Text, 0, 2) && errno == EINVAL);
  });
  EXPECT_TRUE(e.fine()) << e;
}

// Commits that a second thread makes meanwhile are other sections'.
TEST(VersionedObject, IsOneInASectionAlsoWhenAThreadCommits) {
  Ending e = inChild([] {
    Directory dir;
    nvm_options o = ofSize(32 * MiB);
    o.engine = "redo+thread";
    openPool(dir / "pool", o);
    nvm_versioned *v = nvm_versioned_new(&nvm_type_Text, 100, 2);
    nvm_ready();
    for (char i = 1; i < 4; i++) {
      nvm_begin();
      auto *first = static_cast<char *>(nvm_versioned_write(v));
      memset(first, i, 100);
      usleep(200000); // longer than the thread lets a commit wait
      REQUIRE(nvm_versioned_write(v) == first);
      REQUIRE(*static_cast<const char *>(nvm_versioned_previous(v)) == i - 1);
      nvm_end();
    }
  });
  EXPECT_TRUE(e.fine()) << e;
}

// Under incll a new version needs no flush and no fence before the epoch ends.
TEST(VersionedObject, NeedsNoFenceUnderIncll) {
  Ending e = inChild([] {
    Directory dir;
    nvm_options o = ofSize(32 * MiB);
    o.engine = "incll";
    setenv("NVM_MEDIA", "dram", 1);
    setenv("NVM_STATS", "1", 1);
    o.epoch_ms = 1000000;
    openPool(dir / "pool", o);
    nvm_versioned *v = nvm_versioned_new(&nvm_type_Text, 100, 2);
    nvm_ready();
    nvm_stats before, after;
    nvm_get_stats(&before);
    for (char i = 1; i < 4; i++) {
      nvm_begin();
      memset(nvm_versioned_write(v), i, 100);
      nvm_end();
    }
    nvm_get_stats(&after);
    REQUIRE(after.fences == before.fences);
    REQUIRE(after.lines_flushed == before.lines_flushed);
    REQUIRE(after.lines_written == before.lines_written);
    nvm_versioned *large = nvm_versioned_new(&nvm_type_Text, 200000, 2);
    REQUIRE(large);
    nvm_checkpoint();
    nvm_get_stats(&before);
    nvm_versioned_free(large);
    nvm_versioned_free(v);
    nvm_checkpoint();
    nvm_get_stats(&after);
    REQUIRE(after.heap_used_bytes + 400000 <= before.heap_used_bytes);
    nvm_versioned_free(nullptr);
    unsetenv("NVM_STATS");
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST(NamedRegion, HasOneSizeAndOneAddress) {
  Directory dir;
  Ending e = inChild([&] {
    REQUIRE(!nvm_region("early", 8) && errno == EINVAL);
    openPool(dir / "pool", ofSize(16 * MiB));
    nvm_restore();
    nvm_ready();
    void *p = nvm_region("one", 300000);
    REQUIRE(p && nvm_region("one", 300000) == p);
    REQUIRE(!nvm_region("one", 300001) && errno == EINVAL);
    REQUIRE(!nvm_region("huge", 64 * MiB) && errno == ENOMEM);
    REQUIRE(nvm_region_free("huge") == ENOENT);
    nvm_begin();
    memset(nvm_store(p, 300000), 7, 300000);
    nvm_end();
  });
  EXPECT_TRUE(e.fine()) << e;
  e = inChild([&] {
    openPool(dir / "pool");
    REQUIRE(nvm_restore());
    nvm_ready();
    auto *p = static_cast<char *>(nvm_region("one", 300000));
    REQUIRE(p && p[0] == 7 && p[299999] == 7);
    REQUIRE(nvm_region_free("one") == 0 && nvm_region_free("one") == ENOENT);
    p = static_cast<char *>(nvm_region("one", 100));
    REQUIRE(p && p[0] == 0 && p[99] == 0);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// A name that is never used again takes no room for ever.
TEST(Regions, MayHaveNewNamesAgainAndAgain) {
  Directory dir;
  Ending e = inChild([&] {
    openPool(dir / "pool", ofSize(16 * MiB));
    nvm_restore();
    nvm_ready();
    for (int i = 0; i < 6000; i++) {
      std::string name = "session-" + std::to_string(i * 7);
      auto *p = static_cast<long *>(nvm_region(name.c_str(), 100));
      REQUIRE(p && *p == 0);
      NVM(*p) = i;
      REQUIRE(nvm_region(name.c_str(), 100) == p && *p == i);
      REQUIRE(nvm_region_free(name.c_str()) == 0);
    }
    nvm_close();
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST(Regions, ThatAreTooManyAreRefused) {
  Directory dir;
  static long later[200];
  SharedLong made;
  auto open = [&] {
    openPool(dir / "pool", ofSize(16 * MiB));
    nvm_restore();
    nvm_ready();
  };
  Ending e = inChild([&] {
    open();
    int i = 0;
    while (nvm_region(std::to_string(i).c_str(), 100))
      REQUIRE(++i < 100000);
    REQUIRE(errno == ENOMEM && strstr(nvm_errormsg(), "[pool-full]"));
    REQUIRE(i > 500);
    REQUIRE(!nvm_region(std::string(70000, 'x').c_str(), 100));
    made.set(i);
    nvm_close();
  });
  ASSERT_TRUE(e.fine()) << e;
  e = inChild([&] {
    NVM_ROOT(later); // another version of the program
    open();
    for (long i = 0; i < made.get(); i++)
      REQUIRE(nvm_region(std::to_string(i).c_str(), 100));
    REQUIRE(nvm_region_free("7") == 0 && nvm_region("x", 100));
    nvm_close();
  });
  EXPECT_TRUE(e.fine()) << e;
}

} // namespace
