//===- SourceLines.cpp - Lines of the sources -------------------- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/files/SourceLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace nvmove {

SourceLines::SourceLines(const Facts &facts) : facts(facts) {}
SourceLines::~SourceLines() = default;

const SourceLines::Text &SourceLines::text(Id file) {
  auto [at, fresh] = texts.try_emplace(file);
  Text &text = at->second;
  if (!fresh)
    return text;
  auto buffer = MemoryBuffer::getFile(facts.files[file].path);
  if (!buffer || xxh3_64bits((*buffer)->getBuffer()) != facts.files[file].hash)
    return text;
  text.buffer = std::move(*buffer);
  for (StringRef rest = text.buffer->getBuffer(); !rest.empty();) {
    auto [line, next] = rest.split('\n');
    text.lines.push_back(line.rtrim('\r'));
    rest = next;
  }
  return text;
}

StringRef SourceLines::line(Id file, unsigned number) {
  if (file == None || number == 0)
    return "";
  const Text &known = text(file);
  return number <= known.lines.size() ? known.lines[number - 1] : "";
}

Loc SourceLines::at(Id file, uint32_t offset) {
  const Text &known = text(file);
  if (!known.buffer || known.lines.empty())
    return {file, 0, 0};
  const char *place = known.buffer->getBufferStart() + offset;
  auto line = std::prev(std::upper_bound(
      known.lines.begin() + 1, known.lines.end(), place,
      [](const char *p, StringRef l) { return p < l.begin(); }));
  return {file, uint32_t(line - known.lines.begin()) + 1,
          uint32_t(place - line->begin()) + 1};
}

unsigned SourceLines::column(const Loc &loc) {
  StringRef before = line(loc.file, loc.line).take_front(loc.column - 1);
  if (before.size() + 1 != loc.column)
    return loc.column;
  // Every byte but those that go on with a character begins one.
  unsigned continued = count_if(
      before.bytes(), [](unsigned char c) { return (c & 0xc0) == 0x80; });
  return loc.column - continued;
}

} // namespace nvmove
