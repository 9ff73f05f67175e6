// What the load works with in statics and lets go of does not stay: the
// pointers are null whenever it has ended, whatever way it took. Those that may
// not be do.
//
// RUN: %nvmove --load load --print types %s | FileCheck %s --implicit-check-not=gone
// CHECK-DAG: kept_error
// CHECK-DAG: kept_other
// CHECK-DAG: kept_address
// CHECK-DAG: kept_lent
// CHECK-DAG: kept_opened
// CHECK-DAG: kept_twice
// CHECK-DAG: kept_cast
// CHECK-DAG: kept_again
// CHECK-DAG: kept_behind
// CHECK-DAG: kept_reused
// CHECK-DAG: kept_perhaps
// CHECK-DAG: module
//
// What a load returns may be taken for an error only if it is what it returns
// without a file.
// RUN: %nvmove --load load2 --print types %s | FileCheck %s --check-prefix=TWO
// TWO: kept_success
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
struct module { int n; };
struct gone_header { int n; };
struct gone_queue { struct gone_queue *next; int n; };
struct gone_tested { int n; };
struct gone_dangling { int n; };
struct gone_called { int n; };
struct gone_released { int n; };
struct gone_alias { int n; };
struct gone_cast { int n; };
struct gone_lent { int n; };
struct gone_opened { int n; };
struct gone_closed { int n; };
struct kept_reused { int n; };
struct kept_opened { int n; };
struct kept_twice { int n; };
struct kept_lent { int n; };
struct kept_cast { int n; };
struct kept_perhaps { int n; };
struct kept_error { int n; };
struct kept_other { int n; };
struct kept_address { int n; };
struct kept_again { int n; };
struct kept_behind { int n; };
static struct module *song;
static struct gone_header *header;
static struct gone_queue *queue;
static struct gone_tested *tested;
static struct gone_dangling *dangling;
static struct gone_called *called;
static struct gone_released *released;
static struct gone_alias *alias;
static struct gone_cast *cast;
static struct gone_lent *lent;
static struct kept_reused *reused;
static struct kept_lent *lent_again;
static struct gone_opened *opened;
static struct gone_closed *closed;
static struct kept_opened *not_opened;
static struct kept_twice *twice_opened;
static struct kept_cast *cast_before;
static struct kept_perhaps *perhaps;
static struct kept_error *error;
static struct kept_other *other;
static struct kept_address *address;
static struct kept_again *again;
static struct kept_behind *behind;

#define NEW(p) ((p) = calloc(1, sizeof *(p)))
static void make(int n) {
  NEW(header)->n = n;
  NEW(tested)->n = n;
  NEW(dangling)->n = n;
  NEW(called)->n = n;
}
static int flag;
static void release(void *p) {
  if (p != NULL) free(p);
}
static void maybe(void *p) {
  if (flag) free(p);
}
static void drop(void) {
  free(called);
  called = 0;
}
static struct kept_address **place;
static void keep(struct kept_address **p) {
  place = p;
  NEW(*p)->n = getchar();
}
static void make_there(struct gone_lent **p) { NEW(*p)->n = getchar(); }
static void lend(struct gone_lent **p) {
  if (*p == NULL) make_there(p);
}
static int open_it(struct gone_opened **p) {
  struct gone_opened *o = malloc(sizeof *o);
  if (!o) return 0;
  o->n = getchar();
  *p = o;
  return 1;
}
static void close_it(struct gone_closed **p) {
  free(*p);
  *p = NULL;
}
static int open_badly(struct kept_opened **p) {
  NEW(*p)->n = getchar();
  if ((*p)->n == 3) return 0;
  return 1;
}
static int open_twice(struct kept_twice **p, struct kept_twice **q) {
  if (getchar() == 3) {
    NEW(*q)->n = getchar();
    return 0;
  }
  *p = NULL;
  return 1;
}
static void make_again(struct kept_lent **p) { NEW(*p)->n = getchar(); }
static void enqueue(int n) {
  struct gone_queue *q = malloc(sizeof *q);
  q->n = n;
  q->next = queue;
  queue = q;
}
struct kept_success { int n; };
static struct kept_success *success;
static int load2(const char *name) {
  FILE *f = fopen(name, "r");
  NEW(success)->n = getc(f);
  if (success->n == 5) return 1;
  free(success);
  success = NULL;
  return 0;
}
static int load(const char *name) {
  FILE *f = fopen(name, "r");
  struct gone_queue *q;
  int c;
  if (!f) return -1;
  NEW(error)->n = getc(f);
  if (error->n == 7) return -1; // has not loaded
  if (error->n == 8) return 0;
  make(getc(f));
  while ((c = getc(f)) != EOF) enqueue(c);
  NEW(song)->n = header->n;
  while ((q = queue)) {
    song->n += q->n;
    queue = q->next;
    free(q);
  }
  free(header);
  header = NULL;
  if (tested) {
    free(tested);
    tested = NULL;
  }
  free(dangling);
  NEW(other)->n = c;
  if (c == 3) {
    free(other);
    other = NULL;
  }
  NEW(released)->n = c;
  release(released);
  struct gone_alias *a = malloc(sizeof *a);
  a->n = c;
  alias = a;
  release(a);
  struct kept_reused *r = malloc(sizeof *r);
  r->n = c;
  reused = r;
  r = malloc(sizeof *r);
  free(r);
  NEW(perhaps)->n = c;
  maybe(perhaps);
  keep(&address);
  free(address);
  address = NULL;
  NEW(*place)->n = c;
  NEW(cast)->n = c;
  free((char *)(void *)cast);
  lend(&lent);
  free(lent);
  lent = NULL;
  make_again(&lent_again);
  free((void *)lent_again);
  make_again(&lent_again);
  NEW(cast_before)->n = c;
  char *before = (char *)cast_before;
  NEW(cast_before)->n = c;
  free(before);
  NEW(again)->n = getc(f);
  drop();
  if (!open_it(&opened)) return 0;
  opened->n = c;
  free(opened);
  NEW(closed)->n = c;
  close_it(&closed);
  if (open_badly(&not_opened) == 0) return 0;
  free(not_opened);
  if (!open_twice(&twice_opened, &twice_opened)) return 0;
  free(error);
  error = NULL;
  NEW(behind)->n = getc(f);
  fclose(f);
  return 0;
}
static void twice(void) {
  free(again);
  again = NULL;
  NEW(again)->n = song->n;
}
static void wrapped(const char *name) {
  load(name);
  free(behind);
  behind = NULL;
}
int main(int argc, char **argv) {
  char line[80];
  wrapped(argv[argc - 1]);
  load2(argv[argc - 1]);
  while (fgets(line, sizeof line, stdin)) {
    song->n += atoi(line);
    twice();
    if (success) success->n++;
    printf("%d %d\n", song->n, error ? error->n : other ? other->n : address ? address->n : lent_again ? lent_again->n : not_opened ? not_opened->n : twice_opened ? twice_opened->n : cast_before ? cast_before->n : perhaps ? perhaps->n : reused->n);
  }
  return 0;
}
