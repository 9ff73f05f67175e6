//===- Walk.cpp - What statics lead to, as text ---------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Walk.h"
#include "tool/trial/ValueText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cstring>
#include <deque>

using namespace llvm;

namespace nvmove {

namespace {

constexpr size_t largestReadBytes = 16u << 20;

/// How C writes an object: by itself, or by a pointer to it.
struct Lvalue {
  std::string text;
  bool pointed = false; ///< `text` is the pointer

  std::string whole() const { return pointed ? "*" + text : text; }
  std::string member(StringRef name) const {
    return name.empty() ? whole() : text + (pointed ? "->" : ".") + name.str();
  }
  std::string element(uint64_t i) const {
    return (pointed ? "(*" + text + ")" : text) + "[" + utostr(i) + "]";
  }
};

/// Where a walk is: what it needs to know to tell a value.
struct WalkState {
  unsigned variable;
  bool certain, direct;
};

struct PendingObjects {
  uint64_t address;
  const CType *type;
  uint64_t first, count; ///< elements of what `pointer` points to
  std::string pointer;
  WalkState state;
  bool asArray = false; ///< there are others behind the first
};

class Walker {
public:
  Walker(const Memory &memory, const ProgramImage &image,
         ArrayRef<StaticVariable> statics, WalkLimits limits)
      : memory(memory), image(image), statics(statics), limits(limits) {
    for (const StaticVariable &s : statics)
      byAddress.emplace(s.address + memory.bias(), &s);
  }

  Snapshot walk();

private:
  using Bytes = ArrayRef<uint8_t>;
  struct Known {
    uint64_t end;
    std::string name; ///< of the pointer to it
  };

  void visitStatic(unsigned index);
  void visit(const CType &type, Bytes bytes, uint64_t address,
             const Lvalue &lvalue, WalkState state);
  void visitRecord(const CType &type, Bytes bytes, uint64_t address,
                   const Lvalue &lvalue, WalkState state);
  void visitArray(const CType &type, Bytes bytes, uint64_t address,
                  const Lvalue &lvalue, WalkState state);
  void visitPointer(const CType &type, uint64_t value, const std::string &path,
                    WalkState state);
  void visitPending(const PendingObjects &objects);
  std::string meet(const CType &type, uint64_t address,
                   const std::string &pointer, WalkState state);
  void follow(const CType &type, uint64_t address, MemoryBlock block,
              const std::string &pointer, WalkState state);
  std::string charactersAt(uint64_t address) const;
  std::string unionText(const CType &type, Bytes bytes) const;
  std::string placeInStatics(uint64_t address) const;
  const Known *known(uint64_t address) const;
  std::string placeOf(uint64_t address) const;
  void tell(std::string path, std::string text, WalkState state);
  bool full() const { return result.values.size() >= limits.values; }

  const Memory &memory;
  const ProgramImage &image;
  ArrayRef<StaticVariable> statics;
  const WalkLimits limits;
  Snapshot result;
  std::map<uint64_t, const StaticVariable *> byAddress;
  std::map<uint64_t, Known> objects; ///< that were met, by address
  std::deque<PendingObjects> pending, uncertain;
  /// Pointers without a type, told when all objects have been met.
  std::vector<std::pair<size_t, uint64_t>> untyped;
};

/// Streams, folders and locks of the C library are for the process.
bool isOfLibrary(const CType &type) {
  if (StringRef(type.name).starts_with("pthread_"))
    return true;
  return StringSwitch<bool>(type.name)
      .Cases("struct _IO_FILE", "struct __dirstream", "struct __locale_struct",
             "struct __va_list_tag", true)
      .Default(false);
}

/// "tab[3].next" of what lies at `offset` in an object.
std::string pathWithin(const CType *type, uint64_t offset, std::string path) {
  while (type && offset) {
    if (type->kind == CType::Kind::Array && type->target->sizeBytes) {
      path += "[" + utostr(offset / type->target->sizeBytes) + "]";
      offset %= type->target->sizeBytes;
      type = type->target;
      continue;
    }
    auto in = find_if(type->members, [&](const CType::Member &m) {
      return type->kind == CType::Kind::Record && !m.sizeBits &&
             m.offsetBytes <= offset && !m.name.empty() &&
             offset < m.offsetBytes + m.type->sizeBytes;
    });
    if (in == type->members.end())
      break;
    path += "." + in->name;
    offset -= in->offsetBytes;
    type = in->type;
  }
  return path + (offset ? "+" + utostr(offset) : "");
}

Snapshot Walker::walk() {
  for (unsigned i = 0; i < statics.size() && !full(); ++i)
    visitStatic(i);
  while (!full() && result.objects < limits.objects &&
         (!pending.empty() || !uncertain.empty())) {
    std::deque<PendingObjects> &queue = pending.empty() ? uncertain : pending;
    PendingObjects next = std::move(queue.front());
    queue.pop_front();
    visitPending(next);
  }
  result.complete = pending.empty() && uncertain.empty() && !full();
  for (auto [index, address] : untyped)
    result.values[index].text = placeOf(address);
  return std::move(result);
}

void Walker::visitStatic(unsigned index) {
  const StaticVariable &s = statics[index];
  std::vector<uint8_t> bytes(std::min<uint64_t>(s.sizeBytes, largestReadBytes));
  uint64_t address = s.address + memory.bias();
  WalkState state{index, true, true};
  if (!memory.read(address, bytes.data(), bytes.size()))
    return;
  if (bytes.size() < s.sizeBytes)
    result.complete = false;
  if (!s.type)
    tell(s.name, hexText(bytes), state);
  else
    visit(*s.type, bytes, address, {s.name}, state);
}

void Walker::visit(const CType &type, Bytes bytes, uint64_t address,
                   const Lvalue &lvalue, WalkState state) {
  if (full())
    return;
  switch (type.kind) {
  case CType::Kind::Record:
    return visitRecord(type, bytes, address, lvalue, state);
  case CType::Kind::Array:
    return visitArray(type, bytes, address, lvalue, state);
  case CType::Kind::Union:
    if (isOfLibrary(type))
      return;
    return tell(lvalue.whole(), unionText(type, bytes), state);
  case CType::Kind::Pointer: {
    uint64_t value;
    if (bytes.size() < sizeof(value))
      return;
    memcpy(&value, bytes.data(), sizeof(value));
    return visitPointer(type, value, lvalue.whole(), state);
  }
  case CType::Kind::Function:
    return;
  default:
    return tell(lvalue.whole(),
                numberText(type, bytes.take_front(type.sizeBytes)), state);
  }
}

void Walker::visitRecord(const CType &type, Bytes bytes, uint64_t address,
                         const Lvalue &lvalue, WalkState state) {
  if (isOfLibrary(type))
    return;
  for (const CType::Member &m : type.members) {
    std::string path = lvalue.member(m.name);
    if (m.sizeBits)
      tell(path, bitFieldText(m, bytes), state);
    else if (m.offsetBytes + m.type->sizeBytes <= bytes.size())
      // Members of a record without a name are named as its own.
      visit(*m.type, bytes.slice(m.offsetBytes, m.type->sizeBytes),
            address + m.offsetBytes, m.name.empty() ? lvalue : Lvalue{path},
            state);
  }
}

void Walker::visitArray(const CType &type, Bytes bytes, uint64_t address,
                        const Lvalue &lvalue, WalkState state) {
  const CType &element = *type.target;
  if (element.kind == CType::Kind::Character)
    return tell(lvalue.whole(), charactersText(bytes), state);
  uint64_t size = element.sizeBytes;
  for (uint64_t i = 0; size && (i + 1) * size <= bytes.size(); ++i)
    if (Bytes one = bytes.slice(i * size, size); !isAllZero(one))
      visit(element, one, address + i * size, {lvalue.element(i)}, state);
}

void Walker::visitPointer(const CType &type, uint64_t value,
                          const std::string &path, WalkState state) {
  if (!value)
    return tell(path, "NULL", state);
  if (std::string other = memory.ofOthers(value); !other.empty())
    return tell(path, other, state);
  const CType *target = type.target;
  if (!memory.mappedEnd(value))
    return tell(path, "(no memory)", state);
  if (!target || target->kind == CType::Kind::Other) {
    untyped.push_back({result.values.size(), value});
    return tell(path, "", state);
  }
  if (target->kind == CType::Kind::Function) {
    std::string name = image.symbolAt(value - memory.bias());
    return tell(path, name.empty() ? "(code)" : name, state);
  }
  if (target->kind == CType::Kind::Character)
    return tell(path, charactersAt(value), state);
  tell(path, meet(*target, value, path, state), state);
}

/// What is told of a pointer to an object. One that is met for the first time
/// is followed later.
std::string Walker::meet(const CType &type, uint64_t address,
                         const std::string &pointer, WalkState state) {
  if (isOfLibrary(type))
    return "(of the library)";
  if (std::string place = placeInStatics(address); !place.empty())
    return place;
  const Known *object = known(address);
  if (object && address + type.sizeBytes <= object->end)
    return placeOf(address);
  MemoryBlock block = memory.blockAt(address);
  uint64_t end = std::max<uint64_t>(type.sizeBytes, 1) + address;
  objects.insert_or_assign(address, Known{end, pointer});
  follow(type, address, block, pointer, state);
  return "(object)";
}

void Walker::follow(const CType &type, uint64_t address, MemoryBlock block,
                    const std::string &pointer, WalkState state) {
  state.direct = false;
  uint64_t size = type.sizeBytes;
  bool several = size && block.end >= address + 2 * size;
  (state.certain ? pending : uncertain)
      .push_back({address, &type, 0, 1, pointer, state,
                  several && type.kind != CType::Kind::Record});
  if (!several)
    return;
  state.certain = false;
  uncertain.push_back({address + size, &type, 1,
                       (block.end - address) / size - 1, pointer, state});
}

void Walker::visitPending(const PendingObjects &p) {
  uint64_t size = p.type->sizeBytes;
  uint64_t count = std::min<uint64_t>(p.count, largestReadBytes / size);
  std::vector<uint8_t> bytes(count * size);
  if (!memory.read(p.address, bytes.data(), bytes.size()))
    return;
  for (uint64_t i = 0; i < count && !full(); ++i) {
    Bytes one = Bytes(bytes).slice(i * size, size);
    uint64_t address = p.address + i * size;
    if (p.first + i == 0) {
      ++result.objects;
      visit(*p.type, one, address,
            p.asArray ? Lvalue{p.pointer + "[0]"} : Lvalue{p.pointer, true},
            p.state);
    } else if (!isAllZero(one)) {
      // Others may have been met by a pointer of their own.
      std::string name = p.pointer + "[" + utostr(p.first + i) + "]";
      if (known(address))
        continue;
      ++result.objects;
      objects.emplace(address, Known{address + size, "&" + name});
      visit(*p.type, one, address, {name}, p.state);
    }
  }
}

std::string Walker::charactersAt(uint64_t address) const {
  constexpr uint64_t most = 4096;
  MemoryBlock block = memory.blockAt(address);
  uint64_t end = memory.mappedEnd(address);
  if (block.end > address)
    end = std::min(end, block.end);
  std::vector<uint8_t> bytes(std::min(end - address, most));
  if (!memory.read(address, bytes.data(), bytes.size()))
    return "(no memory)";
  Bytes text(bytes);
  size_t length = 0;
  while (length < text.size() && text[length])
    ++length;
  // What follows a NUL behind a pointer is not of this text.
  return charactersText(text.take_front(length));
}

/// Which member counts is not known: words that may be pointers are told as
/// places, all else as it is.
std::string Walker::unionText(const CType &type, Bytes bytes) const {
  if (!hasPointer(type))
    return charactersText(bytes);
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 8) {
    uint64_t word = 0;
    Bytes rest = bytes.slice(i);
    memcpy(&word, rest.data(), std::min<size_t>(rest.size(), 8));
    text += text.empty() ? "" : " ";
    text += word >= 4096 && memory.mappedEnd(word)
                ? "(memory)"
                : "0x" + utohexstr(word, /*LowerCase=*/true);
  }
  return text;
}

std::string Walker::placeInStatics(uint64_t address) const {
  auto after = byAddress.upper_bound(address);
  if (after == byAddress.begin())
    return "";
  const StaticVariable &s = *std::prev(after)->second;
  uint64_t offset = address - std::prev(after)->first;
  return offset < s.sizeBytes ? "&" + pathWithin(s.type, offset, s.name) : "";
}

const Walker::Known *Walker::known(uint64_t address) const {
  auto after = objects.upper_bound(address);
  if (after == objects.begin())
    return nullptr;
  const Known &object = std::prev(after)->second;
  return address < object.end ? &object : nullptr;
}

/// Of a pointer, whatever it points to.
std::string Walker::placeOf(uint64_t address) const {
  if (std::string place = placeInStatics(address); !place.empty())
    return place;
  if (const Known *object = known(address)) {
    uint64_t begin = std::prev(objects.upper_bound(address))->first;
    return object->name +
           (address > begin ? "+" + utostr(address - begin) : "");
  }
  std::string symbol = image.symbolAt(address - memory.bias());
  return symbol.empty() ? "(memory)" : symbol;
}

void Walker::tell(std::string path, std::string text, WalkState state) {
  result.values.push_back({std::move(path), std::move(text), state.variable,
                           state.certain, state.direct});
}

} // namespace

Snapshot walkMemory(const Memory &memory, const ProgramImage &image,
                    ArrayRef<StaticVariable> statics, WalkLimits limits) {
  return Walker(memory, image, statics, limits).walk();
}

} // namespace nvmove
