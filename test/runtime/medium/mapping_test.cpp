//===- mapping_test.cpp - how the pool lies in the address space ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "support.h"
#include <fstream>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

using namespace nvmtest;

namespace {

/// Of the large mappings of the file: how many the kernel reads ahead for, and
/// how many it does not.
struct Mappings {
  int ahead = 0, single = 0;
  explicit Mappings(const std::string &file) {
    std::ifstream maps("/proc/self/smaps");
    bool isOne = false;
    for (std::string line; std::getline(maps, line);) {
      uintptr_t begin, end;
      if (sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2)
        isOne = end - begin >= MiB && line.ends_with(file);
      else if (isOne && line.starts_with("VmFlags:"))
        ++(line.find(" rr ") == std::string::npos ? ahead : single);
    }
  }
};

/// A disk is asked for pages one by one, and gets back those that changed; a
/// file system in memory has them anyway.
TEST(Mapping, ADiskIsReadPageByPage) {
  char here[] = "mapping-XXXXXX";
  REQUIRE(mkdtemp(here));
  Directory memory;
  for (const std::string &folder : {std::string(here), memory / ""})
    for (const char *engine : {"undo", "redo", "dual"}) {
      struct statfs fs;
      REQUIRE(statfs(folder.c_str(), &fs) == 0);
      Ending e = inChild([&] {
        nvm_options o = ofSize(16 * MiB);
        o.engine = engine;
        openPool(folder + "/" + engine, o);
        nvm_restore();
        nvm_ready();
        const Mappings all(std::string("/") + engine);
        const bool isDisk = fs.f_type != TMPFS_MAGIC;
        REQUIRE((isDisk ? all.single : all.ahead) >= 2);
        REQUIRE((isDisk ? all.ahead : all.single) == 0);
      });
      EXPECT_TRUE(e.fine()) << folder << " " << engine << ": " << e;
      unlink((folder + "/" + engine).c_str());
    }
  rmdir(here);
}

} // namespace
