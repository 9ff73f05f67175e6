//===- Streams.cpp - Who reads what stdio writes --------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/Streams.h"
#include "llvm/ADT/StringSwitch.h"

using namespace nvmove;

static bool opensFile(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("fopen", "fopen64", "freopen", "freopen64", "tmpfile", true)
      .Cases("fmemopen", "open_memstream", "setmntent", true)
      .Default(false);
}

Stream Streams::of(const Call &call, unsigned index) {
  const Facts &f = p_.facts;
  Stream s;
  if (index >= call.args.size() || call.args[index] == None) {
    s.out = true;
    return s;
  }
  auto [at, fresh] = known_.try_emplace(call.args[index]);
  if (!fresh)
    return at->second;
  for (const ValueOrigins::Origin &o : origins_.ofVariable(call.args[index])) {
    Id callee = o.call == None ? None : f.calls[o.call].callee;
    bool file = callee != None && opensFile(f.functions[callee].name);
    s.file |= file;
    s.other |= !file;
  }
  for (const auto &[variable, from] : origins_.outside()) {
    llvm::StringRef name = f.nodes[variable].name;
    s.in |= name == "stdin";
    s.out |= name == "stdout";
    s.file |= name == "stderr";
  }
  s.other |= !s.in && !s.out && !s.file;
  return at->second = s;
}

int nvmove::streamArgument(llvm::StringRef function, bool reads) {
  if (reads)
    return llvm::StringSwitch<int>(function)
        .Cases("getchar", "getchar_unlocked", "scanf", "vscanf", "gets",
               "getwchar", StandardStream)
        .Cases("fgetc", "getc", "fgetc_unlocked", "getc_unlocked", "getw",
               "fgetwc", "fscanf", "vfscanf", 0)
        .Cases("fgets", "nvm_fgets", "getline", "nvm_getline", 2)
        .Cases("fread", "fread_unlocked", "nvm_fread", "getdelim",
               "nvm_getdelim", 3)
        .Default(-1);
  return llvm::StringSwitch<int>(function)
      .Cases("printf", "vprintf", "puts", "putchar", "putchar_unlocked",
             "__printf_chk", "wprintf", StandardStream)
      .Cases("fprintf", "vfprintf", "__fprintf_chk", "fwprintf", 0)
      .Cases("fputs", "fputc", "putc", "putw", "fputwc", "fputs_unlocked",
             "putc_unlocked", "fputc_unlocked", 1)
      .Cases("fwrite", "fwrite_unlocked", 3)
      .Default(-1);
}
