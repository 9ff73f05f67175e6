// What a parser made by bison keeps on its stack: a union whose first member is a
// record. A pointer in another member is copied with the union.
//
// RUN: %nvmove --load load --print types %s | FileCheck %s --match-full-lines
// CHECK-DAG: access
// CHECK-DAG: config
#include <stdio.h>
#include <stdlib.h>
struct token { char *string; int integer; };
struct access { int type; char spec[32]; };
struct config { struct access *acl; };
union value { struct token token; struct access *access; };
static struct config *the_config;
static void load(const char *name) {
    FILE *f = fopen(name, "r");
    union value stack[20], *top = stack, val;
    int c;
    if (!f) return;
    the_config = malloc(sizeof *the_config);
    while ((c = getc(f)) != EOF) {
        switch (c) {
        case 1: { struct access *a = malloc(sizeof *a); a->type = getc(f); val.access = a; break; }
        case 3: the_config->acl = top[0].access; break;
        }
        *++top = val;
    }
    fclose(f);
}
int main(int argc, char **argv) {
    char s[80];
    load(argv[1]);
    while (fgets(s, sizeof s, stdin))
        printf("%d %s\n", the_config->acl->type++, the_config->acl->spec);
    return 0;
}
