//===- Words.cpp - Which words of a record are pointers -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/Words.h"

using namespace llvm;

namespace nvmove {

Id elementOf(const Facts &facts, Id type) {
  while (type != None && facts.types[type].kind == TypeKind::Array)
    type = facts.types[type].inner;
  return type;
}

namespace {

constexpr uint64_t PointerBytes = 8, MaximumParts = 1000;

struct Part;
bool listParts(const Context &context, Id record, uint64_t base,
               std::vector<Part> &parts);

enum class Content { Pointers, Records, Computed, Other };

/// Bytes of a record that are of one kind.
struct Part {
  uint64_t begin = 0, end = 0;
  bool pointers = false; ///< at each multiple of their size from `begin` on
};

bool isPersistent(const Context &context, Id record) {
  return any_of(context.solution.types, [&](const PersistentType &type) {
    return type.record == record;
  });
}

bool isMadeOfPointers(const Context &context, Id record);

Content contentOf(const Context &context, Id field) {
  const Facts &facts = context.facts;
  const AddressFacts &addresses = context.solution.addresses;
  const Type &type = facts.types[elementOf(facts, facts.fields[field].type)];
  if (addresses.computed.count(field))
    return Content::Computed;
  if (type.kind == TypeKind::Pointer && !addresses.fromIntegers.count(field))
    return Content::Pointers;
  if (type.kind == TypeKind::Record && isPersistent(context, type.inner) &&
      context.isSpellable(type.inner))
    return Content::Records;
  return type.kind == TypeKind::Record && isMadeOfPointers(context, type.inner)
             ? Content::Pointers
             : Content::Other;
}

/// A union of pointers.
bool isMadeOfPointers(const Context &context, Id record) {
  std::vector<Part> parts;
  return listParts(context, record, 0, parts) && !parts.empty() &&
         all_of(parts, [](const Part &part) {
           return part.pointers && part.begin % PointerBytes == 0;
         });
}

/// All that a record holds, in no order. False: too much to list.
bool listParts(const Context &context, Id record, uint64_t base,
               std::vector<Part> &parts) {
  const Facts &facts = context.facts;
  for (Id id : facts.records[record].fields) {
    const Field &field = facts.fields[id];
    const Type &type = facts.types[field.type];
    Id element = elementOf(facts, field.type);
    uint64_t begin = base + field.offset_bits / 8,
             one = facts.types[element].size_bytes,
             end = field.flexible     ? UINT64_MAX
                   : field.width_bits ? begin + PointerBytes
                                      : begin + type.size_bytes;
    if (facts.types[element].kind != TypeKind::Record || field.flexible) {
      bool pointers =
          !field.flexible && contentOf(context, id) == Content::Pointers;
      parts.push_back({begin, end, pointers});
      continue;
    }
    for (uint64_t at = begin; one && at < end; at += one)
      if (parts.size() > MaximumParts ||
          !listParts(context, facts.types[element].inner, at, parts))
        return false;
  }
  return true;
}

/// Wherever `mine` has pointers `other` has pointers, too, or nothing.
bool agree(const Part &mine, const std::vector<Part> &other) {
  return all_of(other, [&](const Part &part) {
    return part.end <= mine.begin || mine.end <= part.begin ||
           (part.pointers && (part.begin - mine.begin) % PointerBytes == 0);
  });
}

/// In all records that may stand where one of `record` does, these bytes hold
/// pointers where they do in `record`.
bool isCertain(const Context &context, Id record, uint64_t begin,
               uint64_t end) {
  std::vector<Part> mine;
  bool listed = false, known = false;
  for (auto [here, other] : context.solution.addresses.sharing) {
    if (here != record)
      continue;
    if (!listed)
      known = listParts(context, record, 0, mine);
    listed = true;
    std::vector<Part> others;
    if (!known || !listParts(context, other, 0, others))
      return false;
    for (const Part &part : mine)
      if (part.pointers && part.begin < end && begin < part.end &&
          !agree(part, others))
        return false;
  }
  return true;
}

/// Offset of `field` in `record`, through anonymous and embedded members.
std::optional<uint64_t> offsetOf(const Facts &facts, Id record, Id field) {
  for (Id own : facts.records[record].fields) {
    const Field &f = facts.fields[own];
    if (own == field)
      return f.offset_bits / 8;
    Id element = elementOf(facts, f.type);
    if (facts.types[element].kind == TypeKind::Record)
      if (auto inside = offsetOf(facts, facts.types[element].inner, field))
        return f.offset_bits / 8 + *inside;
  }
  return std::nullopt;
}

/// Other members of its union may be there that are no pointers.
bool isOverlaid(const Context &context, Id field) {
  const Facts &facts = context.facts;
  Id cell = facts.fields[field].cell;
  if (cell == None || !facts.records[facts.fields[cell].record].isUnion)
    return false;
  Id whole = facts.fields[cell].record;
  std::optional<uint64_t> begin = offsetOf(facts, whole, field);
  std::vector<Part> parts;
  if (!begin || !listParts(context, whole, 0, parts))
    return true;
  uint64_t end = *begin + facts.types[facts.fields[field].type].size_bytes;
  return !agree({*begin, end, true}, parts);
}

} // namespace

std::string describeField(const Context &context, Id record,
                          const std::string &type, Id field,
                          const std::string &path) {
  const Facts &facts = context.facts;
  const Field &f = facts.fields[field];
  Content content = contentOf(context, field);
  std::string open = "(" + type + ", " + path;
  if (content == Content::Computed)
    return (f.flexible ? "NVM_FLEXIBLE_COMPUTED" : "NVM_COMPUTED") + open + ")";
  std::optional<uint64_t> begin = offsetOf(facts, record, field);
  uint64_t end = UINT64_MAX;
  if (begin && !f.flexible)
    end = *begin + facts.types[f.type].size_bytes;
  bool certain = begin && isCertain(context, record, *begin, end) &&
                 !isOverlaid(context, field);
  bool isVolatile = is_contained(context.solution.volatileFields, field);
  if (content == Content::Pointers && certain && isVolatile && !f.flexible)
    return "NVM_VOLATILE" + open + ")";
  if (is_contained(context.solution.descriptors, field) && !f.flexible)
    return "NVM_DESCRIPTOR" + open + ")";
  if (content == Content::Pointers && certain)
    return (f.flexible ? "NVM_FLEXIBLE_POINTERS" : "NVM_POINTER") + open + ")";
  if (content == Content::Records && certain)
    return (f.flexible ? "NVM_FLEXIBLE_RECORD" : "NVM_RECORD") + open + ", " +
           context.typeName(facts.types[elementOf(facts, f.type)].inner) + ")";
  return (f.flexible ? "NVM_FLEXIBLE" : "NVM_FIELD") + open + ")";
}

bool holdsPointers(const Context &context, Id variable,
                   const std::vector<Id> &fields, Id type) {
  Id element = elementOf(context.facts, type);
  if (element == None ||
      context.facts.types[element].kind != TypeKind::Pointer ||
      context.solution.addresses.variables.count(variable))
    return false;
  return fields.empty() ||
         (contentOf(context, fields.back()) == Content::Pointers &&
          !isOverlaid(context, fields.back()));
}

} // namespace nvmove
