//===- BitFields.cpp - The bytes that bit-fields lie in -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/layouts/BitFields.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace nvmove {

static std::string namesOf(const Facts &facts, ArrayRef<Id> fields) {
  std::string names;
  uint64_t end = facts.fields[fields.front()].offset_bits;
  for (Id id : fields) {
    const Field &field = facts.fields[id];
    if (!names.empty())
      names += ",";
    if (field.offset_bits > end)
      names += ":" + std::to_string(field.offset_bits - end) + ",";
    names += field.name + ":" + std::to_string(field.width_bits);
    end = field.offset_bits + field.width_bits;
  }
  return names;
}

std::optional<BitRun> bitRunOf(const Facts &facts, Id field) {
  Id record = facts.fields[field].record;
  const std::vector<Id> &all = facts.records[record].fields;
  if (facts.records[record].isUnion)
    return std::nullopt;
  auto isBits = [&](Id id) { return facts.fields[id].width_bits != 0; };
  auto at = find(all, field), begin = at, end = at;
  while (begin != all.begin() && isBits(begin[-1]))
    --begin;
  while (end != all.end() && isBits(*end))
    ++end;
  BitRun run;
  run.fields.assign(begin, end);
  run.names = namesOf(facts, run.fields);
  run.before = begin == all.begin() ? None : begin[-1];
  run.after = end == all.end() ? None : *end;
  for (Id neighbour : {run.before, run.after})
    if (neighbour != None && facts.fields[neighbour].name.empty())
      return std::nullopt;
  bool atEdge = run.before == None || run.after == None;
  if (atEdge && any_of(facts.fields, [&](const Field &outer) {
        const Type &type = facts.types[outer.type];
        return outer.name.empty() && type.kind == TypeKind::Record &&
               type.inner == record;
      }))
    return std::nullopt;
  return run;
}

std::string describeBits(const Facts &facts, const BitRun &run,
                         const std::string &type) {
  auto member = [&](std::string what, Id field) {
    return what + "(" + type + ", " + facts.fields[field].name + ")";
  };
  return "NVM_BITS(\"" + run.names + "\", " +
         (run.before == None ? "0" : member("NVM_END", run.before)) + ", " +
         (run.after == None ? "sizeof(" + type + ")"
                            : member("NVM_BEGIN", run.after)) +
         ")";
}

} // namespace nvmove
