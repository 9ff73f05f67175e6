//===- Scratch.cpp - Names for what is not whole yet ----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/compiler/Scratch.h"
#include "tool/files/Paths.h"
#include "tool/message/Diagnostics.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace nvmove {

Error ScratchFolder::make() {
  if (auto ec = sys::fs::createUniqueDirectory("nvmove-cc", name))
    return errorCodeToError(ec);
  // Compilers and debuggers meet the name without links.
  name = canonicalPath(name);
  return Error::success();
}

ScratchFolder::~ScratchFolder() {
  if (!name.empty())
    sys::fs::remove_directories(name);
}

Error makeFileBeside(StringRef file, SmallString<128> &name) {
  int descriptor;
  if (auto ec = sys::fs::createUniqueFile(
          file + ".%%%%%%.tmp", descriptor, name, sys::fs::OF_None,
          sys::fs::all_read | sys::fs::all_write))
    return makeError(MessageId::OutputFailed, ec.message(), {file.str()});
  sys::fs::file_t handle = sys::fs::convertFDToNativeFile(descriptor);
  sys::fs::closeFile(handle);
  return Error::success();
}

} // namespace nvmove
