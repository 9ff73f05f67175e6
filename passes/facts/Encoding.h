//===- Encoding.h - Described structs as bytes ------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any struct with a list of members (Members.h) can be written and read. Equal
// values give equal bytes. docs/facts-format.md describes the bytes.
//
// decode() is total: whatever the input, it gives the value that was encoded or
// an Error that says what is wrong, and needs memory in proportion to the
// input. The values of references are not looked at: see checkFacts().
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_FACTS_ENCODING_H
#define NVMOVE_PASSES_FACTS_ENCODING_H

#include "passes/facts/Members.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <optional>
#include <string_view>

namespace nvmove {
namespace encoding {

/// Raised when the meaning of the bytes changes without a change of the layout
/// below, which is compared too.
inline constexpr uint32_t formatVersion = 22;

/// Whether the enum has an enumerator of that value.
template <class E, E value> consteval bool isNamed() {
  std::string_view text = __PRETTY_FUNCTION__; // "... value = nvmove::Flow::X]"
  return text[text.find("value = ") + 8] != '(';
}
/// The number of enumerators, which must count from 0.
template <class E, uint8_t known = 0> consteval uint8_t enumSize() {
  if constexpr (isNamed<E, E(known)>())
    return enumSize<E, known + 1>();
  else
    return known;
}

template <class T> inline constexpr bool isOptional = false;
template <class T> inline constexpr bool isOptional<std::optional<T>> = true;

/// Spells the layout of T: two programs that spell it alike understand each
/// other's bytes.
template <class T> void describe(std::string &out) {
  if constexpr (Described<T>) {
    out += '{';
    T value{};
    forEachMember(value, [&](auto &member) {
      describe<std::remove_cvref_t<decltype(member)>>(out);
    });
    out += '}';
  } else if constexpr (isReference<T>) {
    out += 'r';
  } else if constexpr (isReferenceList<T>) {
    out += "[r";
  } else if constexpr (isVector<T>) {
    out += '[';
    describe<typename T::value_type>(out);
  } else if constexpr (isOptional<T>) {
    out += '?';
    describe<typename T::value_type>(out);
  } else if constexpr (std::is_same_v<T, std::string>) {
    out += 's';
  } else if constexpr (std::is_enum_v<T>) {
    out += 'e' + std::to_string(enumSize<T>());
  } else {
    out += 'i' + std::to_string(sizeof(T));
  }
}

/// The fewest bytes that a T can take: bounds what a count may promise.
template <class T> size_t fewestBytes() {
  if constexpr (Described<T>) {
    T value{};
    size_t sum = 0;
    forEachMember(value, [&](auto &member) {
      sum += fewestBytes<std::remove_cvref_t<decltype(member)>>();
    });
    return sum;
  } else {
    return 1;
  }
}

class Writer {
public:
  std::string bytes;

  void number(uint64_t value);
  void text(llvm::StringRef value);

  /// `before` is what stands in the same place of the element before: numbers
  /// are written as differences to it.
  template <class T> void value(const T &now, const T &before) {
    if constexpr (Described<T>) {
      pairs(now, before, [&](auto &n, auto &b) { value(n, b); });
    } else if constexpr (isReference<T>) {
      value(now.id, before.id);
    } else if constexpr (isReferenceList<T>) {
      value(now.ids, before.ids);
    } else if constexpr (isVector<T>) {
      using Element = typename T::value_type;
      number(now.size());
      Element last = before.empty() ? Element{} : before.front();
      const Element *previous = &last;
      if constexpr (std::is_same_v<Element, bool>)
        for (bool flag : now)
          number(flag);
      else
        for (const Element &element : now) {
          value(element, *previous);
          previous = &element;
        }
    } else if constexpr (isOptional<T>) {
      number(now.has_value());
      if (now)
        value(*now, typename T::value_type{});
    } else if constexpr (std::is_same_v<T, std::string>) {
      text(now);
    } else if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
      number(uint64_t(now));
    } else {
      // Differences wrap around; the sign goes to the lowest bit.
      using Number = std::make_unsigned_t<T>;
      Number change = Number(Number(now) - Number(before));
      bool isNegative = change >> (sizeof(T) * 8 - 1);
      number(Number(Number(change << 1) ^ Number(0 - Number(isNegative))));
    }
  }

  /// Calls `visit(member of a, same member of b)` for all members.
  template <class T, class Visit>
  static void pairs(T &a, const std::remove_const_t<T> &b, Visit &&visit) {
    members::Of<std::remove_const_t<T>>::list(a, [&](auto &&...ofA) {
      members::Of<std::remove_const_t<T>>::list(
          b, [&](auto &&...ofB) { (visit(ofA, ofB), ...); });
    });
  }
};

/// After the first wrong byte everything reads as nothing and `failed()` holds.
class Reader {
public:
  explicit Reader(llvm::StringRef bytes) : rest(bytes) {}

  bool failed() const { return bad; }
  bool atEnd() const { return rest.empty(); }
  uint64_t number(uint64_t largest);
  std::string text();

  template <class T, class Before> void value(T &now, const Before &before) {
    using U = std::remove_const_t<T>;
    if constexpr (Described<U>) {
      Writer::pairs(now, before, [&](auto &n, auto &b) { value(n, b); });
    } else if constexpr (isReference<U>) {
      value(now.id, before.id);
    } else if constexpr (isReferenceList<U>) {
      value(now.ids, before.ids);
    } else if constexpr (isVector<U>) {
      readVector(now, before);
    } else if constexpr (isOptional<U>) {
      if (number(1))
        value(now.emplace(), typename U::value_type{});
    } else if constexpr (std::is_same_v<U, std::string>) {
      now = text();
    } else if constexpr (std::is_enum_v<U>) {
      now = U(number(enumSize<U>() - 1));
    } else if constexpr (std::is_same_v<U, bool>) {
      now = number(1);
    } else {
      using Number = std::make_unsigned_t<U>;
      Number change = Number(number(Number(~Number(0))));
      now = U(Number(before) +
              Number(change >> 1 ^ Number(0 - Number(change & 1))));
    }
  }

private:
  template <class T> void readVector(T &now, const T &before) {
    using Element = typename T::value_type;
    static const size_t fewest = fewestBytes<Element>();
    size_t count = number(rest.size() / fewest);
    now.resize(count);
    Element first = before.empty() ? Element{} : before.front();
    if constexpr (std::is_same_v<Element, bool>)
      for (size_t i = 0; i < count; ++i)
        now[i] = number(1);
    else
      for (size_t i = 0; i < count && !bad; ++i)
        value(now[i], i ? now[i - 1] : first);
  }
  uint64_t fail() {
    bad = true;
    rest = {};
    return 0;
  }

  llvm::StringRef rest;
  bool bad = false;
};

/// Wraps bytes with a header: format, layout, sizes, checksum. Unwrapping
/// checks all of it.
std::string wrap(llvm::StringRef layout, std::string bytes);
llvm::Expected<std::string> unwrap(llvm::StringRef layout,
                                   llvm::StringRef file);
llvm::Error damaged();

} // namespace encoding

template <class T> std::string encode(const T &value) {
  encoding::Writer writer;
  writer.value(value, T{});
  std::string layout;
  encoding::describe<T>(layout);
  return encoding::wrap(layout, std::move(writer.bytes));
}

template <class T> llvm::Expected<T> decode(llvm::StringRef file) {
  std::string layout;
  encoding::describe<T>(layout);
  auto bytes = encoding::unwrap(layout, file);
  if (!bytes)
    return bytes.takeError();
  encoding::Reader reader(*bytes);
  T value{};
  reader.value(value, T{});
  if (reader.failed() || !reader.atEnd())
    return encoding::damaged();
  return value;
}

} // namespace nvmove

#endif // NVMOVE_PASSES_FACTS_ENCODING_H
