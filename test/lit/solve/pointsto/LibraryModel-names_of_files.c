// The load reads a folder, and takes numbers from the names of its files: from
// what a function of the library gives back, puts behind an argument, or hands
// to the function that it calls. What comes of them is restored like what is
// read from the files.
//
// RUN: rm -rf %t && mkdir -p %t/spool && cd %t && cp %s app.c
// RUN: printf 'm1\n' > spool/1 && printf 'm2\n' > spool/2 && printf 'm3\n' > spool/3
// RUN: %nvmove --load load --force app.c -- -DBY_FTW | FileCheck %s --implicit-check-not=set-by-load
// RUN: %nvmove --load load --force app.c -- -DBY_READDIR | FileCheck %s --implicit-check-not=set-by-load
// RUN: %nvmove --load load --force app.c -- -DBY_SCANDIR | FileCheck %s --implicit-check-not=set-by-load
// RUN: %nvmove --load load --force app.c -- -DBY_GLOB | FileCheck %s --implicit-check-not=set-by-load
// RUN: %nvmove --load load --force app.c -- -DBY_FTS | FileCheck %s --implicit-check-not=set-by-load
// RUN: %nvmove --load load --force app.c | FileCheck %s --implicit-check-not=set-by-load
// RUN: cp app.c plain.c && gcc plain.c -o plain && sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'sa\nr\nsb\nsc\nr\n' | ./plain > want
// RUN: printf 'sa\nr\nx\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > got
// RUN: printf 'sb\nsc\nr\n' | env NVM_POOL=%t/pool ./app >> got
// RUN: diff want got
//
// CHECK: last {{ *}}gets a value from the file

#ifdef BY_SCANDIR
#define _GNU_SOURCE
#endif
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <ftw.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef BY_FTS
#include <sys/types.h>
#include <sys/stat.h>
#include <fts.h>
#endif

struct message {
  struct message *next;
  char *body;
  int number;
};
static struct message *messages;
static int last;

static void enqueue(int number, const char *body) {
  struct message **p = &messages, *m = malloc(sizeof *m);
  size_t size_bytes = strlen(body) + 1;
  m->number = number;
  m->body = malloc(size_bytes);
  memcpy(m->body, body, size_bytes);
  while (*p && (*p)->number < number)
    p = &(*p)->next;
  m->next = *p;
  *p = m;
  if (number > last)
    last = number;
}
static void take(const char *name) {
  char path[300], body[40] = "";
  FILE *f;
  snprintf(path, sizeof path, "spool/%s", name);
  if (name[0] != '.' && (f = fopen(path, "r"))) {
    if (fgets(body, sizeof body, f)) {
      body[strcspn(body, "\n")] = 0;
      enqueue(atoi(name), body);
    }
    fclose(f);
  }
}

#if defined BY_FTW
static int each(const char *path, const struct stat *st, int kind) {
  const char *name = strrchr(path, '/');
  (void)st;
  if (kind == FTW_F && name)
    take(name + 1);
  return 0;
}
void load(const char *dir) { ftw(dir, each, 8); }
#elif defined BY_READDIR
void load(const char *dir) {
  DIR *d = opendir(dir);
  struct dirent *e;
  while (d && (e = readdir(d)))
    take(e->d_name);
  if (d)
    closedir(d);
}
#elif defined BY_SCANDIR
void load(const char *dir) {
  struct dirent **e;
  int n = scandir(dir, &e, NULL, alphasort);
  for (int i = 0; i < n; i++)
    take(e[i]->d_name);
}
#elif defined BY_GLOB
void load(const char *dir) {
  glob_t g;
  if (strcmp(dir, "spool") || glob("spool/*", 0, NULL, &g))
    return;
  for (size_t i = 0; i < g.gl_pathc; i++)
    take(g.gl_pathv[i] + 6);
}
#elif defined BY_FTS
void load(const char *dir) {
  char name[20], *names[] = {name, NULL};
  FTS *t;
  FTSENT *e;
  snprintf(name, sizeof name, "%s", dir);
  t = fts_open(names, FTS_PHYSICAL, NULL);
  while (t && (e = fts_read(t)))
    if (e->fts_info == FTS_F)
      take(e->fts_name);
}
#else
static int each(const char *path, const struct stat *st, int kind,
                struct FTW *w) {
  (void)st;
  if (kind == FTW_F)
    take(path + w->base);
  return 0;
}
void load(const char *dir) { nftw(dir, each, 8, FTW_PHYS); }
#endif

static void handle(char *line) {
  if (line[0] == 's') {
    enqueue(last + 1, line + 1);
    printf("%d\n", last);
  } else if (messages) {
    struct message *m = messages;
    messages = m->next;
    printf("%d %s\n", m->number, m->body);
    free(m->body);
    free(m);
  }
  fflush(stdout);
}
int main(void) {
  char line[64];
  load("spool");
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (line[0] == 'x')
      raise(SIGKILL);
    handle(line);
  }
  return 0;
}
