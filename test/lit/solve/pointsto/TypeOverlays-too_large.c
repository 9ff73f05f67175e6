// A record that is larger than a static array of bytes does not lie in it, but
// for one that the array is cast to by name.
//
// RUN: %nvmove --load load --print types %s -- -std=gnu11 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DCAST > %t.cast
// RUN: FileCheck %s --input-file %t.cast --match-full-lines --check-prefix=CAST
// CHECK: item
// CAST-DAG: item
// CAST-DAG: options
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { struct item *next; char name[16]; };
struct options { int level; char more[396]; };
struct job { struct job *next; void (*run)(void *); void *to; };
static struct item *items;
static char text[16];
static FILE *in;

static void set(void *to) {
  int x;
  if (fscanf(in, "%d", &x) == 1)
    ((struct options *)to)->level = x;
}

static void word(void *to) {
  if (fscanf(in, "%15s", (char *)to) != 1)
    *(char *)to = 0;
}

static void run(struct job *j) {
  for (; j; j = j->next)
    j->run(j->to);
}

static void load(const char *name) {
  struct options mine = {0};
  struct job second = {NULL, word, text}, first = {&second, set, &mine};
  in = fopen(name, "r");
  run(&first);
#ifdef CAST
  ((struct options *)text)->level++;
#endif
  while (!feof(in) && mine.level-- > 0) {
    struct item *i = calloc(1, sizeof *i);
    strcpy(i->name, text);
    i->next = items;
    items = i;
    run(&second);
  }
  fclose(in);
}

int main(int argc, char **argv) {
  char l[80];
  load(argv[argc - 1]);
  while (fgets(l, 80, stdin))
    if (items)
      items->name[0]++;
  return 0;
}
