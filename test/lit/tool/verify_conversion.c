// nvmove verify: whatever is taken out of a conversion, or written otherwise, is found.
//
// RUN: rm -rf %t && mkdir %t && cd %t && sed '/^[/][/]/d' %s > items.c
// RUN: %nvmove --notes --load load items.c > log
// RUN: sh %S/../rewrite/Inputs/apply nvmove-out/patches %runtime_include items.c
// RUN: %nvmove verify --load load items.c | FileCheck %s --check-prefix=GOOD
// GOOD-NOT: error:
// GOOD: all are announced
//
// Sections that do not end, or that nobody began; an early return.
// RUN: sed '/nvm_end();/d' items.c > bad.c
// RUN: not %nvmove verify --load load bad.c | FileCheck %s --check-prefix=END
// END: bad.c:[[#]]:5: error: no nvm_end() follows on some path from here: {{.*}}nothing is committed any more (in main) [section-not-ended]
// END-NEXT: 1 place is not
// RUN: not %nvmove verify --load load --out found bad.c
// RUN: FileCheck %s --input-file found/verify.json --check-prefix=JSON
// JSON: "id": "section-not-ended"
// RUN: sed 's/end = handle(line);/end = handle(line); if (end) return 0;/' items.c > bad.c
// RUN: not %nvmove verify --load load bad.c | FileCheck %s --check-prefix=END
// RUN: sed '/nvm_begin();/d' items.c > bad.c
// RUN: not %nvmove verify --load load bad.c | FileCheck %s --check-prefix=BEGIN
// BEGIN: error: no nvm_begin() precedes on some path to here: this ends a section of the caller (in main) [section-not-begun]
// RUN: sed 's/nvm_end();/exit(0);/' items.c > good.c
// RUN: %nvmove verify --load load good.c > log ; not grep section-not-ended log
//
// Start-up.
// RUN: sed '/nvm_ready();/d' items.c > bad.c
// RUN: not %nvmove verify --load load bad.c | FileCheck %s --check-prefix=READY
// READY: bad.c:[[#]]:3: error: the main loop may be reached without nvm_ready(): {{.*}} (in main) [start-not-ended]
// READY-NEXT: 1 place is not
// RUN: sed 's/nvm_ready();/if (argc > 1) nvm_ready();/' items.c > bad.c
// RUN: not %nvmove verify --load load bad.c | FileCheck %s --check-prefix=READY
// RUN: sed 's/if (!nvm_restore()) //' items.c > bad.c
// RUN: not %nvmove verify --load load bad.c | FileCheck %s --check-prefix=GUARD
// GUARD: error: nvmove would write '{{.*}}if (!nvm_restore()){{.*}}' here [not-rewritten]
// RUN: sed 's/nvm_restore()/0/' items.c > bad.c
// RUN: not %nvmove verify --load load bad.c | FileCheck %s --check-prefix=GUARD
// The roots come back, but what was loaded comes on top of them.
// RUN: sed 's/if (!nvm_restore()) load(argv.1.);/nvm_restore(); load(argv[1]);/' items.c > bad.c && grep -q 'nvm_restore(); load' bad.c
// RUN: not %nvmove verify --load load bad.c | FileCheck %s --check-prefix=GUARD
// RUN: sed '/nvm_start();/d' items.c > bad.c
// RUN: not %nvmove verify --load load bad.c | FileCheck %s --check-prefix=START
// START: error: nvmove would write 'nvm_start(); nvm_hold_output();' here [not-rewritten]
// RUN: sed '/nvm_hold_output();/d' items.c > bad.c
// RUN: not %nvmove verify --load load bad.c | FileCheck %s --check-prefix=HOLD
// HOLD: error: nvm_hold_output() is not after nvm_start(): {{.*}} (in main) [written-otherwise]
// A load that nobody can guard, and nobody did.
// RUN: sed 's/if (!nvm_restore()) load(argv.1.);/while (load(argv[1]), argc > 5) end--;/' items.c > bad.c
// RUN: not %nvmove verify --load load bad.c | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: the load at start-up is not guarded: it is part of an expression in a loop{{.*}} [load-not-guarded]
//
// Guards by hand.
// RUN: sed 's/if (!nvm_restore()) load(argv.1.);/int is = nvm_restore(); if (is == 0) load(argv[1]);/' items.c > good.c && grep -q 'is == 0' good.c
// RUN: %nvmove verify --load load good.c
// RUN: sed 's/if (!nvm_restore()) load(argv.1.);/if (nvm_restore() == 0 \&\& argc > 1) load(argv[1]);/' items.c > good.c && grep -q '0 && argc' good.c
// RUN: %nvmove verify --load load good.c
// RUN: sed 's/if (!nvm_restore()) load(argv.1.);/if (nvm_restore()) puts("again"); else load(argv[1]);/' items.c > good.c && grep -q again good.c
// RUN: %nvmove verify --load load good.c
// RUN: sed 's/if (!nvm_restore()) load(argv.1.);/NVM_LOAD_VOID(load(argv[1]));/; /nvm_ready/d' items.c > good.c && grep -q LOAD_VOID good.c
// RUN: %nvmove verify --load load good.c
//
// Layouts, roots, allocations.
// RUN: sed 's/NVM_POINTER(struct item, next)/NVM_FIELD(struct item, next)/' items.c > bad.c
// RUN: not %nvmove verify --load load bad.c | FileCheck %s --check-prefix=POINTER
// POINTER: bad.c:[[#]]:12: error: NVM_FIELD is here, but nvmove would write NVM_POINTER(struct item, next) [written-otherwise]
// POINTER-NEXT: 1 place is not
// RUN: sed '/NVM_POINTER(struct item, name)/d' items.c > bad.c
// RUN: not %nvmove verify --load load bad.c | FileCheck %s --check-prefix=FIELD
// FIELD: bad.c:[[#]]:1: error: NVM_POINTER(struct item, name) is not in this list [written-otherwise]
// FIELD-NEXT: 1 place is not
// RUN: sed 's/NVM_ROOT_POINTERS(first)/NVM_ROOT(first)/' items.c > bad.c
// RUN: not %nvmove verify --load load bad.c | FileCheck %s --check-prefix=KIND
// KIND: bad.c:[[#]]:5: error: NVM_ROOT is here, but nvmove would write NVM_ROOT_POINTERS [written-otherwise]
// KIND-NEXT: 1 place is not
// RUN: sed '/NVM_ROOT(count)/d' items.c > bad.c
// RUN: not %nvmove verify --load load bad.c | FileCheck %s --check-prefix=ROOT
// ROOT: error: nvmove would write 'NVM_REGISTER(bad) { NVM_ROOT(count); }' here [not-rewritten]
// RUN: sed 's/NVM_ALLOC(item,/NVM_ALLOC(bytes,/' items.c > bad.c
// RUN: not %nvmove verify --load load bad.c | FileCheck %s --check-prefix=ALLOC
// ALLOC: error: the block is allocated as 'bytes', but nvmove would write NVM_ALLOC(item, ..) (in add) [written-otherwise]
// ALLOC-NEXT: 1 place is not
//
// Who says more than nvmove is sure of is right, and the text may be laid out anew.
// RUN: sed 's/NVM_FIELD(struct item, n)/NVM_COUNT( struct item,n )/; s/NVM_ROOT(count)/NVM_ROOT_POINTERS(count)/' items.c > good.c && grep -q NVM_COUNT good.c
// RUN: %nvmove verify --load load good.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { struct item *next; char *name; int n; };
static struct item *first;
static int count;

static struct item *add(const char *name, int n) {
  struct item *i = malloc(sizeof *i);
  if (i == NULL)
    return NULL;
  i->name = strdup(name);
  i->n = n;
  i->next = first;
  first = i;
  count++;
  return i;
}

static void load(const char *path) {
  char name[16];
  int n;
  FILE *f = fopen(path, "r");
  while (f && fscanf(f, "%15s %d", name, &n) == 2)
    add(name, n);
  if (f)
    fclose(f);
}

static int handle(char *line) {
  struct item *i;
  if (line[0] == 'p') {
    for (i = first; i; i = i->next)
      printf("%s %d\n", i->name, i->n);
    printf("%d in all\n", count);
    return 0;
  }
  if (line[0] == 'q')
    return 1;
  add("new", atoi(line));
  return 0;
}

int main(int argc, char **argv) {
  char line[80];
  int end = 0;
  if (argc > 2)
    return 1;
  load(argv[1]);
  while (!end && fgets(line, sizeof line, stdin)) {
    end = handle(line);
  }
  return 0;
}
