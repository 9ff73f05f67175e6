//===- TypeKeys.cpp - Types by their spelling -----------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/TypeKeys.h"
#include <map>
#include <optional>
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

namespace {

/// At file scope: the tag, or the name of the typedef, and the file.
bool isNamedByFile(const Record &r) {
  return r.complete && !r.name.empty() && r.key.starts_with(r.name + "@") &&
         r.key.find('#') == std::string::npos;
}

std::string likeness(const Facts &facts, const TypeKeys &types,
                     const Record &r) {
  std::string text = r.name + (r.isUnion ? " union " : " struct ") +
                     std::to_string(r.size_bytes);
  for (Id id : r.fields) {
    const Field &f = facts.fields[id];
    text += ";" + f.name + "@" + std::to_string(f.offset_bits) + "," +
            std::to_string(f.width_bits) + " " + types[f.type];
  }
  return text;
}

TypeKeys keysByTag(const Facts &facts) {
  return TypeKeys(facts, false,
                  [&](const Type &t) { return facts.records[t.inner].name; });
}

} // namespace

void nvmove::joinCopiedRecords(std::vector<Facts> &parts) {
  std::map<std::string, std::set<std::string>> keys; // by name
  for (const Facts &part : parts)
    for (const Record &r : part.records)
      if (isNamedByFile(r))
        keys[r.name].insert(r.key);
  std::vector<std::pair<Record *, std::string>> copies; // and their likeness
  for (Facts &part : parts) {
    std::optional<TypeKeys> types;
    for (Record &r : part.records) {
      if (!isNamedByFile(r) || keys[r.name].size() == 1)
        continue;
      if (!types)
        types = keysByTag(part);
      copies.push_back({&r, likeness(part, *types, r)});
    }
  }
  std::map<std::string, std::string> first; // key, by likeness
  for (auto &[r, alike] : copies) {
    auto [at, fresh] = first.try_emplace(alike, r->key);
    at->second = std::min(at->second, r->key);
  }
  std::map<std::string, std::string> joined; // key, by key
  for (auto &[r, alike] : copies) {
    auto [at, fresh] = joined.try_emplace(r->key, first.at(alike));
    at->second = std::min(at->second, first.at(alike));
  }
  for (auto &[r, alike] : copies)
    while (joined.at(r->key) < r->key)
      r->key = joined.at(r->key);
}

std::vector<Id> nvmove::typeClasses(const Facts &facts) {
  TypeKeys keys = keysByTag(facts);
  std::map<std::string, Id> classes;
  std::vector<Id> result;
  for (Id i = 0; i < facts.types.size(); ++i)
    result.push_back(
        classes.try_emplace(keys[i], classes.size()).first->second);
  return result;
}
