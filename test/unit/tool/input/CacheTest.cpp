//===- CacheTest.cpp - Which files are parsed again -----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/Encoding.h"
#include "test/support/CollectSource.h"
#include "tool/input/Unit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/xxhash.h"
#include "gtest/gtest.h"
#include <thread>

using namespace llvm;
using namespace nvmove;
using nvmove::test::SourceFolder;

namespace {

class CacheTest : public testing::Test {
protected:
  void SetUp() override {
    folder.write("h/used.h", "struct s { int n; };\n");
    folder.write("a.c", "#include <used.h>\nint f(struct s *p) { return p->n; "
                        "}\n");
  }

  CompileJob job(std::vector<std::string> flags = {}) const {
    CompileJob job{folder.path() + "/a.c", folder.path(), {"cc"}};
    flags.insert(flags.end(), {"-Iearly", "-Ih"});
    job.arguments.insert(job.arguments.end(), flags.begin(), flags.end());
    job.arguments.push_back(job.file);
    return job;
  }

  Cache cache() const {
    auto cache = Cache::open(folder.path() + "/cache");
    EXPECT_TRUE(bool(cache));
    return *cache;
  }

  /// Whether a run with the cache as it is has to parse.
  bool parses(const CompileJob &job) {
    UnitCollector collector(cache());
    Unit unit = collector.collect(job);
    EXPECT_FALSE(unit.failure);
    // What comes out is right either way.
    EXPECT_EQ(encode(unit), encode(UnitCollector(Cache()).collect(job)));
    return collector.parsed() != 0;
  }
  bool parses() { return parses(job()); }

  std::vector<std::string> entries() const {
    std::vector<std::string> files;
    std::error_code ec;
    for (sys::fs::directory_iterator it(folder.path() + "/cache", ec), end;
         it != end && !ec; it.increment(ec))
      if (sys::path::filename(it->path()).starts_with("llvmcache-"))
        files.push_back(it->path());
    return files;
  }

  SourceFolder folder;
};

TEST_F(CacheTest, NothingChangedNothingIsParsed) {
  EXPECT_TRUE(parses());
  EXPECT_FALSE(parses());
  EXPECT_EQ(entries().size(), 1u);
}

TEST_F(CacheTest, WithoutACacheEverythingIsParsed) {
  for (int i = 0; i < 2; ++i) {
    UnitCollector collector{Cache()};
    collector.collect(job());
    EXPECT_EQ(collector.parsed(), 1u);
  }
}

TEST_F(CacheTest, AChangedSource) {
  parses();
  folder.write("a.c", "#include <used.h>\nint g(struct s *p) { return p->n; "
                      "}\n");
  EXPECT_TRUE(parses());
  EXPECT_FALSE(parses());
}

TEST_F(CacheTest, AChangedHeaderOfTheSameSize) {
  parses();
  folder.write("h/used.h", "struct s { int m; int n; };\n");
  EXPECT_TRUE(parses());
  folder.write("h/used.h", "struct s { int k; int n; };\n");
  EXPECT_TRUE(parses());
  // A file that is only written again has not changed.
  folder.write("h/used.h", "struct s { int k; int n; };\n");
  EXPECT_FALSE(parses());
}

TEST_F(CacheTest, AHeaderThatAppearsEarlierInTheSearchPath) {
  parses();
  folder.write("early/other.h", "");
  EXPECT_TRUE(parses()); // the directory itself is new
  EXPECT_FALSE(parses());
  folder.write("early/other2.h", "");
  EXPECT_FALSE(parses());
  folder.write("early/used.h", "struct s { long n; };\n");
  EXPECT_TRUE(parses());
  sys::fs::remove(folder.path() + "/early/used.h");
  EXPECT_TRUE(parses());
}

TEST_F(CacheTest, AHeaderThatWasMissing) {
  folder.write("a.c", "#if __has_include(<new.h>)\n#include <new.h>\n#endif\n"
                      "#include <absent.h>\nint x;\n");
  EXPECT_TRUE(parses());
  EXPECT_FALSE(parses());
  folder.write("h/new.h", "struct n { int a; };\n");
  EXPECT_TRUE(parses());
  folder.write("h/absent.h", "struct m { int a; };\n");
  EXPECT_TRUE(parses());
  EXPECT_FALSE(parses());
}

TEST_F(CacheTest, OtherFlagsDirectoryOrEnvironment) {
  parses();
  EXPECT_TRUE(parses(job({"-DX"})));
  EXPECT_FALSE(parses(job({"-DX"})));
  CompileJob elsewhere = job();
  elsewhere.directory = "/";
  elsewhere.arguments = {"cc", "-I" + folder.path() + "/h", elsewhere.file};
  EXPECT_TRUE(parses(elsewhere));
  setenv("CPATH", (folder.path() + "/h").c_str(), 1);
  EXPECT_TRUE(parses());
  unsetenv("CPATH");
  EXPECT_FALSE(parses());
}

// Another build of the program is another key.
TEST_F(CacheTest, TheKeyHoldsTheProgramAndThePurpose) {
  EXPECT_NE(Cache::key("unit", job()), Cache::key("missing headers", job()));
  auto self = MemoryBuffer::getFile("/proc/self/exe");
  ASSERT_TRUE(bool(self));
  std::string hash = utohexstr(xxh3_64bits((*self)->getBuffer()));
  EXPECT_NE(Cache::key("unit", job()).find(hash), std::string::npos);
}

TEST_F(CacheTest, ADamagedEntryIsNone) {
  parses();
  std::string file = entries().front();
  auto good = MemoryBuffer::getFile(file, false, false, /*IsVolatile=*/true);
  ASSERT_TRUE(bool(good));
  std::string bytes = (*good)->getBuffer().str();
  auto put = [&](StringRef text) {
    folder.write("cache/" + sys::path::filename(file).str(), text.str());
  };
  for (size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 12) {
    std::string bad = bytes;
    bad[at] ^= 0x40;
    put(bad);
    EXPECT_TRUE(parses()) << at;
    EXPECT_FALSE(parses()) << "it is replaced";
    put(StringRef(bytes).take_front(at));
    EXPECT_TRUE(parses()) << at;
  }
}

TEST_F(CacheTest, AFailureIsRememberedToo) {
  folder.write("a.c", "int f(void) { return nothing; }\n");
  for (bool fresh : {true, false}) {
    UnitCollector collector(cache());
    Unit unit = collector.collect(job());
    ASSERT_TRUE(unit.failure.has_value());
    EXPECT_FALSE(unit.failure->messages.empty());
    EXPECT_EQ(collector.parsed(), fresh);
  }
}

TEST_F(CacheTest, MissingHeadersAreRemembered) {
  folder.write("a.c", "#include \"one.h\"\n#if 0\n#include \"no.h\"\n#endif\n"
                      "#include <two.h>\n");
  std::vector<std::string> both{"one.h", "two.h"}, second{"two.h"};
  for (bool fresh : {true, false}) {
    UnitCollector collector(cache());
    EXPECT_EQ(collector.missingHeaders(job()), both);
    EXPECT_EQ(collector.parsed(), fresh);
  }
  folder.write("one.h", "");
  UnitCollector collector(cache());
  EXPECT_EQ(collector.missingHeaders(job()), second);
}

TEST_F(CacheTest, TwoRunsAtOnce) {
  std::vector<std::thread> threads;
  std::string expected = encode(UnitCollector(Cache()).collect(job()));
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        UnitCollector collector(cache());
        EXPECT_EQ(encode(collector.collect(job())), expected);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_FALSE(parses());
  EXPECT_EQ(entries().size(), 1u); // and no temporary file is left
}

// A bound on the folder, and nothing else in it is touched.
TEST_F(CacheTest, OldEntriesAreRemoved) {
  parses();
  std::string old = folder.write("cache/llvmcache-old", "x");
  std::string foreign = folder.write("cache/mine.txt", "x");
  for (const std::string &file : {old, foreign}) {
    int fd;
    ASSERT_FALSE(sys::fs::openFileForReadWrite(
        file, fd, sys::fs::CD_OpenExisting, sys::fs::OF_None));
    auto past = std::chrono::system_clock::now() - std::chrono::hours(24 * 60);
    ASSERT_FALSE(sys::fs::setLastAccessAndModificationTime(fd, past, past));
    sys::Process::SafelyCloseFileDescriptor(fd);
  }
  cache().prune();
  EXPECT_FALSE(sys::fs::exists(old));
  EXPECT_TRUE(sys::fs::exists(foreign));
  EXPECT_FALSE(parses());
}

} // namespace
