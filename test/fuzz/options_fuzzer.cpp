//===- options_fuzzer.cpp - Any command line is taken or refused ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input is the arguments, with a newline between each two.
//
//===----------------------------------------------------------------------===//

#include "tool/message/Diagnostics.h"
#include "tool/options/Options.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace nvmove;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef input(reinterpret_cast<const char *>(data), size);
  std::vector<std::string> arguments;
  for (StringRef argument : split(input, '\n'))
    arguments.push_back(argument.str());
  auto options = parseOptions(arguments);
  if (!options) {
    // Every refusal is a message of ours, with words in it.
    handleAllErrors(options.takeError(), [](const MessageError &error) {
      if (error.message.text.empty())
        __builtin_trap();
    });
    return 0;
  }
  if (options->verb == Verb::Help || options->verb == Verb::Version)
    return 0;
  // What later parts rely on.
  if (options->jobs > 1024 ||
      (options->verb == Verb::Collect &&
       (options->files.size() != 1 || options->output.empty())) ||
      ((options->verb == Verb::Run || options->verb == Verb::Link) &&
       options->solve.load.empty()))
    __builtin_trap();
  return 0;
}
