//===- refusals_test.cpp - a refusal names the engines that can -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "support.h"

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
