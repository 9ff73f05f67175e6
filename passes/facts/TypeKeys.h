//===- TypeKeys.h - Types by their spelling ---------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_FACTS_TYPEKEYS_H
#define NVMOVE_PASSES_FACTS_TYPEKEYS_H

#include "passes/facts/Facts.h"
#include <functional>
#include <string>
#include <vector>

namespace nvmove {

/// A spelling of each type that does not depend on the numbering of one Facts
/// object: "pr{dict@/a/dict.h}:64:8".
class TypeKeys {
public:
  /// `recordKey` spells the record of a type of kind Record.
  TypeKeys(const Facts &facts, bool withSizes,
           const std::function<std::string(const Type &)> &recordKey);
  const std::string &operator[](Id type) const { return keys_[type]; }

private:
  std::vector<std::string> keys_;
};

/// Undoes what merge() derived from the set of parts: record types that were
/// incomplete in the source refer to an incomplete record again.
void separateIncompleteRecords(Facts &part);

/// A struct that several files define alike, each for itself, is one type (C11
/// 6.2.7): gives all such records one key, the first in order.
void joinCopiedRecords(std::vector<Facts> &parts);

/// A struct that a file only declares, and several others define, is the one
/// that the functions take which the file calls. Behind joinCopiedRecords().
void nameIncompleteRecords(std::vector<Facts> &parts);

/// For each type, a number that two types share when they are spelled alike
/// with records told apart by tag only, complete or not.
std::vector<Id> typeClasses(const Facts &facts);

} // namespace nvmove

#endif // NVMOVE_PASSES_FACTS_TYPEKEYS_H
