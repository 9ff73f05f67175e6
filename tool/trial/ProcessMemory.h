//===- ProcessMemory.h - The memory of a child at rest ----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_PROCESSMEMORY_H
#define NVMOVE_TOOL_TRIAL_PROCESSMEMORY_H

#include "tool/trial/ProgramImage.h"
#include <map>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace nvmove {

/// A block as an allocator keeps it: [begin, end), rounded up to what the
/// allocator gives. Empty where it is not known.
struct MemoryBlock {
  uint64_t begin = 0, end = 0;
};

/// What a walk asks of memory. Nothing of it changes while it is looked at.
class Memory {
public:
  virtual ~Memory() = default;
  /// False if not all of it is there; what is at `to` is then undefined.
  virtual bool read(uint64_t address, void *to, size_t sizeBytes) const = 0;
  virtual MemoryBlock blockAt(uint64_t address) const = 0;
  /// How far the memory is mapped that `address` lies in; 0: it is not.
  virtual uint64_t mappedEnd(uint64_t address) const = 0;
  /// Memory of others, which is not followed: "libc.so.6+64", "the stack"; ""
  /// for the program's own.
  virtual std::string ofOthers(uint64_t address) const = 0;
  /// What is added to addresses of the file.
  virtual uint64_t bias() const = 0;
};

/// The memory of a child of this process. Blocks are those of the pool and of
/// the main arena of glibc's malloc().
class ProcessMemory : public Memory {
public:
  ProcessMemory(pid_t pid, const ProgramImage &image);

  bool read(uint64_t address, void *to, size_t sizeBytes) const override;
  MemoryBlock blockAt(uint64_t address) const override;
  uint64_t mappedEnd(uint64_t address) const override;
  std::string ofOthers(uint64_t address) const override;
  uint64_t bias() const override { return loadBias; }

private:
  struct Mapping {
    uint64_t begin, end, offset;
    bool readable, shared;
    std::string file;
  };
  const Mapping *mappingOf(uint64_t address) const;
  bool readFromProcess(uint64_t address, void *to, size_t sizeBytes) const;
  const uint8_t *pageAt(uint64_t number) const;
  void readMappings();
  void readArena();
  void findPool();
  MemoryBlock blockOfPool(uint64_t address) const;

  const pid_t pid;
  const ProgramImage &image;
  /// What was read before, by number; null: not all of the page is there.
  mutable std::map<uint64_t, std::unique_ptr<uint8_t[]>> known;
  uint64_t loadBias = 0;
  std::string program;                            ///< its file, without links
  std::vector<Mapping> mappings;                  ///< by address
  std::vector<MemoryBlock> blocks;                ///< of malloc(), by address
  uint64_t directory = 0, pages = 0, classes = 0; ///< of the pool; 0: none
};

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_PROCESSMEMORY_H
