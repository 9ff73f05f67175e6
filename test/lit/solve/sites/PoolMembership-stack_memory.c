// What alloca() gives is gone with its caller: nothing has to be done about it.
//
// RUN: rm -rf %t && mkdir %t && cd %t && %nvmove --load load %s > out
// RUN: FileCheck %s --input-file out --implicit-check-not=unsupported-call
// CHECK: 1  allocation site{{$}}
#include <stdio.h>
#include <stdlib.h>
struct list { int n; int v[8]; };
static struct list *current;
static struct list *keep(struct list *l) { struct list *r = malloc(sizeof *r); *r = *l; return r; }
void load(void)
{
    struct list *t = __builtin_alloca(sizeof *t);
    FILE *f = fopen("data", "r");
    if (!f) return;
    t->n = 0;
    while (t->n < 8 && fscanf(f, "%d", &t->v[t->n]) == 1) t->n++;
    current = keep(t);
    fclose(f);
}
int main(void)
{
    load();
    while (getchar() != EOF) printf("%d\n", current->v[0]++);
    return 0;
}
