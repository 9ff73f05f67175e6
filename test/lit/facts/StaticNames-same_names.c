// Statics of one name in two files are two roots, and go by two names in the
// pool. So do followed statics, and numbers that are restored.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load a.c b.c main.c > out
// RUN: FileCheck %s --input-file out
// CHECK-DAG: a.c:list  a.c:
// CHECK-DAG: b.c:list  b.c:
// CHECK-DAG: a.c:count gets a value from the file
// CHECK-DAG: b.c:count gets a value from the file
// RUN: sh %S/../rewrite/Inputs/apply nvmove-out/patches %runtime_include a.c b.c main.c
// RUN: FileCheck %s --input-file b.c --check-prefix=TEXT
// TEXT:      #undef NVM_PREFIX
// TEXT-NEXT: #define NVM_PREFIX "b.c:"
// TEXT-NEXT: NVM_REGISTER(b) {
// TEXT-DAG:      NVM_ROOT_POINTERS(list);
// TEXT-DAG:      NVM_ROOT(count);
// TEXT-DAG:      NVM_STATIC(none);
// TEXT:      }
// TEXT-NEXT: #undef NVM_PREFIX
// TEXT-NEXT: #define NVM_PREFIX ""
// RUN: gcc -I %runtime_include a.c b.c main.c %runtime_lib -o app
// RUN: printf 'ap' > state
// RUN: echo 1 | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > first
// RUN: echo 1 | env NVM_POOL=%t/pool not --crash ./app > second
// RUN: FileCheck %s --input-file second --check-prefix=SECOND
// SECOND:      apple 99 of 97
// SECOND-NEXT: pear 114 of 112

//--- list.h
#include <stdio.h>
#include <stdlib.h>
void load_a(FILE *), load_b(FILE *), show_a(int), show_b(int);
struct tag { const char *text; int used; };

//--- a.c
#include "list.h"
struct apple { struct apple *next; struct tag *tag; int n; };
static struct apple *list;
static struct tag none = {"none", 0};
static int count;
void load_a(FILE *f) {
    struct apple *p = malloc(sizeof *p);
    count = p->n = fgetc(f); p->tag = &none; p->next = list; list = p;
}
void show_a(int d) {
    for (struct apple *p = list; p; p = p->next) {
        p->tag->used++;
        printf("apple %d of %d\n", p->n += d, count);
    }
}

//--- b.c
#include "list.h"
struct pear { struct pear *next; struct tag *tag; int n; };
static struct pear *list;
static struct tag none = {"none", 0};
static int count;
void load_b(FILE *f) {
    struct pear *p = malloc(sizeof *p);
    count = p->n = fgetc(f); p->tag = &none; p->next = list; list = p;
}
void show_b(int d) {
    for (struct pear *p = list; p; p = p->next) {
        p->tag->used++;
        printf("pear %d of %d\n", p->n += d, count);
    }
}

//--- main.c
#include "list.h"
#include <signal.h>
static void load(const char *name) {
    FILE *f = fopen(name, "r");
    load_a(f);
    load_b(f);
    fclose(f);
}
static void command(char *line) {
    show_a(atoi(line));
    show_b(atoi(line));
    fflush(stdout);
}
int main(void) {
    char line[80];
    load("state");
    while (fgets(line, sizeof line, stdin)) command(line);
    raise(SIGKILL);
    return 0;
}
