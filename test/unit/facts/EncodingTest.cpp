//===- EncodingTest.cpp - Facts as bytes, and back ------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/Encoding.h"
#include "passes/facts/Check.h"
#include "passes/facts/References.h"
#include "test/support/CollectSource.h"
#include <gmock/gmock.h>
#include <random>

using namespace nvmove;
using namespace nvmove::test;
using testing::AnyOf;
using testing::HasSubstr;

namespace {

/// Gives every member that can be reached from `object` a value of its own.
class Filler {
public:
  template <class T> void fill(T &object) {
    if constexpr (Described<T>) {
      forEachMember(object, [&](auto &member) { fill(member); });
    } else if constexpr (isReference<T>) {
      fill(object.id);
    } else if constexpr (isReferenceList<T>) {
      fill(object.ids);
    } else if constexpr (std::is_same_v<T, std::vector<bool>>) {
      object = {true, false, true};
      leaves += 3;
    } else if constexpr (isVector<T>) {
      object.resize(3);
      for (auto &element : object)
        fill(element);
    } else if constexpr (std::is_same_v<T, std::string>) {
      object = std::to_string(random()) + std::string(1, '\0') + "\xff";
      ++leaves;
    } else if constexpr (std::is_enum_v<T>) {
      object = T(random() % encoding::enumSize<T>());
      ++leaves;
    } else if constexpr (std::is_same_v<T, bool>) {
      object = random() % 2;
      ++leaves;
    } else {
      object = T(random()) >> random() % (sizeof(T) * 8);
      ++leaves;
    }
  }
  std::mt19937_64 random{1};
  size_t leaves = 0;
};

/// Whether two objects are equal in every member.
template <class T> bool same(const T &a, const T &b) {
  bool equal = true;
  if constexpr (Described<T>) {
    encoding::Writer::pairs(
        a, b, [&](auto &x, auto &y) { equal = equal && same(x, y); });
  } else if constexpr (isReference<T>) {
    equal = a.id == b.id;
  } else if constexpr (isReferenceList<T>) {
    equal = a.ids == b.ids;
  } else if constexpr (isVector<T> && !std::is_same_v<T, std::vector<bool>>) {
    equal = a.size() == b.size();
    for (size_t i = 0; equal && i < a.size(); ++i)
      equal = same(a[i], b[i]);
  } else {
    equal = a == b;
  }
  return equal;
}

template <class T> std::string refusal(llvm::Expected<T> result) {
  return result ? "" : llvm::toString(result.takeError());
}

Facts someFacts(const SourceFolder &folder = {}) {
  CollectResult r = collectResult(
      folder,
      "#include <stdlib.h>\nstruct s { int n : 3; union { struct s *next; "
      "long l; }; char tail[]; };\nstatic struct s *all;\n"
      "int f(struct s *p, ...) { for (int i = 0; i < 3; ++i) { p = "
      "malloc(sizeof(*p)); p->next = all; all = p; p->n++; } return p->n; }\n"
      "int main(void) { __asm__(\"\"); return f(&*all, 1); }\n");
  EXPECT_FALSE(r.failure);
  return std::move(r.facts);
}

TEST(Encoding, EveryMemberComesBack) {
  Facts facts;
  Filler filler;
  filler.fill(facts);
  EXPECT_GT(filler.leaves, 500u);
  std::string bytes = encode(facts);
  auto back = decode<Facts>(bytes);
  ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
  EXPECT_TRUE(same(*back, facts));
  EXPECT_EQ(encode(*back), bytes);
}

// A change of any one member changes the bytes: none is left out.
TEST(Encoding, EveryMemberIsInTheBytes) {
  Facts facts;
  Filler().fill(facts);
  std::string before = encode(facts);
  size_t changed = 0;
  auto alter = [&](auto &self, auto &object) -> void {
    using T = std::remove_cvref_t<decltype(object)>;
    if constexpr (Described<T>) {
      forEachMember(object, [&](auto &member) { self(self, member); });
    } else if constexpr (isReference<T>) {
      self(self, object.id);
    } else if constexpr (isReferenceList<T>) {
      self(self, object.ids);
    } else if constexpr (isVector<T> && !std::is_same_v<T, std::vector<bool>>) {
      self(self, object.back());
    } else {
      T old = object;
      if constexpr (std::is_same_v<T, std::vector<bool>>)
        object.flip();
      else if constexpr (std::is_same_v<T, std::string>)
        object += "x";
      else if constexpr (std::is_enum_v<T>)
        object = T((unsigned(object) + 1) % encoding::enumSize<T>());
      else
        object = T(object ^ 1);
      EXPECT_NE(encode(facts), before) << "member " << changed;
      object = old;
      ++changed;
    }
  };
  alter(alter, facts);
  EXPECT_GT(changed, 150u);
}

// merge() and the rest rely on forEachDefinitionList() for each Range.
TEST(Encoding, EveryListOfADefinitionIsVisited) {
  Definition d;
  size_t ranges = 0, visited = 0;
  forEachMember(d, [&](auto &member) {
    ranges += std::is_same_v<std::remove_cvref_t<decltype(member)>, Range>;
  });
  forEachDefinitionList([&](auto, auto) { ++visited; });
  EXPECT_EQ(visited + 1, ranges); // all but the range of nodes
}

TEST(Encoding, CollectedFactsComeBackAndAreSound) {
  SourceFolder folder;
  Facts facts = someFacts(folder);
  std::string bytes = encode(facts);
  auto back = decode<Facts>(bytes);
  ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
  EXPECT_EQ(dump(*back), dump(facts));
  EXPECT_EQ(encode(*back), bytes);
  EXPECT_EQ(encode(someFacts(folder)), bytes);
  EXPECT_EQ(llvm::toString(checkFacts(*back)), "");
}

TEST(Encoding, WhatIsWrongWithAFileIsSaid) {
  std::string good = encode(someFacts());
  EXPECT_EQ(refusal(decode<Facts>("")), "the file is empty");
  EXPECT_EQ(refusal(decode<Facts>("int main(void) {}")),
            "this is not a file that nvmove wrote");
  EXPECT_EQ(refusal(decode<Facts>(good.substr(0, 4))), "the file is cut short");
  EXPECT_EQ(refusal(decode<Facts>(good.substr(0, good.size() - 1))),
            "the file is cut short");
  EXPECT_EQ(refusal(decode<Facts>(good + "x")), "the file is damaged");
  std::string newer = good;
  ++newer[8];
  EXPECT_THAT(refusal(decode<Facts>(newer)), HasSubstr("another version"));
  EXPECT_THAT(refusal(decode<Definition>(good)), HasSubstr("another version"));
}

TEST(Encoding, EveryTruncationAndEveryFlippedBitIsRefused) {
  std::string good = encode(someFacts());
  for (size_t size = 0; size < good.size(); size += 1 + size / 64)
    EXPECT_NE(refusal(decode<Facts>(good.substr(0, size))), "");
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] ^= 1 << at % 8;
    EXPECT_NE(refusal(decode<Facts>(bad)), "") << "byte " << at;
  }
}

// Found by the fuzzer: a text as long as all that was left before its length.
TEST(Encoding, ATextThatEndsBehindTheInput) {
  std::string layout;
  encoding::describe<Facts>(layout);
  EXPECT_EQ(refusal(decode<Facts>(encoding::wrap(layout, "\1\4abc"))),
            "the file is damaged");
}

// The checksum is no protection against those who compute it: random payloads
// behind a right header.
TEST(Encoding, AnyPayloadIsReadOrRefused) {
  std::string layout;
  encoding::describe<Facts>(layout);
  encoding::Writer writer;
  writer.value(someFacts(), Facts{});
  std::mt19937 random(1);
  unsigned unsound = 0, refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string payload = writer.bytes;
    for (int k = random() % 3; k >= 0; --k)
      payload[random() % payload.size()] = random() % 4 ? random() : 0xff;
    if (random() % 4 == 0)
      payload.resize(random() % payload.size());
    auto facts = decode<Facts>(encoding::wrap(layout, payload));
    if (!facts) {
      llvm::consumeError(facts.takeError());
      ++refused;
    } else if (llvm::Error error = checkFacts(*facts)) {
      llvm::consumeError(std::move(error));
      ++unsound;
    } else {
      (void)dump(*facts);
      std::vector<Facts> twice{*facts, std::move(*facts)};
      (void)merge(std::move(twice));
    }
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(unsound, 100u);
}

TEST(Check, SaysWhatIsNotSound) {
  auto wrong = [](auto &&change) {
    Facts facts = someFacts();
    change(facts);
    llvm::Error error = checkFacts(facts);
    return error ? llvm::toString(std::move(error)) : "";
  };
  EXPECT_EQ(wrong([](Facts &) {}), "");
  EXPECT_THAT(wrong([](Facts &f) { f.stores[0].address = f.nodes.size(); }),
              HasSubstr("reference is out of range"));
  EXPECT_THAT(wrong([](Facts &f) { f.fields[0].record = None; }),
              HasSubstr("field is incomplete"));
  EXPECT_THAT(wrong([](Facts &f) {
                for (Id i = 0; i < f.types.size(); ++i)
                  if (f.types[i].kind == TypeKind::Pointer)
                    f.types[i].inner = i;
              }),
              HasSubstr("type contains itself"));
  EXPECT_THAT(wrong([](Facts &f) { f.calls[0].argSpans.push_back({}); }),
              HasSubstr("arguments"));
  EXPECT_THAT(wrong([](Facts &f) { f.definitions[0].calls.end = 1000; }),
              HasSubstr("out of order"));
  EXPECT_THAT(wrong([](Facts &f) {
                f.constraints[f.definitions[0].constraints.begin].dst =
                    f.definitions[1].nodes.begin;
              }),
              HasSubstr("value of another"));
  EXPECT_THAT(wrong([](Facts &f) { f.definitions[0].blocks = {{{1}, {}}}; }),
              HasSubstr("leads to no block"));
  EXPECT_THAT(wrong([](Facts &f) { f.definitions[0].blocks = {{{}, {1000}}}; }),
              HasSubstr("calls nothing"));
  EXPECT_THAT(wrong([](Facts &f) {
                std::swap(f.definitions[0].function, f.definitions[0].variable);
                f.definitions[0].blocks = {{{0}, {}}};
              }),
              HasSubstr("not a function has blocks"));
}

} // namespace
