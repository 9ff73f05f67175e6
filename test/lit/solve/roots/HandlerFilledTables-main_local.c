// A table in a record that is a local of main, into which a handler puts what
// it allocates itself, of a type that the load makes, too: however deep the
// record's address is handed on, it is restored with what counts in it. One
// that start-up fills, too, is told: what handlers have added is lost. Where a
// handler begins it anew, that is a question.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && echo '3 4' > data
// RUN: %nvmove_act --notes --load load app.c > out
// RUN: FileCheck %s --input-file out
// CHECK:      3 roots
// CHECK-NEXT: app.all
// CHECK-NEXT: app.undo[]
// CHECK-NEXT: marks.all[]
// CHECK:      2 restored scalars
// CHECK-NEXT: app.count {{ *}}counts what is in app.undo[], at app.c
// CHECK-NEXT: marks.count {{ *}}counts what is in marks.all[], at app.c
// CHECK:      1 finding to act on
// CHECK-NEXT: head-not-kept {{.*}}app.late[] is not kept, nor is app.late_count, which counts its elements
// CHECK:      to check
// CHECK:      head-not-kept {{.*}}app.batch[] is not kept, nor is app.batch_count, which counts its elements
//
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'p5\np6\nm6\nx0\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'p7\no0\no0\n' | env NVM_POOL=%t/pool ./app >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      undone 7, 2 left, 1 marked
// LOG-NEXT: undone 6, 1 left, 1 marked

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct item { int id; struct item *next; };
struct marks { struct item *all[8]; int count; };
struct app {
  struct item *all, *undo[8], *late[8], *batch[8];
  int count, late_count, batch_count;
};

static struct item *make(int id) {
  struct item *it = malloc(sizeof *it);
  it->id = id;
  it->next = NULL;
  return it;
}
static struct item *load(const char *name) {
  FILE *f = fopen(name, "r");
  struct item *all = NULL;
  int id;
  while (f && fscanf(f, "%d", &id) == 1) {
    struct item *it = malloc(sizeof *it);
    it->id = id;
    it->next = all;
    all = it;
  }
  if (f)
    fclose(f);
  return all;
}
static void put4(struct app *app, struct item *it) {
  app->undo[app->count++] = it;
}
static void put3(struct app *app, struct item *it) { put4(app, it); }
static void put2(struct app *app, struct item *it) { put3(app, it); }
static void put1(struct app *app, struct item *it) { put2(app, it); }
static void put(struct app *app, struct item *it) { put1(app, it); }
static void put_late(struct app *app, int id) {
  app->late[app->late_count++] = make(id);
}
static void put_batch(struct app *app, int id) {
  app->batch[app->batch_count++] = make(id);
}
static void mark(struct marks *marks, struct item *it) {
  marks->all[marks->count++] = it;
}
static void command(struct app *app, struct marks *marks, char c, int id) {
  switch (c) {
  case 'p': put(app, make(id)); break;
  case 'l': put_late(app, id); break;
  case 'b': put_batch(app, id); break;
  case 'e': app->batch_count = 0; break;
  case 'm': mark(marks, make(id)); break;
  case 'o':
    if (app->count) {
      struct item *it = app->undo[--app->count];
      printf("undone %d, %d left, %d marked\n", it->id, app->count,
             marks->count);
      free(it);
    }
    break;
  case 'x': raise(SIGKILL);
  }
}
int main(void) {
  struct app app = {0};
  struct marks marks = {0};
  char line[80];
  app.all = load("data");
  put_late(&app, 1);
  put_batch(&app, 1);
  while (fgets(line, sizeof line, stdin))
    command(&app, &marks, line[0], atoi(line + 1));
  app.count = 0;
  return 0;
}
