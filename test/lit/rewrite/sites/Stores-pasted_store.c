// A store whose lvalue is a macro's use, with a name that another macro pastes
// together, or that begins with the macro's argument: the hook is around all of
// it, not around the argument.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c
// CHECK: NVM(id##_NEXT(node)) = *slot_;
// CHECK: NVM(SYM_VALUE(s)) = value;
// CHECK: NVM(SYM_VALUE(s)) = 10;
// RUN: %nvmove verify --load load program.c
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf 'a 1 b 2 c 3' > data
// RUN: printf '^a x' | env NVM_VERIFY=1 NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app 2> log
// RUN: not grep -i unannounced log
// RUN: env NVM_POOL=%t/pool ./app < /dev/null | FileCheck %s --check-prefix=AGAIN
// AGAIN: a=10 c=3 b=2

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INSERT(slot, id, node)                                                 \
  do {                                                                         \
    struct symbol **slot_ = slot;                                              \
    id##_NEXT(node) = *slot_;                                                  \
    *slot_ = node;                                                             \
  } while (0)
#define SYM_NEXT(n) n->next
#define SYM_VALUE(n) n->value

struct symbol {
  int value;
  char name[20], pad[200];
  struct symbol *next;
};
static struct symbol *symbols;

static void add(const char *name, int value) {
  struct symbol *s = calloc(1, sizeof *s);
  if (!s)
    abort();
  SYM_VALUE(s) = value;
  memcpy(s->name, name, sizeof s->name);
  INSERT(&symbols, SYM, s);
}
static void load(void) {
  int value;
  char name[20] = "";
  FILE *f = fopen("data", "r");
  if (!f)
    return;
  while (fscanf(f, "%19s %d", name, &value) == 2)
    add(name, value);
  fclose(f);
}
static void command(int c) {
  struct symbol *s, **p = &symbols;
  if (c == 'x')
    kill(getpid(), SIGKILL);
  while (*p && (*p)->name[0] != c)
    p = &(*p)->next;
  s = *p;
  if (!s)
    return;
  *p = s->next;
  SYM_VALUE(s) = 10;
  INSERT(&symbols, SYM, s);
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (struct symbol *s = symbols; s; s = s->next)
    printf("%s=%d ", s->name, s->value);
  printf("\n");
  return 0;
}
