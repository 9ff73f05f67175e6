// container_of() of a static list's head computes an address that nobody reads:
// the head lies in nothing larger, so no field of an item hangs from it.
//
// RUN: cd %S && %nvmove --load loadItems --analyze-only --force --out %t.out heads.c -- -std=gnu99 > %t.log
// RUN: FileCheck %s --input-file %t.log

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
  struct list *next, *prev;
};
struct item {
  char *name;
  struct list link;
  char *text;
};
#define ITEM(p) ((struct item *)((char *)(p) - offsetof(struct item, link)))

static struct list items = {&items, &items};

static struct item *find(const char *name) {
  struct item *i = ITEM(items.next);
  while (&i->link != &items && strcmp(i->name, name))
    i = ITEM(i->link.next);
  return i;
}

int loadItems(void) {
  char name[64], text[64];
  FILE *f = fopen("items", "r");
  if (!f)
    return -1;
  while (fscanf(f, "%63s %63s", name, text) == 2) {
    struct item *i = find(name);
    if (&i->link == &items) {
      i = malloc(sizeof *i);
      i->name = strdup(name);
      i->link.next = items.next;
      i->link.prev = &items;
      items.next->prev = &i->link;
      items.next = &i->link;
    }
    i->text = strdup(text);
  }
  fclose(f);
  return 0;
}

int main(void) {
  loadItems();
  for (struct list *l = items.next; l != &items; l = l->next)
    puts(ITEM(l)->text);
  return 0;
}

// CHECK: roots
// CHECK-NEXT: items.next
// CHECK-NEXT: items.prev
// CHECK-NOT: items.{{name|text}}
// CHECK: section
