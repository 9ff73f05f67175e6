// The address of a text lies in two numbers of four bytes. A pointer that is put
// together of them leads nowhere that is known: what is freed and written through it
// stays as it is, which is to be acted on. A distance in such a number, a number that
// was made a pointer, and a hash of an address are none.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove_act --load load t.c > log
// RUN: grep split-address nvmove-out/report.txt | FileCheck %s
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  struct item *next;
  uint32_t low, high, half[2];
  uint32_t distance, hash, number;
  char text[16];
};
static struct item *items;
static char *base;

static void put(uint32_t *half, const char *text) {
  uintptr_t at = (uintptr_t)strdup(text);
  half[0] = (uint32_t)at;
  half[1] = (uint32_t)(at >> 32);
}

static void add(const char *text) {
  struct item *i = calloc(1, sizeof *i);
  char *own = strdup(text);
  if (!base)
    base = (char *)i;
  i->low = (uint32_t)(uintptr_t)own;
  i->high = (uint32_t)((uintptr_t)own >> 32);
  put(i->half, text);
  i->distance = (uint32_t)((uintptr_t)i - (uintptr_t)base);
  i->hash = (uint32_t)((uintptr_t)own >> 4);
  i->number = (uint32_t)strlen(text);
  strncpy(i->text, text, 15);
  i->next = items;
  items = i;
}

void load(FILE *in) {
  char word[16];
  while (fscanf(in, "%15s", word) == 1)
    add(word);
}

static char *together(const uint32_t *half) {
  // CHECK-DAG: t.c:[[@LINE+1]]:{{.*}}(in together)
  return (char *)((uintptr_t)half[1] << 32 | half[0]);
}

static void drop(void) {
  struct item *i = items;
  if (!i)
    return;
  items = i->next;
  // CHECK-DAG: t.c:[[@LINE+1]]:{{.*}}this pointer is put together of parts of an address in item.low, item.high: what is freed or changed through it is not announced (in drop)
  free((void *)((uintptr_t)i->low | (uintptr_t)i->high << 32));
  free(together(i->half));
  free(i);
}

// CHECK-NOT: in show
static void show(const struct item *i) {
  const char *there = (const char *)((uintptr_t)base + i->distance);
  void *number = (void *)(uintptr_t)i->number;
  printf("%s %d %p %u\n", i->text, there == (const char *)i, number, i->hash);
}

static void handle(const char *word) {
  if (!strcmp(word, "drop"))
    drop();
  else if (!strcmp(word, "show") && items)
    show(items);
  else
    add(word);
}

int main(void) {
  char word[16];
  FILE *in = fopen("state", "r");
  if (in) {
    load(in);
    fclose(in);
  }
  while (scanf("%15s", word) == 1)
    handle(word);
  return 0;
}
