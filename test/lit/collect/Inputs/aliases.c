#include <stdio.h>
#include <stdlib.h>
struct item {
  struct item *next;
  int n;
};
struct item *items;

static void *get(size_t n) {
  void *p = malloc(n);
  if (!p)
    abort();
  return p;
}
extern __typeof__(get) lib_get __attribute__((alias("get")));

static void add(int n) {
  struct item *i = lib_get(sizeof *i);
  i->n = n;
  i->next = items;
  items = i;
}
void lib_add(int n) __attribute__((weak, alias("add")));

static void die(const char *why) {
  fprintf(stderr, "%s\n", why);
  exit(1);
}
void lib_die(const char *why) __attribute__((alias("die")));

struct link {
  struct link *next;
};
struct link *links;
static void join(void) {
  struct link *l = lib_get(sizeof *l);
  l->next = links;
  links = l;
}
static void (*pick(void))(void) { return join; }
void lib_join(void) __attribute__((ifunc("pick")));

extern struct item *also __attribute__((alias("items")));
struct item *first(void) { return also; }
