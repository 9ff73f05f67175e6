//===- Afresh.cpp - What each start makes anew since somebody said so -----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Tested by: test/lit/tool/afresh.test

#include "passes/solve/state/Analysis.h"

using namespace nvmove;

namespace {
using AfreshParts = View<ServedStatics, UnknownAfresh>;
} // namespace

/// db.clients: also db.clients[].name and db.clients->first.
static bool isPart(llvm::StringRef path, llvm::StringRef of) {
  return path.consume_front(of) && (path.empty() || path.front() == '.' ||
                                    path.front() == '[' || path.front() == '-');
}

namespace nvmove {

/// What the user knows better: an index of what is open, say.
void leaveAfresh(AfreshParts a) {
  for (const std::string &name : a.context.options.afresh) {
    auto isMeant = [&](const std::string &path) { return isPart(path, name); };
    const bool isRestored =
        a.statics.restored().leave(isMeant, "not restored, as requested");
    if (!a.statics.leave(isMeant) && !isRestored)
      a.unknownAfresh.push_back(name);
  }
}

} // namespace nvmove
