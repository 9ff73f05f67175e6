// A server with an event loop: sections around what the loop dispatches to,
// outputs, twins of static tables, a seed that decides where data lie, and an
// array that the program makes at each start.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load server.c > out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include server.c
//
// RUN: FileCheck %s --input-file server.c
// CHECK:      {{^}}#include <nvmove/nvm.h>
// CHECK:      NVM(p->order) = nvm_twin(&plain);
// CHECK:      if (nvm_write(fd, text, strlen(text)) < 0)
// CHECK:      seed = time(NULL) ^ getpid(); NVM_KEEP(seed);
// CHECK:      if (!nvm_restore()) load(argv[1]);
// CHECK-NEXT: nvm_ready();
// CHECK:      { nvm_begin(); { int nvm_result = (dispatch(0)) != 0; nvm_end(); if (nvm_result)
// CHECK-NEXT: break; }
// CHECK:      NVM_REGISTER(server) {
// CHECK-NEXT: NVM_ROOT_ARRAY(server.shards, struct shard,
// CHECK-NEXT: NVM_POINTER(struct shard, table));
// CHECK:      NVM_TWIN(plain);
//
// RUN: gcc server.o %runtime_lib -o server
// RUN: printf 'b 2 a 1 c 3' > data
// RUN: printf '+d4 +a9 ?a ?d ?z !' | ./server data > plain
// RUN: printf '+d4 +a9 ?a ?d ?z !' | env NVM_VERIFY=1 NVM_POOL=%t/pool NVM_SIZE=64M ./server data > first 2> log
// RUN: printf '?a ?b ?c ?d !' | env NVM_VERIFY=1 NVM_POOL=%t/pool ./server nothing > second 2>> log
// RUN: diff plain first
// RUN: FileCheck %s --input-file second --check-prefix=SECOND
// RUN: not grep unannounced log
// SECOND:      a 9
// SECOND-NEXT: b 2
// SECOND-NEXT: c 3
// SECOND-NEXT: d 4
//
// What was acknowledged before a kill is there after it.
// RUN: env NVM_POOL=%t/pool sh %S/../Inputs/kill-after 'e 5' '+e5 ?e' ./server nothing
// RUN: printf '?e ?a !' | env NVM_POOL=%t/pool ./server nothing 2>> log | grep -qx 'e 5'
//
// RUN: %nvmove --load load --out again server.c > out
// RUN: not ls again/patches

//--- server.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

struct order { int (*less)(char, char); };
struct pair { char key; int value; const struct order *order; struct pair *next; };
struct table { struct pair *slots[16]; };
struct shard { struct table *table; int readers; };
static struct { struct shard *shards; int shardCount; } server;
static long seed;
typedef int handler(int fd);

static int lessPlain(char a, char b) { return a < b; }
static const struct order plain = { lessPlain };

static unsigned slotOf(char key) { return (unsigned)(key * 31 ^ seed) % 16; }

static struct table *newTable(void) {
  struct table *t = malloc(sizeof(*t));
  if (t == NULL)
    abort();
  memset(t, 0, sizeof(*t));
  return t;
}

static struct table *tableOf(char key) { return server.shards[key % server.shardCount].table; }

static void set(char key, int value) {
  struct table *t = tableOf(key);
  struct pair **at = &t->slots[slotOf(key)], *p;
  while (*at && (*at)->order->less((*at)->key, key))
    at = &(*at)->next;
  if (*at && (*at)->key == key) {
    (*at)->value = value;
    return;
  }
  p = malloc(sizeof(*p));
  if (p == NULL)
    abort();
  p->key = key;
  p->value = value;
  p->order = &plain;
  p->next = *at;
  *at = p;
}

static int reply(int fd, const char *text) {
  if (write(fd, text, strlen(text)) < 0)
    return -1;
  return 0;
}

static int answer(char key) {
  char line[32];
  struct table *t = tableOf(key);
  struct pair *p = t->slots[slotOf(key)];
  while (p && p->key != key)
    p = p->next;
  if (p == NULL)
    return reply(1, "none\n");
  snprintf(line, sizeof(line), "%c %d\n", p->key, p->value);
  return reply(1, line);
}

static void load(const char *path) {
  char key;
  int value;
  FILE *f = fopen(path, "r");
  if (f == NULL)
    return;
  while (fscanf(f, " %c %d", &key, &value) == 2)
    set(key, value);
  fclose(f);
}

static int fromClient(int fd) {
  char c[2];
  if (read(fd, c, 1) != 1)
    return 1;
  if (c[0] == '+' && read(fd, c, 2) == 2)
    set(c[0], c[1] - '0');
  else if (c[0] == '?' && read(fd, c, 1) == 1)
    return answer(c[0]) < 0;
  return c[0] == '!';
}

static handler *handlers[1] = { fromClient };

static int dispatch(int fd) {
  return handlers[fd](fd);
}

int main(int argc, char **argv) {
  int i;
  if (argc < 2)
    return 1;
  seed = time(NULL) ^ getpid();
  server.shardCount = 2;
  server.shards = calloc(2, sizeof(struct shard));
  if (server.shards == NULL)
    return 1;
  for (i = 0; i < 2; i++)
    server.shards[i].table = newTable();
  load(argv[1]);
  for (;;) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(0, &set);
    if (select(1, &set, NULL, NULL, NULL) < 0)
      return 1;
    if (dispatch(0))
      break;
  }
  return 0;
}
