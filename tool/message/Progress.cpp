//===- Progress.cpp - One line on a terminal ------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/message/Progress.h"

using namespace llvm;

namespace nvmove {

Progress::~Progress() {
  clear();
  {
    std::lock_guard<std::mutex> lock(mutex);
    ending = true;
  }
  wakeUp.notify_one();
  if (clock.joinable())
    clock.join();
}

/// The lock is held.
void Progress::draw() {
  auto passed = std::chrono::duration_cast<std::chrono::seconds>(
      std::chrono::steady_clock::now() - begin);
  if (what.empty() || passed.count() < 2)
    return;
  os << "\r\033[K" << "nvmove: " << what;
  if (total)
    os << ' ' << done << '/' << total;
  os << "  " << passed.count() << " s";
  os.flush();
  visible = true;
}

void Progress::tick() {
  std::unique_lock<std::mutex> lock(mutex);
  while (
      !wakeUp.wait_for(lock, std::chrono::seconds(1), [&] { return ending; }))
    draw();
}

void Progress::show(StringRef step, size_t doneNow, size_t totalNow) {
  if (!enabled)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  what = step.str();
  done = doneNow;
  total = totalNow;
  draw();
  if (!clock.joinable())
    clock = std::thread([this] { tick(); });
}

void Progress::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  what.clear();
  if (!visible)
    return;
  os << "\r\033[K";
  os.flush();
  visible = false;
}

} // namespace nvmove
