//===- Check.h - Whether facts can be worked with ---------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_FACTS_CHECK_H
#define NVMOVE_PASSES_FACTS_CHECK_H

#include "passes/facts/Facts.h"
#include "llvm/Support/Error.h"

namespace nvmove {

/// Whether everything holds that dump() and merge() take for granted: every
/// reference points to something, what must be there is there, definitions own
/// what they refer to. To be asked about facts that come from a file.
llvm::Error checkFacts(const Facts &facts);

} // namespace nvmove

#endif // NVMOVE_PASSES_FACTS_CHECK_H
