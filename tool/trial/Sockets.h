//===- Sockets.h - Whether a process listens --------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_SOCKETS_H
#define NVMOVE_TOOL_TRIAL_SOCKETS_H

#include <sys/types.h>

namespace nvmove {

/// Whether it has a socket to which others can come: one that listens, or that
/// takes datagrams of anybody.
bool listens(pid_t pid);

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_SOCKETS_H
