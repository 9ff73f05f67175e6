// A static pointer that leads to a local of main, or to a block that the pool
// does not get, is not kept: each start sets its own. What the local holds is.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --notes --load load --out local local.c > out
// RUN: FileCheck %s --input-file out --check-prefix=LOCAL
// RUN: not grep "ROOT.*here" local/patches/1-roots.patch
// LOCAL: root-in-local {{.*}}here points to a, a local variable: it is not kept, and has the value that each start sets
// RUN: sh %S/../../rewrite/Inputs/apply local/patches %runtime_include local.c
// RUN: gcc -I %runtime_include local.c %runtime_lib -o app
// RUN: printf 'Name\n\001\002' > state
// RUN: printf 'x\n' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app state > log
// RUN: printf 'y\n' | env NVM_POOL=%t/pool ./app state >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG: port 1 title xame
// LOG: port 1 title yame
//
// RUN: %nvmove --notes --load load --out block block.c > out
// RUN: FileCheck %s --input-file out --check-prefix=BLOCK
// RUN: not grep "ROOT.*cache_fs" block/patches/1-roots.patch
// BLOCK: pointer-to-volatile {{.*}}cache_fs points to struct fs, allocated here and not persistent: it is not kept, and has the value that each start sets
// RUN: sh %S/../../rewrite/Inputs/apply block/patches %runtime_include block.c
// RUN: gcc -I %runtime_include block.c %runtime_lib -o app
// RUN: printf '/home\n/b\n' > data
// RUN: echo a | env NVM_POOL=%t/pool2 NVM_SIZE=32M ./app data > log
// RUN: echo b | env NVM_POOL=%t/pool2 ./app data x >> log
// RUN: FileCheck %s --input-file log --check-prefix=FS
// FS: in / 0 a
// FS: in none 0 b

//--- local.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct error { struct error *next; int line; };
struct app { int port; struct error *errors; };
static struct app *here;
static char *title;
static void complain(struct app *a, int line) {
  struct error *e = malloc(sizeof *e);
  if (!e) abort();
  e->line = line;
  e->next = a->errors;
  a->errors = e;
}
static void load(struct app *a, const char *name) {
  FILE *f = fopen(name, "rb");
  char line[20];
  if (!f || !fgets(line, 20, f)) return;
  line[strcspn(line, "\n")] = 0;
  title = malloc(20);
  if (!title) abort();
  strcpy(title, line);
  a->port = fgetc(f);
  if (a->port < 10) complain(here, fgetc(f));
  fclose(f);
}
static void command(const char *s) {
  title[0] = s[0];
  printf("port %d title %s\n", here->port, title);
}
int main(int argc, char **argv) {
  char line[80];
  struct app a;
  (void)argc;
  memset(&a, 0, sizeof a);
  here = &a;
  load(&a, argv[1]);
  while (fgets(line, 80, stdin)) command(line);
  return 0;
}

//--- block.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct fs { char *path; int opens; };
struct array { void **elts; int n; };
struct conf { struct conf *next; struct array args; };
static struct array fs_map;
static struct fs *cache_fs;
static struct conf *confs;
static void **push(struct array *a) {
  if (a->n % 8 == 0) {
    void **bigger = calloc((size_t)a->n + 8, sizeof *bigger);
    if (!bigger) abort();
    if (a->n) memcpy(bigger, a->elts, (size_t)a->n * sizeof *bigger);
    a->elts = bigger;
  }
  return &a->elts[a->n++];
}
static void **(*grow)(struct array *) = push; /* one for all who call it */
static char *copy(const char *s) {
  char *c = malloc(strlen(s) + 1);
  if (!c) abort();
  return strcpy(c, s);
}
static void register_fs(const char *path) {
  struct fs *f = calloc(1, sizeof *f);
  if (!f) abort();
  f->path = copy(path);
  *grow(&fs_map) = f;
}
static struct fs *lookup(const char *name) {
  int i;
  for (i = 0; i < fs_map.n; i++) {
    struct fs *f = fs_map.elts[i];
    if (f && strncmp(f->path, name, strlen(f->path)) == 0) cache_fs = f;
  }
  return cache_fs;
}
static void load(const char *name) {
  char line[16];
  FILE *f = fopen(name, "r");
  if (!f) return;
  while (fscanf(f, "%15s", line) == 1) {
    struct conf *c = calloc(1, sizeof *c);
    if (!c) abort();
    *grow(&c->args) = copy(line);
    if (lookup(line) == NULL) *grow(&fs_map) = NULL;
    c->next = confs;
    confs = c;
  }
  fclose(f);
}
static void command(const char *l) {
  struct conf *c;
  for (c = confs; c; c = c->next) {
    char *s = c->args.elts[0];
    printf("%s\n", s);
    s[0]++;
  }
  printf("in %s %d %s", cache_fs ? cache_fs->path : "none", cache_fs ? cache_fs->opens++ : 0, l);
}
int main(int argc, char **argv) {
  char l[80];
  char *shift = malloc(argc > 2 ? 100000 : 10); /* blocks lie elsewhere */
  register_fs("/");
  register_fs("/home");
  load(argv[1]);
  while (fgets(l, 80, stdin)) command(l);
  free(shift);
  return 0;
}
