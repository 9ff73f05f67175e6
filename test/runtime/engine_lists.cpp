//===- engine_lists.cpp - the engines that a test runs on -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace nvmtest {

EngineNames enginesThat(const std::vector<Capability> &capabilities) {
  EngineNames names;
  for (const nvm_engine *const *e = nvmi_engines; *e; e++)
    if ((*e)->durable && std::all_of(capabilities.begin(), capabilities.end(),
                                     [&](Capability c) { return (*e)->*c; }))
      names.push_back((*e)->name);
  return names;
}

EngineNames allEngines() { return enginesThat({}); }

EngineNames enginesWithout(Capability capability) {
  EngineNames names = allEngines();
  std::erase_if(
      names, [&](const char *name) { return engineNamed(name).*capability; });
  return names;
}

bool isThreaded(const std::string &name) { return name.ends_with("+thread"); }

EngineNames alsoThreaded(const EngineNames &names) {
  static std::set<std::string> kept; // what the parameters of tests point to
  EngineNames all;
  for (const char *name : names) {
    all.push_back(name);
    if (engineNamed(name).second_thread)
      all.push_back(kept.insert(std::string(name) + "+thread").first->c_str());
  }
  return all;
}

const nvm_engine &engineNamed(const std::string &name) {
  const nvm_engine *engine =
      nvmi_engine_by_name(name.substr(0, name.find('+')).c_str());
  EXPECT_TRUE(engine) << name;
  return *engine;
}

} // namespace nvmtest
