//===- volatile_test.cpp - pointers to what ends with the process ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "nvmove/restart.h"
#include "support.h"
#include <cstdlib>
#include <cstring>
#include <sys/select.h>

using namespace nvmtest;

NVM_TYPE(Session);
NVM_TYPE(Ends);
NVM_TYPE(Cut);

namespace {

struct Listener {
  int port;
};
struct Ends {
  Listener *first;
  void *pair[2];
};
struct Session {
  Session *next;
  Listener *listener;
  Ends ends[2];
  long number;
  int socket, pipe[2];
  fd_set waited;
};
Session *sessions;
Listener standard = {1883};

class Volatile : public testing::TestWithParam<const char *> {
protected:
  Ending run(const std::function<void()> &body, bool known = true,
             long cutAt = 0) {
    return inChild([&] {
      static const nvm_field ends[] = {NVM_VOLATILE(Ends, first),
                                       NVM_VOLATILE(Ends, pair)};
      static const nvm_field session[] = {
          NVM_POINTER(Session, next),      NVM_VOLATILE(Session, listener),
          NVM_RECORD(Session, ends, Ends), NVM_FIELD(Session, number),
          NVM_DESCRIPTOR(Session, socket), NVM_DESCRIPTOR(Session, pipe),
          NVM_DESCRIPTOR(Session, waited)};
      static const nvm_field plain[] = {
          NVM_POINTER(Session, next),      NVM_POINTER(Session, listener),
          NVM_RECORD(Session, ends, Ends), NVM_FIELD(Session, number),
          NVM_FIELD(Session, socket),      NVM_FIELD(Session, pipe),
          NVM_FIELD(Session, waited)};
      static const nvm_field plainEnds[] = {NVM_POINTER(Ends, first),
                                            NVM_POINTER(Ends, pair)};
      nvm_layout(&nvm_type_Ends, sizeof(Ends), known ? ends : plainEnds, 2);
      nvm_layout(&nvm_type_Session, sizeof(Session), known ? session : plain,
                 7);
      NVM_ROOT_POINTERS(sessions);
      NVM_STATIC(standard);
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
  static constexpr int Sessions = 6000;
  void makePool(bool known = true) {
    Ending e = run(
        [] {
          auto *own = static_cast<Listener *>(malloc(sizeof(Listener)));
          nvm_begin();
          for (long i = 0; i < Sessions; i++) {
            auto *s = static_cast<Session *>(
                nvm_alloc(&nvm_type_Session, sizeof(Session)));
            REQUIRE(s);
            *NVM_OBJ(s) = {sessions,
                           i % 2 ? own : &standard,
                           {{own, {s, reinterpret_cast<void *>(1)}},
                            {nullptr, {own, reinterpret_cast<void *>(-1)}}},
                           // A number that looks like it stays.
                           reinterpret_cast<long>(own),
                           7,
                           {0, 9},
                           {}};
            FD_SET(0, &s->waited);
            FD_SET(FD_SETSIZE - 1, &s->waited);
            sessions = s;
          }
          nvm_end();
          nvm_checkpoint();
        },
        known);
    ASSERT_TRUE(e.fine()) << e;
  }
  static void requireAll() {
    long count = 0;
    for (Session *s = sessions; s; s = s->next, count++) {
      bool odd = (Sessions - 1 - count) % 2;
      REQUIRE(nvm_contains(s) && s->listener == (odd ? nullptr : &standard));
      REQUIRE(!s->ends[0].first && s->ends[0].pair[0] == s);
      REQUIRE(s->ends[0].pair[1] == reinterpret_cast<void *>(1));
      REQUIRE(!s->ends[1].first && !s->ends[1].pair[0]);
      REQUIRE(s->ends[1].pair[1] == reinterpret_cast<void *>(-1));
      REQUIRE(s->number != 0 && s->socket == -1);
      REQUIRE(s->pipe[0] == 0 && s->pipe[1] == -1);
      REQUIRE(!FD_ISSET(0, &s->waited) &&
              !FD_ISSET(FD_SETSIZE - 1, &s->waited));
    }
    REQUIRE(count == Sessions);
  }
  Directory dir;
  std::string pool = dir / "pool";
};

TEST_P(Volatile, AreNullInTheNextProcess) {
  makePool();
  for (int i = 0; i < 2; i++) {
    Ending e = run([] { requireAll(); });
    EXPECT_TRUE(e.fine()) << e;
    EXPECT_EQ(e.text.find("ended with another process") != std::string::npos,
              i == 0)
        << e;
  }
}

/// The program that made the pool did not know.
TEST_P(Volatile, AlsoInAPoolThatDidNotSaySo) {
  makePool(false);
  Ending e = run([] { requireAll(); });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_P(Volatile, ACutMeanwhileLosesNothing) {
  makePool();
  std::string before = readFile(pool);
  int cuts = 0;
  for (long at = 1; at < 100000; at = at < 12 ? at + 1 : at + at / 2) {
    writeFile(pool, before);
    Ending e = run([] { requireAll(); }, true, at);
    if (!e.killed()) {
      EXPECT_TRUE(e.fine()) << e;
      break;
    }
    cuts++;
    e = run([] { requireAll(); });
    ASSERT_TRUE(e.fine()) << "event " << at << ": " << e;
  }
  EXPECT_GT(cuts, 5);
}

struct Cut {
  Cut *next;
  Listener *listener;
};
Cut *cuts;

/// Records are cut from blocks of eight.
TEST_P(Volatile, InAllRecordsOfABlock) {
  for (bool full : {true, false}) {
    std::string path = dir / (full ? "full" : "other");
    for (int i = 0; i < 2; i++) {
      Ending e = inChild([&] {
        static const nvm_field cut[] = {NVM_POINTER(Cut, next),
                                        NVM_VOLATILE(Cut, listener)};
        nvm_layout(&nvm_type_Cut, sizeof(Cut), cut, 2);
        if (full)
          nvm_elements(&nvm_type_Cut);
        NVM_ROOT_POINTERS(cuts);
        nvm_options options = ofSize(16 * MiB);
        options.engine = GetParam();
        openPool(path, options);
        nvm_restore();
        nvm_ready();
        int set = 0;
        for (Cut *c = cuts; c; c = c->next)
          set += c->listener != nullptr;
        REQUIRE(set == (full || i == 0 ? 0 : 7));
        if (i)
          return;
        auto *own = static_cast<Listener *>(malloc(sizeof(Listener)));
        nvm_begin();
        auto *c =
            static_cast<Cut *>(nvm_zalloc(&nvm_type_Cut, 8 * sizeof(Cut)));
        REQUIRE(c);
        for (int k = 0; k < 8; k++) {
          *NVM_OBJ(&c[k]) = {cuts, own};
          cuts = &c[k];
        }
        nvm_end();
        nvm_checkpoint();
      });
      EXPECT_TRUE(e.fine()) << e;
    }
  }
}

Session *latest[4];

/// Of roots, what start-up has put there stays; null that was kept is null.
TEST_P(Volatile, RootsAreAsStartUpMadeThem) {
  for (int i = 0; i < 3; i++) {
    Ending e = inChild([&] {
      NVM_ROOT_VOLATILE(latest);
      NVM_STATIC(standard);
      nvm_options options = ofSize(16 * MiB);
      options.engine = GetParam();
      openPool(pool, options);
      auto *own = static_cast<Session *>(malloc(sizeof(Session)));
      auto *followed = reinterpret_cast<Session *>(&standard);
      latest[0] = latest[1] = own;
      nvm_restore();
      nvm_ready();
      if (i) {
        REQUIRE(latest[0] == own && nvm_contains(latest[1]));
        REQUIRE(!latest[2] && latest[3] == followed);
        latest[2] = nullptr;
      } else {
        nvm_begin();
        latest[1] = static_cast<Session *>(
            nvm_zalloc(&nvm_type_Session, sizeof(Session)));
        latest[2] = own;
        latest[3] = followed;
        nvm_end();
      }
      nvm_begin();
      nvm_end();
      nvm_checkpoint();
    });
    EXPECT_TRUE(e.fine()) << e;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Volatile, testing::ValuesIn(allEngines()),
                         ByParameter());

} // namespace
