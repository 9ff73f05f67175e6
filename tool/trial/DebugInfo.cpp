//===- DebugInfo.cpp - Statics and their types ----------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/DebugInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::dwarf;

namespace nvmove {

namespace {

std::string nameOf(DWARFDie die) {
  const char *name = die.getName(DINameKind::ShortName);
  return name ? name : "";
}

/// Constants have a sign in some of their forms.
std::optional<uint64_t> numberIn(const std::optional<DWARFFormValue> &value) {
  if (!value)
    return std::nullopt;
  if (auto number = value->getAsUnsignedConstant())
    return number;
  if (auto number = value->getAsSignedConstant())
    return uint64_t(*number);
  return std::nullopt;
}

std::optional<uint64_t> numberOf(DWARFDie die, Attribute attribute) {
  return numberIn(die.find(attribute));
}

uint64_t sizeOf(DWARFDie die) {
  return numberOf(die, DW_AT_byte_size).value_or(0);
}

/// The file of its declaration; "" if unknown.
std::string fileOf(DWARFDie die) {
  auto index = numberIn(die.findRecursively({DW_AT_decl_file}));
  DWARFUnit *unit = die.getDwarfUnit();
  auto *table = unit->getContext().getLineTableForUnit(unit);
  std::string name;
  if (index && table)
    table->getFileNameByIndex(
        *index, unit->getCompilationDir(),
        DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, name);
  return name;
}

bool isRecord(Tag tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
         tag == DW_TAG_class_type;
}

DWARFDie referenced(DWARFDie die, Attribute attribute) {
  std::optional<DWARFFormValue> value = die.findRecursively({attribute});
  return value ? die.getAttributeValueAsReferencedDie(*value) : DWARFDie();
}

/// What lies between a use of a type and the type.
DWARFDie withoutNames(DWARFDie die) {
  while (die &&
         is_contained({DW_TAG_typedef, DW_TAG_const_type, DW_TAG_volatile_type,
                       DW_TAG_atomic_type, DW_TAG_restrict_type},
                      die.getTag()))
    die = referenced(die, DW_AT_type);
  return die;
}

enum class Place { Static, Thread, Elsewhere };

/// Where a variable lies. Only one that lies at one address all the time does
/// so in static memory.
std::pair<Place, uint64_t> placeOf(DWARFDie die) {
  auto block = toBlock(die.find(DW_AT_location));
  if (!block || block->empty())
    return {Place::Elsewhere, 0};
  const uint8_t *data = block->data(), *end = block->end();
  if (data[0] == DW_OP_addr && block->size() == 9)
    return {Place::Static, support::endian::read64le(data + 1)};
  if (data[0] == DW_OP_addrx || data[0] == DW_OP_GNU_addr_index) {
    unsigned length = 0;
    uint64_t index = decodeULEB128(data + 1, &length, end);
    auto item = die.getDwarfUnit()->getAddrOffsetSectionItem(index);
    if (item && 1 + length == block->size())
      return {Place::Static, item->Address};
  }
  bool thread = block->back() == DW_OP_form_tls_address ||
                block->back() == DW_OP_GNU_push_tls_address;
  return {thread ? Place::Thread : Place::Elsewhere, 0};
}

/// The runtime may have been built with debug information, too.
bool isUnitOfRuntime(DWARFDie unit) {
  SmallString<256> path(toStringRef(unit.find(DW_AT_comp_dir)));
  sys::path::append(path, nameOf(unit));
  StringRef text = path;
  if (!text.contains("runtime/src/") && !text.contains("runtime/audit/"))
    return false;
  return any_of(unit.children(), [](DWARFDie die) {
    return (die.getTag() == DW_TAG_subprogram ||
            die.getTag() == DW_TAG_variable) &&
           StringRef(nameOf(die)).starts_with("nvm");
  });
}

CType::Kind kindOfBase(DWARFDie die) {
  switch (numberOf(die, DW_AT_encoding).value_or(0)) {
  case DW_ATE_boolean:
    return CType::Kind::Boolean;
  case DW_ATE_float:
    return CType::Kind::Real;
  case DW_ATE_signed:
    return CType::Kind::Signed;
  case DW_ATE_unsigned:
    return CType::Kind::Unsigned;
  case DW_ATE_signed_char:
  case DW_ATE_unsigned_char:
  case DW_ATE_UTF:
    return CType::Kind::Character;
  default:
    return CType::Kind::Other;
  }
}

} // namespace

DebugInfo::DebugInfo(const object::ObjectFile &object)
    : context(DWARFContext::create(
          object, DWARFContext::ProcessDebugRelocations::Process, nullptr, "",
          [](Error e) { consumeError(std::move(e)); },
          [](Error e) { consumeError(std::move(e)); })) {
  std::vector<DWARFDie> units;
  for (const std::unique_ptr<DWARFUnit> &unit : context->compile_units())
    if (DWARFDie die = unit->getNonSkeletonUnitDIE(false);
        die && !isUnitOfRuntime(die))
      units.push_back(die);
  for (DWARFDie unit : units)
    findRecords(unit);
  for (DWARFDie unit : units)
    findStatics(unit, "");
  llvm::sort(found, [](const StaticVariable &a, const StaticVariable &b) {
    return std::tie(a.file, a.line, a.name, a.address) <
           std::tie(b.file, b.line, b.name, b.address);
  });
}

DebugInfo::~DebugInfo() = default;

void DebugInfo::findRecords(DWARFDie unit) {
  for (DWARFDie die : unit.children())
    if (isRecord(die.getTag()) && !die.find(DW_AT_declaration))
      if (std::string name = nameOf(die); !name.empty())
        complete.try_emplace({unsigned(die.getTag()), name}, die);
}

void DebugInfo::findStatics(DWARFDie die, const std::string &function) {
  for (DWARFDie child : die.children()) {
    switch (child.getTag()) {
    case DW_TAG_variable:
      addStatic(child, function);
      break;
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
      findStatics(child, nameOf(child));
      break;
    case DW_TAG_lexical_block:
      findStatics(child, function);
      break;
    default:
      break;
    }
  }
}

void DebugInfo::addStatic(DWARFDie die, const std::string &function) {
  auto [place, address] = placeOf(die);
  std::string name = nameOf(die);
  if (place == Place::Elsewhere || name.empty() ||
      StringRef(name).starts_with("nvm_") || StringRef(name).starts_with("__"))
    return;
  StaticVariable variable;
  variable.name = function.empty() ? name : function + "." + name;
  if (place == Place::Thread) {
    reasons.push_back(variable.name + ": each thread has its own");
    return;
  }
  if (!address || !seen.try_emplace(address, true).second)
    return;
  variable.file = fileOf(die);
  variable.line =
      unsigned(numberIn(die.findRecursively({DW_AT_decl_line})).value_or(0));
  variable.address = address;
  // What is constant needs no look.
  DWARFDie type = referenced(die, DW_AT_type);
  if (type && type.getTag() == DW_TAG_const_type)
    return;
  variable.type = typeOf(die);
  variable.sizeBytes = variable.type ? variable.type->sizeBytes : 0;
  if (!variable.sizeBytes) {
    reasons.push_back(variable.name + ": its size is not known");
    return;
  }
  found.push_back(std::move(variable));
}

const CType *DebugInfo::typeOf(DWARFDie die) {
  return make(referenced(die, DW_AT_type));
}

const CType *DebugInfo::make(DWARFDie given) {
  DWARFDie die = withoutNames(given);
  // What has no name of its own is known by that of its typedef.
  std::string otherName =
      given && given.getTag() == DW_TAG_typedef ? nameOf(given) : "";
  if (!die || die.getTag() == DW_TAG_unspecified_type)
    return nullptr; // void
  if (isRecord(die.getTag()) && die.find(DW_AT_declaration))
    if (auto other = complete.find({unsigned(die.getTag()), nameOf(die)});
        other != complete.end())
      die = other->second;
  std::unique_ptr<CType> &slot = types[die.getOffset()];
  if (slot)
    return slot.get();
  slot = std::make_unique<CType>();
  CType &type = *slot; // stays where it is when types grow
  type.sizeBytes = sizeOf(die);
  type.name = nameOf(die);
  switch (die.getTag()) {
  case DW_TAG_base_type:
    type.kind = kindOfBase(die);
    break;
  case DW_TAG_pointer_type:
    type.kind = CType::Kind::Pointer;
    type.sizeBytes = 8;
    type.target = typeOf(die);
    break;
  case DW_TAG_subroutine_type:
    type.kind = CType::Kind::Function;
    break;
  case DW_TAG_enumeration_type:
    type.kind = CType::Kind::Enumeration;
    for (DWARFDie value : die.children())
      if (auto number = numberOf(value, DW_AT_const_value))
        type.enumerators.emplace_back(int64_t(*number), nameOf(value));
    break;
  case DW_TAG_structure_type:
  case DW_TAG_class_type:
  case DW_TAG_union_type:
    fillRecord(die, type);
    if (nameOf(die).empty() && !otherName.empty())
      type.name = otherName;
    break;
  case DW_TAG_array_type: {
    const CType *array = makeArray(die);
    type = *array;
    break;
  }
  default:
    break;
  }
  return &type;
}

void DebugInfo::fillRecord(DWARFDie die, CType &type) {
  bool isUnion = die.getTag() == DW_TAG_union_type;
  type.kind = isUnion ? CType::Kind::Union : CType::Kind::Record;
  type.name = (isUnion ? "union " : "struct ") + type.name;
  if (die.find(DW_AT_declaration)) {
    type.kind = CType::Kind::Other;
    return;
  }
  for (DWARFDie child : die.children()) {
    if (child.getTag() != DW_TAG_member)
      continue;
    CType::Member member;
    member.name = nameOf(child);
    member.type = typeOf(child);
    member.offsetBytes =
        numberOf(child, DW_AT_data_member_location).value_or(0);
    member.sizeBits = numberOf(child, DW_AT_bit_size).value_or(0);
    if (auto bits = numberOf(child, DW_AT_data_bit_offset))
      member.offsetBits = *bits;
    else if (auto high = numberOf(child, DW_AT_bit_offset))
      // Before DWARF 4: counted from the highest bit of the storage.
      member.offsetBits =
          (member.offsetBytes + sizeOf(child)) * 8 - *high - member.sizeBits;
    else
      member.offsetBits = member.offsetBytes * 8;
    if (member.type)
      type.members.push_back(std::move(member));
  }
}

const CType *DebugInfo::makeArray(DWARFDie die) {
  std::vector<uint64_t> counts;
  for (DWARFDie range : die.children()) {
    if (range.getTag() != DW_TAG_subrange_type)
      continue;
    if (auto count = numberOf(range, DW_AT_count))
      counts.push_back(*count);
    else if (auto last = numberOf(range, DW_AT_upper_bound))
      counts.push_back(*last == UINT64_MAX ? 0 : *last + 1);
    else
      counts.push_back(0);
  }
  if (counts.empty())
    counts.push_back(0);
  const CType *element = typeOf(die);
  for (uint64_t count : llvm::reverse(counts)) {
    innerArrays.push_back(std::make_unique<CType>());
    CType &array = *innerArrays.back();
    array.kind = element ? CType::Kind::Array : CType::Kind::Other;
    array.target = element;
    array.count = count;
    array.sizeBytes = element ? element->sizeBytes * count : 0;
    element = &array;
  }
  return element;
}

} // namespace nvmove
