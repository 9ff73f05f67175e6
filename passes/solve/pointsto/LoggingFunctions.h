//===- LoggingFunctions.h - What the load only logs -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// log_warning("%s: no such room", name): a load tells people how it gets on.
// Where messages go to windows as well, to the operators who are connected or
// into a queue of the logger, all of that would count as run by the load, and
// be persistent. It holds no saved state: the rest of the program logs such
// things all the time. Decision 0062.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_POINTSTO_LOGGINGFUNCTIONS_H
#define NVMOVE_PASSES_SOLVE_POINTSTO_LOGGINGFUNCTIONS_H

#include "passes/solve/flow/FieldFlow.h"
#include <vector>

namespace nvmove {

/// The functions that log what they are handed, and leave something in memory
/// that nothing else which the load runs does; in order. A judgement, no proof:
/// what of the load is not followed for it is listed as message-not-followed.
///
///  - they are handed text, numbers and the addresses of statics alone, in
///    which they set no pointers, and give back no pointer;
///  - of their calls, at least six, four in five hand over a phrase of the
///    program's own text;
///  - three functions that the load does not call, directly or through others,
///    log something by them, too;
///  - no static pointer that they set, or what only they run, is named by what
///    else the load runs: query("SELECT * FROM rooms") is no message.
std::vector<Id> findLoggingFunctions(const Program &program,
                                     const FieldFlow &flow,
                                     const std::vector<Id> &load);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_POINTSTO_LOGGINGFUNCTIONS_H
