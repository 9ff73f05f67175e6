// A call through a pointer leads to no function that is defined with more
// parameters than it is handed; K&R definitions do not say how many they need.
//
// RUN: %nvmove --load load --print types %s -- | FileCheck %s --implicit-check-not=name
// CHECK: item
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct name { struct name *next; char *text; };
struct item { struct item *next; int v; };
static struct name *names;
static struct item *items;
static int addItem(void *p)
{
    struct item *i = malloc(sizeof *i);
    i->v = *(int *)p;
    i->next = items;
    items = i;
    return 0;
}
static int doName(char **pp, void *val)
{
    struct name *n = malloc(sizeof *n);
    n->text = strdup(val ? (char *)val : *pp);
    n->next = names;
    names = n;
    return 0;
}
static int query(const char *what, int (**entry)())
{
    if (!strcmp(what, "add")) *entry = addItem;
    else if (!strcmp(what, "name")) *entry = doName;
    else return -1;
    return 0;
}
struct module { int (*add)(void *); int (*name)(char **, void *); };
static struct module mod;
static void load(const char *file)
{
    int v;
    FILE *f = fopen(file, "r");
    if (!f) return;
    while (fscanf(f, "%d", &v) == 1) mod.add(&v);
    fclose(f);
}
int main(int argc, char **argv)
{
    char s[80], *p = s;
    query("add", (int (**)())&mod.add);
    query("name", (int (**)())&mod.name);
    load(argc > 1 ? argv[1] : "x");
    while (fgets(s, 80, stdin)) mod.name(&p, NULL);
    return items && names ? items->v : 0;
}
