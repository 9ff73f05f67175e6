// Two functions that main calls load something each: the start-up section goes on to the end of the last, so that who is
// killed between them has loaded nothing, and loads all at the next start. Where main comes to one of them twice, its
// calls of both are guarded; where that would skip something else, each load ends the section, which is to act on.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: printf '1\n2\n3\n' > users
// RUN: printf '10\n20\n' > items
// RUN: %nvmove --load load_users,load_items --out one t.c > log
// RUN: not grep 'act on$' log
// RUN: FileCheck %s --input-file one/patches/1-roots.patch --check-prefix=ONE
// RUN: sh %S/../../rewrite/Inputs/apply one/patches %runtime_include t.c
// RUN: %nvmove verify --load load_users,load_items t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: echo u | not --crash env NVM_POOL=pool NVM_SIZE=32M DIE=1 ./t > out
// RUN: echo uk | not --crash env NVM_POOL=pool ./t >> out
// RUN: echo i | env NVM_POOL=pool ./t >> out
// RUN: FileCheck %s --input-file out --check-prefix=OUT
// ONE: if (f) { if (!nvm_restore()) { load_users(f); } fclose(f); }
// ONE-NOT: nvm_ready
// ONE: if (f) { if (!nvm_restore()) { load_items(f); } fclose(f); }
// ONE: {{^ +}}init_items();
// ONE-NEXT: {{^[+] +}}nvm_restore();
// ONE-NEXT: {{^[+] +}}nvm_ready();
// OUT:      4 users 2 items
// OUT-NEXT: 4 users 3 items
//
// RUN: %nvmove --load load_users,load_items --out two %s -- -DTWICE > log
// RUN: not grep 'act on$' log
// RUN: FileCheck %s --input-file two/patches/1-roots.patch --check-prefix=TWICE
// TWICE: if (!nvm_restore()) init_items();
//
// RUN: %nvmove_act --load load_users,load_items --out three %s -- -DTWICE -DMORE | FileCheck %s --check-prefix=MORE
// MORE: several-loads{{ +}}the state is loaded from more than one place at start-up (LoadGuards-loads_in_functions.c:[[#@LINE+44]], LoadGuards-loads_in_functions.c:[[#@LINE+53]]), and committed at each
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct user { struct user *next; int id; };
struct item { struct item *next; int id; };
static struct user *users;
static struct item *items;

static void add_user(int id) {
  struct user *u = malloc(sizeof *u);
  u->id = id;
  u->next = users;
  users = u;
}
static void add_item(int id) {
  struct item *i = malloc(sizeof *i);
  i->id = id;
  i->next = items;
  items = i;
}
static void load_users(FILE *f) {
  for (int id; fscanf(f, "%d", &id) == 1;)
    add_user(id);
}
static void load_items(FILE *f) {
  for (int id; fscanf(f, "%d", &id) == 1;)
    add_item(id);
}
static void init_users(void) {
  FILE *f = fopen("users", "r");
  if (f) { load_users(f); fclose(f); }
  if (getenv("DIE"))
    kill(getpid(), SIGKILL);
}
#ifdef MORE
static char *name;
#endif
static void init_items(void) {
#ifdef MORE
  name = getenv("NAME");
#endif
  FILE *f = fopen("items", "r");
  if (f) { load_items(f); fclose(f); }
}
int main(void) {
  int c;
#ifdef TWICE
  if (getenv("USERS_FIRST"))
    init_users();
  init_items();
  if (!getenv("USERS_FIRST"))
    init_users();
#else
  init_users();
  init_items();
#endif
  while ((c = getchar()) != EOF) {
    int n = 0, m = 0;
    if (c == 'k')
      kill(getpid(), SIGKILL);
    if (c == 'u')
      add_user(4);
    else if (c == 'i')
      add_item(30);
    else
      continue;
    for (struct user *u = users; u; u = u->next)
      n++;
    for (struct item *i = items; i; i = i->next)
      m++;
    printf("%d users %d items\n", n, m);
    fflush(stdout);
  }
  return 0;
}
