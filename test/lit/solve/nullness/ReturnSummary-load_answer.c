// What a restart takes for the load's answer. The first run found nothing, the
// program made new state: the next runs must not make it again.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: cat common.h good.c main.c > good1.c && %nvmove --load load --out good good1.c > out
// RUN: FileCheck %s --input-file good/patches/1-roots.patch --check-prefix=GOOD
// RUN: not grep load-result out
// GOOD: if (!NVM_LOAD_OR(load(), 0, 1))
//
// RUN: cat common.h instead.c main.c > instead1.c && %nvmove --load load --out instead instead1.c > out
// RUN: FileCheck %s --input-file instead/patches/1-roots.patch --check-prefix=GOOD
//
// RUN: cat common.h jump.c main.c > jump1.c && %nvmove --load load --out jump jump1.c > out
// RUN: FileCheck %s --input-file jump/patches/1-roots.patch --check-prefix=JUMP
// JUMP: if (!NVM_LOAD_OR(load(), -1, 0))
//
// RUN: cat common.h deep.c main.c > deep1.c && %nvmove --load load --out deep deep1.c > out
// RUN: FileCheck %s --input-file deep/patches/1-roots.patch --check-prefix=JUMP
//
// RUN: cat common.h same.c main.c > same1.c && %nvmove --load load --out same same1.c > out
// RUN: FileCheck %s --input-file same/patches/1-roots.patch --check-prefix=SAME
// RUN: not grep load-result out
// SAME: if (!NVM_LOAD(load()))
//
// A count of nothing is what an empty file gives, where a missing one gives something else.
// RUN: sed 's/return 0;/return -1;/' count.c > count0.c
// RUN: cat common.h count0.c main.c > count2.c && %nvmove --load load --out count2 count2.c > out
// RUN: FileCheck %s --input-file count2/patches/1-roots.patch --check-prefix=JUMP
//
// Not known: a count that both give, one that is set to something else, and what is set on the way.
// RUN: cat common.h count.c main.c > count1.c && %nvmove --load load --out count count1.c > out
// RUN: FileCheck %s --input-file count/patches/1-roots.patch --check-prefix=SAME
// RUN: FileCheck %s --input-file out --check-prefix=TOLD
// RUN: sed 's/fclose(f);/&\n if (count > 9) count = n;/' count.c > odd.c
// RUN: cat common.h odd.c main.c > odd1.c && %nvmove --load load --out odd odd1.c > out
// RUN: FileCheck %s --input-file out --check-prefix=TOLD
// RUN: cat common.h way.c main.c > way1.c && %nvmove --load load --out way way1.c > out
// RUN: FileCheck %s --input-file out --check-prefix=TOLD
// TOLD: load-result {{.*}}the result of load is used, and its text does not show
//
// The first run is killed before its first command; the second makes its state
// again, and is killed.
// RUN: sh %S/../../rewrite/Inputs/apply good/patches %runtime_include good1.c
// RUN: gcc -I %runtime_include good1.c %runtime_lib -o app
// RUN: env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app < /dev/null > before
// RUN: FileCheck %s --input-file before --check-prefix=BEFORE
// BEFORE: new
// RUN: echo 5 | env NVM_POOL=%t/pool not --crash ./app > first
// RUN: echo 6 | env NVM_POOL=%t/pool not --crash ./app > second
// RUN: FileCheck %s --input-file first --check-prefix=FIRST
// FIRST:      new
// FIRST-NEXT: 5 1
// RUN: FileCheck %s --input-file second --check-prefix=SECOND
// SECOND-NOT: new
// SECOND:     6 5 1

//--- common.h
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
struct rec { struct rec *next; int n; };
static struct rec *head;
static void add(int n) {
    struct rec *r = malloc(sizeof *r);
    r->n = n; r->next = head; head = r;
}

//--- good.c
static int load(void) {
    FILE *f = fopen("state", "r");
    int n;
    if (!f) {
        perror("state");
        return 0;
    }
    while (fscanf(f, "%d", &n) == 1) {
        if (n < 0) {
            fclose(f);
            return 0;
        }
        add(n);
    }
    fclose(f);
    return 1;
}

//--- instead.c
static int load(void) {
    FILE *f = fopen("state", "r");
    int n;
    if (f) {
        while (fscanf(f, "%d", &n) == 1) add(n);
        fclose(f);
        return 1;
    }
    return 0;
}

//--- jump.c
static int load(void) {
    FILE *f = fopen("state", "r");
    int n, ret = -1;
    if (!f) goto out;
    while (fscanf(f, "%d", &n) == 1) add(n);
    if (ferror(f)) {
        ret = -2;
        goto out;
    }
    ret = 0;
out:
    return ret;
}

//--- deep.c
static int records(FILE *f) {
    int n;
    while (fscanf(f, "%d", &n) == 1) add(n);
    if (ferror(f)) return -3;
    return 0;
}
static int load(void) {
    int ret;
    FILE *f = fopen("state", "r");
    if (!f) return -1;
    ret = records(f);
    fclose(f);
    return ret;
}

//--- same.c
static int load(void) {
    FILE *f = fopen("state", "r");
    int n;
    if (!f) return 1;
    while (fscanf(f, "%d", &n) == 1) add(n);
    fclose(f);
    return 1;
}

//--- count.c
static int load(void) {
    FILE *f = fopen("state", "r");
    int n, count = 0;
    if (!f) return 0;
    for (; fscanf(f, "%d", &n) == 1; count++) add(n);
    fclose(f);
    return count;
}

//--- way.c
static int load(void) {
    FILE *f = fopen("state", "r");
    int n, ok = 0;
    if (f) {
        if (fscanf(f, "%d", &n) == 1) {
            ok = 1;
            add(n);
        }
        fclose(f);
    }
    return ok;
}

//--- main.c
int main(void) {
    char line[80];
    if (!load()) {
        puts("new");
        fflush(stdout);
        head = NULL;
        add(1);
    }
    while (fgets(line, sizeof line, stdin)) {
        add(atoi(line));
        for (struct rec *r = head; r; r = r->next) printf("%d ", r->n);
        puts("");
        fflush(stdout);
    }
    raise(SIGKILL);
    return 0;
}
