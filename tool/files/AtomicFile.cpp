//===- AtomicFile.cpp - Files written whole or not at all -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/files/AtomicFile.h"
#include "tool/message/Diagnostics.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace nvmove {

static Error failed(StringRef file, std::string reason) {
  return makeError(MessageId::OutputFailed, "cannot write: " + reason,
                   {file.str()});
}

Error writeFileAtomically(StringRef file, StringRef contents) {
  auto temporary = sys::fs::TempFile::create(file + ".%%%%%%%%");
  if (!temporary)
    return failed(file, toString(temporary.takeError()));
  raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
  os << contents;
  os.flush();
  if (os.has_error()) {
    std::string reason = os.error().message();
    os.clear_error();
    consumeError(temporary->discard());
    return failed(file, reason);
  }
  if (Error error = temporary->keep(file))
    return failed(file, toString(std::move(error)));
  return Error::success();
}

} // namespace nvmove
