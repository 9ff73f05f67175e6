//===- Edit.cpp - A change of a file --------------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/text/Edit.h"
#include "passes/facts/Library.h"

using namespace llvm;

namespace nvmove {

std::optional<Layer> layerOf(StringRef form) {
  if (form.starts_with("NVM_OUTPUT(") || form.starts_with("NVM_WAIT("))
    return Layer::Sections;
  const LibraryFunction *f = libraryEntry(form);
  for (unsigned argument = 0; !f && argument < 2; ++argument)
    f = libraryEntryIfNull(form, argument);
  if (!f)
    return std::nullopt;
  if (f->lock.effect != LockUse::None)
    return Layer::Sections;
  switch (f->kind) {
  case LibraryFunction::Allocate:
  case LibraryFunction::Reallocate:
  case LibraryFunction::Free:
  case LibraryFunction::Usable:
    return Layer::Allocation;
  case LibraryFunction::Output:
    return Layer::Sections;
  default: // the nodes of trees are made by the functions that write them
    return f->destination < 0 ? Layer::Allocation : Layer::Stores;
  }
}

} // namespace nvmove
