//===- ContractTest.cpp - What the rewriter emits compiles against nvm.h --===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/rewrite/RewriteTesting.h"

using namespace nvmove;
using namespace nvmove::test;

namespace {

/// Every macro and function that the rewriter can write, in the positions where
/// it writes them. Replacements.cpp and the other parts have no further names.
TEST(Contract, EverySymbolCompiles) {
  expectCompiles(R"c(
#include <nvmove/nvm.h>
NVM_TYPE(entry);
NVM_TYPE(shelf);
NVM_TYPE(shelves);
NVM_TYPE(hashes);
extern struct nvm_type nvm_type_other;
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <sys/socket.h>
#include <sys/uio.h>
struct entry { struct entry *next; unsigned lru : 24; int n, *tags; char name[16]; __extension__ struct { int inner; }; char tail[]; };
struct type { int (*compare)(const void *, const void *); } type, types[2];
struct table { struct entry *first; int fd; };
static struct { struct table *tables; long dirty; } server;
static int seed;
static void walk(const void *node, unsigned visit, int depth) { if (node && visit == 3) seed = depth; }
static struct entry *latest[2];
struct shelf { unsigned long hash; struct type types[2]; struct entry *entries[]; };
struct shelves { int n; struct type types[]; };
struct hashes { int n; unsigned long hash[]; };
int caller(struct entry *e, struct entry *t, char *buf, size_t n, const char *f, ...);
static int loaded; struct entry *first(void); int load(void); void loadAll(void); int handle(struct entry *e); const struct type *typeOf(int i);
void (*freeMethod)(void *) = nvm_free;
const struct type *typeOf(int i) { return i ? nvm_twin(&type) : nvm_twin(types); }
int caller(struct entry *e, struct entry *t, char *buf, size_t n, const char *f, ...) {
  va_list ap;
  struct msghdr m; struct iovec v;
  NVM(e->next) = t; NVM(e->n)++; NVM(*e->tags) += 2; NVM(t[1].name[0]) = 'x';
  NVM_OBJ(e)->lru = 1; NVM(t[2]).lru = 2;
  __sync_add_and_fetch(NVM_OBJ(&e->n), 1);
  va_start(ap, f);
  vsnprintf(NVM_BUF(buf, n), n, f, ap);
  va_end(ap);
  nvm_memcpy(buf, f, n); nvm_memmove(buf, f, n); nvm_memset(buf, 0, n);
  nvm_strcpy(buf, f); nvm_strncpy(buf, f, n); nvm_strcat(buf, f); nvm_strncat(buf, f, n); nvm_stpcpy(buf, f);
  nvm_bzero(buf, n); nvm_bcopy(f, buf, n); buf = nvm_mempcpy(buf, f, n);
  va_start(ap, f);
  if (nvm_sprintf(buf, "%d", 1) + nvm_vsprintf(buf, f, ap) < 0) return 8;
  va_end(ap);
  nvm_qsort(buf, n, 1, type.compare);
  if (nvm_read(0, buf, n) + nvm_pread(0, buf, n, 9) + nvm_recv(0, buf, n, 0) + nvm_recvfrom(0, buf, n, 0, NULL, NULL) < 0) return 1;
  if (nvm_strtok(buf, f) || nvm_strtok_r(NULL, f, &buf) || nvm_strsep(&buf, f)) return 9;
  if (nvm_tsearch(e, (void **)&server.tables, type.compare) == nvm_tfind(e, (void **)&server.tables, type.compare)) nvm_tdelete(e, (void **)&server.tables, type.compare);
  nvm_twalk(e, walk); nvm_twalk_r(e, NULL, e); nvm_tdestroy(e, nvm_free);
  if (nvm_fread(buf, 1, n, stdin) != n || nvm_fgets(buf, 9, stdin) == NULL) return 2;
  e = NVM_ALLOC(entry, nvm_malloc(sizeof(*e))); t = NVM_ALLOC(other, nvm_calloc(1, sizeof(*t)));
  buf = NVM_ALLOC(bytes, nvm_realloc(buf, n)); nvm_free(e);
  if (NVM_ALLOC_OUT(entry, nvm_posix_memalign((void **)&e, 64, sizeof(*e)))) return 5;
  if (NVM_ALLOC_OUT(bytes, nvm_asprintf(&buf, "%d", 1)) < 0) return 6;
  if (NVM_ALLOC_OUT(bytes, nvm_getline(&buf, &n, stdin)) < 0 || nvm_getdelim(&buf, &n, 0, stdin) < 0) return 7;
  buf = NVM_ALLOC(bytes, nvm_realpath(f, NULL)); buf = NVM_ALLOC(bytes, nvm_getcwd(NULL, 0));
  buf = NVM_ALLOC(bytes, nvm_reallocarray(buf, n, 2)); e = NVM_ALLOC(entry, nvm_valloc(n));
  latest[0] = *(struct entry **)NVM_ALLOC(pointers, nvm_calloc(n, sizeof(e)));
  f = nvm_strdup(f); f = nvm_strndup(f, n); n = nvm_usable_size(t);
  if (nvm_write(1, f, n) + nvm_writev(1, &v, 1) + nvm_send(1, f, n, 0) < 0) return 3;
  if (nvm_sendto(1, f, n, 0, NULL, 0) + nvm_sendmsg(1, &m, 0) < 0) return 4;
  nvm_begin();
  handle(e);
  nvm_end();
  { nvm_begin(); { __typeof__(handle(e)) nvm_result = handle(e); nvm_end(); return nvm_result; } }
}
static jmp_buf top;
int loop(int n); int loop(int n) {
  if (nvm_jumped(setjmp(top))) return 1;
  while (n--) { NVM_SECTION(); if (nvm_fflush(stdout)) continue; if (n == 7) return n; break; }
  return 0;
}
int locks(pthread_mutex_t *m, pthread_cond_t *c, pthread_rwlock_t *r, pthread_spinlock_t *s, mtx_t *x, cnd_t *d, const struct timespec *t);
int locks(pthread_mutex_t *m, pthread_cond_t *c, pthread_rwlock_t *r, pthread_spinlock_t *s, mtx_t *x, cnd_t *d, const struct timespec *t) {
  int n = nvm_pthread_mutex_lock(m) + nvm_pthread_mutex_trylock(m) + nvm_pthread_mutex_timedlock(m, t) + nvm_pthread_mutex_clocklock(m, CLOCK_REALTIME, t);
  n += nvm_pthread_cond_wait(c, m) + nvm_pthread_cond_timedwait(c, m, t) + nvm_pthread_cond_clockwait(c, m, CLOCK_REALTIME, t) + nvm_pthread_mutex_unlock(m);
  n += nvm_pthread_rwlock_rdlock(r) + nvm_pthread_rwlock_tryrdlock(r) + nvm_pthread_rwlock_timedrdlock(r, t) + nvm_pthread_rwlock_clockrdlock(r, CLOCK_REALTIME, t);
  n += nvm_pthread_rwlock_wrlock(r) + nvm_pthread_rwlock_trywrlock(r) + nvm_pthread_rwlock_timedwrlock(r, t) + nvm_pthread_rwlock_clockwrlock(r, CLOCK_REALTIME, t) + nvm_pthread_rwlock_unlock(r);
  n += nvm_pthread_spin_lock(s) + nvm_pthread_spin_trylock(s) + nvm_pthread_spin_unlock(s);
  n += nvm_mtx_lock(x) + nvm_mtx_trylock(x) + nvm_mtx_timedlock(x, t) + nvm_cnd_wait(d, x) + nvm_cnd_timedwait(d, x, t);
  return n + nvm_mtx_unlock(x);
}
int main(void) {
  nvm_start();
  nvm_hold_output();
  nvm_commit_at_output();
  seed = 5; NVM_KEEP(seed);
  if (!nvm_restore()) loadAll();
  nvm_ready();
  loaded = NVM_LOAD_OR(load(), -1, 0); loaded = NVM_LOAD_AS(load(), loaded); latest[0] = NVM_LOAD_FOR(first(), latest[0]);
  loaded = NVM_LOAD_PART("main():load()", load()); loaded = NVM_LOAD_PART_AS(load(), loaded);
  seed ? NVM_LOAD_VOID(loadAll()) : (void)seed;
  (nvm_restore() ? (void)0 : loadAll()), NVM_LOAD_VOID(loadAll()), seed++;
  return NVM_LOAD(load());
}

NVM_REGISTER(source) {
    NVM_ROOT_BEHIND(latest[0], struct entry, n);
    NVM_ROOT_POINTERS_BEHIND(latest[0], struct entry, next);
    NVM_ROOT(server.dirty);
    NVM_ROOT_POINTERS(latest);
    NVM_ROOT_ARRAY(server.tables, struct table,
                   NVM_POINTER(struct table, first));
    NVM_TWIN(type);
    NVM_TWIN(types);
}

NVM_LAYOUT(entry, struct entry,
           NVM_POINTER(struct entry, next),
           NVM_FIELD(struct entry, n),
           NVM_FIELD(struct entry, inner),
           NVM_FLEXIBLE(struct entry, tail));

NVM_ELEMENTS(entry);

struct table *kept(void) {
    static struct table it;
    NVM_ROOT_POINTERS_HERE("kept():it.first", it.first);
    return &it;
}
int session(void) {
    struct table own = { 0 };
    NVM_ROOTS_END_WITH(own);
    NVM_ROOT_HERE("main():own", own);
    NVM_STATIC_HERE("main():own", own);
    return own.first != 0;
}

NVM_LAYOUT(shelf, struct shelf,
           NVM_COMPUTED(struct shelf, hash),
           NVM_RECORD(struct shelf, types, type),
           NVM_FLEXIBLE_POINTERS(struct shelf, entries));

NVM_LAYOUT(shelves, struct shelves,
           NVM_FIELD(struct shelves, n),
           NVM_FLEXIBLE_RECORD(struct shelves, types, type));

NVM_LAYOUT(hashes, struct hashes,
           NVM_FIELD(struct hashes, n),
           NVM_FLEXIBLE_COMPUTED(struct hashes, hash));

NVM_LAYOUT(other, struct table,
           { "", 0, sizeof(struct table), 0, 0 });
)c");
}

TEST(Contract, HeaderComesBeforeFeatureTestMacros) {
  expectCompiles("#include <nvmove/nvm.h>\n#define _XOPEN_SOURCE 700\n#include "
                 "<string.h>\n"
                 "char *f(const char *s);\nchar *f(const char *s) { return "
                 "strdup(s); }\n");
}

} // namespace
