//===- plain_test.cpp - the runtime without a pool ------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "support.h"
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace nvmtest;

NVM_TYPE(plain);

namespace {

TEST(Plain, WithoutNvmPoolEverythingIsTheProgramsOwn) {
  Ending e = inChild([] {
    unsetenv("NVM_POOL");
    nvm_start();
    REQUIRE(nvm_restore() == 0);
    int loaded = NVM_LOAD((errno = ENOENT, 5));
    REQUIRE(loaded == 5);
    nvm_ready();
    nvm_begin();
    char *p = static_cast<char *>(NVM_ALLOC(plain, nvm_malloc(10)));
    REQUIRE(p && !nvm_contains(p) && nvm_usable_size(p) >= 10);
    nvm_strcpy(p, "plain");
    NVM(p[0]) = 'P';
    p = static_cast<char *>(NVM_ALLOC(plain, nvm_realloc(p, 100)));
    REQUIRE(strcmp(p, "Plain") == 0);
    nvm_free(p);
    nvm_end();
    static const int object = 1;
    REQUIRE(nvm_twin(&object) == &object);
    long seed = 7;
    nvm_keep("seed", &seed, sizeof(seed));
    REQUIRE(seed == 7);
    nvm_output();
    REQUIRE(nvm_write(STDERR_FILENO, "out\n", 4) == 4);
    nvm_close();
  });
  EXPECT_TRUE(e.fine()) << e;
  EXPECT_EQ(e.text, "out\n");
}

TEST(Plain, AnEmptyNvmPoolMeansNone) {
  Ending e = inChild([] {
    setenv("NVM_POOL", "", 1);
    nvm_start();
    REQUIRE(!nvm_contains(NVM_ALLOC(plain, nvm_malloc(1))));
  });
  EXPECT_TRUE(e.fine()) << e;
  EXPECT_EQ(e.text, "");
}

TEST(Plain, MemAndStrAsLibc) {
  char a[64], b[64];
  for (size_t n = 0; n < 12; n++) {
    memset(a, 'x', sizeof(a));
    memset(b, 'x', sizeof(b));
    EXPECT_EQ(nvm_strncpy(a, "seven77", n), a);
    strncpy(b, "seven77", n);
    EXPECT_EQ(memcmp(a, b, sizeof(a)), 0) << n;
    strcpy(a, "ab");
    strcpy(b, "ab");
    EXPECT_EQ(nvm_strncat(a, "seven77", n), a);
    strncat(b, "seven77", n);
    EXPECT_STREQ(a, b) << n;
  }
  EXPECT_EQ(nvm_stpcpy(a, "end"), a + 3);
  EXPECT_EQ(nvm_strcat(a, "ing"), a);
  EXPECT_STREQ(a, "ending");
  nvm_memmove(a + 1, a, 7);
  EXPECT_STREQ(a, "eending");
  nvm_qsort(a, 7, 1, [](const void *x, const void *y) {
    return *static_cast<const char *>(x) - *static_cast<const char *>(y);
  });
  EXPECT_STREQ(a, "deegin"
                  "n");
}

} // namespace
