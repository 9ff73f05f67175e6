// A library makes records of the program from what it reads: they are state
// where static memory keeps them, and the pool cannot keep them.
//
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out %s -- -std=gnu11 -isystem %S/Inputs > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: 3 persistent types
// CHECK-DAG: Book {{.*}} reads struct Book raw in book_unpack; book
// CHECK-DAG: Person {{.*}} reads struct Person raw in book_unpack; book -> Book.people
// CHECK-DAG: person {{.*}} allocates struct person in load; people
// CHECK: 2 roots
// CHECK-NEXT: book {{.*}} listed only: memory of a library, struct Book
// CHECK-NEXT: people
// CHECK: 1 restored scalar
// CHECK-NEXT: last gets a value from the file
// CHECK: library-memory book leads to memory of a library

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <json.h>

typedef struct Person { Message base; char *name; int id; } Person;
typedef struct Book { Message base; size_t n; Person **people; } Book;
struct person { char *name; int id; struct person *next; };
extern const Description book_description;
static Book *book;
static struct person *people;
static int last;

static Book *book_unpack(size_t n, const unsigned char *data) {
  return (Book *)message_unpack(&book_description, n, data);
}

static void load(void) {
  unsigned char buf[1000];
  size_t n = fread(buf, 1, sizeof buf, stdin);
  book = book_unpack(n, buf);
  for (size_t i = 0; i < book->n; i++) {
    struct person *p = malloc(sizeof *p);
    p->name = strdup(book->people[i]->name);
    p->id = last = book->people[i]->id;
    p->next = people;
    people = p;
  }
}

int main(void) {
  load();
  for (int c; (c = getchar()) != EOF;)
    printf("%s %d %s\n", people->name, people->id + last,
           book->people[0]->name);
  return 0;
}
