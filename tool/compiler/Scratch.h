//===- Scratch.h - Names for what is not whole yet --------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_COMPILER_SCRATCH_H
#define NVMOVE_TOOL_COMPILER_SCRATCH_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace nvmove {

/// A folder that goes with this object.
class ScratchFolder {
public:
  llvm::Error make();
  ~ScratchFolder();
  std::string file(const llvm::Twine &of) const {
    return (name + "/" + of).str();
  }

private:
  llvm::SmallString<128> name;
};

/// A new file beside `file`, so that renaming it is one step.
llvm::Error makeFileBeside(llvm::StringRef file, llvm::SmallString<128> &name);

} // namespace nvmove

#endif // NVMOVE_TOOL_COMPILER_SCRATCH_H
