//===- ProcessMemory.cpp - The memory of a child at rest ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/ProcessMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstring>
#include <sys/uio.h>
#include <unistd.h>

using namespace llvm;

namespace nvmove {

static constexpr uint64_t pageBytes = 4096;

ProcessMemory::ProcessMemory(pid_t pid, const ProgramImage &image)
    : pid(pid), image(image) {
  char name[4096];
  std::string link = "/proc/" + std::to_string(pid) + "/exe";
  ssize_t length = readlink(link.c_str(), name, sizeof(name));
  program.assign(name, length > 0 ? size_t(length) : 0);
  readMappings();
  readArena();
  findPool();
}

bool ProcessMemory::readFromProcess(uint64_t address, void *to,
                                    size_t sizeBytes) const {
  iovec here{to, sizeBytes};
  iovec there{reinterpret_cast<void *>(address), sizeBytes};
  return process_vm_readv(pid, &here, 1, &there, 1, 0) == ssize_t(sizeBytes);
}

const uint8_t *ProcessMemory::pageAt(uint64_t number) const {
  auto [at, isNew] = known.try_emplace(number);
  if (isNew) {
    auto page = std::make_unique<uint8_t[]>(pageBytes);
    if (readFromProcess(number * pageBytes, page.get(), pageBytes))
      at->second = std::move(page);
  }
  return at->second.get();
}

/// A walk asks for a few bytes each time, and a system call takes longer than
/// what it copies.
bool ProcessMemory::read(uint64_t address, void *to, size_t sizeBytes) const {
  uint64_t number = address / pageBytes, offset = address % pageBytes;
  if (offset + sizeBytes > pageBytes)
    return readFromProcess(address, to, sizeBytes);
  const uint8_t *page = pageAt(number);
  if (!page)
    return readFromProcess(address, to, sizeBytes);
  std::memcpy(to, page + offset, sizeBytes);
  return true;
}

void ProcessMemory::readMappings() {
  auto maps =
      MemoryBuffer::getFileAsStream("/proc/" + std::to_string(pid) + "/maps");
  if (!maps)
    return;
  SmallVector<StringRef> lines;
  (*maps)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  bool based = false;
  for (StringRef line : lines) {
    SmallVector<StringRef> parts; // begin-end mode offset device inode  file
    line.split(parts, ' ', 5);
    if (parts.size() < 5)
      continue;
    Mapping mapping{};
    auto [begin, end] = parts[0].split('-');
    if (begin.getAsInteger(16, mapping.begin) ||
        end.getAsInteger(16, mapping.end) ||
        parts[2].getAsInteger(16, mapping.offset))
      continue;
    mapping.readable = parts[1].starts_with("r");
    mapping.shared = parts[1].contains('s');
    mapping.file = parts.size() > 5 ? parts[5].trim().str() : "";
    if (!based && mapping.file == program && image.isPositionIndependent()) {
      loadBias = mapping.begin - mapping.offset;
      based = true;
    }
    mappings.push_back(std::move(mapping));
  }
}

const ProcessMemory::Mapping *ProcessMemory::mappingOf(uint64_t address) const {
  auto after = partition_point(
      mappings, [&](const Mapping &m) { return m.end <= address; });
  return after != mappings.end() && after->begin <= address ? &*after : nullptr;
}

uint64_t ProcessMemory::mappedEnd(uint64_t address) const {
  const Mapping *mapping = mappingOf(address);
  return mapping && mapping->readable ? mapping->end : 0;
}

std::string ProcessMemory::ofOthers(uint64_t address) const {
  const Mapping *mapping = mappingOf(address);
  if (!mapping)
    return "";
  StringRef file = mapping->file;
  if (file.starts_with("[stack"))
    return "the stack";
  if (!file.starts_with("/") || file == program || mapping->shared ||
      !(file.ends_with(".so") || file.contains(".so.")))
    return "";
  // The first of the library's mappings is where it begins.
  const Mapping *first = mapping;
  while (first != mappings.data() && (first - 1)->file == file)
    --first;
  return (sys::path::filename(file) + "+" + utostr(address - first->begin))
      .str();
}

/// Blocks of the main arena lie one behind the other, each with its size in
/// front: glibc, malloc/malloc.c, "struct malloc_chunk".
void ProcessMemory::readArena() {
  constexpr uint64_t largestBytes = 256u << 20;
  auto heap =
      find_if(mappings, [](const Mapping &m) { return m.file == "[heap]"; });
  if (heap == mappings.end() || heap->end - heap->begin > largestBytes)
    return;
  std::vector<uint8_t> bytes(heap->end - heap->begin);
  if (!read(heap->begin, bytes.data(), bytes.size()))
    return;
  for (uint64_t at = 0; at + 16 <= bytes.size();) {
    uint64_t size = support::endian::read64le(&bytes[at + 8]) & ~uint64_t(7);
    if (size < 32 || size % 16 || size > bytes.size() - at)
      break; // not of malloc(): what follows is not known
    // The last word belongs to the block while it is in use.
    blocks.push_back({heap->begin + at + 16, heap->begin + at + size + 8});
    at += size;
  }
}

/// The runtime's own tables, by their symbols: runtime/src/heap/state.h and
/// classes.h say what is read here.
void ProcessMemory::findPool() {
  auto heap = image.addressOf("nvmi_heap"),
       sizes = image.addressOf("nvmi_class");
  uint64_t head[4];
  if (!heap || !sizes || !read(*heap + loadBias, head, sizeof(head)) ||
      !head[0] || !head[3])
    return;
  directory = head[0];
  pages = head[3];
  classes = *sizes + loadBias;
}

MemoryBlock ProcessMemory::blockOfPool(uint64_t address) const {
  constexpr uint64_t poolPageBytes = 65536;
  enum { Slab = 1, Large = 2, Tail = 3 };
  struct {
    uint8_t state, sizeClass;
    uint16_t type;
    uint32_t run, slack, crc;
  } entry;
  static_assert(sizeof(entry) == 16);
  uint64_t page = (address - pages) / poolPageBytes;
  if (!read(directory + page * sizeof(entry), &entry, sizeof(entry)))
    return {};
  if (entry.state == Tail && entry.run && entry.run <= page) {
    page -= entry.run;
    if (!read(directory + page * sizeof(entry), &entry, sizeof(entry)))
      return {};
  }
  uint64_t begin = pages + page * poolPageBytes;
  if (entry.state == Large)
    return {begin,
            begin + entry.run * poolPageBytes - entry.slack * uint64_t(16)};
  uint32_t size;
  if (entry.state != Slab || !read(classes + entry.sizeClass * 16u, &size, 4) ||
      !size)
    return {};
  begin += (address - begin) / size * size;
  return {begin, begin + size};
}

MemoryBlock ProcessMemory::blockAt(uint64_t address) const {
  const Mapping *mapping = mappingOf(address);
  if (!mapping)
    return {};
  const Mapping *pool = mappingOf(pages);
  if (pool && address >= pages && mapping->file == pool->file) {
    MemoryBlock block = blockOfPool(address);
    if (block.begin <= address && address < block.end)
      return block;
  }
  auto after = partition_point(
      blocks, [&](const MemoryBlock &b) { return b.end <= address; });
  if (after != blocks.end() && after->begin <= address)
    return *after;
  // A block with a mapping of its own.
  uint64_t size = 0;
  if (address % 4096 == 16 && read(address - 8, &size, 8) && (size & 2) &&
      size > 4096 && (size & ~uint64_t(7)) % 4096 == 0 &&
      address - 16 + (size & ~uint64_t(7)) <= mapping->end)
    return {address, address - 16 + (size & ~uint64_t(7))};
  return {};
}

} // namespace nvmove
