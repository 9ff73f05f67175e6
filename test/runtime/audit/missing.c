/*===- missing.c - stores that the audit must find --------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Compiled with nvmove-cc --audit. A line with a mark is reported, with the
 * number of stores and the field; no other line is. With an argument the
 * program makes only stores that are announced.
 */
#include <nvmove/nvm.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct record {
  long id;
  char name[40];
  struct record *next;
  unsigned low : 3, high : 9;
};
struct big {
  char bytes[300];
};
NVM_TYPE(record);
NVM_TYPE(big);
NVM_LAYOUT(record, struct record, NVM_FIELD(struct record, id),
           NVM_FIELD(struct record, name), NVM_FIELD(struct record, next));

#define NOT_INLINE __attribute__((noinline)) static

NOT_INLINE void store(struct record *r) {
  r->next = r; /* MISSED: 2 record[1].next */
}

/* A hook for a neighbour in the same line covers the line, not this field. */
NOT_INLINE void store_beside(struct record *r) {
  NVM(r->id) = 1;
  r->next = r; /* MISSED: 1 record.next */
}

NOT_INLINE void copy(struct record *r, const struct record *s) {
  *r = *s; /* MISSED: 1 record[3].id */
}

/* Half of it is announced: the report names where it begins. */
NOT_INLINE void copy_half(struct record *r, const struct record *s) {
  NVM(r->id) = 1;
  *r = *s; /* MISSED: 1 record.name */
}

NOT_INLINE void copy_big(struct big *b, const struct big *s) {
  *b = *s; /* MISSED: 1 big */
}

NOT_INLINE void bits(struct record *r) { r->high = 5; /* MISSED: 1 record */ }

NOT_INLINE void atomic(struct record *r) {
  __atomic_fetch_add(&r->id, 1, __ATOMIC_RELAXED); /* MISSED: 1 record.id */
}

NOT_INLINE void libc_copy(struct record *r, unsigned long n) {
  memcpy(r->name, "0123456789", n); /* MISSED: 1 record.name */
}

NOT_INLINE void libc_print(struct record *r, int n) {
  sprintf(r->name, "number %d", n); /* MISSED: 1 record.name */
}

NOT_INLINE void libc_read(struct record *r, int fd) {
  if (read(fd, r->name, 3) != 3) /* MISSED: 1 record.name */
    _exit(1);
}

NOT_INLINE void outside(struct record *r) {
  r->id = 9; /* MISSED: 1 record[2].id */
}

NOT_INLINE void announced(struct record *r, const struct record *s, int fd) {
  nvm_store(r, sizeof(*r));
  *r = *s;
  NVM_OBJ(r + 1)->low = 3;
  NVM(r[2].id)++;
  nvm_memcpy(r->name, "0123", 4);
  snprintf(NVM_BUF(r[1].name, 20), 20, "number %ld", r->id);
  if (nvm_read(fd, r[2].name, 3) != 3)
    _exit(1);
}

int main(int argc, char **argv) {
  static struct record s = {.id = 7};
  static struct big b = {"big"};
  int fds[2];
  (void)argv;
  nvm_start();
  nvm_restore();
  struct record *r = nvm_zalloc(&nvm_type_record, 4 * sizeof(*r));
  struct big *g = nvm_zalloc(&nvm_type_big, sizeof(*g));
  nvm_ready();
  if (pipe(fds) || write(fds[1], "abcdef", 6) != 6)
    return 1;
  if (argc > 1) {
    nvm_begin();
    announced(r, &s, fds[0]);
    nvm_end();
    NVM(r->id) = 1; /* outside a section */
    return 0;
  }
  static void (*const one[])(struct record *) = {store_beside, bits, atomic};
  for (int i = 0; i < 3; i++) {
    nvm_begin();
    one[i](r);
    nvm_end();
  }
  nvm_begin();
  NVM(r[1].next) = r;
  nvm_end();
  nvm_begin(); /* the announcement before was another section's */
  store(r + 1);
  store(r + 2);
  copy_half(r, &s);
  copy_big(g, &b);
  copy(r + 3, &s);
  nvm_end();
  nvm_begin();
  libc_copy(r, (unsigned long)argc * 8);
  libc_print(r, argc);
  libc_read(r, fds[0]);
  nvm_end();
  outside(r + 2);
  return 0;
}
