// A macro allocates records of several types, of which not all are persistent.
// Where the allocation is all that a use of it stands for, the use is edited and
// has its own type: zlog has pointers that end with the process, and `order` stays
// on malloc(). Where it is not (STORE), all uses of the macro get blocks of the heap, and
// so must whatever may be given them, as XREALLOC.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load t.c > out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c --check-prefix=TEXT
// RUN: gcc t.o %runtime_lib -o t
// RUN: printf '1 2 200' > data
// RUN: printf 's\ns\na7\n' | env NVM_POOL=%t/pool NVM_SIZE=64M ./t data > first
// RUN: printf 's\n' | env NVM_POOL=%t/pool ./t data > second
// RUN: FileCheck %s --input-file first --check-prefix=FIRST
// RUN: FileCheck %s --input-file second --check-prefix=SECOND
// RUN: %nvmove_act --load load --out again t.c > out
// RUN: not ls again/patches
//
// TEXT: #define XMALLOC(type, n) ((type *)nvm_malloc((n) * sizeof(type)))
// TEXT: #define XCALLOC(size) zcalloc(size)
// TEXT: #define XREALLOC(type, p, n) ((type *)nvm_realloc((p), (n) * sizeof(type)))
// TEXT: #define STORE
// TEXT-NEXT: NVM_ALLOC(bytes, nvm_malloc(
// TEXT: struct node *n = NVM_ALLOC(node, XCALLOC(sizeof *n));
// TEXT: groups = NVM_ALLOC(group, XMALLOC(struct group, 100));
// TEXT: int i, *order = XMALLOC(int, num_groups);
// TEXT: log_default = NVM_ALLOC(zlog, XCALLOC(sizeof(struct zlog)));
//
// FIRST: 3 groups 3 marks 5 robots fp set
// FIRST: 200 first
// FIRST: 1 first
// SECOND: 3 groups 3 marks 5 robots fp null
// SECOND: nodes 7 200 2 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XMALLOC(type, n) ((type *)malloc((n) * sizeof(type)))
#define XCALLOC(size) zcalloc(size)
#define XREALLOC(type, p, n) ((type *)realloc((p), (n) * sizeof(type)))
#define STORE(T, P, N, M, V)                                                    \
  if (N >= M && ((M <= 0) ? (P = (T *)malloc((M = 1) * sizeof(*P)))             \
                          : (P = (T *)realloc(P, (M += M) * sizeof(*P)))) == NULL) \
    exit(1);                                                                    \
  else                                                                          \
    (P[N++] = V)

struct zlog { int level; FILE *fp; };
struct node { struct node *next; int value; };
struct group { int team; };
struct mark { int value; };
struct robot { int skill; };
static struct zlog *log_default;
static struct node *list;
static struct group *groups;
static int num_groups;
static struct mark *marks;
static int num_marks, max_marks;
static struct robot *robots;
static int num_robots, max_robots;

static void *zcalloc(size_t n) {
  void *p = calloc(1, n);
  if (!p)
    abort();
  return p;
}
static void add(int value) {
  struct node *n = XCALLOC(sizeof *n);
  n->value = value;
  n->next = list;
  list = n;
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  struct mark m;
  groups = XMALLOC(struct group, 100);
  while (fscanf(f, "%d", &m.value) == 1) {
    STORE(struct mark, marks, num_marks, max_marks, m);
    groups[num_groups++].team = m.value;
    add(m.value);
    if (m.value > 100) {
      log_default->level = m.value;
      log_default->fp = fopen("/dev/null", "a");
    }
  }
  fclose(f);
}
static void make_robots(void) {
  struct robot r;
  int i;
  for (i = 0; i < 5; i++) {
    r.skill = i;
    STORE(struct robot, robots, num_robots, max_robots, r);
  }
  robots = XREALLOC(struct robot, robots, num_robots);
}
static void turn(void) {
  int i, *order = XMALLOC(int, num_groups);
  for (i = 0; i < num_groups; i++)
    order[i] = groups[i].team;
  for (i = 0; i < num_groups; i++)
    groups[i].team = order[num_groups - 1 - i];
  free(order);
}
int main(int argc, char **argv) {
  char s[80];
  struct node *n;
  if (argc < 2)
    return 2;
  log_default = XCALLOC(sizeof(struct zlog));
  load(argv[1]);
  make_robots();
  printf("%d groups %d marks %d robots fp %s\n", num_groups, num_marks,
         num_robots, log_default->fp ? "set" : "null");
  printf("nodes");
  for (n = list; n; n = n->next)
    printf(" %d", n->value);
  printf("\n");
  while (fgets(s, sizeof s, stdin)) {
    if (s[0] == 's') {
      turn();
      printf("%d first\n", groups[0].team);
    }
    if (s[0] == 'a')
      add(atoi(s + 1));
  }
  return 0;
}
