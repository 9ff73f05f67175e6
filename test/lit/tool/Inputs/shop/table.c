//===- table.c - The table of articles
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shop.h"
#include <stdlib.h>
#include <string.h>

struct shop shop;

static unsigned long hash(const char *name) {
  unsigned long h = 5381;
  while (*name)
    h = h * 33 + (unsigned char)*name++;
  return h;
}

static struct table *makeTable(unsigned long size) {
  struct table *t = malloc(sizeof(*t));
  t->slots = calloc(size, sizeof(struct article *));
  t->size = size;
  t->used = 0;
  return t;
}

struct article *find(const char *name) {
  struct article *a;
  if (!shop.table)
    return NULL;
  for (a = shop.table->slots[hash(name) % shop.table->size]; a; a = a->next)
    if (strcmp(a->name, name) == 0)
      return a;
  return NULL;
}

struct article *add(const char *name, int stock) {
  struct article *a = malloc(sizeof(*a));
  unsigned long slot;
  if (!shop.table)
    shop.table = makeTable(64);
  slot = hash(name) % shop.table->size;
  a->name = malloc(strlen(name) + 1);
  memcpy(a->name, name, strlen(name) + 1);
  a->stock = stock;
  a->next = shop.table->slots[slot];
  shop.table->slots[slot] = a;
  shop.table->used++;
  return a;
}
