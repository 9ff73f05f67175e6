//===- Library.cpp - What is known of the C library -----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/Library.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include <vector>

using namespace nvmove;

namespace {

/// Rows name the enumerators of LibraryFunction as they are.
struct LibraryTable : LibraryFunction {
#define FUNCTION(function, ...) {.name = function __VA_OPT__(, ) __VA_ARGS__},
  static constexpr LibraryFunction rows[] = {
#include "passes/facts/Library.def"
  };

  struct IfNull {
    unsigned argument;
    LibraryFunction function;
  };
#define FUNCTION(function, ...)
#define IF_NULL(argument, function, ...)                                       \
  {argument, {.name = function __VA_OPT__(, ) __VA_ARGS__}},
  static constexpr IfNull ifNull[] = {
#include "passes/facts/Library.def"
  };
};

const llvm::StringMap<const LibraryFunction *> &byName() {
  static const auto *map = [] {
    auto *m = new llvm::StringMap<const LibraryFunction *>;
    std::vector<std::pair<std::string, const LibraryFunction *>> builtins;
    for (const LibraryFunction &f : LibraryTable::rows) {
      llvm::SmallVector<llvm::StringRef, 8> names;
      f.name.split(names, ' ');
      for (llvm::StringRef name : names) {
        if (!m->try_emplace(name, &f).second)
          llvm::report_fatal_error("two rows for " + name);
        builtins.push_back({("__builtin_" + name).str(), &f});
        if (f.lock.effect != LockUse::None)
          m->try_emplace(("nvm_" + name).str(), &f);
      }
    }
    for (const auto &[name, f] : builtins)
      m->try_emplace(name, f);
    for (const LibraryFunction &f : LibraryTable::rows)
      if (f.form)
        m->try_emplace(f.form, &f);
    return m;
  }();
  return *map;
}

} // namespace

const LibraryFunction *nvmove::libraryEntry(llvm::StringRef name) {
  if (const LibraryFunction *f = byName().lookup(name))
    return f;
  // The fortified forms, __builtin___memcpy_chk, write like the plain ones.
  name.consume_front("__builtin_");
  return name.consume_front("__") && name.consume_back("_chk")
             ? byName().lookup(name)
             : nullptr;
}

const WrittenArg *nvmove::writtenBehind(llvm::StringRef name,
                                        unsigned argument) {
  if (const LibraryFunction *f = libraryEntry(name))
    for (const WrittenArg &w : f->written)
      if (w.argument == int(argument))
        return &w;
  return nullptr;
}

const LibraryFunction *nvmove::libraryEntryIfNull(llvm::StringRef name,
                                                  unsigned argument) {
  for (const auto &[null, f] : LibraryTable::ifNull)
    if (null == argument && (name == f.name || name == f.form))
      return &f;
  return nullptr;
}

std::string LibraryFunction::formToCall() const {
  if (form)
    return form;
  switch (kind) {
  case Output:
    return ("NVM_OUTPUT(" + name + ")").str();
  case Wait:
  case Sleep:
    return ("NVM_WAIT(" + name + ")").str();
  default:
    return "";
  }
}
