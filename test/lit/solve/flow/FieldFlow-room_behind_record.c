// Records cut from chunks, which have no allocation of their own, are changed
// through void *: what is handed there counts as the heap's.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load t.c > out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c --check-prefix=CODE
// RUN: gcc t.o %runtime_lib -o t
// RUN: printf '1 2' > saved
// RUN: printf 'scf' | env NVM_POOL=%t/pool NVM_SIZE=64M NVM_VERIFY=1 ./t > first
// RUN: printf 'p' | env NVM_POOL=%t/pool NVM_VERIFY=1 ./t > second
// RUN: FileCheck %s --input-file first
// RUN: FileCheck %s --input-file second
//
// CODE: static void clear(void *p, size_t n) { nvm_memset(p, 0, n); }
// CODE: static void assign(void *d, const void *s, size_t n) { nvm_memcpy(d, s, n); }
// CODE: NVM(*(void **)r) = pool->slabs->freelist;
// CHECK: 2/99/new
// CHECK-NEXT: 1/0/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct slab { struct slab *next; void *freelist; char mem[]; };
struct pool { size_t size; struct slab *slabs; };
struct body { int hits; char cmd[40]; };
struct job { struct body b; struct job *next; int id; };
static struct pool *pool;
static struct job *jobs;

static void *pool_get(struct pool *p) {
  struct slab *s = p->slabs;
  void *r;
  if (!s || !s->freelist) {
    s = malloc(sizeof *s + 8 * p->size);
    s->freelist = NULL;
    for (int i = 0; i < 8; i++) {
      void **cell = (void **)(s->mem + i * p->size);
      *cell = s->freelist;
      s->freelist = cell;
    }
    s->next = p->slabs;
    p->slabs = s;
  }
  r = s->freelist;
  s->freelist = *(void **)r;
  return memset(r, 0, p->size);
}
static void pool_put(void *r) {
  *(void **)r = pool->slabs->freelist;
  pool->slabs->freelist = r;
}
static void clear(void *p, size_t n) { memset(p, 0, n); }
static void assign(void *d, const void *s, size_t n) { memcpy(d, s, n); }
static void make(int id) {
  struct job *j = pool_get(pool);
  j->id = id;
  j->b.hits = 7;
  j->next = jobs;
  jobs = j;
}
static void load(void) {
  FILE *f = fopen("saved", "r");
  int id;
  if (!f)
    return;
  while (fscanf(f, "%d", &id) == 1)
    make(id);
  make(3);
  fclose(f);
}
static void command(int c) {
  struct body t = {99, "new"};
  struct job *j = jobs;
  if (c == 's')
    assign(jobs->next, &t, sizeof t);
  if (c == 'c')
    clear(jobs->next->next, sizeof t);
  if (c == 'f' && j->id == 3) {
    jobs = j->next;
    pool_put(j);
  }
}
int main(void) {
  int c;
  pool = calloc(1, sizeof *pool);
  pool->size = sizeof(struct job);
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (struct job *j = jobs; j; j = j->next)
    printf("%d/%d/%s\n", j->id, j->b.hits, j->b.cmd);
  return 0;
}
