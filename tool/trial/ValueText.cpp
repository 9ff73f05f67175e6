//===- ValueText.cpp - Bytes as C shows them ------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/ValueText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstring>

using namespace llvm;

namespace nvmove {

namespace {

uint64_t unsignedOf(ArrayRef<uint8_t> bytes) {
  uint64_t value = 0;
  memcpy(&value, bytes.data(), std::min<size_t>(bytes.size(), 8));
  return value;
}

int64_t signedOf(uint64_t value, uint64_t bits) {
  unsigned unused = 64 - unsigned(std::min<uint64_t>(bits, 64));
  return int64_t(value << unused) >> unused;
}

std::string realText(ArrayRef<uint8_t> bytes) {
  char text[64];
  long double value;
  if (bytes.size() == 4) {
    float f;
    memcpy(&f, bytes.data(), 4);
    value = f;
  } else if (bytes.size() == 8) {
    double d;
    memcpy(&d, bytes.data(), 8);
    value = d;
  } else if (bytes.size() == sizeof(value)) {
    memcpy(&value, bytes.data(), sizeof(value));
  } else {
    return hexText(bytes);
  }
  snprintf(text, sizeof(text), "%.17Lg", value);
  return text;
}

std::string integerText(const CType &type, uint64_t value, uint64_t bits) {
  if (type.kind == CType::Kind::Enumeration) {
    int64_t number = signedOf(value, bits);
    for (auto &[n, name] : type.enumerators)
      if (n == number || uint64_t(n) == value)
        return name;
    return itostr(number);
  }
  return type.kind == CType::Kind::Signed ? itostr(signedOf(value, bits))
                                          : utostr(value);
}

} // namespace

std::string numberText(const CType &type, ArrayRef<uint8_t> bytes) {
  if (type.kind == CType::Kind::Real)
    return realText(bytes);
  if (type.kind == CType::Kind::Other || bytes.size() > 8)
    return hexText(bytes);
  uint64_t value = unsignedOf(bytes);
  if (type.kind == CType::Kind::Character && isPrint(char(value)))
    return std::string("'") + char(value) + "'";
  return integerText(type, value, bytes.size() * 8);
}

std::string bitFieldText(const CType::Member &member,
                         ArrayRef<uint8_t> record) {
  uint64_t value = 0;
  for (uint64_t i = 0; i < member.sizeBits && i < 64; ++i) {
    uint64_t bit = member.offsetBits + i;
    if (bit / 8 < record.size())
      value |= uint64_t(record[bit / 8] >> bit % 8 & 1) << i;
  }
  return integerText(*member.type, value, member.sizeBits);
}

std::string quotedText(StringRef text) {
  constexpr size_t shown = 200;
  std::string result = "\"";
  for (char c : text.take_front(shown)) {
    size_t escape = StringRef("\n\t\r\"\\").find(c);
    if (escape != StringRef::npos)
      result += {'\\', "ntr\"\\"[escape]};
    else if (isPrint(c) || uint8_t(c) >= 0x80)
      result += c;
    else
      result += "\\x" + utohexstr(uint8_t(c), /*LowerCase=*/true, 2);
  }
  return result + (text.size() > shown ? "\".." + utostr(text.size()) : "\"");
}

std::string hexText(ArrayRef<uint8_t> bytes) {
  constexpr size_t shown = 100;
  if (isAllZero(bytes))
    return "0";
  return "0x" + toHex(bytes.take_front(shown), /*LowerCase=*/true) +
         (bytes.size() > shown ? ".." + utostr(bytes.size()) : "");
}

std::string charactersText(ArrayRef<uint8_t> bytes) {
  StringRef all(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  StringRef text = all.take_until([](char c) { return c == 0; });
  if (!text.empty() && all_of(text, [](char c) {
        return isPrint(c) || isSpace(c) || uint8_t(c) >= 0x80;
      }))
    return quotedText(text);
  while (!bytes.empty() && !bytes.back())
    bytes = bytes.drop_back();
  return bytes.empty() ? "\"\"" : hexText(bytes);
}

bool isAllZero(ArrayRef<uint8_t> bytes) {
  return bytes.empty() || (!bytes[0] && memcmp(bytes.data(), bytes.data() + 1,
                                               bytes.size() - 1) == 0);
}

bool hasPointer(const CType &type) {
  switch (type.kind) {
  case CType::Kind::Pointer:
    return true;
  case CType::Kind::Array:
    return type.target && hasPointer(*type.target);
  case CType::Kind::Record:
  case CType::Kind::Union:
    return any_of(type.members,
                  [](auto &m) { return m.type && hasPointer(*m.type); });
  default:
    return false;
  }
}

} // namespace nvmove
