//===- refusal_test.cpp - what a replica does not take --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each is refused by name, and neither pool has changed.
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "program.h"
#include "replica_process.h"
#include "support.h"
#include <optional>
#define _Static_assert static_assert
#define _Thread_local thread_local
extern "C" {
#include "base/crc32c.h"
#include "medium/header.h"
#include "remote/link.h"
#include "remote/runs.h"
}
#undef _Static_assert
#undef _Thread_local
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace nvmtest;

namespace {

/// A replica that has followed a program for some steps.
class ReplicaRefuses : public testing::Test {
protected:
  void SetUp() override {
    if (!hasReplicas())
      GTEST_SKIP() << "built without libfabric";
    replica.emplace(directory / "replica");
    program.emplace(directory / "pool", *replica);
    program->start("redo", 20);
    ASSERT_EQ(program->end(), 0) << program->text();
    ASSERT_TRUE(replica->says("the primary went"));
    before = commitOf(replica->pool);
  }
  /// The commit of a pool, as nvm-pool says; it also reads all of it.
  static std::string commitOf(const std::string &pool) {
    std::string out = pool + ".info";
    int status = system(
        (std::string(NVM_POOL_TOOL) + " info " + pool + " > " + out + " 2>&1")
            .c_str());
    EXPECT_EQ(status, 0) << readFile(out);
    std::string text = readFile(out);
    size_t at = text.find("commit");
    return text.substr(at, text.find('\n', at) - at);
  }
  void expectUnchanged() {
    EXPECT_EQ(commitOf(replica->pool), before);
    replica->kill();
    expectWorld(replica->pool, 20);
  }
  void expectRefused(Program &other, const std::string &engine,
                     const std::string &id) {
    other.start(engine, 1);
    EXPECT_EQ(other.end(), 78);
    EXPECT_NE(other.text().find(id), std::string::npos) << other.text();
  }
  Directory directory;
  std::optional<Replica> replica;
  std::optional<Program> program;
  std::string before;
};

TEST_F(ReplicaRefuses, AnotherPool) {
  Program other(directory / "other", *replica);
  expectRefused(other, "redo", "[replica-pool]");
  expectUnchanged();
}

TEST_F(ReplicaRefuses, APoolThatIsBehindIt) {
  std::string old = directory / "old";
  copyFile(program->pool, old);
  program->start("redo", 20);
  EXPECT_EQ(program->end(), 0);
  before = commitOf(replica->pool);
  Program stale(old, *replica);
  expectRefused(stale, "redo", "[replica-epoch]");
  expectUnchanged();
}

TEST_F(ReplicaRefuses, APoolThatHasPartedFromIt) {
  /* Both go on by themselves: here by more commits than there. */
  EXPECT_EQ(replica->stop(), 0);
  program->env("NVM_REPLICA", "");
  program->start("redo", 30);
  EXPECT_EQ(program->end(), 0) << program->text();
  Program there(replica->pool, *replica);
  there.env("NVM_REPLICA", "");
  there.start("redo", 5);
  EXPECT_EQ(there.end(), 0) << there.text();
  replica->start();
  before = commitOf(replica->pool);
  program->env("NVM_REPLICA", replica->address());
  expectRefused(*program, "redo", "[replica-epoch]");
  expectUnchanged();
}

TEST_F(ReplicaRefuses, ASecondPrimary) {
  std::string copy = directory / "copy";
  copyFile(program->pool, copy);
  program->start("redo");
  program->awaitSteps(30);
  Program second(copy, *replica);
  expectRefused(second, "redo", "[replica-busy]");
  long steps = program->acknowledged.get();
  program->awaitSteps(steps + 20);
  program->kill();
  replica->kill();
  expectWorld(replica->pool, program->acknowledged.get());
}

TEST_F(ReplicaRefuses, EnginesThatDoNotSayWhichCommitTheyHold) {
  for (const char *engine : enginesWithout(&nvm_engine::can_replicate)) {
    Program other(directory / engine, *replica);
    expectRefused(other, engine, "[replica-engine]");
  }
  expectUnchanged();
}

TEST_F(ReplicaRefuses, AClientThatSpeaksNoSuchProtocol) {
  nvmi_address address;
  ASSERT_EQ(nvmi_address_parse("test", replica->address().c_str(), &address),
            0);
  int fd = nvmi_wire_connect(&address, 1000);
  ASSERT_GE(fd, 0);
  const char text[] = "GET / HTTP/1.1\r\nHost: replica\r\n\r\n";
  ASSERT_GT(send(fd, text, sizeof(text), MSG_NOSIGNAL), 0);
  EXPECT_TRUE(replica->says("[replica-protocol]")) << replica->text();
  close(fd);
  expectUnchanged();
}

/// Says to the replica what the program's pool would.
class FalsePrimary : public ReplicaRefuses {
protected:
  void look() {
    int fd = ::open(program->pool.c_str(), O_RDONLY);
    struct nvmi_peek peek;
    ASSERT_EQ(nvmi_peek(fd, program->pool.c_str(), &peek), 0);
    hello.epoch = peek.control.base_epoch - 1;
    hello.header = peek.header;
    ASSERT_EQ(pread(fd, &hello.runs, sizeof(hello.runs),
                    off_t(peek.header.arena_offset + sizeof(nvm_disk_heap))),
              ssize_t(sizeof(hello.runs)));
    close(fd);
    ASSERT_EQ(nvmi_address_parse("test", replica->address().c_str(), &address),
              0);
    link.fabric = nvmi_fabric_load();
    ASSERT_NE(link.fabric, nullptr) << nvm_errormsg();
    link.fd = -1;
    link.timeout_ms = 2000;
  }
  int greet() {
    return nvmi_link_open(&link, &address, &key, &hello, memory,
                          sizeof(memory));
  }
  void open() {
    look();
    ASSERT_EQ(greet(), 0) << nvm_errormsg();
  }
  void TearDown() override {
    if (link.fabric)
      nvmi_link_close(&link);
  }
  /// What the replica answers within a second.
  std::string answer() {
    for (int i = 0; i < 100; i++)
      if (nvmi_link_step(&link, 10) != 0)
        return nvm_errormsg();
    return "nothing";
  }
  alignas(64) unsigned char memory[8192] = {};
  nvmi_address address = {};
  nvmi_key key = {};
  nvmi_hello hello = {};
  nvmi_link link = {};
};

TEST_F(FalsePrimary, WithAnotherLayout) {
  look();
  hello.header.heap_address += NVM_PAGE_BYTES;
  hello.header.crc =
      nvmi_crc32c(0, &hello.header, offsetof(nvm_disk_header, crc));
  EXPECT_EQ(greet(), EPERM);
  EXPECT_NE(std::string(nvm_errormsg()).find("[replica-layout]"),
            std::string::npos)
      << nvm_errormsg();
  hello.header.page_count++; /* and the CRC tells of it */
  EXPECT_EQ(greet(), EPERM);
  EXPECT_NE(std::string(nvm_errormsg()).find("[replica-layout]"),
            std::string::npos)
      << nvm_errormsg();
  expectUnchanged();
}

TEST_F(FalsePrimary, WithATruncatedRecord) {
  open();
  ASSERT_EQ(nvmi_link_records(&link, hello.epoch + 1), 0) << nvm_errormsg();
  auto *record = reinterpret_cast<nvm_disk_record *>(memory);
  record->magic = NVM_RECORD_MAGIC;
  record->epoch = hello.epoch + 1;
  record->size_bytes = 4 * NVM_LINE_BYTES;
  record->pool_tag = link.log.pool_tag;
  record->lap = link.log.lap;
  record->line_count = 2; /* and their images are not there */
  ASSERT_EQ(nvmi_link_record(&link, record), 0) << nvm_errormsg();
  EXPECT_NE(answer().find("[replica-record]"), std::string::npos);
  expectUnchanged();
}

TEST_F(FalsePrimary, WithCommitsInAnotherOrder) {
  open();
  EXPECT_EQ(nvmi_link_records(&link, hello.epoch), EPERM);
  EXPECT_NE(std::string(nvm_errormsg()).find("[replica-epoch]"),
            std::string::npos);
  expectUnchanged();
}

TEST_F(FalsePrimary, ThatWritesBeyondTheLog) {
  open();
  ASSERT_EQ(nvmi_link_records(&link, hello.epoch + 1), 0) << nvm_errormsg();
  nvmi_fabric_place beyond = link.log.place;
  beyond.size_bytes += 1 << 20; /* what this side thinks of it */
  ASSERT_EQ(
      nvmi_link_page(&link, &beyond, memory, link.log.place.size_bytes, 4096),
      0);
  EXPECT_NE(nvmi_link_drain(&link), 0);
  expectUnchanged();
}

TEST_F(FalsePrimary, ThatIsGoneAmongItsPages) {
  open();
  nvmi_fabric_place arena;
  ASSERT_EQ(nvmi_link_pages(&link, true, 16, &arena), 0) << nvm_errormsg();
  memset(memory, 0xff, sizeof(memory));
  ASSERT_EQ(nvmi_link_page(&link, &arena, memory, 0, 8192), 0);
  ASSERT_EQ(nvmi_link_drain(&link), 0);
  EXPECT_EQ(access((replica->pool + ".nvmove-replica").c_str(), F_OK), 0);
  nvmi_link_close(&link);
  EXPECT_TRUE(replica->says("the primary went")) << replica->text();
  for (int i = 0;
       i < 100 && !access((replica->pool + ".nvmove-replica").c_str(), F_OK);
       i++)
    usleep(10000);
  EXPECT_NE(access((replica->pool + ".nvmove-replica").c_str(), F_OK), 0);
  expectUnchanged();
}

TEST_F(FalsePrimary, WhosePagesAreNoPool) {
  open();
  nvmi_fabric_place arena;
  ASSERT_EQ(nvmi_link_pages(&link, true, 16, &arena), 0) << nvm_errormsg();
  EXPECT_NE(nvmi_link_valid(&link, hello.epoch), 0);
  EXPECT_NE(std::string(nvm_errormsg()).find("[pool-damaged]"),
            std::string::npos)
      << nvm_errormsg();
  expectUnchanged();
}

/// Keys.
class ReplicaKey : public testing::Test {
protected:
  void SetUp() override {
    if (!hasReplicas())
      GTEST_SKIP() << "built without libfabric";
  }
  std::string keyFile(const std::string &name, const std::string &bytes,
                      mode_t mode = 0600) {
    std::string path = directory / name;
    writeFile(path, bytes);
    chmod(path.c_str(), mode);
    return path;
  }
  void expectRefused(const Replica &replica, const std::string &key) {
    Program program(directory / "refused", replica);
    program.env("NVM_REPLICA_KEY", key);
    program.start("redo", 1);
    EXPECT_EQ(program.end(), 78);
    EXPECT_NE(program.text().find("[replica-key]"), std::string::npos)
        << program.text();
    unlink(program.pool.c_str());
  }
  Directory directory;
};

TEST_F(ReplicaKey, IsProvedByBoth) {
  std::string key = keyFile("key", std::string(32, 'k'));
  Replica replica(directory / "replica", {"--key", key});
  Program program(directory / "pool", replica);
  program.env("NVM_REPLICA_KEY", key);
  program.start("undo", 20);
  EXPECT_EQ(program.end(), 0) << program.text();
  expectRefused(replica, "");
  expectRefused(replica, keyFile("other", std::string(32, 'o')));
  replica.kill();
  expectWorld(replica.pool, 20);
}

TEST_F(ReplicaKey, ProvesNothingToAReplicaWithoutOne) {
  Replica replica(directory / "replica");
  expectRefused(replica, keyFile("key", std::string(32, 'k')));
}

TEST_F(ReplicaKey, IsAFileOfItsOwner) {
  Replica replica(directory / "replica");
  expectRefused(replica, keyFile("open", std::string(32, 'k'), 0644));
  expectRefused(replica, keyFile("short", "k"));
  expectRefused(replica, directory / "missing");
}

TEST_F(ReplicaKey, IsNeededBeyondTheMachine) {
  Replica replica(directory / "replica");
  Program program(directory / "pool", replica);
  program.env("NVM_REPLICA", "192.0.2.1:7411");
  program.start("redo", 1);
  EXPECT_EQ(program.end(), 78);
  EXPECT_NE(program.text().find("[replica-key]"), std::string::npos);
  Replica open(directory / "open", {"--listen", "0.0.0.0:0"});
  EXPECT_FALSE(open.runs());
  EXPECT_NE(open.text().find("[replica-key]"), std::string::npos)
      << open.text();
}

TEST_F(ReplicaKey, WrongWordsOfTheEnvironment) {
  Replica replica(directory / "replica");
  const char *const wrong[][3] = {
      {"NVM_REPLICA", "localhost", "[replica-address]"},
      {"NVM_REPLICA", "no such host:1", "[replica-address]"},
      {"NVM_REPLICA_MODE", "fast", "[replica]"},
      {"NVM_REPLICA_PARTITION", "panic", "[replica]"},
      {"NVM_REPLICA_TIMEOUT_MS", "soon", "[replica]"}};
  for (auto &[name, value, id] : wrong) {
    Program program(directory / "pool", replica);
    program.env(name, value);
    program.start("redo", 1);
    EXPECT_EQ(program.end(), 78);
    EXPECT_NE(program.text().find(id), std::string::npos)
        << name << program.text();
    EXPECT_NE(access(program.pool.c_str(), F_OK), 0) << "nothing was made";
    unlink((program.pool + ".log").c_str());
  }
}

TEST(ReplicaSupport, IsNamedWhereItIsMissing) {
  Directory directory;
  std::string said = directory / "said";
  int status = system(("NVM_FABRIC=/missing.so " NVM_REPLICA_TOOL
                       " --listen 127.0.0.1:0 " +
                       directory / "replica" + " > " + said + " 2>&1")
                          .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_NE(readFile(said).find("[replica-support]"), std::string::npos);
  EXPECT_NE(access((directory / "replica").c_str(), F_OK), 0);
}

} // namespace
