// A table of a system header that is nothing but macros: its records are the program's, since no function of a library is handed any, and the macros that allocate,
// clear, store and free are defined anew.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c -- -isystem sys > out
// RUN: FileCheck %s --input-file out --implicit-check-not=uneditable --implicit-check-not=library-memory
// CHECK:     2 persistent types
// CHECK-DAG: shelf {{.*}} allocates struct shelf in add; books -> link.shelf
// CHECK-DAG: book {{.*}} allocates struct book in add; books
// CHECK:     4 macros of system headers redefined
// RUN: env C_INCLUDE_PATH=sys sh %S/../Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT:      #include "table.h"
// TEXT-NEXT: /* From <sys/table.h>, for the persistent heap. */
// TEXT-NEXT: #undef TABLE_NEW
// TEXT-NEXT: #define TABLE_NEW(size) nvm_malloc(size)
// TEXT:      # define TABLE_ADD(head, object)
// TEXT:      NVM((object)->link.shelf) = NVM_ALLOC(shelf, TABLE_NEW(sizeof(struct shelf)));
// TEXT-NEXT: nvm_memset((object)->link.shelf, 0, sizeof(struct shelf));
// RUN: %nvmove --load load --out again program.c -- -isystem sys > out
// RUN: not ls again/patches
// RUN: gcc -Wall -Werror -isystem sys -I %runtime_include program.c %runtime_lib -o app
// RUN: printf 'axby' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'cx' | env NVM_POOL=%t/pool ./app > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      c b s 3
// LOG-NEXT: b s 2

//--- sys/table.h
#include <stdlib.h>
#include <string.h>
struct shelf {
  unsigned count;
};
struct link {
  struct shelf *shelf;
  void *next;
};
#define TABLE_NEW(size) malloc(size)
# define TABLE_ADD(head, object)                                               \
  do {                                                                         \
    (object)->link.next = (head);                                              \
    if (head)                                                                  \
      (object)->link.shelf = (head)->link.shelf;                               \
    else {                                                                     \
      (object)->link.shelf = TABLE_NEW(sizeof(struct shelf));                  \
      memset((object)->link.shelf, 0, sizeof(struct shelf));                   \
    }                                                                          \
    (object)->link.shelf->count++;                                             \
    (head) = (object);                                                         \
  } while (0)
#define TABLE_TAKE(head)                                                       \
  do {                                                                         \
    void *taken_ = (head);                                                     \
    (head)->link.shelf->count--;                                               \
    (head) = (head)->link.next;                                                \
    TABLE_FREE(taken_);                                                        \
  } while (0)
#define TABLE_FREE(object) free(object)

//--- program.c
#include <signal.h>
#include <stdio.h>
#include "table.h"

struct book {
  char name;
  struct link link;
};
static struct book *books;

static void add(char name) {
  struct book *b = malloc(sizeof *b);
  if (!b)
    abort();
  b->name = name;
  TABLE_ADD(books, b);
}

static void load(const char *path) {
  FILE *file = fopen(path, "r");
  int c;
  if (!file)
    return;
  while ((c = getc(file)) > ' ')
    add((char)c);
  fclose(file);
}

int main(void) {
  int c;
  load("saved");
  while ((c = getchar()) != EOF) {
    if (c == 'x') {
      if (books)
        TABLE_TAKE(books);
    } else if (c == 'y')
      raise(SIGKILL);
    else
      add((char)c);
    for (struct book *b = books; b; b = b->link.next)
      printf("%c ", b->name);
    printf("%u\n", books ? books->link.shelf->count : 0);
  }
  return 0;
}

//--- saved
s
