// A loop at start-up that reaches the wait by an error only, which calls the main
// loop again, is not the main loop: what appends to texts is loading.
//
// RUN: cd %S && %nvmove --load load --print types EventLoop-far_wait.c | FileCheck %s
// CHECK:      chunk
// CHECK-NEXT: item
// CHECK-NEXT: text
// What fills the tables before the load may come there, and the section of the start-up is open.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load t.c > out
// RUN: FileCheck %s --input-file out --check-prefix=BEFORE
// BEFORE: t.c:[[#]]:5 load-condition start-up may reach the main loop through this call, before the load: {{.*}} (in main)
// RUN: sed '/^    init_tables();/d' t.c > late.c
// RUN: %nvmove --load load --out late late.c > out
// RUN: not grep load-condition out
// RUN: patch -s -p1 < late/patches/1-roots.patch && patch -s -p1 < late/patches/2-allocation.patch
// RUN: patch -s -p1 < late/patches/3-sections.patch && patch -s -p1 < late/patches/4-stores.patch
// RUN: %nvmove verify --load load late.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
struct chunk { struct chunk *prev; int used; char data[16]; };
struct text { struct chunk *last; int len, size; };
struct item { struct text *name; struct item *next; };
static struct item *all;
static struct text classes;
static int done, hooks;
static void main_loop(void);
static void run_hook(void) { if (hooks) main_loop(); }
static void complain(const char *s) { fprintf(stderr, "%s\n", s); run_hook(); }
static void grow(struct text *t)
{
    struct chunk *c;
    if (t->size < 0) complain("bad size");
    c = malloc(sizeof *c);
    c->prev = t->last;
    c->used = 0;
    t->last = c;
    t->size += 16;
}
static void append(struct text *t, int c)
{
    if (t->len + 1 >= t->size) grow(t);
    t->last->data[t->last->used++] = c;
    t->len++;
}
static void init_tables(void)
{
    int i;
    for (i = 1; i < 256; i++) append(&classes, i);
}
static void add(const char *s)
{
    struct item *i = malloc(sizeof *i);
    i->name = calloc(1, sizeof *i->name);
    while (*s) append(i->name, *s++);
    i->next = all;
    all = i;
}
static void load(const char *n)
{
    char line[80];
    FILE *f = fopen(n, "r");
    if (!f) return;
    while (fgets(line, 80, f)) add(line);
    fclose(f);
}
static void handle(int c)
{
    char s[2] = { c, 0 };
    if (c == 'q') done = 1;
    else add(s);
}
static void main_loop(void)
{
    while (!done) {
        fd_set in;
        FD_ZERO(&in);
        FD_SET(0, &in);
        if (select(1, &in, NULL, NULL, NULL) > 0) handle(getchar());
    }
}
int main(int argc, char **argv)
{
    init_tables();
    load(argv[1]);
    main_loop();
    return 0;
}
