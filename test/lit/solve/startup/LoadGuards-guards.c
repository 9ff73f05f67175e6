// What is skipped when the pool was restored: the load, not the function that
// sets up the program and loads, nor a load on request, nor the loop that makes
// it. What cannot be right by itself is told.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --notes --load load --out more more.c > out
// RUN: FileCheck %s --input-file more/patches/1-roots.patch --check-prefix=MORE
// MORE:     if (NVM_LOAD_OR(load("state"), -1, 0) != 0)
// MORE-NOT: nvm_restore()) init
//
// RUN: %nvmove --notes --load load --out request request.c > out
// RUN: FileCheck %s --input-file request/patches/1-roots.patch --check-prefix=REQUEST
// REQUEST:     current = NVM_LOAD_AS(load("inbox"), current);
// REQUEST-NOT: nvm_restore()) menu
// RUN: %nvmove_act --notes --load load --out later request.c -- -DLATER > out
// RUN: FileCheck %s --input-file out --check-prefix=LATER
// LATER: load-result the result of the load is assigned to current by another statement, after the commit
// RUN: FileCheck %s --input-file later/patches/1-roots.patch --check-prefix=LATERTEXT
// LATERTEXT: b = NVM_LOAD_FOR(load("inbox"), current);
//
// RUN: %nvmove --notes --load load_tune,load_conf --out two two.c > out
// RUN: FileCheck %s --input-file out --check-prefix=TWO
// TWO: several-loads the state is loaded from more than one place at start-up: all of it is restored at the first
//
// RUN: %nvmove --notes --load load --out answers answers.c > out
// RUN: FileCheck %s --input-file out --check-prefix=ANSWERS
// ANSWERS: load-answers the load may also return a value through &generate

//--- more.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct elem { int id; struct elem *next; };
struct hash { int n; struct elem **table; };
static struct hash *groups;
static char *host;
static int load(const char *name) {
    int x;
    FILE *f = fopen(name, "r");
    if (!f) return -1;
    while (fscanf(f, "%d", &x) == 1) {
        struct elem *e = malloc(sizeof *e);
        e->id = x;
        e->next = groups->table[x % 10];
        groups->table[x % 10] = e;
    }
    fclose(f);
    return 0;
}
static void init(void) {
    groups = calloc(1, sizeof *groups);
    groups->n = 10;
    groups->table = calloc(10, sizeof *groups->table);
    host = strdup(getenv("HOST"));
    if (load("state") != 0)
        fprintf(stderr, "no state\n");
}
int main(void) {
    char line[80];
    init();
    while (fgets(line, sizeof line, stdin)) {
        if (groups->table[0]) groups->table[0]->id++;
        puts(host);
    }
    return 0;
}

//--- request.c
#include <stdio.h>
#include <stdlib.h>
struct msg { int id; struct msg *next; };
struct box { struct msg *first; };
static struct box *current;
static struct box *load(const char *name) {
    int x;
    FILE *f = fopen(name, "r");
    struct box *b;
    if (!f) return NULL;
    b = calloc(1, sizeof *b);
    while (fscanf(f, "%d", &x) == 1) {
        struct msg *m = malloc(sizeof *m);
        m->id = x; m->next = b->first; b->first = m;
    }
    fclose(f);
    return b;
}
#ifdef INMAIN
#define menu() menu_()
#endif
#ifndef INMAIN
static void menu(void) {
    char line[80];
    while (fgets(line, sizeof line, stdin))
        switch (*line) {
        case 'c': current = load("other"); break;
        case 'i': if (current && current->first) current->first->id++; break;
        case 'q': return;
        }
}
#endif
int main(void) {
#ifdef INMAIN
    char line[80];
    current = load("inbox");
    while (fgets(line, sizeof line, stdin))
        switch (*line) {
        case 'c': current = load("other"); break;
        case 'i': if (current && current->first) current->first->id++; break;
        case 'q': return 0;
        }
#elif defined LATER
    struct box *b = NULL;
    b = load("inbox");
    current = b;
    menu();
#else
    current = load("inbox");
    menu();
#endif
    return 0;
}

//--- two.c
#include <stdio.h>
#include <stdlib.h>
struct cls { int id, limit; struct cls *next; };
static struct cls *classes;
static int tablesize = 10;
static void **table;
static void load_tune(void) {
    FILE *f = fopen("tune", "r");
    if (f) { if (fscanf(f, "%d", &tablesize) != 1) exit(1); fclose(f); }
}
static void initclass(void) {
    classes = malloc(sizeof *classes);
    classes->id = 0; classes->limit = 100; classes->next = NULL;
}
static int load_conf(void) {
    int id, limit;
    FILE *f = fopen("conf", "r");
    if (!f) return -1;
    while (fscanf(f, "%d %d", &id, &limit) == 2) {
        struct cls *c = malloc(sizeof *c);
        c->id = id; c->limit = limit; c->next = classes->next; classes->next = c;
    }
    fclose(f);
    return 0;
}
int main(void) {
    char line[80];
    load_tune();
    table = calloc(tablesize, sizeof *table);
    initclass();
    if (load_conf() == -1) return 1;
    while (fgets(line, sizeof line, stdin)) {
        classes->limit++;
        for (struct cls *c = classes; c; c = c->next) printf("%d %d\n", c->id, c->limit);
    }
}

//--- answers.c
#include <stdio.h>
#include <stdlib.h>
struct item { int id; } inv[10];
int count;
static int load(const char *n, int *generate)
{
    FILE *f = fopen(n, "r");
    int i;
    *generate = 1;
    if (!f) return 0;
    fread(&count, sizeof count, 1, f);
    for (i = 0; i < count; i++) fread(&inv[i].id, sizeof(int), 1, f);
    *generate = 0;
    fclose(f);
    return 1;
}
int main(int argc, char **argv)
{
    int generate;
    char b[80];
    if (!load(argv[1], &generate)) { count = 1; inv[0].id = 3; }
    if (generate) { count = 0; }
    while (fgets(b, 80, stdin)) inv[count++ % 10].id = atoi(b);
    return 0;
}
