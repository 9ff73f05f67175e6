//===- ObjectUnit.cpp - What an object carries for its link ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The section is a row of records: magic number, length packed, length as it
// was, and the encoded unit packed by zlib. `ld -r` puts the sections of its
// objects one behind the other.

#include "tool/compiler/ObjectUnit.h"
#include "passes/facts/Encoding.h"
#include "tool/files/AtomicFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace nvmove {

static constexpr StringLiteral sectionName = ".nvmove";
static constexpr StringLiteral magic = "NVMOVEU1";
static constexpr size_t headBytes = 8 + 8 + 8;

static Error badObject(StringRef name, std::string why) {
  return makeError(MessageId::BadObject, std::move(why), {name.str()});
}

static std::string packed(const ObjectUnit &unit) {
  const std::string plain = encode(unit);
  SmallVector<uint8_t, 0> bytes;
  compression::zlib::compress(arrayRefFromStringRef(plain), bytes,
                              compression::zlib::BestSpeedCompression);
  std::string record(headBytes, '\0');
  memcpy(record.data(), magic.data(), magic.size());
  support::endian::write64le(record.data() + 8, bytes.size());
  support::endian::write64le(record.data() + 16, plain.size());
  return record.append(bytes.begin(), bytes.end());
}

Error attachUnit(StringRef object, const ObjectUnit &unit) {
  auto binary = object::ObjectFile::createObjectFile(object);
  if (!binary)
    return badObject(object, toString(binary.takeError()));
  objcopy::ConfigManager config;
  config.Common.InputFilename = config.Common.OutputFilename = object;
  config.Common.AddSection.emplace_back(
      sectionName, MemoryBuffer::getMemBufferCopy(packed(unit)));
  objcopy::SectionFlagsUpdate flags;
  flags.Name = sectionName;
  flags.NewFlags =
      objcopy::SectionFlag(objcopy::SecReadonly | objcopy::SecExclude);
  config.Common.SetSectionFlags[sectionName] = flags;
  SmallVector<char, 0> bytes;
  raw_svector_ostream os(bytes);
  if (Error error =
          objcopy::executeObjcopyOnBinary(config, *binary->getBinary(), os))
    return badObject(object, toString(std::move(error)));
  auto permissions = sys::fs::getPermissions(object);
  if (Error error =
          writeFileAtomically(object, StringRef(bytes.data(), bytes.size())))
    return error;
  if (permissions)
    sys::fs::setPermissions(object, *permissions);
  return Error::success();
}

/// Takes the first record off `bytes`.
static Expected<ObjectUnit> unpackNext(StringRef &bytes, StringRef name) {
  if (bytes.size() < headBytes || !bytes.starts_with(magic))
    return badObject(name, "its section .nvmove is damaged");
  const uint64_t length = support::endian::read64le(bytes.data() + 8),
                 plainLength = support::endian::read64le(bytes.data() + 16);
  bytes = bytes.drop_front(headBytes);
  // No packed byte says more than about a thousand plain ones.
  if (length > bytes.size() || plainLength / 1100 > length)
    return badObject(name, "its section .nvmove is cut short");
  SmallVector<uint8_t, 0> plain;
  if (Error error = compression::zlib::decompress(
          arrayRefFromStringRef(bytes.take_front(length)), plain, plainLength))
    return badObject(name, toString(std::move(error)));
  bytes = bytes.drop_front(length);
  auto unit = decode<ObjectUnit>(toStringRef(plain));
  if (!unit)
    return badObject(name, toString(unit.takeError()));
  return unit;
}

Expected<std::vector<ObjectUnit>> readUnits(MemoryBufferRef object,
                                            StringRef name) {
  std::vector<ObjectUnit> units;
  auto file = object::ObjectFile::createObjectFile(object);
  if (!file) {
    consumeError(
        file.takeError()); // a linker's script, a shared library's name
    return units;
  }
  for (const object::SectionRef &section : (*file)->sections()) {
    auto is = section.getName();
    if (!is) {
      consumeError(is.takeError());
      continue;
    }
    if (*is != sectionName)
      continue;
    auto bytes = section.getContents();
    if (!bytes)
      return badObject(name, toString(bytes.takeError()));
    for (StringRef rest = *bytes; !rest.empty();) {
      auto unit = unpackNext(rest, name);
      if (!unit)
        return unit.takeError();
      units.push_back(std::move(*unit));
    }
  }
  return units;
}

} // namespace nvmove
