// A load that a request asks for: what start-up has always set by then keeps
// back what it did first. Of `other`, which a command clears, that is not known.
//
// RUN: %nvmove --load get_game --print types %s -- -w | FileCheck %s --match-full-lines
// CHECK-DAG: rec
// CHECK-DAG: name
// CHECK-NOT: {{.}}
#include <stdio.h>
#include <stdlib.h>
struct rec { int move; };
struct hashval { unsigned long key; };
struct book { long count; };
struct name { char text[20]; };
static struct name *names;
static int other;
static struct rec *list;
static struct hashval *code;
static struct book admin;
static int count, quit;
static short once;

static void read_book(void) {
    FILE *f = fopen("book", "r");
    if (!f) return;
    fread(&admin, sizeof admin, 1, f);
    fclose(f);
}
static void new_game(void) {
    int i;
    count = 0;
    if (!once)
        for (i = 0; i < 64; i++) code[i].key = rand();
    if (!once) {
        read_book();
        once = 1;
    }
}
static void read_names(void) {
    FILE *f = fopen("names", "r");
    if (!f) return;
    names = malloc(sizeof *names);
    fread(names, sizeof *names, 1, f);
    fclose(f);
}
static void set_names(void) {
    if (!other) {
        read_names();
        other = 1;
    }
}
static void get_game(void) {
    FILE *f = fopen("game", "r");
    int m;
    if (!f) return;
    new_game();
    set_names();
    while (fscanf(f, "%d", &m) == 1) list[count++].move = m;
    fclose(f);
}
static void init(void) {
    list = malloc(100 * sizeof *list);
    code = malloc(64 * sizeof *code);
    new_game();
    set_names();
}
static void command(void) {
    char s[80];
    if (!fgets(s, sizeof s, stdin)) { quit = 1; return; }
    if (s[0] == 'g') get_game();
    else if (s[0] == 'q') quit = 1;
    else if (s[0] == 'c') other = 0;
    else if (s[0] == 'm') list[count++].move = atoi(s + 1);
    else if (s[0] == 'p') {
        int i;
        for (i = 0; i < count; i++) printf("%d %lu %ld\n", list[i].move, code[list[i].move & 63].key, admin.count);
        fflush(stdout);
    }
}
int main(void) {
    init();
    while (!quit) command();
    return 0;
}
