//===- Parallel.h - Work on several threads ---------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_FILES_PARALLEL_H
#define NVMOVE_TOOL_FILES_PARALLEL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace nvmove {

/// Calls `work(i)` for each i below `count`, on up to `threads` threads at once
/// (0: one for each core). Returns when all are done.
inline void inParallel(size_t count, unsigned threads,
                       llvm::function_ref<void(size_t)> work) {
  std::atomic<size_t> next = 0;
  auto loop = [&] {
    for (size_t i; (i = next++) < count;)
      work(i);
  };
  if (!threads)
    threads = std::thread::hardware_concurrency();
  threads = std::clamp<size_t>(threads, 1, std::max<size_t>(count, 1));
  std::vector<std::thread> pool;
  for (unsigned i = 1; i < threads; ++i)
    pool.emplace_back(loop);
  loop();
  for (std::thread &thread : pool)
    thread.join();
}

} // namespace nvmove

#endif // NVMOVE_TOOL_FILES_PARALLEL_H
