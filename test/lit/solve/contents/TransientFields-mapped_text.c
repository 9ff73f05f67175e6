// Pointers into a mapped file are dead in the next run: they are told, and null
// there, whether the load maps it, by a function of the program, or each start does.
// So where the text is walked through a char **. A block that the text may be in
// instead comes back.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --notes --load load program.c > out
// RUN: FileCheck %s --input-file out --implicit-check-not 'group.copy may' --implicit-check-not 'group.room may'
// CHECK-DAG: pointer-to-volatile {{.*}}group.name may point to a file that is mapped into memory: a restart makes it null (in read_or_map)
// CHECK-DAG: pointer-to-volatile {{.*}}group.rest may point to a file that is mapped into memory: a restart makes it null (in read_or_map)
// CHECK-DAG: pointer-to-volatile {{.*}}group.title may point to a file that is mapped into memory: a restart makes it null (in main)
// CHECK-DAG: pointer-to-volatile {{.*}}active may point to a file that is mapped into memory: after a restart it has the value of that start (in read_or_map)
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT:      NVM_ROOT_VOLATILE(active);
// TEXT:      NVM_VOLATILE(struct group, name),
// TEXT-NEXT: NVM_VOLATILE(struct group, rest),
// TEXT-NEXT: NVM_VOLATILE(struct group, title),
// TEXT-NEXT: NVM_POINTER(struct group, copy),
// TEXT-NEXT: NVM_POINTER(struct group, room),
// RUN: gcc -D_DEFAULT_SOURCE -I %runtime_include program.c %runtime_lib -o app
// RUN: printf 'a 1\nb 2\n' > list
// RUN: printf 'A\nB\n' > titles
// RUN: printf px | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app m > log
// RUN: FileCheck %s --input-file log --check-prefix=FIRST
// FIRST:      active
// FIRST-NEXT: b 2 B b 2
// FIRST-NEXT: a 1 A a 1
// RUN: printf p | env NVM_POOL=%t/pool ./app m > log
// RUN: FileCheck %s --input-file log --check-prefix=AGAIN
// AGAIN:      gone
// AGAIN-NEXT: - - - b 3
// AGAIN-NEXT: - - - a 2
// RUN: printf px | env NVM_POOL=%t/read NVM_SIZE=32M not --crash ./app > log
// RUN: printf p | env NVM_POOL=%t/read ./app > log
// RUN: FileCheck %s --input-file log --check-prefix=READ
// READ:      active
// READ-NEXT: b 2 - b 3
// READ-NEXT: a 1 - a 2

//--- program.c
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct group {
  struct group *next;
  char *name, *rest, *title, *copy, *room;
  int posts;
};
static struct group *groups;
static char *active;
static char *titles;
static int maps;

static void *map(const char *name, long *size) {
  int fd = open(name, O_RDONLY);
  void *at;
  if (fd < 0)
    abort();
  *size = lseek(fd, 0, SEEK_END);
  at = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  return at;
}
static char *read_or_map(const char *name, long *size) {
  FILE *f;
  if (maps) {
    active = map(name, size);
  } else if ((f = fopen(name, "r"))) {
    active = calloc(1, 100);
    *size = fread(active, 1, 99, f);
    fclose(f);
  }
  return active;
}
static char *word(char **at) {
  char *start = *at;
  *at += strcspn(start, " \n") + 1;
  return start;
}
static void load(void) {
  long size;
  char *at = read_or_map("list", &size), *end = at + size;
  while (at < end) {
    struct group *g = calloc(1, sizeof *g);
    g->title = titles + (at - active) / 2;
    g->name = word(&at);
    g->rest = strchr(g->name, ' ') + 1;
    g->copy = malloc(2);
    g->copy[0] = g->name[0];
    g->copy[1] = 0;
    g->room = malloc(16);
    strncpy(g->room, word(&at), 1);
    g->posts = atoi(g->room);
    g->next = groups;
    groups = g;
  }
}
static void show(const char *text) {
  printf("%c ", text ? *text : '-');
}
int main(int argc, char **argv) {
  int c;
  long size;
  maps = argc > 1 && argv[1][0] == 'm';
  titles = map("titles", &size);
  load();
  while ((c = getchar()) != EOF) {
    if (c == 'x')
      kill(getpid(), SIGKILL);
    puts(active ? "active" : "gone");
    for (struct group *g = groups; g; g = g->next) {
      show(g->name);
      show(g->rest);
      show(g->title);
      printf("%s %d\n", g->copy, g->posts++);
    }
    fflush(stdout);
  }
  return 0;
}
