//===- Library.cpp - What the solver knows of the C library ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/program/Library.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace nvmove;

namespace {
using K = LibraryFunction;

constexpr LibraryFunction table[] = {
    {"malloc", K::Allocate, -1, "nvm_malloc"},
    {"calloc", K::Allocate, -1, "nvm_calloc"},
    {"strdup", K::Allocate, -1, "nvm_strdup"},
    {"strndup", K::Allocate, -1, "nvm_strndup"},
    {"aligned_alloc", K::Allocate, -1, "nvm_aligned_alloc"},
    {"memalign", K::Allocate, -1, "nvm_memalign"},
    {"valloc", K::Allocate, -1, "nvm_valloc"},
    {"posix_memalign", K::Allocate, 0, "nvm_posix_memalign"},
    {"asprintf", K::Allocate, 0, "nvm_asprintf", false, K::Arguments},
    {"vasprintf", K::Allocate, 0, "nvm_vasprintf", false, K::Arguments},
    {"getline", K::Allocate, 0, "nvm_getline", false, K::File},
    {"getdelim", K::Allocate, 0, "nvm_getdelim", false, K::File},
    {"open_memstream", K::Allocate, 0, nullptr},
    {"get_current_dir_name", K::Allocate, -1, nullptr},
    {"mmap", K::Allocate, -1, nullptr},
    {"mmap64", K::Allocate, -1, nullptr},
    {"realloc", K::Reallocate, -1, "nvm_realloc"},
    {"reallocarray", K::Reallocate, -1, "nvm_reallocarray"},
    {"free", K::Free, -1, "nvm_free"},
    {"cfree", K::Free, -1, "nvm_free"},
    {"malloc_usable_size", K::Usable, -1, "nvm_usable_size"},

    {"read", K::Input, 1, "nvm_read"},
    {"pread", K::Input, 1, "nvm_pread"},
    {"pread64", K::Input, 1, "nvm_pread"},
    {"recv", K::Input, 1, "nvm_recv"},
    {"recvfrom", K::Input, 1, "nvm_recvfrom"},
    {"recvmsg", K::Input, 1, nullptr},
    {"readv", K::Input, 1, nullptr, true},
    {"preadv", K::Input, 1, nullptr, true},
    {"fread", K::Input, 0, "nvm_fread"},
    {"fread_unlocked", K::Input, 0, "nvm_fread"},
    {"fgets", K::Input, 0, "nvm_fgets"},
    {"gets", K::Unbounded, 0, nullptr},
    {"fgetc", K::Input, -1, nullptr},
    {"getc", K::Input, -1, nullptr},
    {"getchar", K::Input, -1, nullptr},
    {"scanf", K::Input, 1, nullptr},
    {"fscanf", K::Input, 2, nullptr},
    {"sscanf", K::Input, 2, nullptr},
    {"gzread", K::Input, 1, nullptr},
    {"gzgets", K::Input, 1, nullptr},
    {"gzgetc", K::Input, -1, nullptr},
    {"getw", K::Input, -1, nullptr},
    {"fgetwc", K::Input, -1, nullptr},
    {"getc_unlocked", K::Input, -1, nullptr},
    {"fgetc_unlocked", K::Input, -1, nullptr},

    {"memcpy", K::Write, 0, "nvm_memcpy"},
    {"memmove", K::Write, 0, "nvm_memmove"},
    {"memset", K::Write, 0, "nvm_memset"},
    {"strcpy", K::Write, 0, "nvm_strcpy"},
    {"strncpy", K::Write, 0, "nvm_strncpy"},
    {"strcat", K::Write, 0, "nvm_strcat"},
    {"strncat", K::Write, 0, "nvm_strncat"},
    {"stpcpy", K::Write, 0, "nvm_stpcpy"},
    {"bcopy", K::Write, 1, "nvm_bcopy"},
    {"bzero", K::Write, 0, "nvm_bzero"},
    {"qsort", K::Write, 0, "nvm_qsort"},
    {"qsort_r", K::Write, 0, nullptr},
    {"swab", K::Write, 1, nullptr},
    {"memccpy", K::Write, 0, nullptr},
    {"mempcpy", K::Write, 0, "nvm_mempcpy"},

    {"snprintf", K::Print, 0, nullptr},
    {"vsnprintf", K::Print, 0, nullptr},
    {"strftime", K::Print, 0, nullptr},
    {"getcwd", K::Print, 0, nullptr},
    {"gethostname", K::Print, 0, nullptr},
    {"mktime", K::Assign, 0, nullptr},
    {"timegm", K::Assign, 0, nullptr},
    {"localtime_r", K::Assign, 1, nullptr},
    {"gmtime_r", K::Assign, 1, nullptr},
    {"stat", K::Assign, 1, nullptr},
    {"lstat", K::Assign, 1, nullptr},
    {"uname", K::Assign, 0, nullptr},
    {"sprintf", K::Unbounded, 0, "nvm_sprintf"},
    {"vsprintf", K::Unbounded, 0, "nvm_vsprintf"},

    {"write", K::Output, -1, "nvm_write"},
    {"writev", K::Output, -1, "nvm_writev"},
    {"send", K::Output, -1, "nvm_send"},
    {"sendto", K::Output, -1, "nvm_sendto"},
    {"sendmsg", K::Output, -1, "nvm_sendmsg"},
    {"fflush", K::Output, -1, "nvm_fflush"},

    {"epoll_wait", K::Wait, -1, nullptr},
    {"epoll_pwait", K::Wait, -1, nullptr},
    {"select", K::Wait, -1, nullptr},
    {"pselect", K::Wait, -1, nullptr},
    {"poll", K::Wait, -1, nullptr},
    {"ppoll", K::Wait, -1, nullptr},
    {"kevent", K::Wait, -1, nullptr},
    {"port_getn", K::Wait, -1, nullptr},
    {"clock_nanosleep", K::Sleep, -1, nullptr},
    {"sigtimedwait", K::Wait, -1, nullptr},
    {"sigwaitinfo", K::Wait, -1, nullptr},
    {"getch", K::Wait, -1, nullptr},
    {"wgetch", K::Wait, -1, nullptr},
    {"wget_wch", K::Wait, -1, nullptr},
    {"XNextEvent", K::Wait, -1, nullptr},
    {"uv_run", K::Wait, -1, nullptr},
    {"ev_run", K::Wait, -1, nullptr},
    {"g_main_loop_run", K::Wait, -1, nullptr},
    {"accept", K::Wait, -1, nullptr},
    {"accept4", K::Wait, -1, nullptr},
    {"sleep", K::Sleep, -1, nullptr},
    {"usleep", K::Sleep, -1, nullptr},
    {"nanosleep", K::Sleep, -1, nullptr},
    {"pause", K::Wait, -1, nullptr},
    {"sigsuspend", K::Wait, -1, nullptr},
    {"sigwait", K::Wait, -1, nullptr},
    {"event_base_loop", K::Wait, -1, nullptr},
    {"event_base_dispatch", K::Wait, -1, nullptr},
    {"getnstr", K::Wait, -1, nullptr},
    {"wgetnstr", K::Wait, -1, nullptr},
    {"wgetstr", K::Wait, -1, nullptr},
    {"getstr", K::Wait, -1, nullptr},
    {"get_wch", K::Wait, -1, nullptr},
    {"SDL_WaitEvent", K::Wait, -1, nullptr},
    {"SDL_PollEvent", K::Wait, -1, nullptr},
    {"event_dispatch", K::Wait, -1, nullptr},
    {"event_loop", K::Wait, -1, nullptr},
    {"lws_service", K::Wait, -1, nullptr},
    {"readline", K::Wait, -1, nullptr},

    {"time", K::Chance, 0, nullptr},
    {"gettimeofday", K::Chance, 0, nullptr},
    {"clock_gettime", K::Chance, 1, nullptr},
    {"clock", K::Chance, -1, nullptr},
    {"getpid", K::Chance, -1, nullptr},
    {"getppid", K::Chance, -1, nullptr},
    {"getauxval", K::Chance, -1, nullptr},
    {"rand", K::Chance, -1, nullptr},
    {"random", K::Chance, -1, nullptr},
    {"lrand48", K::Chance, -1, nullptr},
    {"drand48", K::Chance, -1, nullptr},
    {"mrand48", K::Chance, -1, nullptr},
    {"arc4random", K::Chance, -1, nullptr},
    {"arc4random_uniform", K::Chance, -1, nullptr},
    {"arc4random_buf", K::Chance, 0, nullptr},
    {"getrandom", K::Chance, 0, nullptr},
    {"getentropy", K::Chance, 0, nullptr},

    {"exit", K::Exit, -1, nullptr},
    {"_exit", K::Exit, -1, nullptr},
    {"_Exit", K::Exit, -1, nullptr},
    {"abort", K::Exit, -1, nullptr},
    {"__assert_fail", K::Exit, -1, nullptr},
};

/// With null for that argument.
constexpr struct {
  size_t null;
  LibraryFunction function;
} withNull[] = {
    {1, {"realpath", K::Allocate, -1, "nvm_realpath"}},
    {0, {"getcwd", K::Allocate, -1, "nvm_getcwd"}},
};

const llvm::StringMap<const LibraryFunction *> &byName() {
  static const auto *map = [] {
    auto *m = new llvm::StringMap<const LibraryFunction *>;
    for (const LibraryFunction &f : table) {
      m->try_emplace(f.name, &f);
      m->try_emplace((llvm::Twine("__builtin_") + f.name).str(), &f);
      if (f.replacement)
        m->try_emplace(f.replacement, &f);
    }
    return m;
  }();
  return *map;
}
} // namespace

const LibraryFunction nvmove::otherAllocator = {"", K::Allocate, -1, nullptr};
const LibraryFunction nvmove::otherReallocator = {"", K::Reallocate, -1,
                                                  nullptr};

const LibraryFunction *nvmove::libraryFunction(llvm::StringRef name) {
  // The fortified forms, __builtin___memcpy_chk, write like the plain ones.
  if (name.starts_with("__builtin___") && name.ends_with("_chk"))
    name = name.drop_front(12).drop_back(4);
  auto found = byName().find(name);
  return found == byName().end() ? nullptr : found->second;
}

bool nvmove::mapsMemory(llvm::StringRef name) {
  return name == "mmap" || name == "mmap64";
}

bool nvmove::isOnStack(llvm::StringRef name) {
  name.consume_front("__builtin_");
  return name == "alloca" || name.starts_with("alloca_");
}

const LibraryFunction *
nvmove::libraryFunction(llvm::StringRef name,
                        const std::vector<bool> &argIsNull) {
  for (const auto &[null, f] : withNull)
    if ((name == f.name || name == f.replacement) && null < argIsNull.size() &&
        argIsNull[null])
      return &f;
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

int nvmove::keepsMemoryIn(llvm::StringRef name) {
  return llvm::StringSwitch<int>(name)
      .Cases("regcomp", "getifaddrs", "res_ninit", 0)
      .Cases("inflateInit_", "inflateInit2_", "deflateInit_", "deflateInit2_",
             "inflateBackInit_", 0)
      .Cases("wordexp", "hcreate_r", 1)
      .Cases("glob", "glob64", "getaddrinfo", 3)
      .Default(-1);
}

bool nvmove::givesHandle(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("iconv_open", "dlopen", "dlsym", "dlvsym", true)
      .Default(false);
}

bool nvmove::runsLater(llvm::StringRef name) {
  for (const char *start :
       {"g_timeout_add", "g_idle_add", "g_io_add_watch", "g_child_watch_add",
        "g_unix_fd_add", "g_unix_signal_add", "g_source_set_callback",
        // libevent, in its older form without a base
        "event_set", "event_once"})
    if (name.starts_with(start))
      return true;
  return name == "sigaction" || name == "atexit" || name == "on_exit" ||
         name == "at_quick_exit";
}

bool nvmove::isMainLoop(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("event_dispatch", "event_base_dispatch", "event_loop",
             "event_base_loop", "ev_run", "ev_loop", "uv_run", true)
      .Cases("g_main_loop_run", "g_application_run", "gtk_main", "svc_run",
             "fuse_main_real", "smfi_main", true)
      .Default(false);
}

std::optional<ThreadStart> nvmove::startsThread(llvm::StringRef name) {
  if (name == "pthread_create")
    return ThreadStart{2, 3};
  if (name == "thrd_create" || name == "g_thread_new" ||
      name == "uv_thread_create")
    return ThreadStart{1, 2};
  return std::nullopt;
}

bool nvmove::givesDescriptor(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("open", "open64", "openat", "creat", "dup", "dup2", "dup3", true)
      .Cases("socket", "accept", "accept4", "fileno", "mkstemp", "shm_open",
             true)
      .Cases("epoll_create", "epoll_create1", "eventfd", "timerfd_create",
             "signalfd", "inotify_init", "inotify_init1", true)
      .Default(false);
}

bool nvmove::givesProcess(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("fork", "vfork", "getpid", "getppid", "gettid", true)
      .Default(false);
}

int nvmove::descriptorsBehind(llvm::StringRef name) {
  return llvm::StringSwitch<int>(name)
      .Cases("pipe", "pipe2", "openpty", "forkpty", 0)
      .Case("socketpair", 3)
      .Default(-1);
}

bool nvmove::opensForReading(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("open", "open64", "openat", "openat64", true)
      .Cases("fopen", "fopen64", "freopen", "freopen64", true)
      .Default(false);
}

int nvmove::timeoutOf(llvm::StringRef name) {
  return llvm::StringSwitch<int>(name)
      .Cases("poll", "ppoll", "sigtimedwait", 2)
      .Cases("epoll_wait", "epoll_pwait", 3)
      .Cases("select", "pselect", 4)
      .Case("kevent", 5)
      .Default(-1);
}

const JointForm *nvmove::jointForm(llvm::StringRef name) {
  static constexpr unsigned none = ~0u;
  static constexpr JointForm forms[] = {
      {{"strtok", K::Write, 0, "nvm_strtok"}, 0, 0},
      {{"strtok_r", K::Write, 0, "nvm_strtok_r"}, 1, 0},
      {{"strsep", K::Write, 0, "nvm_strsep"}, 2, 0},
      {{"tsearch", K::Write, -1, "nvm_tsearch"}, 3, 0},
      {{"tfind", K::Write, -1, "nvm_tfind"}, 3, none},
      {{"tdelete", K::Write, -1, "nvm_tdelete"}, 3, none},
      {{"twalk", K::Write, -1, "nvm_twalk"}, 3, none},
      {{"twalk_r", K::Write, -1, "nvm_twalk_r"}, 3, none},
      {{"tdestroy", K::Write, -1, "nvm_tdestroy"}, 3, none}};
  const auto *at = llvm::find_if(
      forms, [&](auto &form) { return name == form.function.name; });
  return at == std::end(forms) ? nullptr : at;
}

bool nvmove::isRuntimeCall(llvm::StringRef name) {
  return name.starts_with("nvm_");
}
