// An array that is as long as its initial text is no memory for records.
//
// RUN: %nvmove --load load --print roots %s -- | FileCheck %s --implicit-check-not=text
// CHECK: conf
#include <stdio.h>
#include <stdlib.h>
struct queue { int size; long offset; char pad[64]; };
struct conf { int nr; struct queue *q; };
static unsigned char text[] = "\"Debug line with all properties:\nFROMHOST: %FROMHOST%, fromhost-ip: %fromhost-ip%, HOSTNAME: %HOSTNAME%, PRI: %PRI%\n";
static struct conf conf;
static void apply(void *p, int kind, int v)
{
    if (kind) {
        struct queue *q = calloc(1, sizeof *q);
        q->size = v;
        ((struct conf *)p)->q = q;
    } else {
        printf("%s", (char *)p);
    }
}
static void load(const char *file)
{
    int v;
    FILE *f = fopen(file, "r");
    if (!f) return;
    apply(text, 0, 0);
    while (fscanf(f, "%d", &v) == 1) apply(&conf, 1, v);
    fclose(f);
}
int main(int argc, char **argv)
{
    load(argc > 1 ? argv[1] : "x");
    while (getchar() != EOF) if (conf.q) printf("%d\n", conf.q->size++);
    return 0;
}
