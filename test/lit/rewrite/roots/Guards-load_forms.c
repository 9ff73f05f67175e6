// A load in each form of an expression: what is written compiles, and the second
// start skips it. What a restart could not be given again is refused.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: cat base.h load_void.h rest.h macro.c > macro1.c && %nvmove --load load --out macro macro1.c > out
// RUN: FileCheck %s --input-file macro/patches/1-roots.patch --check-prefix=MACRO
// RUN: not grep load- out
// MACRO: +#define LOADM(x) do { NVM_LOAD_VOID(load(x)); } while (0)
// MACRO-NOT: nvm_ready
// RUN: sh %S/../Inputs/apply macro/patches %runtime_include macro1.c
// RUN: cat base.h load_void.h rest.h perhaps.c > perhaps1.c && %nvmove --load load --out perhaps perhaps1.c > out
// RUN: FileCheck %s --input-file perhaps/patches/1-roots.patch --check-prefix=PERHAPS
// PERHAPS:      +#define LOADM(x) do { if (*x) NVM_LOAD_VOID(load(x)); } while (0)
// PERHAPS:           LOADM(v[1]);
// PERHAPS-NEXT: +    nvm_restore();
// PERHAPS-NEXT: +    nvm_ready();
// RUN: sh %S/../Inputs/apply perhaps/patches %runtime_include perhaps1.c
// RUN: cat base.h load_void.h rest.h comma.c > comma1.c && %nvmove --load load --out comma comma1.c > out
// RUN: FileCheck %s --input-file comma/patches/1-roots.patch --check-prefix=COMMA
// RUN: not grep load- out
// COMMA: open_it(), NVM_LOAD_VOID(load(v[1])), n++;
// RUN: sh %S/../Inputs/apply comma/patches %runtime_include comma1.c
// RUN: cat base.h load_void.h rest.h choice.c > choice1.c && %nvmove --load load --out choice choice1.c > out
// RUN: FileCheck %s --input-file choice/patches/1-roots.patch --check-prefix=CHOICE
// CHOICE: c > 1 ? NVM_LOAD_VOID(load(v[1])) : (void)puts("none");
// RUN: sh %S/../Inputs/apply choice/patches %runtime_include choice1.c
// RUN: cat base.h load_void.h rest.h twice.c > twice1.c && %nvmove --load load --out twice twice1.c > out
// RUN: FileCheck %s --input-file twice/patches/1-roots.patch --check-prefix=TWICE
// TWICE: (nvm_restore() ? (void)0 : load(v[0])), n++;
// TWICE: NVM_LOAD_VOID(load(v[1])), n++;
// RUN: sh %S/../Inputs/apply twice/patches %runtime_include twice1.c
// RUN: cat base.h old_style.h rest.h condition.c > old1.c && %nvmove --load load --out old old1.c > out
// RUN: FileCheck %s --input-file old/patches/1-roots.patch --check-prefix=OLD
// OLD: if (NVM_LOAD_OR(load(v[1]), -1, 0) < 0)
// RUN: sh -c 'for p in old/patches/*.patch; do patch -s -p1 < $p; done'
// RUN: gcc -std=c99 -Wall -Werror -I %runtime_include -c old1.c && %clang -w -I %runtime_include -c old1.c
//
// The same macro loads on request: not to be skipped there.
// RUN: cat base.h load_void.h rest.h request.c > request1.c && %nvmove_act --load load --out request request1.c > out
// RUN: FileCheck %s --input-file out --check-prefix=REQUEST
// REQUEST: load-not-guarded  the load at start-up is not guarded: the call is part of a macro, which is also used where the load must not be skipped
// RUN: sh %S/../Inputs/apply request/patches %runtime_include request1.c
//
// RUN: cat base.h load_struct.h rest.h struct.c > struct1.c && %nvmove_act --load load --out struct struct1.c > out
// RUN: FileCheck %s --input-file out --check-prefix=STRUCT
// RUN: not grep load-result out
// STRUCT: load-not-guarded  the load at start-up is not guarded: its result is a struct or union, which cannot be returned again at a later start: put it into a static variable in a function of its own without a result
// RUN: sh %S/../Inputs/apply struct/patches %runtime_include struct1.c
// RUN: cat base.h load_double.h rest.h double.c > double1.c && %nvmove_act --load load --out double double1.c > out
// RUN: FileCheck %s --input-file out --check-prefix=DOUBLE
// DOUBLE: load-not-guarded  the load at start-up is not guarded: its result is neither an integer nor a pointer
//
// What the refusal says, done.
// RUN: cat base.h load_struct.h rest.h mended.c > mended1.c && %nvmove --load load --out mended mended1.c > out
// RUN: FileCheck %s --input-file mended/patches/1-roots.patch --check-prefix=MENDED
// MENDED: if (!nvm_restore()) load_all(v[1]);
// RUN: sh %S/../Inputs/apply mended/patches %runtime_include mended1.c
//
// RUN: echo 1 2 > state
// RUN: gcc -I %runtime_include macro1.c %runtime_lib -o app && echo 3 | env NVM_POOL=%t/pool1 NVM_SIZE=32M ./app state
// RUN: echo 4 | env NVM_POOL=%t/pool1 ./app state | FileCheck %s --check-prefix=AGAIN
// RUN: gcc -I %runtime_include comma1.c %runtime_lib -o app && echo 3 | env NVM_POOL=%t/pool2 NVM_SIZE=32M ./app state
// RUN: echo 4 | env NVM_POOL=%t/pool2 ./app state | FileCheck %s --check-prefix=AGAIN
// RUN: gcc -I %runtime_include perhaps1.c %runtime_lib -o app && echo 3 | env NVM_POOL=%t/pool3 NVM_SIZE=32M ./app state
// RUN: echo 4 | env NVM_POOL=%t/pool3 ./app "" | FileCheck %s --check-prefix=AGAIN
// RUN: gcc -I %runtime_include mended1.c %runtime_lib -o app && echo 3 | env NVM_POOL=%t/pool4 NVM_SIZE=32M ./app state
// RUN: echo 4 | env NVM_POOL=%t/pool4 ./app state | FileCheck %s --check-prefix=AGAIN
// RUN: %nvmove verify --load load macro1.c
// RUN: %nvmove verify --load load comma1.c
// RUN: %nvmove verify --load load mended1.c
// RUN: gcc -I %runtime_include twice1.c %runtime_lib -o app && echo 3 | env NVM_POOL=%t/pool5 NVM_SIZE=32M ./app state
// RUN: echo 4 | env NVM_POOL=%t/pool5 ./app state | FileCheck %s --check-prefix=AGAIN
// RUN: %nvmove verify --load load twice1.c
// RUN: gcc -I %runtime_include choice1.c %runtime_lib -o app && echo 3 | env NVM_POOL=%t/pool6 NVM_SIZE=32M ./app state
// RUN: echo 4 | env NVM_POOL=%t/pool6 ./app | FileCheck %s --check-prefix=AGAIN
// AGAIN: 4 3 2 1 {{$}}

//--- base.h
#include <stdio.h>
#include <stdlib.h>
struct rec { struct rec *next; int n; };
struct state { struct rec *first; int count; };
struct rec *head;
static void add(struct rec **to, int n) {
    struct rec *r = malloc(sizeof *r);
    if (!r) return;
    r->n = n; r->next = *to; *to = r;
}

//--- load_void.h
static void load(const char *path) {
    FILE *f = fopen(path, "r");
    int n;
    if (!f) return;
    while (fscanf(f, "%d", &n) == 1) add(&head, n);
    fclose(f);
}

//--- old_style.h
static int load(path) char *path; {
    FILE *f = fopen(path, "r");
    int n;
    if (!f) return -1;
    while (fscanf(f, "%d", &n) == 1) add(&head, n);
    fclose(f);
    return 0;
}

//--- load_struct.h
static struct state load(const char *path) {
    struct state s = { 0, 0 };
    FILE *f = fopen(path, "r");
    int n;
    if (!f) return s;
    for (; fscanf(f, "%d", &n) == 1; s.count++) add(&s.first, n);
    fclose(f);
    return s;
}

//--- load_double.h
static double load(const char *path) {
    FILE *f = fopen(path, "r");
    double sum = 0;
    int n;
    if (!f) return -1;
    for (; fscanf(f, "%d", &n) == 1; sum += n) add(&head, n);
    fclose(f);
    return sum / 2;
}

//--- rest.h
static void serve(struct rec **at) {
    char line[80];
    while (fgets(line, sizeof line, stdin)) {
        add(at, atoi(line));
        for (struct rec *r = *at; r; r = r->next) printf("%d ", r->n);
        puts("");
    }
}

//--- macro.c
#define LOADM(x) do { load(x); } while (0)
int main(int c, char **v) {
    if (c > 2) return 1;
    LOADM(v[1]);
    serve(&head);
    return 0;
}

//--- perhaps.c
#define LOADM(x) do { if (*x) load(x); } while (0)
int main(int c, char **v) {
    if (c > 2) return 1;
    LOADM(v[1]);
    serve(&head);
    return 0;
}

//--- comma.c
static int n;
static void open_it(void) { puts("open"); }
int main(int c, char **v) {
    if (c > 2) return 1;
    open_it(), load(v[1]), n++;
    serve(&head);
    return n > 1;
}

//--- choice.c
int main(int c, char **v) {
    c > 1 ? load(v[1]) : (void)puts("none");
    serve(&head);
    return 0;
}

//--- twice.c
static int n;
int main(int c, char **v) {
    if (c > 2) return 1;
    load(v[0]), n++;
    load(v[1]), n++;
    serve(&head);
    return n > 2;
}

//--- condition.c
int main(int c, char **v) {
    if (c > 2) return 1;
    if (load(v[1]) < 0)
        puts("none");
    serve(&head);
    return 0;
}

//--- request.c
#define LOADM(x) do { load(x); } while (0)
int main(int c, char **v) {
    char line[80];
    if (c > 2) return 1;
    LOADM(v[1]);
    while (fgets(line, sizeof line, stdin)) {
        if (*line == 'l') LOADM("other");
        else add(&head, atoi(line));
    }
    if (c > 1) serve(&head);
    return 0;
}

//--- struct.c
int main(int c, char **v) {
    if (c > 2) return 1;
    struct state all = load(v[1]);
    serve(&all.first);
    return 0;
}

//--- double.c
int main(int c, char **v) {
    if (c > 2) return 1;
    printf("%g\n", load(v[1]));
    serve(&head);
    return 0;
}

//--- mended.c
static struct state all;
static void load_all(const char *path) { all = load(path); }
int main(int c, char **v) {
    if (c > 2) return 1;
    load_all(v[1]);
    serve(&all.first);
    return 0;
}
