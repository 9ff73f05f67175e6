// Several members of one type: each that the load fills comes back, of a static,
// of a record that each start makes, and of a local of main; the others do not.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load --out out t.c | FileCheck %s
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf '3 4 5 6 7' > state
// RUN: printf 'ak' | not --crash env NVM_POOL=%t/pool NVM_SIZE=64M ./t state
// RUN: env NVM_POOL=%t/pool ./t state < /dev/null | FileCheck %s --check-prefix=OUT
// CHECK: 9 roots
// CHECK-NEXT: here.names.items
// CHECK-NEXT: server->now.x
// CHECK-NEXT: server->now.y
// CHECK-NEXT: server->q.done.head {{.*}}restored members: q.done.head
// CHECK-NEXT: server->q.done.n
// CHECK-NEXT: server->q.jobs.head
// CHECK-NEXT: server->q.jobs.n
// CHECK-NEXT: server->was.x
// CHECK-NEXT: server->was.y
// CHECK: 8 restored scalars
// CHECK-NEXT: here.names.capacity is the size
// CHECK-NEXT: here.names.n is an index or offset
// CHECK-NEXT: set.a.x gets a value from the file
// CHECK-NEXT: set.a.y
// CHECK-NEXT: set.b.x
// CHECK-NEXT: set.b.y
// CHECK-NEXT: set.c.x
// CHECK-NEXT: set.c.y
// CHECK: head-not-kept{{ +}}server->clients is not kept, though server->q.jobs.head is
// OUT: 3 4, 4 5, 5 6; 6 7, 7 6; jobs 2, done 1, clients 0; names 2: 1 97
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct pair { int x, y; };
struct item { struct item *next; int id; };
struct list { struct item *head; int n; };
struct vec { int *items, n, capacity; };
static struct { int id; struct pair a, b, c, unused; } set;
struct server {
  FILE *log;
  struct list clients;
  struct { struct list jobs, done; } q;
  struct pair now, was, unused;
};
static struct server *server;
struct local { int fd; struct vec names; };
static void read_pair(FILE *in, struct pair *p) {
  if (fscanf(in, "%d", &p->x) != 1 || fscanf(in, "%d", &p->y) != 1)
    p->y = p->x - 1;
  else
    fseek(in, -2, SEEK_CUR);
}
static void add(struct list *l, int id) {
  struct item *i = malloc(sizeof *i);
  if (!i)
    abort();
  i->id = id;
  i->next = l->head;
  l->head = i;
  l->n++;
}
static void push(struct vec *v, int n) {
  if (v->n == v->capacity) {
    v->capacity = v->capacity ? v->capacity * 2 : 1;
    v->items = realloc(v->items, v->capacity * sizeof(int));
  }
  v->items[v->n++] = n;
}
static void load(const char *name, struct local *l) {
  FILE *in = fopen(name, "r");
  if (!in)
    return;
  read_pair(in, &set.a);
  read_pair(in, &set.b);
  read_pair(in, &set.c);
  read_pair(in, &server->now);
  read_pair(in, &server->was);
  add(&server->q.jobs, set.a.x);
  add(&server->q.done, set.b.x);
  push(&l->names, 1);
  fclose(in);
}
static void command(int c, struct local *l) {
  add(&server->clients, c);
  add(&server->q.jobs, c);
  set.unused.x = c;
  push(&l->names, c);
}
static void show(struct local *l) {
  struct vec *v = &l->names;
  printf("%d %d, %d %d, %d %d; %d %d, %d %d; jobs %d, done %d, clients %d; "
         "names %d: %d %d\n", set.a.x, set.a.y, set.b.x, set.b.y, set.c.x,
         set.c.y, server->now.x, server->now.y, server->was.x, server->was.y,
         server->q.jobs.n, server->q.done.n, server->clients.n, v->n,
         v->items[0], v->n > 1 ? v->items[1] : 0);
}
int main(int argc, char **argv) {
  struct local here = {0};
  server = calloc(1, sizeof *server);
  if (argc < 2 || !server)
    return 1;
  server->log = stderr;
  load(argv[1], &here);
  for (int c; (c = getchar()) != EOF;)
    if (c == 'k')
      kill(getpid(), SIGKILL);
    else
      command(c, &here);
  show(&here);
  return 0;
}
