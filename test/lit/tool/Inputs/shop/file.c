//===- file.c - Loading and saving
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shop.h"
#include <stdio.h>

int load(const char *file) {
  char name[64];
  int stock;
  FILE *in = fopen(file, "r");
  if (!in)
    return -1;
  while (fscanf(in, "%63s %d", name, &stock) == 2)
    add(name, stock);
  fclose(in);
  return 0;
}

int save(const char *file) {
  unsigned long i;
  struct article *a;
  FILE *out = fopen(file, "w");
  if (!out)
    return -1;
  for (i = 0; shop.table && i < shop.table->size; i++)
    for (a = shop.table->slots[i]; a; a = a->next)
      fprintf(out, "%s %d\n", a->name, a->stock);
  return fclose(out);
}
