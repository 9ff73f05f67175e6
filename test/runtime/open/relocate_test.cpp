//===- relocate_test.cpp - a pool at another address ----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "nvmove/region.h"
#include "nvmove/restart.h"
#include "support.h"
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/mman.h>
#include <unistd.h>

using namespace nvmtest;

NVM_TYPE(Leaf);
NVM_TYPE(Tree);
NVM_TYPE(Row);

namespace {

const unsigned long Home = 0x200000000000, Other = 0x330000000000;

struct Kind {
  const char *name;
};
Kind kind = {"kind"};

struct Leaf {
  int number;
  char *text;
  Kind *kind; ///< a twin
};
struct Span {
  long width;
  Leaf *leaf;
};
struct Tree {
  Tree *left, *right;
  Leaf **table; ///< a block of pointers
  char *middle; ///< leads into a string
  union {
    long number;
    Leaf *leaf;
  } either;
  int spans;
  Span span[];
};
/// What the program makes anew at each start, but for one field.
struct Row {
  long made;
  Tree *tree;
};

Tree *tree;
Row *rows;
long number;
Leaf *several[3];

void registerProgram(bool known = true) {
  static const nvm_field leaf[] = {NVM_FIELD(Leaf, number),
                                   NVM_POINTER(Leaf, text),
                                   NVM_POINTER(Leaf, kind)};
  static const nvm_field span[] = {NVM_FIELD(Span, width),
                                   NVM_POINTER(Span, leaf)};
  static nvm_type spanType = {"Span", 0, nullptr, 0, 0};
  static const nvm_field known_[] = {
      NVM_POINTER(Tree, left),
      NVM_POINTER(Tree, right),
      NVM_POINTER(Tree, table),
      NVM_POINTER(Tree, middle),
      NVM_FIELD(Tree, either),
      NVM_FIELD(Tree, spans),
      {"span", offsetof(Tree, span), 0, NVM_KIND_RECORD, "Span"}};
  static const nvm_field unknown[] = {
      NVM_FIELD(Tree, left),
      NVM_POINTER(Tree, right),
      NVM_FIELD(Tree, table),
      NVM_POINTER(Tree, middle),
      NVM_FIELD(Tree, either),
      NVM_FIELD(Tree, spans),
      {"span", offsetof(Tree, span), 0, 0, nullptr}};
  nvm_layout(&nvm_type_Leaf, sizeof(Leaf), leaf, 3);
  nvm_layout(&spanType, sizeof(Span), span, 2);
  nvm_layout(&nvm_type_Tree, sizeof(Tree), known ? known_ : unknown, 7);
  NVM_ROOT_ARRAY(rows, Row, NVM_POINTER(Row, tree));
  NVM_ROOT(number);
  NVM_TWIN(kind);
  if (known) {
    NVM_ROOT_POINTERS(tree);
    NVM_ROOT_POINTERS(several);
  } else {
    NVM_ROOT(tree);
    NVM_ROOT(several);
  }
}

template <typename T> T *make(nvm_type *type, size_t size = sizeof(T)) {
  auto *p = static_cast<T *>(nvm_zalloc(type, size));
  REQUIRE(p);
  nvm_store(p, size);
  return p;
}

Leaf *makeLeaf(int n) {
  auto *l = make<Leaf>(&nvm_type_Leaf);
  l->number = n;
  l->text = make<char>(&nvm_type_bytes, 30);
  snprintf(l->text, 30, "leaf %d", n);
  l->kind = nvm_twin(&kind);
  return l;
}

Tree *makeTree(int n) {
  if (n == 0)
    return nullptr;
  auto *t = make<Tree>(&nvm_type_Tree, sizeof(Tree) + 5 * sizeof(Span));
  t->left = makeTree((n - 1) / 2);
  t->right = makeTree((n - 1) / 2);
  t->table = make<Leaf *>(&nvm_type_pointers, 4 * sizeof(Leaf *));
  t->table[1] = makeLeaf(n);
  t->table[2] = t->table[1];
  t->middle = t->table[1]->text + 5;
  t->either.number = n;
  t->spans = 5;
  for (int i = 0; i < 5; i++)
    t->span[i] = {i, i == 4 ? t->table[1] : nullptr};
  return t;
}

bool isLeaf(const Leaf *l, int n) {
  return l->number == n &&
         std::string(l->text) == "leaf " + std::to_string(n) &&
         l->kind == nvm_twin(&kind) && !strcmp(l->kind->name, "kind");
}

void requireTree(const Tree *t, int n) {
  REQUIRE((t != nullptr) == (n > 0));
  if (!t)
    return;
  REQUIRE(nvm_contains(t) && isLeaf(t->table[1], n) && !t->table[0]);
  REQUIRE(t->table[2] == t->table[1] && t->middle == t->table[1]->text + 5);
  REQUIRE(t->either.number == n && t->span[4].leaf == t->table[1]);
  REQUIRE(t->span[3].width == 3 && !t->span[3].leaf);
  requireTree(t->left, (n - 1) / 2);
  requireTree(t->right, (n - 1) / 2);
}

void makeRows() { rows = make<Row>(&nvm_type_Row, 2 * sizeof(Row)); }

constexpr int Nodes = 511;

class Relocation : public testing::TestWithParam<const char *> {
protected:
  nvm_options options() const {
    nvm_options o = ofSize(16 * MiB);
    o.engine = GetParam();
    return o;
  }
  void makePool(bool known = true, const std::function<void()> &more = [] {}) {
    Ending e = inChild([&] {
      registerProgram(known);
      openPool(pool, options());
      nvm_restore();
      makeRows();
      nvm_ready();
      nvm_begin();
      tree = makeTree(Nodes);
      number = 7;
      several[1] = makeLeaf(1);
      NVM(rows[1].tree) = makeTree(3);
      auto *region = static_cast<char *>(nvm_region("words", 64));
      nvm_strcpy(region, "in a region");
      more();
      nvm_end();
      nvm_checkpoint();
    });
    ASSERT_TRUE(e.fine()) << e;
  }
  /// Looks, changes something, and is looked at again by the next.
  void expectWhole(unsigned long at, int runs = 2) {
    for (int run = 0; run < runs; run++) {
      Ending e = inChild([&] {
        registerProgram();
        openPool(pool, options());
        makeRows();
        REQUIRE(nvm_restore());
        nvm_ready();
        REQUIRE(reinterpret_cast<unsigned long>(tree) - at < 16 * MiB);
        requireTree(tree, Nodes);
        requireTree(rows[1].tree, 3);
        REQUIRE(number == 7 && isLeaf(several[1], 1) && !several[0]);
        REQUIRE(!strcmp(static_cast<char *>(nvm_region("words", 64)),
                        "in a region"));
        nvm_begin();
        NVM(tree->left->left) = makeTree(((Nodes - 1) / 2 - 1) / 2);
        nvm_end();
      });
      EXPECT_TRUE(e.fine()) << e;
    }
  }
  Ending tool(std::vector<std::string> arguments, long cutAt = 0) {
    return inChild([&] {
      std::vector<char *> argv{const_cast<char *>("nvm-pool"),
                               const_cast<char *>("relocate")};
      for (std::string &a : arguments)
        argv.push_back(a.data());
      argv.push_back(nullptr);
      if (cutAt)
        setenv("NVM_CRASH_AT", std::to_string(cutAt).c_str(), 1);
      dup2(STDERR_FILENO, STDOUT_FILENO);
      execv(NVM_POOL_TOOL, argv.data());
      _exit(127);
    });
  }
  bool copyIsLeft() {
    return access((pool + ".nvmove-moved").c_str(), F_OK) == 0;
  }
  Directory dir;
  std::string pool = dir / "pool";
};

TEST_P(Relocation, ThereAndBack) {
  makePool();
  Ending e = tool({"--to", "0x330000000000", pool});
  EXPECT_TRUE(e.fine()) << e;
  EXPECT_NE(e.text.find("moved from 0x200000000000 to 0x330000000000"),
            std::string::npos)
      << e;
  EXPECT_FALSE(copyIsLeft());
  expectWhole(Other);
  e = tool({"--to", "0x200000000000", pool});
  EXPECT_TRUE(e.fine()) << e;
  expectWhole(Home);
}

TEST_P(Relocation, OfAHeapWithoutObjects) {
  auto run = [&](int was, bool restored) {
    Ending e = inChild([&, was, restored] {
      NVM_ROOT(number);
      openPool(pool, options());
      REQUIRE(nvm_restore() == restored && number == was);
      nvm_ready();
      nvm_begin();
      number++;
      nvm_end();
      nvm_checkpoint();
    });
    EXPECT_TRUE(e.fine()) << e;
  };
  run(0, false);
  Ending e = tool({"--to", "0x330000000000", pool});
  EXPECT_TRUE(e.fine()) << e;
  run(1, true);
}

INSTANTIATE_TEST_SUITE_P(Of, Relocation, testing::ValuesIn(allEngines()),
                         ByParameter());

class Moving : public Relocation {};
INSTANTIATE_TEST_SUITE_P(Of, Moving, testing::Values("redo"), ByParameter());

/// A cut at any event leaves the pool as it was, byte for byte; the next
/// attempt is not disturbed by what it left beside it.
TEST_P(Moving, CutAnywhereLeavesTheOldPool) {
  makePool();
  std::string before = readFile(pool);
  long at = 1;
  for (; at < 100000; at = at < 12 ? at + 1 : at + at / 3) {
    Ending e = tool({"--to", "0x330000000000", pool}, at);
    if (!e.killed()) {
      EXPECT_TRUE(e.fine()) << e;
      break;
    }
    ASSERT_TRUE(readFile(pool) == before) << "event " << at;
    ASSERT_TRUE(copyIsLeft());
  }
  EXPECT_GT(at, 100);
  expectWhole(Other);
}

TEST_P(Moving, IsRefusedWithTheNamesOfWhatIsNotKnown) {
  makePool(false, [] {
    auto *bytes = make<char>(&nvm_type_bytes, 100);
    memcpy(bytes + 3, &tree, sizeof(tree)); // not even aligned
    tree->either.leaf = reinterpret_cast<Leaf *>(bytes);
    nvm_store(&tree->either, 8);
  });
  std::string before = readFile(pool);
  Ending e = tool({pool});
  EXPECT_EQ(e.exitStatus, 1);
  for (const char *name :
       {"bytes", "Tree.left", "Tree.table", "Tree.either", "Tree.span", "tree",
        "several", "[pointers-unknown]"})
    EXPECT_NE(e.text.find(name), std::string::npos) << name << " in " << e;
  EXPECT_EQ(e.text.find("Tree.right"), std::string::npos) << e;
  EXPECT_EQ(e.text.find("number"), std::string::npos) << e;
  EXPECT_TRUE(readFile(pool) == before);
  EXPECT_FALSE(copyIsLeft());
}

/// Promises stand in for what the pool does not know.
TEST_P(Moving, ByPromises) {
  makePool(false);
  EXPECT_EQ(tool({pool}).exitStatus, 1);
  std::vector<std::string> arguments{"--to", "0x330000000000"};
  for (const char *name :
       {"Tree.left", "Tree.table", "Tree.span", "tree", "several"})
    arguments.insert(arguments.end(), {"--pointers", name});
  arguments.push_back(pool);
  Ending e = tool(arguments);
  EXPECT_TRUE(e.fine()) << e;
  expectWhole(Other);
}

/// A block of a type may be an array of it, or a record with something else
/// behind: the pool does not know.
TEST_P(Moving, WhatStandsBehindARecordIsNotKnown) {
  makePool(true, [] {
    auto *leaves = make<Leaf>(&nvm_type_Leaf, 3 * sizeof(Leaf));
    leaves[0] = *tree->table[1];
    leaves[2] = *tree->table[1];
    several[2] = leaves;
  });
  Ending e = tool({pool});
  EXPECT_NE(e.text.find("addresses: Leaf[] ["), std::string::npos) << e;
  e = tool({"--pointers", "Leaf[]", "--to", "0x330000000000", pool});
  EXPECT_TRUE(e.fine()) << e;
  e = inChild([&] {
    registerProgram();
    openPool(pool, options());
    REQUIRE(nvm_restore());
    REQUIRE(isLeaf(&several[2][0], Nodes) && isLeaf(&several[2][2], Nodes));
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// Objects behind headers of the program's own allocator.
TEST_P(Moving, WithHeadersOfTheProgramsAllocator) {
  static const auto withHeader = [](size_t n) {
    char *block = static_cast<char *>(nvm_malloc(n + 8));
    REQUIRE(block);
    memset(nvm_store(block, n + 8), 0, n + 8);
    nvm_memcpy(block, &n, sizeof(n));
    return static_cast<void *>(block + 8);
  };
  makePool(true, [] {
    auto *leaf = static_cast<Leaf *>(NVM_ALLOC(Row, withHeader(sizeof(Leaf))));
    nvm_store(leaf, sizeof(Leaf));
    *leaf = *tree->table[1];
    several[2] = leaf; // a row by name
  });
  EXPECT_NE(tool({pool}).text.find("addresses: Row ["), std::string::npos);
  std::filesystem::remove(pool);
  static const nvm_field boxed[] = {NVM_FIELD(Span, width),
                                    NVM_POINTER(Span, leaf)};
  static nvm_type box = {"Box", 0, nullptr, 0, 0};
  Ending e = inChild([&] {
    registerProgram();
    nvm_layout(&box, sizeof(Span), boxed, 2);
    openPool(pool, options());
    nvm_restore();
    nvm_ready();
    nvm_begin();
    nvm_place(&box);
    auto *span = static_cast<Span *>(nvm_placed(withHeader(sizeof(Span))));
    *NVM_OBJ(span) = {3, makeLeaf(3)};
    several[0] = reinterpret_cast<Leaf *>(span);
    nvm_end();
  });
  EXPECT_TRUE(e.fine()) << e;
  e = tool({"--to", "0x330000000000", pool});
  EXPECT_TRUE(e.fine()) << e;
  e = inChild([&] {
    registerProgram();
    nvm_layout(&box, sizeof(Span), boxed, 2);
    openPool(pool, options());
    REQUIRE(nvm_restore());
    auto *span = reinterpret_cast<Span *>(several[0]);
    REQUIRE(span->width == 3 && isLeaf(span->leaf, 3));
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// A number that looks like an address stays a number where that is promised.
TEST_P(Moving, NumbersAreNotPointers) {
  makePool(true, [] { NVM(tree->either.number) = long(Home + MiB); });
  EXPECT_NE(tool({pool}).text.find("Tree.either"), std::string::npos);
  Ending e = tool({"--data", "Tree.either", "--to", "0x330000000000", pool});
  EXPECT_TRUE(e.fine()) << e;
  e = inChild([&] {
    registerProgram();
    openPool(pool, options());
    REQUIRE(nvm_restore() && tree->either.number == long(Home + MiB));
    REQUIRE(isLeaf(tree->table[1], Nodes));
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// What is computed from addresses, directly in a block, in records inside it
/// and in all that follow at its end.
struct Hash {
  long number;
  unsigned long hash;
};
struct Hashes {
  unsigned long own;
  Hash pair[2];
  Hash rest[];
};
Hashes *hashes;

TEST_P(Moving, IsRefusedWhileAnythingIsComputedFromAddresses) {
  static nvm_type type = {"Hashes", 0, nullptr, 0, 0},
                  hashType = {"Hash", 0, nullptr, 0, 0};
  static const nvm_field hash[] = {NVM_FIELD(Hash, number),
                                   NVM_COMPUTED_IN_HEAP(Hash, hash)};
  static const nvm_field fields[] = {NVM_COMPUTED(Hashes, own),
                                     NVM_RECORD(Hashes, pair, Hash),
                                     NVM_FLEXIBLE_RECORD(Hashes, rest, Hash)};
  auto start = [&] {
    nvm_layout(&hashType, sizeof(Hash), hash, 2);
    nvm_layout(&type, sizeof(Hashes), fields, 3);
    NVM_ROOT_POINTERS(hashes);
    openPool(pool, options());
  };
  auto change = [&](const std::function<void()> &body) {
    Ending e = inChild([&] {
      start();
      if (!nvm_restore())
        hashes = make<Hashes>(&type, sizeof(Hashes) + 3 * sizeof(Hash));
      nvm_ready();
      nvm_begin();
      nvm_store(hashes, sizeof(Hashes) + 3 * sizeof(Hash));
      hashes->own = hashes->pair[1].hash = hashes->rest[2].hash = 0;
      hashes->rest[1].number = 5;
      body();
      nvm_end();
    });
    EXPECT_TRUE(e.fine()) << e;
  };
  auto expectNamed = [&](const std::string &name) {
    std::string before = readFile(pool);
    Ending e = tool({pool});
    EXPECT_EQ(e.exitStatus, 1);
    EXPECT_NE(e.text.find("addresses: " + name + " [pointers-unknown]"),
              std::string::npos)
        << e;
    EXPECT_TRUE(readFile(pool) == before);
  };
  change([] { hashes->own = 1; });
  expectNamed("Hashes.own");
  change([] { hashes->pair[1].hash = 1; });
  expectNamed("Hashes.pair.hash");
  change([] { hashes->rest[2].hash = 1; });
  expectNamed("Hashes.rest.hash");
  EXPECT_TRUE(tool({"--data", "Hashes.rest.hash", pool}).fine());
  change([] {});
  EXPECT_TRUE(tool({pool}).fine());
  change([] { REQUIRE(hashes->rest[1].number == 5); });
}

TEST_P(Moving, IsRefusedWhereItCannotBe) {
  EXPECT_EQ(tool({pool}).exitStatus, 1);
  EXPECT_EQ(tool({"--to", "somewhere", pool}).exitStatus, 2);
  EXPECT_EQ(tool({}).exitStatus, 2);
  makePool();
  for (const char *to :
       {"0x330000000001", "0x200000100000", "0x7fffffff0000"}) {
    Ending e = tool({"--to", to, pool});
    EXPECT_EQ(e.exitStatus, 1) << e;
    EXPECT_NE(e.text.find("[relocate]"), std::string::npos) << e;
  }
  Ending e = inChild([&] {
    registerProgram();
    openPool(pool, options());
    Ending busy = tool({pool});
    REQUIRE(busy.exitStatus == 1);
    REQUIRE(busy.text.find("[pool-busy]") != std::string::npos);
  });
  EXPECT_TRUE(e.fine()) << e;
  expectWhole(Home);
}

TEST_P(Moving, WhenTheAddressIsTaken) {
  makePool();
  auto start = [&](const char *relocate) {
    return inChild([&, relocate] {
      REQUIRE(mmap(reinterpret_cast<void *>(Home + MiB), 4096, PROT_READ,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                   0) != MAP_FAILED);
      setenv("NVM_POOL", pool.c_str(), 1);
      setenv("NVM_RELOCATE", relocate, 1);
      registerProgram();
      nvm_start();
      makeRows();
      REQUIRE(nvm_restore());
      nvm_ready();
      requireTree(tree, Nodes);
    });
  };
  std::string before = readFile(pool);
  Ending e = start("0");
  EXPECT_EQ(e.exitStatus, 78);
  EXPECT_NE(e.text.find("[address-taken]"), std::string::npos) << e;
  EXPECT_NE(e.text.find("nvm-pool relocate"), std::string::npos) << e;
  EXPECT_TRUE(readFile(pool) == before);
  e = start("1");
  EXPECT_TRUE(e.fine()) << e;
  EXPECT_NE(e.text.find("moved from 0x200000000000 to 0x210000000000"),
            std::string::npos)
      << e;
  expectWhole(0x210000000000);
}

} // namespace
