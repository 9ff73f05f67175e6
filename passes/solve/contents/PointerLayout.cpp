//===- PointerLayout.cpp - Which words of a record are pointers -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/contents/PointerLayout.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

static constexpr uint64_t PointerBytes = 8, MaximumParts = 1000;

/// Bytes of a record that are of one kind.
struct PointerLayout::Part {
  uint64_t begin = 0, end = 0;
  bool pointers = false; ///< at each multiple of their size from `begin` on
};

Id nvmove::elementOf(const Facts &facts, Id type) {
  while (type != None && facts.types[type].kind == TypeKind::Array)
    type = facts.types[type].inner;
  return type;
}

bool PointerLayout::holdsPointers(Id field) const {
  Id element = elementOf(facts_, facts_.fields[field].type);
  return facts_.types[element].kind == TypeKind::Pointer &&
         !addresses_.computed.count(field) &&
         !addresses_.fromIntegers.count(field);
}

bool PointerLayout::isMadeOfPointers(Id record) const {
  std::vector<Part> parts;
  return listParts(record, 0, parts) && !parts.empty() &&
         llvm::all_of(parts, [](const Part &part) {
           return part.pointers && part.begin % PointerBytes == 0;
         });
}

/// All that a record holds, in no order. False: too much to list.
bool PointerLayout::listParts(Id record, uint64_t base,
                              std::vector<Part> &parts) const {
  for (Id id : facts_.records[record].fields) {
    const Field &field = facts_.fields[id];
    const Type &type = facts_.types[field.type];
    Id element = elementOf(facts_, field.type);
    uint64_t begin = base + field.offset_bits / 8,
             one = facts_.types[element].size_bytes,
             end = field.flexible     ? UINT64_MAX
                   : field.width_bits ? begin + PointerBytes
                                      : begin + type.size_bytes;
    if (facts_.types[element].kind != TypeKind::Record || field.flexible) {
      parts.push_back({begin, end, !field.flexible && holdsPointers(id)});
      continue;
    }
    for (uint64_t at = begin; one && at < end; at += one)
      if (parts.size() > MaximumParts ||
          !listParts(facts_.types[element].inner, at, parts))
        return false;
  }
  return true;
}

/// Wherever `mine` has pointers `other` has pointers, too, or nothing.
bool PointerLayout::agree(const Part &mine, const std::vector<Part> &other) {
  return llvm::all_of(other, [&](const Part &part) {
    return part.end <= mine.begin || mine.end <= part.begin ||
           (part.pointers && (part.begin - mine.begin) % PointerBytes == 0);
  });
}

bool PointerLayout::isOverlaid(Id field) const {
  Id cell = facts_.fields[field].cell;
  if (cell == None || !facts_.records[facts_.fields[cell].record].isUnion)
    return false;
  Id whole = facts_.fields[cell].record;
  std::optional<uint64_t> begin = offsetOf(whole, field);
  std::vector<Part> parts;
  if (!begin || !listParts(whole, 0, parts))
    return true;
  uint64_t end = *begin + facts_.types[facts_.fields[field].type].size_bytes;
  return !agree({*begin, end, true}, parts);
}

bool PointerLayout::isCertain(Id record, Id field) const {
  std::optional<uint64_t> begin = offsetOf(record, field);
  if (!begin || isOverlaid(field))
    return false;
  const Field &f = facts_.fields[field];
  uint64_t end =
      f.flexible ? UINT64_MAX : *begin + facts_.types[f.type].size_bytes;
  std::vector<Part> mine;
  bool listed = false, known = false;
  for (auto [here, other] : addresses_.sharing) {
    if (here != record)
      continue;
    if (!listed)
      known = listParts(record, 0, mine);
    listed = true;
    std::vector<Part> others;
    if (!known || !listParts(other, 0, others))
      return false;
    for (const Part &part : mine)
      if (part.pointers && part.begin < end && *begin < part.end &&
          !agree(part, others))
        return false;
  }
  return true;
}

/// Offset of `field` in `record`, through anonymous and embedded members.
std::optional<uint64_t> PointerLayout::offsetOf(Id record, Id field) const {
  for (Id own : facts_.records[record].fields) {
    const Field &f = facts_.fields[own];
    if (own == field)
      return f.offset_bits / 8;
    Id element = elementOf(facts_, f.type);
    if (facts_.types[element].kind == TypeKind::Record)
      if (auto inside = offsetOf(facts_.types[element].inner, field))
        return f.offset_bits / 8 + *inside;
  }
  return std::nullopt;
}

// Not what may be something else, nor what cannot be measured.
bool PointerLayout::canBeOpened(Id field) const {
  const Field &f = facts_.fields[field];
  const Type &type = facts_.types[f.type];
  if (type.kind != TypeKind::Record || f.name.empty() || f.flexible ||
      facts_.records[facts_.fields[f.cell].record].isUnion)
    return false;
  const Record &inner = facts_.records[type.inner];
  return !inner.isUnion && inner.loc.file != None &&
         facts_.files[inner.loc.file].editable &&
         llvm::none_of(inner.fields, [&](Id k) {
           return facts_.fields[k].width_bits || facts_.fields[k].flexible;
         });
}

bool PointerLayout::isListedIn(Id record, Id field) const {
  if (facts_.fields[field].record == record)
    return true;
  bool isFound = false;
  for (Id own : facts_.records[record].fields) {
    Id element = elementOf(facts_, facts_.fields[own].type);
    if (facts_.types[element].kind != TypeKind::Record ||
        !offsetOf(facts_.types[element].inner, field))
      continue;
    bool isOpen = facts_.fields[own].name.empty() || canBeOpened(own);
    if (!isOpen || !isListedIn(facts_.types[element].inner, field))
      return false;
    isFound = true;
  }
  return isFound;
}
