// A main loop that carries out commands by itself is a section from what waits
// to the end of its body, by whatever way it is left.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --notes --load load head.c > out
// RUN: FileCheck %s --input-file out --check-prefix=REPORT
// REPORT: loop of main body
// REPORT-NOT: {{[0-9]}} finding
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include head.c
// RUN: FileCheck %s --input-file head.c --check-prefix=HEAD
// HEAD:      while (fgets(line, sizeof line, stdin)) {
// HEAD-NEXT:   NVM_SECTION();
// HEAD-NEXT:   switch (line[0]) {
// HEAD-NOT:  nvm_begin
// RUN: gcc -I %runtime_include head.c %runtime_lib -o app
//
// Each way out commits, and a kill in the middle leaves nothing.
// RUN: printf 'a1\na2\n+\n-\nk\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'a3\nd\n' | env NVM_POOL=%t/pool not ./app >> log
// RUN: printf 'a4\ng\n?\n' | env NVM_POOL=%t/pool ./app >> log
// RUN: printf '?\n' | env NVM_POOL=%t/pool ./app >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      1
// LOG-NEXT: 2 1
// LOG-NEXT: 3 2
// LOG-NEXT: 3 3 2
// LOG-NEXT: 4 3 2
// LOG-NEXT: 5 4 3
// LOG-NOT:  {{.}}
//
// No second time.
// RUN: %nvmove --notes --load load --out second head.c > out
// RUN: not grep -r '^+.*nvm_' second
// RUN: %nvmove verify --load load head.c
//
// The wait in the body, and a body that is one statement.
// RUN: %nvmove --notes --load load --out body body.c > out
// RUN: sh %S/../../rewrite/Inputs/apply body/patches %runtime_include body.c
// RUN: FileCheck %s --input-file body.c --check-prefix=BODY
// BODY:      if (!fgets(line, sizeof line, stdin))
// BODY-NEXT:   break;
// BODY-NEXT: { NVM_SECTION();
// BODY-NEXT: if (line[0] == '+')
// RUN: %nvmove --notes --load load --out one one.c > out
// RUN: sh %S/../../rewrite/Inputs/apply one/patches %runtime_include one.c
// RUN: FileCheck %s --input-file one.c --check-prefix=ONE
// ONE: while (fgets(line, sizeof line, stdin))
// ONE-NEXT: { NVM_SECTION(); NVM(item->n) = line[0]; }
//
// Where a jump leads into it, and where the change comes before the wait.
// RUN: %nvmove_act --notes --load load --out label label.c > out
// RUN: FileCheck %s --input-file out --check-prefix=LABEL
// LABEL: label.c:18:{{[0-9]+}} store-outside-section the loop that waits for input may itself change persistent state
// RUN: %nvmove --notes --load load --out before before.c > out
// RUN: FileCheck %s --input-file out --check-prefix=BEFORE
// BEFORE: store-outside-section the loop that waits for input may itself change persistent state

//--- head.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  int n;
};
static struct item *items;

static void load(void) {
  int n;
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while (fread(&n, sizeof n, 1, f) == 1) {
    struct item *i = malloc(sizeof *i);
    if (!i)
      return;
    i->n = n;
    i->next = items;
    items = i;
  }
  fclose(f);
}
static void add(int n) {
  struct item *i = malloc(sizeof *i);
  if (!i)
    abort();
  i->n = n;
  i->next = items;
  items = i;
}
static int drop(void) {
  items->n++;
  return 1;
}
static void show(void) {
  for (struct item *i = items; i; i = i->next)
    printf(i->next ? "%d " : "%d\n", i->n);
  fflush(stdout);
}

int main(void) {
  char line[80];
  load();
  while (fgets(line, sizeof line, stdin)) {
    switch (line[0]) {
    case 'a':
      add(atoi(line + 1));
      break;
    case '+':
      for (struct item *i = items; i; i = i->next)
        i->n++;
      break;
    case '-':
      if (items)
        continue;
      break;
    case 'k':
      items->n = 77;
      raise(SIGKILL);
      break;
    case 'd':
      items->next->n = 3;
      if (drop())
        return 3;
      break;
    case 'g':
      for (struct item *i = items; i; i = i->next)
        i->n++;
      goto done;
    }
    show();
  }
done:
  return 0;
}
//--- body.c
#include <stdio.h>
#include <stdlib.h>

struct item {
  int n;
};
static struct item *item;

static void load(void) {
  FILE *f = fopen("state", "r");
  item = calloc(1, sizeof *item);
  if (!f || !item)
    return;
  item->n = getc(f);
  fclose(f);
}
int main(void) {
  char line[80];
  load();
  for (;;) {
    printf("> ");
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin))
      break;
    if (line[0] == '+')
      item->n++;
    printf("n %d\n", item->n);
  }
  return 0;
}
//--- one.c
#include <stdio.h>
#include <stdlib.h>

struct item {
  int n;
};
static struct item *item;

static void load(void) {
  FILE *f = fopen("state", "r");
  item = calloc(1, sizeof *item);
  if (!f || !item)
    return;
  item->n = getc(f);
  fclose(f);
}
int main(void) {
  char line[80];
  load();
  while (fgets(line, sizeof line, stdin))
    item->n = line[0];
  return 0;
}
//--- label.c
#include <stdio.h>
#include <stdlib.h>

struct item {
  int n;
};
static struct item *item;

static void load(void) {
  FILE *f = fopen("state", "r");
  item = calloc(1, sizeof *item);
  item->n = getc(f);
  fclose(f);
}
int main(void) {
  char line[80];
  load();
  while (fgets(line, sizeof line, stdin)) {
  again:
    item->n = line[0];
    if (item->n-- > 'a')
      goto again;
  }
  return 0;
}
//--- before.c
#include <stdio.h>
#include <stdlib.h>

struct item {
  int n;
};
static struct item *item;

static void load(void) {
  FILE *f = fopen("state", "r");
  item = calloc(1, sizeof *item);
  item->n = getc(f);
  fclose(f);
}
static void command(int c) {
  item->n = c;
}
int main(void) {
  char line[80];
  load();
  for (;;) {
    item->n++;
    if (!fgets(line, sizeof line, stdin))
      break;
    command(line[0]);
  }
  return 0;
}
