//===- IncludeText.h - #include lines, without compiling --------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_INPUT_INCLUDETEXT_H
#define NVMOVE_TOOL_INPUT_INCLUDETEXT_H

#include "tool/message/Diagnostics.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace nvmove {

struct IncludeLine {
  std::string header;
  bool angled = false;
  SourcePlace place; ///< of the header's name
};

/// Every `#include` in the file's text, in all branches of #if.
std::vector<IncludeLine> readIncludes(const std::string &file);

/// "file:line:column: rest": the place at the front of a compiler's message.
std::optional<SourcePlace> placeOfMessage(llvm::StringRef message);

/// The compiler's message without its place and its "error: ".
llvm::StringRef textOfMessage(llvm::StringRef message);

} // namespace nvmove

#endif // NVMOVE_TOOL_INPUT_INCLUDETEXT_H
