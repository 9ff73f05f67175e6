//===- OptionsFile.cpp - Options that stand in a file ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/message/Diagnostics.h"
#include "tool/options/Options.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace nvmove {

Expected<Options> withOptionsOf(StringRef file, const Options &options) {
  auto buffer = MemoryBuffer::getFile(file);
  if (!buffer)
    return makeError(MessageId::FileMissing, buffer.getError().message(),
                     {file.str()});
  std::vector<std::string> words{"compile"};
  unsigned number = 0;
  for (line_iterator line(**buffer, /*SkipBlanks=*/false); !line.is_at_eof();
       ++line) {
    ++number;
    StringRef text = line->trim();
    if (text.empty() || text.starts_with("#"))
      continue;
    if (!text.starts_with("-"))
      return makeError(MessageId::Usage,
                       "'" + text.str() + "' is not an option: one a line",
                       {file.str(), number, 1});
    auto [name, value] = text.split(' ');
    words.push_back(name.str());
    if (!value.trim().empty())
      words.push_back(value.trim().str());
  }
  words.insert(words.end(), options.given.begin(), options.given.end());
  words.insert(words.end(), options.flags->begin(), options.flags->end());
  auto result = parseOptions(words);
  if (!result)
    return makeError(MessageId::Usage, toString(result.takeError()),
                     {file.str()});
  return result;
}

} // namespace nvmove
