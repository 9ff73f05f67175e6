//===- btree.cpp - a B-tree in the heap -----------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "btree.h"
#include "support.h"
#include <map>
#include <random>

namespace {
constexpr int MostKeys = 5;
struct BNode {
  int count;
  bool leaf;
  long key[MostKeys], value[MostKeys];
  BNode *child[MostKeys + 1];
};
} // namespace

NVM_TYPE(BNode);

namespace {
BNode *tree;
long treeSteps;

BNode *newNode(bool leaf) {
  auto *n = static_cast<BNode *>(nvm_zalloc(&nvm_type_BNode, sizeof(BNode)));
  REQUIRE(n);
  NVM(n->leaf) = leaf;
  return n;
}

/// The full child i of n becomes two.
void split(BNode *n, int i) {
  BNode *left = n->child[i], *right = newNode(left->leaf);
  constexpr int Middle = MostKeys / 2;
  int moved = MostKeys - Middle - 1;
  NVM_OBJ(right)->count = moved;
  for (int k = 0; k < moved; k++) {
    right->key[k] = left->key[Middle + 1 + k];
    right->value[k] = left->value[Middle + 1 + k];
  }
  for (int k = 0; !left->leaf && k <= moved; k++)
    right->child[k] = left->child[Middle + 1 + k];
  NVM(left->count) = Middle;
  NVM_OBJ(n);
  for (int k = n->count; k > i; k--) {
    n->key[k] = n->key[k - 1];
    n->value[k] = n->value[k - 1];
    n->child[k + 1] = n->child[k];
  }
  n->key[i] = left->key[Middle];
  n->value[i] = left->value[Middle];
  n->child[i + 1] = right;
  n->count++;
}

void put(BNode *n, long key, long value) {
  for (;;) {
    int i = 0;
    while (i < n->count && n->key[i] < key)
      i++;
    if (i < n->count && n->key[i] == key) {
      NVM(n->value[i]) = value;
      return;
    }
    if (n->leaf) {
      NVM_OBJ(n)->count++;
      for (int k = n->count - 1; k > i; k--) {
        n->key[k] = n->key[k - 1];
        n->value[k] = n->value[k - 1];
      }
      n->key[i] = key;
      n->value[i] = value;
      return;
    }
    if (n->child[i]->count == MostKeys)
      split(n, i); // and looks again
    else
      n = n->child[i];
  }
}

void insert(long key, long value) {
  if (!tree)
    tree = newNode(true);
  if (tree->count == MostKeys) {
    BNode *root = newNode(false);
    NVM(root->child[0]) = tree;
    tree = root;
    split(root, 0);
  }
  put(tree, key, value);
}

void read(const BNode *n, std::map<long, long> &found, int depth) {
  REQUIRE(n && n->count >= 0 && n->count <= MostKeys && depth < 30);
  for (int i = 0; i <= n->count; i++) {
    if (!n->leaf)
      read(n->child[i], found, depth + 1);
    if (i < n->count) {
      REQUIRE(found.empty() || found.rbegin()->first < n->key[i]);
      found[n->key[i]] = n->value[i];
    }
  }
}

void freeAll(BNode *n) {
  for (int i = 0; !n->leaf && i <= n->count; i++)
    freeAll(n->child[i]);
  nvm_free(n);
}

constexpr long StepsPerTree = 25; ///< then the tree is cut down

void apply(long step, const std::function<void(long, long)> &body) {
  std::mt19937 random(static_cast<unsigned>(step) + 5000);
  for (int i = 0; i < 5; i++) {
    long key = long(random() % 500);
    body(key, long(random() % 1000));
  }
}
} // namespace

namespace nvmtest {

void registerBTree() {
  NVM_ROOT(tree);
  NVM_ROOT(treeSteps);
}

long bTreeSteps() { return treeSteps; }

void stepBTree() {
  if (++treeSteps % StepsPerTree == 0) {
    freeAll(tree);
    tree = nullptr;
  }
  apply(treeSteps, insert);
}

void checkBTree(long steps) {
  std::map<long, long> model, found;
  for (long k = 1; k <= steps; k++) {
    if (k % StepsPerTree == 0)
      model.clear();
    apply(k, [&](long key, long value) { model[key] = value; });
  }
  REQUIRE(treeSteps == steps);
  if (tree)
    read(tree, found, 0);
  REQUIRE(found == model);
}

} // namespace nvmtest
