//===- JsonRead.h - Members of a report that may be missing -*- C++ -*- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_EXPLAIN_JSONREAD_H
#define NVMOVE_TOOL_EXPLAIN_JSONREAD_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <vector>

namespace nvmove {

/// "" if there is no such string.
inline std::string text(const llvm::json::Object &object, llvm::StringRef key) {
  return object.getString(key).value_or("").str();
}

/// The objects in an array; none if there is no such array.
inline std::vector<const llvm::json::Object *>
objects(const llvm::json::Object &object, llvm::StringRef key) {
  std::vector<const llvm::json::Object *> result;
  if (const llvm::json::Array *array = object.getArray(key))
    for (const llvm::json::Value &value : *array)
      if (const llvm::json::Object *item = value.getAsObject())
        result.push_back(item);
  return result;
}

inline std::vector<std::string> strings(const llvm::json::Object &object,
                                        llvm::StringRef key) {
  std::vector<std::string> result;
  if (const llvm::json::Array *array = object.getArray(key))
    for (const llvm::json::Value &value : *array)
      result.push_back(value.getAsString().value_or("").str());
  return result;
}

/// "file:line:column".
inline std::string placeOf(const llvm::json::Object &location) {
  return text(location, "file") + ":" +
         llvm::itostr(location.getInteger("line").value_or(0)) + ":" +
         llvm::itostr(location.getInteger("column").value_or(0));
}
/// "" if there is no such location.
inline std::string place(const llvm::json::Object &object,
                         llvm::StringRef key) {
  const llvm::json::Object *l = object.getObject(key);
  return l ? placeOf(*l) : "";
}

} // namespace nvmove

#endif // NVMOVE_TOOL_EXPLAIN_JSONREAD_H
