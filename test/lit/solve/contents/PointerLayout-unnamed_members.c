// Members of records without a name, in persistent objects: functions, string
// literals, statics, blocks that are not persistent and descriptors there are
// told, and followed, as elsewhere.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --notes --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK:      1 followed static
// CHECK-NEXT: head item.links.prev points to it
// CHECK-DAG: holds-descriptor {{.*}}item.use.fd may hold a descriptor of an open file, from open(): a restart makes it -1
// CHECK-DAG: pointer-to-literal {{.*}}item.use.name may hold the address of a string literal
// CHECK-DAG: pointer-to-volatile {{.*}}item.use.conn may point to struct conn, allocated here and not persistent: a restart makes it null
// CHECK-DAG: pointer-to-volatile {{.*}}item.either.conn may point to struct conn, allocated here and not persistent: a restart leaves it unchanged
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT-DAG:  NVM_STATIC(head);
// TEXT-DAG:  NVM_LITERALS();
// TEXT:      NVM_FIELD(struct item, n),
// TEXT-NEXT: NVM_POINTER(struct item, links.next),
// TEXT-NEXT: NVM_POINTER(struct item, links.prev),
// TEXT-NEXT: NVM_POINTER(struct item, use.step),
// TEXT-NEXT: NVM_POINTER(struct item, use.name),
// TEXT-NEXT: NVM_VOLATILE(struct item, use.conn),
// TEXT-NEXT: NVM_DESCRIPTOR(struct item, use.fd),
// TEXT-NEXT: NVM_FIELD(struct item, either));
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf 12 > state
// RUN: printf abx | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf a | env NVM_POOL=%t/pool ./app > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      odd 48 closed none
// LOG-NEXT: even 51 closed none
// LOG-NEXT: odd 96 closed none
// LOG-NEXT: even 99 closed none
// LOG-NEXT: odd 96 open 1

//--- program.c
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct conn {
  int n;
};
struct item {
  int n;
  struct {
    struct item *next, **prev;
  } links;
  struct {
    int (*step)(int);
    const char *name;
    struct conn *conn;
    int fd;
  } use;
  union {
    struct conn *conn;
    long number;
  } either;
};
static struct {
  struct item *first, **last;
} head = {NULL, &head.first};

static int up(int n) { return n + 1; }
static int down(int n) { return n - 1; }

static struct item *add(int n) {
  struct item *it = calloc(1, sizeof *it);
  if (!it)
    abort();
  it->n = n;
  it->use.step = n % 2 ? down : up;
  it->use.name = n % 2 ? "odd" : "even";
  it->use.fd = -1;
  it->links.prev = head.last;
  *head.last = it;
  head.last = &it->links.next;
  return it;
}
static void load(void) {
  int c;
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while ((c = fgetc(f)) != EOF)
    add(c);
  fclose(f);
}
static void command(int c) {
  struct item *it;
  if (c == 'x')
    kill(getpid(), SIGKILL);
  it = add(c);
  it->use.conn = it->either.conn = malloc(sizeof *it->use.conn);
  if (!it->use.conn)
    abort();
  it->use.conn->n = 1;
  it->use.fd = open("/dev/null", O_RDONLY);
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (struct item *it = head.first; it; it = it->links.next)
    printf("%s %d %s %s\n", it->use.name, it->use.step(it->n),
           it->use.fd < 0 ? "closed" : "open", it->use.conn ? "1" : "none");
  return 0;
}
