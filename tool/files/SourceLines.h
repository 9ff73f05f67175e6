//===- SourceLines.h - Lines of the sources -*- C++ -*- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_FILES_SOURCELINES_H
#define NVMOVE_TOOL_FILES_SOURCELINES_H

#include "passes/facts/Facts.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <memory>

namespace llvm {
class MemoryBuffer;
}

namespace nvmove {

/// The lines of the files that were analysed, read when first asked for. A file
/// that is gone or has changed since has none.
class SourceLines {
public:
  explicit SourceLines(const Facts &facts);
  ~SourceLines();

  /// Without its end; "" if there is no such line.
  llvm::StringRef line(Id file, unsigned number);
  /// The place of a byte of the file; only the file if it has no lines.
  Loc at(Id file, uint32_t offset);
  /// The column in characters, from 1, of one in bytes; the same if unknown.
  unsigned column(const Loc &loc);

private:
  struct Text {
    std::unique_ptr<llvm::MemoryBuffer> buffer;
    std::vector<llvm::StringRef> lines;
  };
  const Text &text(Id file);

  const Facts &facts;
  std::map<Id, Text> texts;
};

} // namespace nvmove

#endif // NVMOVE_TOOL_FILES_SOURCELINES_H
