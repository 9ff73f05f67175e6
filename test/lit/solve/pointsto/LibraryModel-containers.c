// What the load puts into a library's containers is state: it comes back from
// their functions, through the address of a pointer, in fields, and is handed
// to callbacks. Their own memory the pool cannot keep, and that is said.
//
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out %s -- -std=gnu11 -isystem %S/Inputs > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: 7 persistent types
// CHECK-DAG: item {{.*}} array -> Array.items -> []
// CHECK-DAG: job {{.*}} allocates struct job in load
// CHECK-DAG: listed {{.*}} allocates struct listed in load
// CHECK-DAG: mail {{.*}} allocates struct mail in load
// CHECK-DAG: user {{.*}} users -> []
// CHECK-DAG: walked {{.*}} writes walked.n in load
// CHECK-DAG: visited {{.*}} writes visited.n in visit
// CHECK: 4 roots
// CHECK-DAG: array {{.*}} listed only: memory of a library, struct Array
// CHECK-DAG: others {{.*}} listed only: memory of a library, struct Table
// CHECK-DAG: queue {{.*}} listed only: memory of a library, struct Queue
// CHECK-DAG: users {{.*}} listed only: memory of a library, struct Table
// CHECK-DAG: library-memory user.mail leads to memory of a library (struct List)

#include <stdio.h>
#include <containers.h>

struct user { int n; List *mail; };
struct mail { int n; };
struct item { int n; };
struct job { int n; };
struct walked { int n; };
struct visited { int n; };
struct line { int n; };
struct listed { int n; };

static Table *users, *others;
static Array *array;
static Queue *queue;
static Stream *out;

static void visit(void *value, void *with) {
  struct visited *v = value;
  v->n = *(int *)with;
}

static void load(FILE *f) {
  int n;
  users = table_new();
  array = array_new();
  queue = queue_new();
  while (fread(&n, sizeof n, 1, f) == 1) {
    struct user *u = lib_alloc(sizeof *u);
    struct mail *m = lib_alloc(sizeof *m);
    struct item *i = lib_alloc(sizeof *i);
    struct job *j = lib_alloc(sizeof *j);
    struct line *l = lib_alloc(sizeof *l);
    u->n = m->n = i->n = j->n = l->n = n;
    table_put(users, "u", u);
    table_put(users, "l", list_add(0, lib_alloc(sizeof(struct listed))));
    u->mail = list_add(u->mail, m);
    array_add(array, i);
    queue_push(queue, j);
    stream_log(out, l);
  }
  Walk w;
  const char *key;
  void *value;
  walk_start(&w, others);
  while (walk_next(&w, &key, &value))
    ((struct walked *)value)->n = n;
  table_each(others, visit, &n);
}

int main(void) {
  others = table_new();
  out = stream_open("log");
  table_put(others, "w", lib_alloc(sizeof(struct walked)));
  table_put(others, "v", lib_alloc(sizeof(struct visited)));
  load(stdin);
  for (int c; (c = getchar()) != EOF;) {
    struct user *u = table_get(users, "u");
    for (List *l = u->mail; l; l = l->next)
      printf("%d\n", ((struct mail *)l->data)->n);
    List *listed = table_get(users, "l");
    printf("%d\n", ((struct listed *)listed->data)->n);
    printf("%d\n", ((struct item *)array->items[0])->n);
    printf("%d\n", ((struct job *)queue->head->data)->n);
    printf("%d\n", ((struct walked *)table_get(others, "w"))->n +
                       ((struct visited *)table_get(others, "v"))->n);
  }
  return 0;
}
