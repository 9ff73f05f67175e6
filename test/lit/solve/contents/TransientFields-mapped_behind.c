// Fields of a record that each start makes, which the load lets lead into a mapped
// file: the next run keeps what that start has put there. An array that start-up
// makes comes back whole, and null there. What may be a block of the heap instead
// comes back.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK-DAG: pointer-to-volatile {{.*}}app.base may point to a file that is mapped into memory: after a restart it has the value of that start (in load)
// CHECK-DAG: pointer-to-volatile {{.*}}shelf.text may point to a file that is mapped into memory: a restart makes it null (in load)
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT-DAG: NVM_ROOT_VOLATILE_BEHIND(app, struct app, base);
// TEXT-DAG: NVM_ROOT_POINTERS_BEHIND(app, struct app, items);
// TEXT-DAG: NVM_ROOT_POINTERS(shelves);
// TEXT-DAG: NVM_VOLATILE(struct shelf, text),
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf 'ab' > list
// RUN: printf px | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app m > log
// RUN: FileCheck %s --input-file log --check-prefix=FIRST
// FIRST: ab ab b98 a97 b98 a97
// RUN: printf p | env NVM_POOL=%t/pool ./app m > log
// RUN: FileCheck %s --input-file log --check-prefix=AGAIN
// AGAIN: start - b98 a97 b98 a97
// RUN: printf px | env NVM_POOL=%t/read NVM_SIZE=32M not --crash ./app > log
// RUN: printf p | env NVM_POOL=%t/read ./app > log
// RUN: FileCheck %s --input-file log --check-prefix=READ
// READ: ab ab b98 a97 b98 a97
// RUN: %nvmove verify --load load program.c

//--- program.c
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct item {
  struct item *next;
  char c;
};
struct app {
  char *base;
  struct item *items;
  FILE *in;
};
struct shelf {
  char *text;
  struct item *items;
  FILE *log;
};
static struct app *app;
static struct shelf *shelves;
static int maps;

static struct item *add(struct item *next, char c) {
  struct item *i = malloc(sizeof *i);
  if (!i)
    abort();
  i->c = c;
  i->next = next;
  return i;
}
static void load(void) {
  int fd = open("list", O_RDONLY);
  char *text;
  if (maps) {
    text = mmap(NULL, 2, PROT_READ, MAP_PRIVATE, fd, 0);
  } else {
    text = calloc(1, 3);
    if (read(fd, text, 2) != 2)
      abort();
  }
  close(fd);
  app->base = text;
  shelves[1].text = text;
  for (int k = 0; k < 2; k++) {
    app->items = add(app->items, text[k]);
    shelves[1].items = add(shelves[1].items, text[k]);
  }
}
static void show(const struct item *i) {
  for (; i; i = i->next)
    printf(" %c%d", i->c, i->c);
}
int main(int argc, char **argv) {
  int c;
  maps = argc > 1 && argv[1][0] == 'm';
  app = calloc(1, sizeof *app);
  shelves = calloc(4, sizeof *shelves);
  if (!app || !shelves)
    return 1;
  app->base = "start";
  app->in = stdin;
  load();
  while ((c = getc(app->in)) != EOF) {
    if (c == 'x')
      kill(getpid(), SIGKILL);
    printf("%s %s", app->base, shelves[1].text ? shelves[1].text : "-");
    show(app->items);
    show(shelves[1].items);
    puts("");
    fflush(stdout);
    app->items->c += 0;
  }
  return 0;
}
