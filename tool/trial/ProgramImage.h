//===- ProgramImage.h - The file of a moved program -------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_PROGRAMIMAGE_H
#define NVMOVE_TOOL_TRIAL_PROGRAMIMAGE_H

#include "tool/trial/CType.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>

namespace nvmove {

/// What the linker left: symbols. Addresses are those of the file.
class ProgramImage {
public:
  /// Errors: file-missing; not-moved, if it is no program for this machine or
  /// has nothing of the runtime.
  static llvm::Expected<ProgramImage> open(llvm::StringRef path);

  const llvm::object::ObjectFile &object() const { return *file.getBinary(); }
  const std::string &path() const { return where; }
  bool isPositionIndependent() const;
  std::optional<uint64_t> addressOf(llvm::StringRef symbol) const;
  /// "handle", "tab+16"; "" outside of all symbols.
  std::string symbolAt(uint64_t address) const;
  /// The program's variables by symbol, in the order of their names: all that
  /// is known of them without debug information.
  std::vector<StaticVariable> variables() const;

private:
  struct Symbol {
    std::string name;
    uint64_t sizeBytes = 0;
    bool isFunction = false, isLocal = false, isWritable = false;
    uint64_t section = 0;
    unsigned file = 0; ///< of those with names of their own, by number
  };
  ProgramImage(llvm::object::OwningBinary<llvm::object::ObjectFile> file,
               std::string where)
      : file(std::move(file)), where(std::move(where)) {}
  void readSymbols();

  llvm::object::OwningBinary<llvm::object::ObjectFile> file;
  std::string where;
  std::multimap<uint64_t, Symbol> symbols; ///< by address
  std::map<std::string, uint64_t, std::less<>> byName;
};

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_PROGRAMIMAGE_H
