// A command is a static with a function. One that only code which never runs
// puts into the table is not among those that the load finds there.
//
// RUN: %nvmove --load load --print types %s | FileCheck %s --match-full-lines
// CHECK:      host
// CHECK-NEXT: zone
// CHECK-NOT: {{.}}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct cmd { const char *name; void (*func)(const char *); };
struct host { struct host *next; char name[16]; };
struct key { struct key *next; char text[16]; };
struct zone { struct zone *next; char text[16]; };
static struct host *hosts;
static struct key *keys;
static struct zone *zones;
static struct cmd *table[16];
static int commands;
static void host(const char *s) {
    struct host *h = malloc(sizeof *h);
    snprintf(h->name, sizeof h->name, "%s", s);
    h->next = hosts;
    hosts = h;
}
static void key(const char *s) {
    struct key *k = malloc(sizeof *k);
    snprintf(k->text, sizeof k->text, "%s", s);
    k->next = keys;
    keys = k;
}
static void zone(const char *s) {
    struct zone *z = malloc(sizeof *z);
    snprintf(z->text, sizeof z->text, "%s", s);
    z->next = zones;
    zones = z;
}
struct cmd host_cmd = {"host", host};
struct cmd key_cmd = {"key", key};
static void install(struct cmd *c) { table[commands++] = c; }
void host_init(void) { install(&host_cmd); }
void key_init(void) { install(&key_cmd); }
struct cmd zone_cmd = {"zone", zone}; // by its name, perhaps
static void load(const char *file) {
    FILE *f = fopen(file, "r");
    char a[16], b[16];
    int i;
    if (!f) return;
    while (fscanf(f, "%15s %15s", a, b) == 2)
        for (i = 0; i < commands; i++)
            if (!strcmp(table[i]->name, a)) table[i]->func(b);
    fclose(f);
}
int main(int argc, char **argv) {
    char s[80];
    struct host *h;
    host_init();
    load(argv[1]);
    while (fgets(s, sizeof s, stdin))
        for (h = hosts; h; h = h->next) h->name[0]++;
    return 0;
}
