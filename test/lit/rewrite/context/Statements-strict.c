// What is written compiles under the strictest warnings where the program did, from C89 to
// C23: code is put among declarations, after statements, into returns and conditions.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load_state t.c -- -std=c89 > out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: sh %S/../Inputs/strict nvmove-out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c
// CHECK:      static struct item *last;
// CHECK-NEXT: NVM_DECLARED(NVM_ROOT_POINTERS_HERE("last_item():last", last));
// CHECK-NEXT: struct item **slot = &last;
// CHECK:      char line[80];
// CHECK-NEXT: NVM_DECLARED(nvm_start(); nvm_hold_output());
// CHECK-NEXT: FILE *f = fopen("state", "r");
// CHECK:      if (fgets(line, sizeof line, stdin) == NULL)
// CHECK-NEXT: break;
// CHECK-NEXT: { NVM_SECTION();
// CHECK-NEXT: turns++;
// CHECK-NEXT: NVM(tab.first->n)++;
// CHECK:      puts(".");
// CHECK-NEXT: }
// CHECK-NEXT: }
// RUN: gcc t.o %runtime_lib -o t
// RUN: printf 'add b\nadd c\n' | env NVM_POOL=%t/pool NVM_SIZE=32M ./t > first
// RUN: printf 'dump\n' | env NVM_POOL=%t/pool ./t | FileCheck %s --check-prefix=OUT
// OUT: c 1 b 1 a 2 c
// RUN: %nvmove --force --load load_state --out again t.c -- -std=c89 -I %runtime_include > out
// RUN: not ls again/patches

//--- state
a 1
//--- t.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { struct item *next; long n; unsigned char kind; unsigned seen : 3; char name[16]; };
struct table { struct item *first; long total; };
static struct table tab;
static long turns;

static struct item **last_item(void)
{
    static struct item *last;
    struct item **slot = &last;
    return slot;
}
static struct item *add(const char *name)
{
    struct item *i = (struct item *)malloc(sizeof(struct item));
    if (i == NULL)
        exit(1);
    memset(i, 0, sizeof *i);
    i->kind = (unsigned char)(strlen(name) & 0xff);
    i->kind |= 1;
    i->kind++;
    strncpy(i->name, name, sizeof i->name - 1);
    i->next = tab.first;
    tab.first = i;
    *last_item() = i;
    return i;
}
void load_state(FILE *f);
void load_state(FILE *f)
{
    char name[16];
    long n;
    while (fscanf(f, "%15s %ld", name, &n) == 2) {
        add(name)->n = n;
        tab.total += n;
    }
}
static void dump(void)
{
    const struct item *i;
    for (i = tab.first; i != NULL; i = i->next)
        printf("%s %ld ", i->name, i->n);
    printf("%s\n", (*last_item())->name);
}
int main(void)
{
    char line[80];
    FILE *f = fopen("state", "r");
    int ok = 1;

    if (f != NULL) {
        load_state(f);
        fclose(f);
    }
    while (ok) {
        char name[16];
        if (fgets(line, sizeof line, stdin) == NULL)
            break;
        turns++;
        tab.first->n++;
        if (sscanf(line, "add %15s", name) == 1)
            add(name);
        else
            dump();
        puts(".");
    }
    return 0;
}
