//===- IncludeText.cpp - #include lines, without compiling ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/IncludeText.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace nvmove {

std::vector<IncludeLine> readIncludes(const std::string &file) {
  std::vector<IncludeLine> result;
  auto buffer = MemoryBuffer::getFile(file);
  if (!buffer)
    return result;
  const Regex include("^[ \t]*#[ \t]*include[ \t]*([<\"])([^>\"]+)[>\"]");
  StringRef rest = (*buffer)->getBuffer();
  for (unsigned number = 1; !rest.empty(); ++number) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    SmallVector<StringRef, 3> match;
    if (!line.ltrim(" \t").starts_with("#") || !include.match(line, &match))
      continue;
    unsigned column = unsigned(match[1].data() - line.data()) + 1;
    result.push_back({match[2].str(), match[1] == "<", {file, number, column}});
  }
  return result;
}

namespace {
bool splitMessage(StringRef message, SmallVectorImpl<StringRef> &match) {
  const Regex form("^([^\n]*):([0-9]+):([0-9]+): "
                   "((fatal )?error: |warning: |note: )?");
  return form.match(message, &match);
}
} // namespace

std::optional<SourcePlace> placeOfMessage(StringRef message) {
  SmallVector<StringRef, 6> match;
  if (!splitMessage(message, match))
    return std::nullopt;
  SourcePlace place{match[1].str()};
  match[2].getAsInteger(10, place.line);
  match[3].getAsInteger(10, place.column);
  return place;
}

StringRef textOfMessage(StringRef message) {
  SmallVector<StringRef, 6> match;
  if (!splitMessage(message, match)) {
    message.consume_front("error: ");
    message.consume_front("fatal error: ");
    return message;
  }
  return message.drop_front(match[0].size());
}

} // namespace nvmove
