/*===- search.c - tsearch(), insque() and their like, in the heap -----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The C library's own trees lie in memory of the process. These are treaps
 * (Seidel and Aragon, Randomized Search Trees, 1996): a node's priority is made
 * of its address, so that a node is three pointers, which the pool knows how to
 * follow. Where a pool's objects move, old nodes are balanced less well.
 *
 *===------------------------------------------------------------------------===
 */
#include "nvmove/nvm.h"
#include <search.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    const void *key; /* first, as POSIX has it */
    struct node *less, *more;
};

struct queued {
    struct queued *next, *before;
};

void nvm_insque(void *element, void *behind)
{
    struct queued *e = element, *before = behind, *next = before ? before->next : NULL;
    NVM(e->next) = next;
    NVM(e->before) = before;
    if (next)
        NVM(next->before) = e;
    if (before)
        NVM(before->next) = e;
}

void nvm_remque(void *element)
{
    struct queued *e = element, *next = e->next, *before = e->before;
    if (next)
        NVM(next->before) = before;
    if (before)
        NVM(before->next) = next;
}

static uint64_t priority(const struct node *n)
{
    uint64_t x = (uint64_t)(uintptr_t)n;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u; /* splitmix64 */
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* The slot that holds the node with that key, or null; its parent. */
static struct node **find(const void *key, struct node **at, nvm_compare *compare,
                          struct node **parent)
{
    for (struct node *n; (n = *at);) {
        int order = compare(key, n->key);
        if (order == 0)
            return at;
        if (parent)
            *parent = n;
        at = order < 0 ? &n->less : &n->more;
    }
    return at;
}

void *nvm_tfind(const void *key, void *const *root, nvm_compare *compare)
{
    return root ? *find(key, (struct node **)root, compare, NULL) : NULL;
}

void *nvm_tsearch(const void *key, void **root, nvm_compare *compare)
{
    struct node *made, *found = nvm_tfind(key, root, compare);
    if (!root || found)
        return found;
    made = NVM_ALLOC(pointers, nvm_calloc(1, sizeof(*made)));
    if (!made)
        return NULL;
    NVM(made->key) = key;
    struct node **at = (struct node **)root, *n;
    while ((n = *at) && priority(n) >= priority(made))
        at = compare(key, n->key) < 0 ? &n->less : &n->more;
    /* What is below is split by the key. */
    struct node **less = &made->less, **more = &made->more;
    NVM(*at) = made;
    while (n)
        if (compare(key, n->key) < 0) {
            NVM(*more) = n;
            more = &n->less;
            n = n->less;
        } else {
            NVM(*less) = n;
            less = &n->more;
            n = n->more;
        }
    NVM(*less) = NULL;
    NVM(*more) = NULL;
    return made;
}

void *nvm_tdelete(const void *key, void **root, nvm_compare *compare)
{
    struct node *parent = NULL, *n, *less, *more;
    struct node **at = root ? find(key, (struct node **)root, compare, &parent) : NULL;
    if (!at || !(n = *at))
        return NULL;
    for (less = n->less, more = n->more; less && more;)
        if (priority(less) >= priority(more)) {
            NVM(*at) = less;
            at = &less->more;
            less = less->more;
        } else {
            NVM(*at) = more;
            at = &more->less;
            more = more->less;
        }
    NVM(*at) = less ? less : more;
    nvm_free(n);
    return parent ? (void *)parent : (void *)root; /* of the root: anything but null */
}

/* Calls one of the two. */
struct action {
    void (*at_depth)(const void *, unsigned, int);
    void (*with)(const void *, unsigned, void *);
    void *data;
};

static void visit(const struct node *n, unsigned visit, int depth, const struct action *action)
{
    if (action->with)
        action->with(n, visit, action->data);
    else
        action->at_depth(n, visit, depth);
}

static void walk(const struct node *n, int depth, const struct action *action)
{
    if (!n->less && !n->more) {
        visit(n, leaf, depth, action);
        return;
    }
    visit(n, preorder, depth, action);
    if (n->less)
        walk(n->less, depth + 1, action);
    visit(n, postorder, depth, action);
    if (n->more)
        walk(n->more, depth + 1, action);
    visit(n, endorder, depth, action);
}

void nvm_twalk(const void *root, void (*action)(const void *, unsigned, int))
{
    if (root && action)
        walk(root, 0, &(struct action){.at_depth = action});
}

void nvm_twalk_r(const void *root, void (*action)(const void *, unsigned, void *), void *with)
{
    if (root && action)
        walk(root, 0, &(struct action){.with = action, .data = with});
}

void nvm_tdestroy(void *root, void (*release)(void *))
{
    struct node *n = root;
    if (!n)
        return;
    nvm_tdestroy(n->less, release);
    nvm_tdestroy(n->more, release);
    release((void *)n->key);
    nvm_free(n);
}
