//===- TypeKeys.cpp - Types by their spelling -----------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/TypeKeys.h"
#include <map>
#include <set>

using namespace nvmove;

TypeKeys::TypeKeys(const Facts &facts, bool withSizes,
                   const std::function<std::string(const Type &)> &recordKey) {
  static constexpr char Letters[] = "vbifparF"; // in the order of TypeKind
  keys_.resize(facts.types.size());
  std::function<void(Id)> fill = [&](Id i) {
    if (!keys_[i].empty())
      return;
    const Type &t = facts.types[i];
    std::string key(1, Letters[size_t(t.kind)]);
    if (t.kind == TypeKind::Record) {
      key += "{" + recordKey(t) + "}";
    } else if (t.inner != None) {
      fill(t.inner);
      key += keys_[t.inner];
    }
    if (withSizes || t.kind != TypeKind::Record)
      key += ":" + std::to_string(t.size_bytes);
    keys_[i] = std::move(key);
  };
  for (Id i = 0; i < facts.types.size(); ++i)
    fill(i);
}

void nvmove::separateIncompleteRecords(Facts &part) {
  std::map<Id, Id> incomplete; // definition -> incomplete record
  std::set<Id> opaque;         // types
  for (Id i = 0; i < part.types.size(); ++i) {
    Type &t = part.types[i];
    if (t.kind != TypeKind::Record || t.size_bytes != 0 ||
        part.records[t.inner].size_bytes == 0)
      continue;
    auto [at, fresh] = incomplete.try_emplace(t.inner, part.records.size());
    if (fresh) {
      const Record &definition = part.records[t.inner];
      Record r;
      r.key = definition.name + "@";
      r.name = definition.name;
      r.spelling = definition.spelling;
      r.isUnion = definition.isUnion;
      part.records.push_back(std::move(r));
    }
    t.inner = at->second;
    opaque.insert(i);
  }
  for (Call &c : part.calls) {
    if (c.resultType == None || c.resultRecord == None)
      continue;
    Id pointee = part.types[c.resultType].inner;
    while (pointee != None && part.types[pointee].kind == TypeKind::Array)
      pointee = part.types[pointee].inner;
    if (opaque.contains(pointee))
      c.resultRecord = part.types[pointee].inner;
  }
}

std::vector<Id> nvmove::typeClasses(const Facts &facts) {
  TypeKeys keys(facts, false,
                [&](const Type &t) { return facts.records[t.inner].name; });
  std::map<std::string, Id> classes;
  std::vector<Id> result;
  for (Id i = 0; i < facts.types.size(); ++i)
    result.push_back(
        classes.try_emplace(keys[i], classes.size()).first->second);
  return result;
}
