// What a macro also makes a string of keeps its words: the program prints them. A store there is
// announced before the statement, where that announces the same; what else would have to change
// is reported. A macro that makes a string of something else in its text is edited as ever.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: gcc t.c -o t && printf '3 4' | ./t data > original
// RUN: %nvmove_act --load load t.c > out
// RUN: FileCheck %s --input-file out --implicit-check-not=uneditable-
// CHECK: t.c:22:3 uneditable-call strncpy: may write persistent memory
// CHECK: t.c:35:{{.*}} uneditable-store this store cannot be announced in place (in change) (and 4 more places)
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c --check-prefix=TEXT
// TEXT: #define ADD(to, n) do { printf("add to %s\n", #to); NVM(to) += (n); } while (0)
// TEXT: #define PLUS(to, n) (to += (n))
// TEXT: TRACE(strncpy(a->owner, "some", 15));
// TEXT-NEXT:  (void)NVM_OBJ(&a->cents);
// TEXT-NEXT:  TRACE(a->cents += n);
// TEXT-NEXT:  (void)NVM_OBJ(&a->cents);
// TEXT-NEXT:  LOG(a->cents++);
// TEXT-NEXT:  (void)NVM_OBJ(&a->cents);
// TEXT-NEXT:  assert((a->cents -= 1) != -1);
// TEXT-NEXT:  ADD(a->cents, 1);
// TEXT-NEXT:  TRACE(ADD(a->cents, 1));
// TEXT-NEXT:  (void)NVM_OBJ(&a->cents);
// TEXT-NEXT:  LOG(PLUS(a->cents, 1));
// TEXT-NEXT:  if (a->next)
// TEXT-NEXT:    { (void)NVM_OBJ(&a->next->cents); assert(a->next->cents++ < 1000); }
// TEXT-NEXT:  else { (void)NVM_OBJ(a); if (LOG(a->seen = 1))
// TEXT-NEXT:    n--; }
// TEXT-NEXT:  (void)NVM_OBJ(&a->owner[n]);
// TEXT-NEXT:  int m = CHECK(a->owner[n] = pick(a));
// TEXT-NEXT:  n += m;
// TEXT-NEXT:  assert(!a->next || a->next->cents++ < 1000);
// TEXT-NEXT:  n += CHECK((a = a->next ? a->next : a)->cents++);
// TEXT-NEXT:  while (LOG(a->cents--) > 999)
// TEXT-NEXT:    LOG(a->owner[n++] = 0);
// TEXT-NEXT:  REQUIRE(a->next, a->next->cents++ < 1000);
// RUN: gcc t.o %runtime_lib -o t && printf '3 4' | ./t data > moved
// RUN: cmp original moved
//
// Nothing to announce is left but what was reported.
// RUN: %nvmove_act --load load --out again t.c -- -I %runtime_include > out
// RUN: not ls again/patches
// RUN: not %nvmove verify --load load t.c -- -I %runtime_include > found
// RUN: FileCheck %s --input-file found --check-prefix=FOUND --implicit-check-not=error:
// FOUND: error: {{.*}}strncpy
// FOUND-COUNT-5: error: account.{{.*}} [unannounced-store]
// With these written by hand there is nothing to act on but what the load prints,
// and no store is missed.
// RUN: sed -i -e 's/strncpy(/nvm_strncpy(/' -e '/!a->next/,/REQUIRE(a/s/a->\(cents\|next->cents\|owner.n++.\)\(++\|--\| = 0\)/NVM(a->\1)\2/' t.c
// RUN: sed -i -e 's/(a = a->next ? a->next : a)->cents/NVM(&)/' t.c
// RUN: %nvmove_act --load load --out again --force t.c -- -I %runtime_include > out
// RUN: FileCheck %s --input-file out --check-prefix=AGAIN
// AGAIN: 1 finding to act on
// AGAIN-NEXT: load-lets-out
// RUN: not ls again/patches
// RUN: %nvmove verify --load load t.c -- -I %runtime_include

//--- data
1
//--- t.c
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define TRACE(statement) do { printf("> %s\n", #statement); statement; } while (0)
#define LOG(e) SHOW(e)
#define SHOW(e) printf(#e " = %d\n", (e))
#define CHECK(e) ((e) ? 1 : (puts(#e), 0))
#define REQUIRE(what, e) do { if (!(what)) return; if (!(e)) fail(#e); } while (0)
#define ADD(to, n) do { printf("add to %s\n", #to); to += (n); } while (0)
#define PLUS(to, n) (to += (n))
struct account { struct account *next; int cents; unsigned seen : 1; char owner[16]; };
static struct account *accounts;
static char pick(const struct account *a) {
  return a->next ? 'a' : 'b';
}
__attribute__((noreturn)) static void fail(const char *what) {
  puts(what);
  exit(1);
}
static void change(struct account *a, int n) {
  TRACE(strncpy(a->owner, "some", 15));
  TRACE(a->cents += n);
  LOG(a->cents++);
  assert((a->cents -= 1) != -1);
  ADD(a->cents, 1);
  TRACE(ADD(a->cents, 1));
  LOG(PLUS(a->cents, 1));
  if (a->next)
    assert(a->next->cents++ < 1000);
  else if (LOG(a->seen = 1))
    n--;
  int m = CHECK(a->owner[n] = pick(a));
  n += m;
  assert(!a->next || a->next->cents++ < 1000);
  n += CHECK((a = a->next ? a->next : a)->cents++);
  while (LOG(a->cents--) > 999)
    LOG(a->owner[n++] = 0);
  REQUIRE(a->next, a->next->cents++ < 1000);
}
static void load(FILE *f) {
  int n;
  while (fscanf(f, "%d", &n) == 1) {
    struct account *a = calloc(1, sizeof *a);
    if (!a)
      abort();
    a->next = accounts;
    change(a, n);
    accounts = a;
  }
}
int main(int argc, char **argv) {
  int n;
  FILE *f = fopen(argv[argc - 1], "r");
  if (f) {
    load(f);
    fclose(f);
  }
  while (scanf("%d", &n) == 1)
    change(accounts, n);
  printf("%s %d\n", accounts->owner, accounts->cents);
  return 0;
}
