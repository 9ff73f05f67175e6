//===- shop.h - A table of articles, and what serves it
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SHOP_H
#define SHOP_H

struct article {
  struct article *next;
  char *name;
  int stock;
};

struct table {
  struct article **slots;
  unsigned long size, used;
};

/* Made anew for each request: never persistent. */
struct request {
  char *name;
  int amount;
  struct request *next;
};

struct shop {
  struct table *table;
  struct request *pending;
  unsigned long orders;
};

extern struct shop shop;

struct article *find(const char *name);
struct article *add(const char *name, int stock);
int load(const char *file);
int save(const char *file);
void serve(void);

#endif
