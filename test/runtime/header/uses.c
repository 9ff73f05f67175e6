/*===- uses.c - every macro of the header -----------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Every macro of the header, as the rewriter emits it and as people may write
 * it. From C89 up, and C++. The header stands first and includes no libc
 * header, so no name of libc may be known here. matrix.sh compiles it. */
#include "nvmove/backup.h"
#include "nvmove/nvm.h"
#include "nvmove/region.h"
#include "nvmove/restart.h"

struct link {
  struct link *next;
  unsigned flag : 3;
  int values[4];
  char *name;
  const char *label;
  volatile int hits;
};
struct tail {
  int n;
  char bytes[1];
};
struct ended {
  struct link *session, *sessions[2];
  int descriptor;
};
union either {
  long number;
  void *pointer;
};

struct small {
  long one, two;
  NVM_LINE_LOG_32(16);
};
struct large {
  struct link *first;
  char text[30];
  NVM_LINE_LOG_64(40);
};

NVM_TYPE(small);
NVM_TYPE(large);
NVM_LAYOUT(small, struct small, NVM_FIELD(struct small, one),
           NVM_FIELD(struct small, two), NVM_LINE_LOG(struct small));
NVM_LAYOUT(large, struct large, NVM_POINTER(struct large, first),
           NVM_FIELD(struct large, text), NVM_LINE_LOG(struct large));
typedef char small_is_32_bytes[sizeof(struct small) == 32 ? 1 : -1];
typedef char large_is_64_bytes[sizeof(struct large) == 64 ? 1 : -1];

NVM_TYPE(link);
NVM_TYPE(tail);
NVM_TYPE(counted);
struct counted {
  int references;
  struct link *first, *table[3], part;
  struct tail *(*code)(struct link *);
};
struct parts {
  long n;
  unsigned long hash;
  struct link part[1]; /* flexible in old style */
};
struct bits {
  unsigned first : 3;
  short between;
  unsigned busy : 1, : 3, level : 4;
};
NVM_TYPE(bits);
NVM_LAYOUT(bits, struct bits,
           NVM_BITS("first:3", 0, NVM_BEGIN(struct bits, between)),
           NVM_FIELD(struct bits, between),
           NVM_BITS("busy:1,:3,level:4", NVM_END(struct bits, between),
                    sizeof(struct bits)));
static struct bits bits;
struct hashes {
  long n;
  unsigned long hash[1];
};
NVM_TYPE(hashes);
NVM_LAYOUT(hashes, struct hashes, NVM_FIELD(struct hashes, n),
           NVM_FLEXIBLE_COMPUTED(struct hashes, hash),
           NVM_FLEXIBLE_COMPUTED_IN_HEAP(struct hashes, hash));
NVM_LAYOUT(counted, struct counted, NVM_COUNT(struct counted, references),
           NVM_POINTER(struct counted, first),
           NVM_POINTER(struct counted, table),
           NVM_RECORD(struct counted, part, link),
           NVM_FIELD(struct counted, code));
NVM_TYPE(parts);
NVM_LAYOUT(parts, struct parts, NVM_FIELD(struct parts, n),
           NVM_COMPUTED(struct parts, hash),
           NVM_COMPUTED_IN_HEAP(struct parts, hash),
           NVM_FLEXIBLE_RECORD(struct parts, part, link));
NVM_LAYOUT(link, struct link, NVM_FIELD(struct link, next),
           NVM_FIELD(struct link, values), NVM_FIELD(struct link, name));
NVM_TYPE(ended);
NVM_LAYOUT(ended, struct ended, NVM_VOLATILE(struct ended, session),
           NVM_VOLATILE(struct ended, sessions),
           NVM_DESCRIPTOR(struct ended, descriptor));
NVM_ELEMENTS(ended);
struct row {
  long n;
  struct link *cells[1];
};
NVM_TYPE(row);
NVM_LAYOUT(row, struct row, NVM_FIELD(struct row, n),
           NVM_FLEXIBLE_POINTERS(struct row, cells));
NVM_LAYOUT(tail, struct tail, NVM_FIELD(struct tail, n),
           NVM_FLEXIBLE(struct tail, bytes));

static struct link *head, *table;
static long seed;
static const int constants[3] = {1, 2, 3};
static struct link vtable;
static volatile int turns;
static struct link *volatile latest;
static struct link *const fixed = &vtable;
static struct ended *ended;

static int load(struct link *from) { return from != 0; }

NVM_REGISTER(uses) {
  NVM_ROOT(turns);
  NVM_ROOT_POINTERS(latest);
  NVM_ROOT_VOLATILE(latest);
  NVM_TWIN(fixed);
  NVM_STATIC(vtable);
  NVM_STATIC(fixed);
  NVM_STATIC_ARRAY(constants);
  NVM_LITERALS();
  NVM_CODE(load);
  NVM_STATIC_FUNCTION(load);
  NVM_ROOT(head);
  NVM_ROOT_BITS(bits, "first:3", &bits, &bits.between);
  NVM_ROOT_BITS(bits, "busy:1,:3,level:4", &bits.between + 1, &bits + 1);
  NVM_ROOT_ARRAY(table, struct link, NVM_FIELD(struct link, next),
                 NVM_FIELD(struct link, values));
  NVM_ROOT_BEHIND(head, struct link, values);
  NVM_ROOT_POINTERS_BEHIND(head, struct link, next);
  NVM_ROOT_VOLATILE_BEHIND(head, struct link, next);
  NVM_TWIN(constants);
  NVM_TWIN(vtable);
}

static void *wrapper(unsigned long size_bytes) {
  return nvm_malloc(size_bytes);
}

static void stores(struct link *p, union either *e, char *buf, int i) {
  struct link array[2], *which[2];
  which[0] = p;
  NVM(p->next) = p;
  NVM(p->values[i++]) += 2;
  NVM(p->values[1])++;
  --NVM(p->values[2]);
  NVM(*p) = array[0];
  NVM(which[0]->next->next) = 0;
  NVM_OBJ(p)->flag = 1;
  NVM_OBJ(array)->flag = 1;
  NVM(e->number) = 1;
  NVM(e->pointer) = p;
  NVM(p->label) = "label";
  NVM(p->hits) = 1;
  NVM_BUF(buf, 10)[0] = 'x';
  NVM_BUF(p->name, 10)[1] = 'y';
  nvm_memset(NVM_BUF(p->values, sizeof(p->values)), 0, sizeof(p->values));
  if (i)
    NVM(p->values[0]) = i;
  else
    NVM(p->values[0]) = -i;
}

static struct link *store(void) {
  static struct link *kept;
  static struct ended *own;
  NVM_ROOT_HERE("store():kept", kept);
  NVM_ROOT_POINTERS_HERE("store():kept", kept);
  NVM_ROOT_VOLATILE_HERE("store():kept", kept);
  NVM_ROOT_BEHIND_HERE("store():own", own, struct ended, descriptor);
  NVM_ROOT_POINTERS_BEHIND_HERE("store():own", own, struct ended, session);
  NVM_ROOT_VOLATILE_BEHIND_HERE("store():own", own, struct ended, session);
  return kept;
}

/* Values that are computed first, and a block in a block. */
static void late(struct link *p, volatile struct link *q,
                 unsigned char *small) {
  NVM_SET(p->next, store());
  NVM_SET(p->values[0], load(NVM_SET(p->next, store())));
  NVM_CHANGE(p->values[1], +=, load(store()));
#ifndef __cplusplus /* C++20: no use of what is assigned to a volatile */
  NVM_SET(q->hits, load(p));
#endif
  NVM_CHANGE(*small, |=, load(p) & 1);
  NVM(*small)++;
  NVM(q->values[1]) = 2;
  NVM_OBJ(q)->flag = 1;
}

static int put(void **out) {
  *out = 0;
  return 0;
}

static const struct link *read_only(void) { return 0; }

int main(void) {
  struct {
    struct link *first;
    const char *name;
  } app = {0, 0};
  NVM_ROOTS_END_WITH(app);
  union either e;
  char buf[16] = "";
  unsigned char small = 0;
  void *block = 0;
  const int *twin, *array;
  struct link *other;
  const struct link *seen;
  int (*code)(struct link *);
  NVM_DECLARED(NVM_ROOT_HERE("main():app.first", app.first));
  NVM_DECLARED(nvm_hold_output(); nvm_hold_output());
  int result = 0;
  NVM_STATIC_HERE("main():app", app);
  nvm_start();
  seed = 1;
  NVM_KEEP(seed);
  NVM_KEEP(turns);
  result = NVM_LOAD(load(head));
  result = NVM_LOAD_AS(load(head), result);
  result += NVM_LOAD_FOR(load(head), 1);
  result += NVM_LOAD_PART("uses():load()", load(head));
  result += NVM_LOAD_PART_AS(load(head), 2);
  result += NVM_LOAD_OR(load(head), -1, 0);
  result++, NVM_LOAD_VOID(nvm_free(0));
  result += NVM_RELOAD(nvm_restore_at_start()) +
            NVM_RELOAD_OR(nvm_restore_at_start(), 0, 1);
  result++, NVM_RELOAD_VOID(nvm_free(0));
  head = NVM_ALLOC(link, (struct link *)nvm_malloc(sizeof(*head)));
  table = (struct link *)NVM_ALLOC(link, wrapper(2 * sizeof(*table)));
  seen = NVM_ALLOC(link, read_only());
  result += NVM_ALLOC_OUT(link, put(&block));
  result += nvm_pthread_mutex_lock(&small) + nvm_pthread_cond_wait(buf, &small);
  result += nvm_pthread_mutex_unlock(&small);
  nvm_begin();
  if (head)
    stores(head, &e, buf, 0);
  late(head, head, &small);
  twin = nvm_twin(&constants[1]);
  array = nvm_twin(constants);
  other = nvm_twin(&vtable);
  code = nvm_code(load);
  nvm_end();
  nvm_hold_output();
  nvm_commit_at_output();
  NVM_WAIT(load)(0);
  while (nvm_sprintf(buf, "%d", 1) == 2) {
    NVM_SECTION();
    while (nvm_sprintf(buf, "%d", 1) == 3) {
      NVM_SECTION();
      if (nvm_jumped(nvm_fflush(0)))
        break;
    }
  }
  nvm_free(head);
  nvm_close();
  return result + (twin == array) + (other == 0) + nvm_contains(head) +
         (seen != 0) + (ended != 0) + code(other);
}
