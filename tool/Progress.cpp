//===- Progress.cpp - One line on a terminal ------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/Progress.h"

using namespace llvm;

namespace nvmove {

void Progress::show(StringRef what, size_t done, size_t total) {
  if (!enabled ||
      std::chrono::steady_clock::now() - begin < std::chrono::seconds(2))
    return;
  std::lock_guard<std::mutex> lock(mutex);
  os << "\r\033[K" << "nvmove: " << what;
  if (total)
    os << ' ' << done << '/' << total;
  os.flush();
  visible = true;
}

void Progress::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!visible)
    return;
  os << "\r\033[K";
  os.flush();
  visible = false;
}

} // namespace nvmove
