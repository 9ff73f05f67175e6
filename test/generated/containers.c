/*===- containers.c - What generated programs keep their records in ---------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "containers.h"

static struct node *spare;

static struct node *node_new(void *x) {
  struct node *n = spare;
  if (n)
    spare = n->next;
  else
    n = NEW(struct node);
  n->data = x;
  n->next = NULL;
  return n;
}

static void node_give(struct node *n) {
  n->data = NULL;
  n->next = spare;
  spare = n;
}

void list_init(struct list *l, void (*drop)(void *)) {
  l->tail = &l->head;
  l->drop = drop;
}

struct list *list_new(void (*drop)(void *)) {
  struct list *l = NEW(struct list);
  list_init(l, drop);
  return l;
}

void list_add(struct list *l, void *x) {
  struct node *n = node_new(x);
  *l->tail = n;
  l->tail = &n->next;
  l->n++;
}

void list_put(struct list *l, void *x) { list_add(l, x); }

void list_put2(struct list *l, void *x) { list_put(l, x); }

void list_put3(struct list *l, void *x) { list_put2(l, x); }

void list_put4(struct list *l, void *x) { list_put3(l, x); }

void list_push(struct list *l, void *x) {
  struct node *n = node_new(x);
  n->next = l->head;
  if (!l->head)
    l->tail = &n->next;
  l->head = n;
  l->n++;
}

void *list_pop(struct list *l) {
  struct node *n = l->head;
  void *x;
  if (!n)
    return NULL;
  x = n->data;
  l->head = n->next;
  if (!l->head)
    l->tail = &l->head;
  l->n--;
  node_give(n);
  return x;
}

void list_splice(struct list *to, struct list *from) {
  if (!from->head)
    return;
  *to->tail = from->head;
  to->tail = from->tail;
  to->n += from->n;
  from->head = NULL;
  from->tail = &from->head;
  from->n = 0;
}

void list_each(struct list *l, void (*see)(void *, void *), void *context) {
  struct node *n, *next;
  for (n = l->head; n; n = next) {
    next = n->next;
    see(n->data, context);
  }
}

static void copy_one(void *x, void *to) { list_add(to, x); }

struct list *list_copy(struct list *l) {
  struct list *copy = list_new(NULL);
  list_each(l, copy_one, copy);
  return copy;
}

static struct node *reversed(struct node *n, struct node *done) {
  struct node *next;
  if (!n)
    return done;
  next = n->next;
  n->next = done;
  return reversed(next, n);
}

void list_reverse(struct list *l) {
  struct node *n;
  l->head = reversed(l->head, NULL);
  l->tail = &l->head;
  for (n = l->head; n; n = n->next)
    l->tail = &n->next;
}

struct vec *vec_new(void) { return NEW(struct vec); }

static void make_room(struct vec *v) {
  if (v->n < v->capacity)
    return;
  v->capacity = v->capacity ? v->capacity * 2 : 2;
  v->items = GROW(v->items, (size_t)v->capacity, void *);
}

void **vec_slot(struct vec *v) {
  make_room(v);
  return &v->items[v->n++];
}

void vec_push(struct vec *v, void *x) { *vec_slot(v) = x; }

void *vec_pop(struct vec *v) { return v->n ? v->items[--v->n] : NULL; }

void *vec_get(struct vec *v, int i) { return i < v->n ? v->items[i] : NULL; }

void vec_swap(struct vec *a, struct vec *b) {
  struct vec t = *a;
  *a = *b;
  *b = t;
}

void vec_take(struct vec *to, struct vec *from) {
  FREE(to->items);
  *to = *from;
  memset(from, 0, sizeof(*from));
}

struct map *map_new(void) { return NEW(struct map); }

void **map_ref(struct map *m, int key) {
  struct entry **e = &m->slots[key & 7];
  for (; *e; e = &(*e)->next)
    if ((*e)->key == key)
      return &(*e)->value;
  *e = NEW(struct entry);
  (*e)->key = key;
  m->n++;
  return &(*e)->value;
}

void map_set(struct map *m, int key, void *value) { *map_ref(m, key) = value; }

void *map_get(struct map *m, int key) {
  struct entry *e = m->slots[key & 7];
  while (e && e->key != key)
    e = e->next;
  return e ? e->value : NULL;
}

void *map_remove(struct map *m, int key) {
  struct entry **at = &m->slots[key & 7], *e;
  void *x;
  while (*at && (*at)->key != key)
    at = &(*at)->next;
  e = *at;
  if (!e)
    return NULL;
  *at = e->next;
  x = e->value;
  FREE(e);
  m->n--;
  return x;
}

void map_each(struct map *m, void (*see)(int, void *, void *), void *context) {
  int i;
  struct entry *e;
  for (i = 0; i < 8; i++)
    for (e = m->slots[i]; e; e = e->next)
      see(e->key, e->value, context);
}

void map_free(struct map *m) {
  int i;
  struct entry *e, *next;
  for (i = 0; i < 8; i++)
    for (e = m->slots[i]; e; e = next) {
      next = e->next;
      FREE(e);
    }
  FREE(m);
}

struct tree *tree_new(void) { return NEW(struct tree); }

static struct tnode *put(struct tnode *t, int key, void *value) {
  if (!t) {
    t = NEW(struct tnode);
    t->key = key;
    t->value = value;
  } else if (key < t->key) {
    t->left = put(t->left, key, value);
  } else if (key > t->key) {
    t->right = put(t->right, key, value);
  } else {
    t->value = value;
  }
  return t;
}

void tree_set(struct tree *t, int key, void *value) {
  t->root = put(t->root, key, value);
}

void *tree_get(struct tree *t, int key) {
  struct tnode *n = t->root;
  while (n && n->key != key)
    n = key < n->key ? n->left : n->right;
  return n ? n->value : NULL;
}

static void walk(struct tnode *t, void (*see)(void *, void *), void *context) {
  if (!t)
    return;
  walk(t->left, see, context);
  see(t->value, context);
  walk(t->right, see, context);
}

void tree_walk(struct tree *t, void (*see)(void *, void *), void *context) {
  walk(t->root, see, context);
}

static void cut(struct tnode *t) {
  if (!t)
    return;
  cut(t->left);
  cut(t->right);
  FREE(t);
}

void tree_free(struct tree *t) {
  cut(t->root);
  FREE(t);
}

struct box *box_new(void) { return NEW(struct box); }

void *box_get(struct box *b) { return b ? b->content : NULL; }

void box_set(struct box *b, void *x) { b->content = x; }

struct iter *iter_new(struct list *l) {
  struct iter *i = NEW(struct iter);
  i->at = l->head;
  i->of = l;
  return i;
}

void *iter_next(struct iter *i) {
  void *x = NULL;
  if (i->at) {
    x = i->at->data;
    i->at = i->at->next;
  }
  return x;
}

static void add_to_list(void *container, int key, void *x) {
  (void)key;
  list_add(container, x);
}

static void *get_from_list(void *container, int key) {
  struct list *l = container;
  (void)key;
  return l->head ? l->head->data : NULL;
}

static void add_to_map(void *container, int key, void *x) {
  map_set(container, key, x);
}

static void *get_from_map(void *container, int key) {
  return map_get(container, key);
}

static const struct ops list_ops = {add_to_list, get_from_list};
static const struct ops map_ops = {add_to_map, get_from_map};

struct coll *coll_of_list(void) {
  struct coll *c = NEW(struct coll);
  c->ops = &list_ops;
  c->container = list_new(NULL);
  return c;
}

struct coll *coll_of_map(void) {
  struct coll *c = NEW(struct coll);
  c->ops = &map_ops;
  c->container = map_new();
  return c;
}

void coll_add(struct coll *c, int key, void *x) {
  c->ops->add(c->container, key, x);
}

void *coll_get(struct coll *c, int key) {
  return c->ops->get(c->container, key);
}

void set(void **at, void *x) { *at = x; }

char *text(FILE *in) {
  char *s = GROW(NULL, 4, char);
  int i;
  for (i = 0; i < 3; i++)
    s[i] = (char)('a' + fgetc(in) % 26);
  s[3] = '\0';
  return s;
}
