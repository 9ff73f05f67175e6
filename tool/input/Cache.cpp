//===- Cache.cpp - Results of earlier runs --------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/Cache.h"
#include "passes/facts/Encoding.h"
#include "tool/files/AtomicFile.h"
#include "tool/message/Diagnostics.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
namespace path = llvm::sys::path;

namespace nvmove {

namespace {

struct CacheEntry {
  std::string key; ///< names of files are hashes of it, which might collide
  std::vector<Dependency> dependencies;
  std::string value;
};

} // namespace

template <> struct members::Of<CacheEntry> {
  static void list(auto &e, auto &&v) { v(e.key, e.dependencies, e.value); }
};

namespace {

constexpr uint64_t largestFolder_bytes = uint64_t(1) << 30;
constexpr auto longestUnused = std::chrono::hours(30 * 24);

/// Any other build of this program may collect other facts.
const std::string &programIdentity() {
  static const std::string identity = [] {
    auto program = MemoryBuffer::getFile("/proc/self/exe");
    return clang::getClangFullVersion() + " " +
           (program ? utohexstr(xxh3_64bits((*program)->getBuffer()))
                    : std::string(NVMOVE_VERSION));
  }();
  return identity;
}

} // namespace

std::string Cache::defaultFolder() {
  SmallString<128> folder;
  if (!path::cache_directory(folder))
    return "";
  path::append(folder, "nvmove");
  return std::string(folder);
}

Expected<Cache> Cache::open(StringRef folder) {
  if (auto ec = sys::fs::create_directories(folder, /*IgnoreExisting=*/true,
                                            sys::fs::owner_all))
    return makeError(MessageId::CacheUnusable,
                     "the cache folder cannot be created: " + ec.message(),
                     {folder.str()});
  if (sys::fs::access(folder, sys::fs::AccessMode::Write))
    return makeError(MessageId::CacheUnusable,
                     "the cache folder is not writable", {folder.str()});
  Cache cache;
  SmallString<256> absolute(folder);
  sys::fs::make_absolute(absolute);
  cache.folder_ = std::string(absolute);
  return cache;
}

std::string Cache::key(StringRef what, const CompileJob &job) {
  std::string key;
  auto add = [&](StringRef part) {
    key += part;
    key += '\0';
  };
  add(programIdentity());
  add(what);
  add(job.file);
  add(job.directory);
  for (const std::string &argument : job.arguments)
    add(argument);
  add(job.runtimeHeaders);
  // What the compiler takes from its environment.
  for (const char *name : {"CPATH", "C_INCLUDE_PATH", "COMPILER_PATH",
                           "CCC_OVERRIDE_OPTIONS", "CLANG_NO_DEFAULT_CONFIG",
                           "GCC_EXEC_PREFIX", "SOURCE_DATE_EPOCH", "HOME"}) {
    const char *value = getenv(name);
    add(value ? value : "");
  }
  return key;
}

std::string Cache::entryFile(StringRef key) const {
  XXH128_hash_t hash = xxh3_128bits(arrayRefFromStringRef(key));
  SmallString<256> file(folder_);
  // The prefix is what pruneCache() asks for before it removes anything.
  path::append(file, "llvmcache-" + utohexstr(hash.high64, true, 16) +
                         utohexstr(hash.low64, true, 16));
  return std::string(file);
}

std::optional<Cache::Found> Cache::find(StringRef key, FileSnapshot &files) {
  if (folder_.empty())
    return std::nullopt;
  auto buffer = MemoryBuffer::getFile(entryFile(key), /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false,
                                      /*IsVolatile=*/true);
  if (!buffer)
    return std::nullopt;
  auto entry = decode<CacheEntry>((*buffer)->getBuffer());
  if (!entry) {
    consumeError(entry.takeError());
    return std::nullopt;
  }
  if (entry->key != key ||
      !all_of(entry->dependencies, [&](const Dependency &d) {
        return files.answer(d.question, d.path) == d.answer;
      }))
    return std::nullopt;
  return Found{std::move(entry->dependencies), std::move(entry->value)};
}

void Cache::store(StringRef key, std::vector<Dependency> dependencies,
                  std::string value) {
  if (folder_.empty())
    return;
  CacheEntry entry{key.str(), std::move(dependencies), std::move(value)};
  consumeError(writeFileAtomically(entryFile(key), encode(entry)));
}

void Cache::prune() {
  if (folder_.empty())
    return;
  CachePruningPolicy policy;
  policy.Expiration = longestUnused;
  policy.MaxSizeBytes = largestFolder_bytes;
  pruneCache(folder_, policy);
}

} // namespace nvmove
