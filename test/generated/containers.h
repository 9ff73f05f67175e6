/*===- containers.h - What generated programs keep their records in ---------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Containers of anything, as C programs bring them along: all of a program's
 * records go through the same few functions.
 */
#ifndef NVMOVE_TEST_CONTAINERS_H
#define NVMOVE_TEST_CONTAINERS_H

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <unistd.h>

#ifdef TRACE /* trace.c */
void *trace_calloc(size_t bytes, const char *type);
void *trace_realloc(void *block, size_t bytes, const char *type);
void trace_free(void *block);
void trace_load(void);
void trace_report(void *local, size_t bytes);
#define NEW(type) ((type *)trace_calloc(sizeof(type), #type))
#define GROW(block, count, type)                                               \
  ((type *)trace_realloc(block, (count) * sizeof(type), #type))
#define FREE(block) trace_free(block)
#else
#define NEW(type) ((type *)calloc(1, sizeof(type)))
#define GROW(block, count, type)                                               \
  ((type *)realloc(block, (count) * sizeof(type)))
#define FREE(block) free(block)
#endif

struct node {
  struct node *next;
  void *data;
};
struct list {
  struct node *head;
  struct node **tail;
  int n;
  void (*drop)(void *);
};
void list_init(struct list *l, void (*drop)(void *));
struct list *list_new(void (*drop)(void *));
void list_add(struct list *l, void *x);
void list_put(struct list *l, void *x);
void list_put2(struct list *l, void *x);
void list_put3(struct list *l, void *x);
void list_put4(struct list *l, void *x);
void list_push(struct list *l, void *x);
void *list_pop(struct list *l);
void list_splice(struct list *to, struct list *from);
void list_each(struct list *l, void (*see)(void *x, void *context),
               void *context);
struct list *list_copy(struct list *l);
void list_reverse(struct list *l);

struct vec {
  void **items;
  int n, capacity;
};
struct vec *vec_new(void);
void **vec_slot(struct vec *v);
void vec_push(struct vec *v, void *x);
void *vec_pop(struct vec *v);
void *vec_get(struct vec *v, int i);
void vec_swap(struct vec *a, struct vec *b);
void vec_take(struct vec *to, struct vec *from);

struct entry {
  struct entry *next;
  int key;
  void *value;
};
struct map {
  struct entry *slots[8];
  int n;
};
struct map *map_new(void);
void **map_ref(struct map *m, int key);
void map_set(struct map *m, int key, void *value);
void *map_get(struct map *m, int key);
void *map_remove(struct map *m, int key);
void map_each(struct map *m, void (*see)(int key, void *x, void *context),
              void *context);
void map_free(struct map *m);

struct tnode {
  struct tnode *left, *right;
  int key;
  void *value;
};
struct tree {
  struct tnode *root;
};
struct tree *tree_new(void);
void tree_set(struct tree *t, int key, void *value);
void *tree_get(struct tree *t, int key);
void tree_walk(struct tree *t, void (*see)(void *x, void *context),
               void *context);
void tree_free(struct tree *t);

struct box {
  void *content;
};
struct box *box_new(void);
void *box_get(struct box *b);
void box_set(struct box *b, void *x);

struct iter {
  struct node *at;
  struct list *of;
};
struct iter *iter_new(struct list *l);
void *iter_next(struct iter *i);

/* One of the above behind a table of functions. */
struct ops {
  void (*add)(void *container, int key, void *x);
  void *(*get)(void *container, int key);
};
struct coll {
  const struct ops *ops;
  void *container;
};
struct coll *coll_of_list(void);
struct coll *coll_of_map(void);
void coll_add(struct coll *c, int key, void *x);
void *coll_get(struct coll *c, int key);

/* A member of what it links. */
struct link {
  struct link *prev, *next;
};
static inline void link_init(struct link *head) {
  head->prev = head->next = head;
}
static inline void link_add(struct link *head, struct link *l) {
  l->prev = head->prev;
  l->next = head;
  head->prev->next = l;
  head->prev = l;
}
static inline void link_remove(struct link *l) {
  l->prev->next = l->next;
  l->next->prev = l->prev;
}

void set(void **at, void *x);
char *text(FILE *in);

#endif
