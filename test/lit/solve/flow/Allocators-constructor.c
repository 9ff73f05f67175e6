// A function that makes a record of one type and hides it behind void * is no
// allocator: the type is found.
//
// RUN: cd %S && %nvmove --load load --print types Allocators-constructor.c | FileCheck %s
// CHECK:      re
// CHECK-NEXT: reg
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct re { unsigned long magic; size_t size; unsigned char code[1]; };
struct reg { void *re; struct reg *next; };
static struct reg *all;
static void *compile(const char *pat)
{
    size_t size = sizeof(struct re) + strlen(pat);
    struct re *re = (struct re *)malloc(size);
    if (re == NULL) return NULL;
    re->magic = 0x50435245;
    re->size = size;
    strcpy((char *)re->code, pat);
    return (void *)re;
}
static int exec(void *external)
{
    const struct re *re = (const struct re *)external;
    return re->magic == 0x50435245 ? re->code[0] : -1;
}
static void load(const char *n)
{
    char line[80];
    FILE *f = fopen(n, "r");
    if (!f) return;
    while (fgets(line, 80, f)) {
        struct reg *r = malloc(sizeof *r);
        r->re = compile(line);
        if (!r->re) { free(r); continue; }
        r->next = all;
        all = r;
    }
    fclose(f);
}
int main(int argc, char **argv)
{
    int c;
    load(argv[1]);
    while ((c = getchar()) != EOF)
        for (struct reg *r = all; r; r = r->next)
            if (exec(r->re) == c) puts("match");
    return 0;
}
