//===- refusals_test.cpp - a refusal names the engines that can -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "support.h"
#include <thread>

using namespace nvmtest;

namespace {

std::string listOf(const EngineNames &names) {
  std::string text;
  for (size_t i = 0; i < names.size(); i++)
    text += (i == 0                 ? ""
             : i + 1 < names.size() ? ", "
                                    : " and ") +
            std::string(names[i]);
  return text;
}

/// Opens with the engine, tx, which lacks much. What the runtime says.
std::string refusal(const char *engine, const std::function<void()> &ask) {
  Directory dir;
  Ending e = inChild([&] {
    nvm_options o = ofSize(32 * MiB);
    o.engine = engine;
    ask();
    REQUIRE(nvm_open((dir / "pool").c_str(), &o) != 0);
    dprintf(2, "%s", nvm_errormsg());
  });
  EXPECT_TRUE(e.fine()) << e;
  return e.text;
}

TEST(Refusals, NameTheEnginesThatCan) {
  std::string text = refusal("tx", nvm_restart_points);
  EXPECT_NE(text.find("engine tx cannot go back to the last restart point: " +
                      listOf(enginesThat({&nvm_engine::goes_back})) + " can"),
            std::string::npos)
      << text;
  text = refusal("tx+thread", [] {});
  EXPECT_NE(text.find("engine tx cannot use a second thread: " +
                      listOf(enginesThat({&nvm_engine::second_thread})) +
                      " can"),
            std::string::npos)
      << text;
}

TEST(Refusals, NameNoEngineThatIsNotDurable) {
  EXPECT_STREQ(
      NVMI_CANNOT(&engineNamed("none"), holds_replica, "hold a replica"),
      ("engine none cannot hold a replica: " +
       listOf(enginesThat({&nvm_engine::holds_replica})) + " can")
          .c_str());
  EXPECT_EQ(std::string(NVMI_CANNOT(&engineNamed("tx"), side_by_side, "do so"))
                .find("none"),
            std::string::npos);
}

/// With engine tx, a thread stores outside of sections while another one is in
/// the midst of one, or has ended it.
Ending storeBeside(bool hasEnded) {
  Directory dir;
  return inChild([&] {
    nvm_options o = ofSize(32 * MiB);
    o.engine = "tx";
    openPool(dir / "pool", o);
    auto *words = static_cast<unsigned long *>(
        nvm_zalloc(&nvm_type_bytes, 1024 * sizeof(unsigned long)));
    nvm_ready();
    auto beside = [&] { std::thread([&] { NVM(words[0])++; }).join(); };
    beside();
    NVM(words[512])++;
    beside();
    nvm_begin();
    if (!hasEnded)
      beside(); // even before the section has stored anything
    NVM(words[512])++;
    nvm_end();
    beside();
    nvm_close();
  });
}

TEST(TransactionsOfThreads, StoresBesideASectionAreRefused) {
  Ending e = storeBeside(false);
  EXPECT_EQ(e.exitStatus, 78) << e;
  EXPECT_NE(e.text.find("[tx-threads]"), std::string::npos) << e;
  EXPECT_NE(
      e.text.find("engine tx cannot take back what several threads store"),
      std::string::npos)
      << e;
  e = storeBeside(true);
  EXPECT_TRUE(e.fine()) << e;
}

/// What the front end relies on when it tests one of them.
TEST(Capabilities, AgreeWithEachOther) {
  for (const nvm_engine *const *e = nvmi_engines; *e; e++) {
    const nvm_engine &engine = **e;
    EXPECT_FALSE(engine.goes_back && (engine.each || engine.by_transaction))
        << engine.name << " takes back what is not saved in sections only";
    EXPECT_LE(engine.side_by_side, engine.goes_back) << engine.name;
    EXPECT_LE(engine.can_replicate,
              engine.durable && engine.hooked && engine.goes_back)
        << engine.name;
    EXPECT_LE(engine.holds_replica, engine.durable && engine.grows)
        << engine.name;
    EXPECT_LE(engine.saves_beside, engine.save && engine.side_by_side)
        << engine.name;
    EXPECT_EQ(engine.durable && !engine.grows, engine.spare_part != 0)
        << engine.name;
    EXPECT_TRUE(engine.durable
                    ? engine.area_bytes && engine.examine && engine.view
                    : true)
        << engine.name;
  }
}

} // namespace
