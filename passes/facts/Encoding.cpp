//===- Encoding.cpp - Described structs as bytes --------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/Encoding.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
namespace le = llvm::support;

namespace nvmove::encoding {

namespace {

constexpr StringLiteral magic("nvmfacts");

/// Not more than this many bytes come out of one compressed byte; what would
/// be smaller is stored as it is. It bounds what a reader allocates.
constexpr uint64_t largestRatio = 200;

/// All little-endian, without gaps.
struct Header {
  char magic[8];
  le::ulittle32_t version;
  le::ulittle32_t compressed; ///< 0 or 1
  le::ulittle64_t layout;     ///< hash of what describe() spells
  le::ulittle64_t storedBytes, plainBytes;
  le::ulittle64_t checksum; ///< of everything else in the file
};
static_assert(sizeof(Header) == 48);

uint64_t checksumOf(Header header, StringRef stored) {
  header.checksum = xxh3_64bits(stored);
  return xxh3_64bits(
      StringRef(reinterpret_cast<const char *>(&header), sizeof header));
}

Error broken(const Twine &what) {
  return createStringError(inconvertibleErrorCode(), what);
}

} // namespace

Error damaged() { return broken("the file is damaged"); }

void Writer::number(uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    bytes += char(value | 0x80);
  bytes += char(value);
}

void Writer::text(StringRef value) {
  number(value.size());
  bytes += value;
}

uint64_t Reader::number(uint64_t largest) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !rest.empty(); shift += 7) {
    uint8_t byte = rest.front();
    rest = rest.drop_front();
    if (shift == 63 && byte > 1)
      break;
    value |= uint64_t(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return value <= largest ? value : fail();
  }
  return fail();
}

std::string Reader::text() {
  uint64_t size = number(~uint64_t(0));
  if (size > rest.size())
    size = fail();
  std::string result = rest.take_front(size).str();
  rest = rest.drop_front(size);
  return result;
}

std::string wrap(StringRef layout, std::string bytes) {
  Header header{};
  memcpy(header.magic, magic.data(), sizeof header.magic);
  header.version = formatVersion;
  header.layout = xxh3_64bits(layout);
  header.plainBytes = bytes.size();
  if (compression::zstd::isAvailable()) {
    SmallVector<uint8_t, 0> packed;
    compression::zstd::compress(arrayRefFromStringRef(bytes), packed,
                                compression::zstd::BestSpeedCompression);
    if (packed.size() < bytes.size() &&
        bytes.size() / packed.size() < largestRatio) {
      bytes = toStringRef(packed).str();
      header.compressed = 1;
    }
  }
  header.storedBytes = bytes.size();
  header.checksum = checksumOf(header, bytes);
  return std::string(reinterpret_cast<const char *>(&header), sizeof header) +
         bytes;
}

Expected<std::string> unwrap(StringRef layout, StringRef file) {
  Header header;
  if (file.empty())
    return broken("the file is empty");
  if (!file.starts_with(magic) && !magic.starts_with(file))
    return broken("this is not a file that nvmove wrote");
  if (file.size() < sizeof header)
    return broken("the file is cut short");
  memcpy(&header, file.data(), sizeof header);
  StringRef stored = file.drop_front(sizeof header);
  if (header.version != formatVersion || header.layout != xxh3_64bits(layout))
    return broken("another version of nvmove wrote this file, or for another "
                  "purpose");
  if (stored.size() < header.storedBytes)
    return broken("the file is cut short");
  if (stored.size() > header.storedBytes ||
      header.checksum != checksumOf(header, stored))
    return damaged();
  if (!header.compressed) {
    if (header.plainBytes != header.storedBytes)
      return damaged();
    return stored.str();
  }
  if (!compression::zstd::isAvailable())
    return broken("the file is compressed, and this nvmove was built with an "
                  "LLVM that lacks zstd");
  if (header.compressed != 1 ||
      header.plainBytes / largestRatio > header.storedBytes)
    return damaged();
  std::string plain(header.plainBytes, '\0');
  size_t size = plain.size();
  if (Error error = compression::zstd::decompress(
          arrayRefFromStringRef(stored),
          reinterpret_cast<uint8_t *>(plain.data()), size)) {
    consumeError(std::move(error));
    return damaged();
  }
  if (size != plain.size())
    return damaged();
  return plain;
}

} // namespace nvmove::encoding
