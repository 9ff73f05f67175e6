//===- NearNames.h - Did you mean -------------------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_MESSAGE_NEARNAMES_H
#define NVMOVE_TOOL_MESSAGE_NEARNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace nvmove {

/// "; did you mean a, b?" with the names closest to `wanted`, or "".
std::string didYouMean(llvm::StringRef wanted,
                       llvm::ArrayRef<std::string> names);

} // namespace nvmove

#endif // NVMOVE_TOOL_MESSAGE_NEARNAMES_H
