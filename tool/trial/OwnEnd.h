//===- OwnEnd.h - What a program does when it ends --------------*- C++ -*-===//
//-*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_OWNEND_H
#define NVMOVE_TOOL_TRIAL_OWNEND_H

#include "tool/trial/Baseline.h"

namespace nvmove {

/// A program may change its state when it is asked to end: one that was asked
/// to after `from` lines, and was started `again`, then goes on otherwise than
/// undisturbed, and loses nothing. Whether that is so: without a pool, as the
/// program was, it goes on in the same way, which is that of its saved state
/// and not that of a first start. `patient` is the program with a limit for
/// what is not disturbed. Error: trial-failed.
llvm::Expected<bool> goesOnLikeThat(const Baseline &baseline,
                                    const TrialProgram &patient,
                                    const TrialRun &again, unsigned from);

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_OWNEND_H
