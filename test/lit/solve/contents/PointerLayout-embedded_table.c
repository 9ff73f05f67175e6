// A table in a member of what each start makes: of the record around it that
// member is kept, and the block that it points to goes to the pool.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT: NVM(t->slots) = NVM_ALLOC(pointers, nvm_calloc(n, sizeof *t->slots));
// TEXT:      NVM_ROOT_ARRAY(server, struct server,
// TEXT-NEXT: NVM_POINTER(struct server, users.slots));
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf 'a b c' > state
// RUN: printf dx | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app
// RUN: printf e | env NVM_POOL=%t/pool ./app > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG: d e a b c end

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct node {
  struct node *next;
  int value;
};
struct table {
  struct node **slots;
  unsigned n;
};
struct server {
  struct table users;
  int port;
};
static struct server *server;

static void table_init(struct table *t, unsigned n) {
  t->slots = calloc(n, sizeof *t->slots);
  if (!t->slots)
    abort();
  t->n = n;
}
static void put(struct table *t, int value) {
  struct node *n = malloc(sizeof *n);
  if (!n)
    abort();
  n->value = value;
  n->next = t->slots[value % t->n];
  t->slots[value % t->n] = n;
}
static void load(void) {
  char name;
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while (fscanf(f, " %c", &name) == 1)
    put(&server->users, name);
  fclose(f);
}
static void command(int c) {
  if (c == 'x')
    kill(getpid(), SIGKILL);
  put(&server->users, c);
}
int main(void) {
  int c;
  server = calloc(1, sizeof *server);
  if (!server)
    return 1;
  table_init(&server->users, 4);
  server->port = 80;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (unsigned i = 0; i < server->users.n; i++)
    for (struct node *n = server->users.slots[i]; n; n = n->next)
      printf("%c ", n->value);
  puts("end");
  return 0;
}
