// A record that each start makes, in a local of main or in a static, is this
// start's: what the load fills of it is kept, with the sizes that go with it, and
// the stream and the flag are not. So it goes on after a kill, after a stop, and
// after starts that give up.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: sed 's/^  struct app .app;/  static struct app *app;/' local.c > static.c
// RUN: %nvmove --load load --out one local.c > log
// RUN: FileCheck %s --input-file log --implicit-check-not=to-volatile --implicit-check-not=whole
// RUN: sh %S/../../rewrite/Inputs/apply one/patches %runtime_include local.c
// RUN: FileCheck %s --input-file local.c --check-prefix=CODE
// RUN: %nvmove --load load --out again local.c | FileCheck %s --check-prefix=AGAIN
// RUN: %nvmove --load load --out two static.c > log
// RUN: FileCheck %s --input-file log --implicit-check-not=to-volatile --implicit-check-not=whole
// RUN: sh %S/../../rewrite/Inputs/apply two/patches %runtime_include static.c
// RUN: gcc -I %runtime_include local.c %runtime_lib -o local
// RUN: gcc -I %runtime_include static.c %runtime_lib -o static
// RUN: sh run ./local %nvm_pool > out
// RUN: FileCheck %s --input-file out --check-prefix=OUT
// RUN: sh run ./static %nvm_pool > out
// RUN: FileCheck %s --input-file out --check-prefix=OUT
// CHECK: 3 roots
// CHECK: app->size {{.*}}restored members: size
// CHECK: app->table
// CHECK: app->used
// CODE: struct app *app;
// CODE-NEXT: NVM_ROOTS_END_WITH(app);
// CODE-NEXT: NVM_DECLARED(app = 0);
// CODE-NEXT: NVM_DECLARED(NVM_ROOT_BEHIND_HERE("main():app->size", app, struct app, size));
// CODE-NEXT: NVM_DECLARED(NVM_ROOT_POINTERS_BEHIND_HERE("main():app->table", app, struct app, table));
// CODE-NEXT: NVM_DECLARED(NVM_ROOT_BEHIND_HERE("main():app->used", app, struct app, used));
// CODE: if (argc > 3 && argv) { nvm_detach(); app_free(app); return 1; }
// CODE: if (argc > 2) { nvm_detach(); app_free(app); return 1; }
// AGAIN: 0 files edited
// OUT: 1 2 3 4 5 6 7 8 9 10 used 10 size 16
// OUT-NEXT: stopped 0
// OUT-NEXT: gave up 1
// OUT-NEXT: gave up 1
// OUT-NEXT: 1 2 3 4 5 6 7 8 9 10 11 used 11 size 16
// OUT-NEXT: killed 137
// OUT-NEXT: 1 2 3 4 5 6 7 8 9 10 11 12 used 12 size 16
// OUT-NEXT: sound
//--- run
rm -f pool
export NVM_POOL=pool NVM_SIZE=64M
printf '1\n2\n3\n4\n5\n6\n' | $1
printf '7\n8\n9\n10\nx\nq\n' | $1
echo "stopped $?"
$1 a b < /dev/null
echo "gave up $?"
$1 a b c < /dev/null
echo "gave up $?"
printf '11\nx\n12\nk\n' | $1
echo "killed $?"
printf 'x\n' | $1
$2 check pool | sed 's/:.*//'
//--- local.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { struct item *next; int n; };
struct app { FILE *log; int running; struct item *first; struct item **table; unsigned size, used; int next; };
static unsigned slot(struct app *a, int n) { return n % a->size; }
static void grow(struct app *a) {
  unsigned size = a->size * 2;
  struct item **t = calloc(size, sizeof *t);
  for (unsigned i = 0; i < a->size; i++)
    for (struct item *e = a->table[i], *next; e; e = next) {
      next = e->next; e->next = t[e->n % size]; t[e->n % size] = e;
    }
  free(a->table); a->table = t; a->size = size;
}
static void add(struct app *a, int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n; i->next = a->table[slot(a, n)]; a->table[slot(a, n)] = i; a->used++;
}
static void load(struct app *a) {
  FILE *f = fopen("state", "r");
  int n;
  if (!f) return;
  while (fscanf(f, "%d", &n) == 1) add(a, n);
  fclose(f);
}
static void command(struct app *a, char *line) {
  int n;
  if (*line == 'q') a->running = 0;
  else if (*line == 'k') { fflush(stdout); raise(SIGKILL); }
  else if (sscanf(line, "%d", &n) == 1) { if (a->used > a->size) grow(a); add(a, n); }
  else { for (unsigned k = 0; k < a->size; k++) for (struct item *i = a->table[k]; i; i = i->next) printf("%d ", i->n);
     printf("used %u size %u\n", a->used, a->size); }
  fprintf(a->log, "cmd\n");
}
static void app_free(struct app *a) {
  for (unsigned k = 0; k < a->size; k++) for (struct item *i = a->table[k], *n; i; i = n) { n = i->next; free(i); }
  free(a->table); free(a);
}
static struct app *app_new(void) {
  struct app *app = calloc(1, sizeof *app);
  app->log = stderr;
  app->size = 4;
  app->table = calloc(app->size, sizeof *app->table);
  app->running = 1;
  return app;
}
int main(int argc, char **argv) {
  struct app *app;
  char line[100];
  app = app_new();
  if (argc > 3 && argv) { app_free(app); return 1; }
  load(app);
  if (argc > 2) { app_free(app); return 1; }
  while (app->running && fgets(line, sizeof line, stdin)) command(app, line);
  app_free(app);
  return 0;
}
