// A pointer that elsewhere is a number: what ends with the process cannot be
// told from it. The report says that it stays, and the layout says no more.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK: pointer-to-volatile {{.*}}slot.item may point to struct window, allocated here and not persistent: a restart leaves it unchanged
// CHECK: pointer-to-volatile {{.*}}user.window may point to struct window, allocated here and not persistent: a restart makes it null
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT: NVM_COMPUTED_IN_HEAP(struct slot, item)
// TEXT: NVM_VOLATILE(struct user, window)

//--- program.c
#include <stdio.h>
#include <stdlib.h>

struct window {
  int width;
};
struct user {
  int n;
  struct window *window;
};
struct slot {
  struct slot *next;
  int key;
  void *item;
};
static struct slot *users;
static struct slot *masks;

static void put(struct slot **list, int key, void *p) {
  struct slot *s = malloc(sizeof *s);
  if (!s)
    abort();
  s->key = key;
  s->item = p;
  s->next = *list;
  *list = s;
}
static void *get(struct slot *list, int key) {
  for (; list; list = list->next)
    if (list->key == key)
      return list->item;
  return NULL;
}
static void load(void) {
  int c;
  FILE *f = fopen("state", "rb");
  if (!f)
    return;
  while ((c = fgetc(f)) != EOF) {
    struct user *u = malloc(sizeof *u);
    if (!u)
      abort();
    u->n = c;
    u->window = NULL;
    put(&users, c, u);
  }
  fclose(f);
}
static void command(int c) {
  struct user *u = get(users, 1);
  long mask = (long)get(masks, 1);
  struct window *w = malloc(sizeof *w);
  if (!w || !u)
    abort();
  w->width = c;
  put(&users, 1000, w);
  u->window = w;
  mask |= 1 << (c & 7);
  put(&masks, 1, (void *)mask);
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  return 0;
}
