//===- LibraryHandles.h - Handles behind void * -----------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   typedef void *list_handle;
//   list_handle list_create(void);
//
// The collector makes of each such name a pointer to a record of its own,
// without a definition. Where the whole program is known, that stays so if only
// a library knows what the handle leads to; else it is a void * like others.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_FACTS_LIBRARYHANDLES_H
#define NVMOVE_PASSES_FACTS_LIBRARYHANDLES_H

#include "passes/facts/Facts.h"

namespace nvmove {

/// The name of the record for a handle; no tag is like it.
std::string handleRecordName(const std::string &typedefName);

/// Only for a whole program.
void settleHandles(Facts &facts);

} // namespace nvmove

#endif // NVMOVE_PASSES_FACTS_LIBRARYHANDLES_H
