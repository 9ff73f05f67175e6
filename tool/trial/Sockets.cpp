//===- Sockets.cpp - Whether a process listens ----------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Sockets.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <set>
#include <unistd.h>

using namespace llvm;

namespace nvmove {

namespace {

/// A table of /proc/PID/net, proc(5): which columns of it have the state and
/// the inode of a socket, and what the state is of one that waits for others.
struct Table {
  const char *name;
  unsigned state;
  const char *waits;
  unsigned inode;
};
constexpr Table tables[] = {
    {"tcp", 3, "0A", 9},                              // TCP_LISTEN
    {"tcp6", 3, "0A", 9}, {"udp", 3, "07", 9},        // not connected
    {"udp6", 3, "07", 9}, {"unix", 3, "00010000", 6}, // __SO_ACCEPTCON
};

void addInodes(const std::string &folder, const Table &table,
               std::set<std::string> &inodes) {
  auto text = MemoryBuffer::getFileAsStream(folder + table.name);
  if (!text)
    return;
  SmallVector<StringRef> lines;
  (*text)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    SmallVector<StringRef> columns;
    line.split(columns, ' ', -1, /*KeepEmpty=*/false);
    if (columns.size() > table.inode && columns[table.state] == table.waits)
      inodes.insert(columns[table.inode].str());
  }
}

} // namespace

bool listens(pid_t pid) {
  std::string process = "/proc/" + std::to_string(pid);
  std::set<std::string> inodes; // of all processes
  for (const Table &table : tables)
    addInodes(process + "/net/", table, inodes);
  std::error_code ec;
  for (sys::fs::directory_iterator it(process + "/fd", ec, false), end;
       it != end && !ec; it.increment(ec)) {
    char target[64];
    ssize_t length = readlink(it->path().c_str(), target, sizeof(target));
    StringRef socket(target, length > 0 ? size_t(length) : 0);
    if (socket.consume_front("socket:[") && socket.consume_back("]") &&
        inodes.count(socket.str()))
      return true;
  }
  return false;
}

} // namespace nvmove
