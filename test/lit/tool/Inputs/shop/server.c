//===- server.c - Requests, one a line
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shop.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void enqueue(const char *name, int amount) {
  struct request *r = malloc(sizeof(*r));
  r->name = strdup(name);
  r->amount = amount;
  r->next = shop.pending;
  shop.pending = r;
}

static void handle(struct request *r) {
  struct article *a = find(r->name);
  if (!a)
    a = add(r->name, 0);
  a->stock += r->amount;
  shop.orders++;
}

void serve(void) {
  char name[64];
  int amount;
  while (scanf("%63s %d", name, &amount) == 2) {
    struct request *r;
    enqueue(name, amount);
    r = shop.pending;
    shop.pending = r->next;
    handle(r);
    free(r->name);
    free(r);
  }
}

int main(int argc, char **argv) {
  const char *file = argc > 1 ? argv[1] : "shop.txt";
  load(file);
  serve();
  return save(file);
}
