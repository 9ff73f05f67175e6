// Two loads whose results are used: the start-up section ends with the second, so
// the pool has what both have loaded, or nothing; each has its result again.
// With -DBELOW the second is further down, and fills what is made between the two.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: printf '1\n2\n3\n' > rules
// RUN: printf '10\n20\n30\n40\n50\n' > items
// RUN: %nvmove --load load_rules,load_items --out one t.c > log
// RUN: FileCheck %s --input-file one/patches/1-roots.patch --check-prefix=ONE
// RUN: not grep several-loads log
// RUN: mkdir one.d && cp t.c one.d && cd one.d
// RUN: sh %S/../../rewrite/Inputs/apply ../one/patches %runtime_include t.c
// RUN: %nvmove verify --load load_rules,load_items t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t && cp ../rules ../items .
// RUN: echo k | not --crash env NVM_POOL=pool NVM_SIZE=32M DIE=1 ./t > out
// RUN: echo k | not --crash env NVM_POOL=pool ./t >> out
// RUN: echo + | env NVM_POOL=pool ./t >> out
// RUN: FileCheck %s --input-file out --check-prefix=OUT
// ONE: int have_rules = NVM_LOAD_PART("main():load_rules()", load_rules("rules"));
// ONE: int have_items = NVM_LOAD(load_items("items"));
// OUT:      3 rules 5 items
// OUT-NEXT: 3 rules 5 items
// OUT-NEXT: 6
//
// RUN: cd %t && %nvmove --load load_rules,load_items --out below t.c -- -DBELOW > log
// RUN: FileCheck %s --input-file below/patches/1-roots.patch --check-prefix=BELOW
// RUN: mkdir below.d && cp t.c below.d && cd below.d
// RUN: sh %S/../../rewrite/Inputs/apply ../below/patches %runtime_include t.c
// RUN: %nvmove verify --load load_rules,load_items t.c -- -DBELOW
// RUN: gcc -DBELOW -I %runtime_include t.c %runtime_lib -o t && cp ../rules ../items .
// RUN: echo k | not --crash env NVM_POOL=pool NVM_SIZE=32M DIE=1 ./t > out
// RUN: echo k | not --crash env NVM_POOL=pool ./t >> out
// RUN: echo + | env NVM_POOL=pool ./t >> out
// RUN: FileCheck %s --input-file out --check-prefix=OUT
// BELOW: return NVM_LOAD(load_items("items"));
// BELOW: if (!(have_rules = NVM_LOAD_PART("main():load_rules()", load_rules("rules"))))
// BELOW: int have_items = fill();
// BELOW: nvm_restore();
// BELOW: nvm_ready();

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct rule { struct rule *next; int limit; };
struct item { struct item *next; int id; };
struct store { FILE *log; struct item *first; };
static struct rule *rules;
static struct store *store;

static int load_rules(const char *name) {
  int v, n = 0;
  FILE *in = fopen(name, "r");
  while (in && fscanf(in, "%d", &v) == 1) {
    struct rule *r = malloc(sizeof *r);
    r->limit = v;
    r->next = rules;
    rules = r;
    n++;
  }
  if (in)
    fclose(in);
  return n;
}

static void add(int id) {
  struct item *i = malloc(sizeof *i);
  i->id = id;
  i->next = store->first;
  store->first = i;
}

static int load_items(const char *name) {
  int v, n = 0;
  FILE *in = fopen(name, "r");
  while (in && fscanf(in, "%d", &v) == 1) {
    add(v);
    n++;
  }
  if (in)
    fclose(in);
  return n;
}

static void make(void) {
  store = calloc(1, sizeof *store);
  store->log = stderr;
}

#ifdef BELOW
static int fill(void) {
  make();
  return load_items("items");
}
#endif

int main(void) {
  char line[100];
#ifdef BELOW
  int have_rules;
  if (!(have_rules = load_rules("rules")))
    return 1;
  if (getenv("DIE"))
    kill(getpid(), SIGKILL);
  int have_items = fill();
#else
  make();
  int have_rules = load_rules("rules");
  if (getenv("DIE"))
    kill(getpid(), SIGKILL);
  int have_items = load_items("items");
#endif
  printf("%d rules %d items\n", have_rules, have_items);
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    if (*line == 'k')
      kill(getpid(), SIGKILL);
    add(7);
    int n = 0;
    for (struct item *i = store->first; i; i = i->next)
      n++;
    printf("%d\n", n);
  }
  return 0;
}
