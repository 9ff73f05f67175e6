//===- Library.cpp - Which library functions do what ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/program/Library.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace nvmove;

const LibraryFunction nvmove::otherAllocator = {
    .name = "", .kind = LibraryFunction::Allocate};
const LibraryFunction nvmove::otherReallocator = {
    .name = "", .kind = LibraryFunction::Reallocate};

const LibraryFunction *nvmove::libraryFunction(llvm::StringRef name) {
  const LibraryFunction *f = libraryEntry(name);
  return f && f->kind != LibraryFunction::Plain && f->joint.group < 0 ? f
                                                                      : nullptr;
}

const LibraryFunction *
nvmove::libraryFunction(llvm::StringRef name,
                        const std::vector<bool> &argIsNull) {
  for (unsigned i = 0; i < argIsNull.size(); ++i)
    if (argIsNull[i])
      if (const LibraryFunction *f = libraryEntryIfNull(name, i))
        return f;
  return nullptr;
}

bool nvmove::readsFiles(llvm::StringRef name) {
  for (const char *start : {"sqlite3_",
                            "sqlite_",
                            "mysql_",
                            "PQ",
                            "mdb_",
                            "gdbm_",
                            "dbm_",
                            "tdb_",
                            "leveldb_",
                            "rocksdb_",
                            "json_",
                            "cJSON_",
                            "yyjson_",
                            "xml",
                            "XML_",
                            "mxml",
                            "yaml_",
                            "toml_",
                            "config_",
                            "iniparser_",
                            "cfg_",
                            "g_key_file_",
                            "g_file_get_contents",
                            "g_io_channel_read",
                            "H5",
                            "nc_",
                            "archive_"})
    if (name.starts_with(start))
      return true;
  return false;
}

bool nvmove::mayReadFiles(llvm::StringRef name) {
  for (const char *part : {"open", "load", "read", "parse", "from_file",
                           "import", "unpack", "decode", "deserial"})
    if (name.contains_insensitive(part))
      return !name.starts_with("dl") && !name.starts_with("XOpen");
  return false;
}

bool nvmove::givesStatus(llvm::StringRef name) {
  for (const char *part : {"fd", "fileno", "socket", "err", "status", "version",
                           "open", "close", "init", "free"})
    if (name.contains_insensitive(part))
      return true;
  return false;
}

bool nvmove::isLetGoBy(llvm::StringRef name) {
  for (const char *end : {"free", "destroy", "delete", "close"})
    if (name.ends_with_insensitive(end))
      return true;
  return false;
}

bool nvmove::givesRandom(llvm::StringRef name) {
  if (name.contains_insensitive("random") ||
      name.contains_insensitive("entropy"))
    return true;
  llvm::SmallVector<llvm::StringRef, 8> words;
  name.split(words, '_');
  return llvm::any_of(words, [](llvm::StringRef word) {
    return word.equals_insensitive("rand");
  });
}

bool nvmove::runsLater(llvm::StringRef name) {
  for (const char *start :
       {"g_timeout_add", "g_idle_add", "g_io_add_watch", "g_child_watch_add",
        "g_unix_fd_add", "g_unix_signal_add", "g_source_set_callback",
        // libevent, in its older form without a base
        "event_set", "event_once"})
    if (name.starts_with(start))
      return true;
  return hasTrait(name, LibraryFunction::RunsLater);
}

bool nvmove::makesAnother(llvm::StringRef name) {
  auto has = [&](const char *word) { return name.contains_insensitive(word); };
  return (has("create") || has("new") || has("alloc") || has("open") ||
          has("make")) &&
         !has("get") && !has("default") && !has("current") && !has("shared");
}

bool nvmove::takesInput(llvm::StringRef name) {
  return mayReadFiles(name) || name.contains("input");
}

bool nvmove::mayWriteFile(llvm::StringRef name) {
  return name.contains("write");
}

bool nvmove::beginsFile(llvm::StringRef name) {
  return hasTrait(name, LibraryFunction::OpensFile) ||
         hasTrait(name, LibraryFunction::ReplacesFile) ||
         name.starts_with("fopen") || name.starts_with("open") ||
         name.starts_with("gzopen");
}

bool nvmove::countsElements(llvm::StringRef name) {
  return name.contains_insensitive("calloc") ||
         name.contains_insensitive("reallocarray");
}

bool nvmove::isMadeByLinker(llvm::StringRef name) {
  for (const char *start : {"__start_", "__stop_"})
    if (name.starts_with(start))
      return true;
  constexpr llvm::StringLiteral others[] = {
      "etext",       "edata",        "end",         "_etext",
      "_end",        "_edata",       "__etext",     "__executable_start",
      "__bss_start", "__ehdr_start", "__dso_handle"};
  return llvm::is_contained(others, name);
}
