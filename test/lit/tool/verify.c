// nvmove verify: nothing to say about what the rewriter wrote; each hook that is
// taken away, and each store that nobody announced, is one line.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load queue.c > log
// RUN: sh %S/../rewrite/Inputs/apply nvmove-out/patches %runtime_include queue.c
// RUN: cp queue.c good.c
// RUN: %nvmove verify --load load good.c | FileCheck %s --check-prefix=GOOD
// GOOD-NOT: error
// GOOD: nvmove: 1 file, 2 persistent types; {{[0-9]+}} stores and 2 library calls may write the heap; all are announced
//
// From facts that were collected file by file, too.
// RUN: %nvmove collect good.c -o good.facts
// RUN: %nvmove verify --load load good.facts | FileCheck %s --check-prefix=GOOD
//
// One hook less.
// RUN: sed 's/NVM(j->state) = 2/j->state = 2/' good.c > lost.c
// RUN: not %nvmove verify --load load --out found lost.c > log; FileCheck %s --input-file log --check-prefix=LOST
// LOST:      lost.c:25:{{[0-9]+}}: error: job.state: job.state is persistent, and no hook announces all of its bytes on every path to here (in finish) [unannounced-store]
// LOST-NEXT: nvmove: {{.*}} 1 place is not as it should be
// RUN: sh -c '%nvmove verify --load load lost.c > log; test $? -eq 3'
// RUN: FileCheck %s --input-file found/verify.json --check-prefix=JSON
// JSON: "field": "job.state"
// JSON: "function": "finish"
// JSON: "id": "unannounced-store"
//
// A libc writer by its own name, a buffer that nobody announces, an allocation that is none of the heap's.
// RUN: sed 's/nvm_memcpy(/memcpy(/; s/NVM_BUF(j->label, sizeof(j->label))/j->label/; s/NVM_ALLOC(job, nvm_malloc(sizeof \*j))/malloc(sizeof *j)/' good.c > calls.c
// RUN: not %nvmove verify --load load calls.c | FileCheck %s --check-prefix=CALLS
// CALLS:      error: nvmove would write 'NVM_ALLOC(job,' here [not-rewritten]
// CALLS-NEXT: error: nvmove would write 'nvm_malloc' here [not-rewritten]
// CALLS:      error: argument 1 of memcpy: it may be in the heap; call nvm_memcpy() (in add) [unannounced-call]
// CALLS:      error: argument 1 of snprintf: it may be in the heap; announce it with NVM_BUF() (in add) [unannounced-call]
// CALLS-NOT:  error
//
// Edits of the program's author. A hook before the stores counts as long as nothing commits in between.
// RUN: sed '/after main/,$d' good.c > edited.c && cat edits.h >> edited.c && sed -n '/after main/,$p' good.c >> edited.c
// RUN: not %nvmove verify --load load edited.c > log; FileCheck %s --input-file log --check-prefix=EDITED
// RUN: grep -c 'error:' log | grep -qx 5
// EDITED-DAG: error: job.state: job.state is persistent, and no hook {{.*}} (in sometimes) [unannounced-store]
// EDITED-DAG: error: job.state: job.state is persistent, but save may commit between the hook before it and the store (in across) [commit-before-store]
// EDITED-DAG: error: job.state: job.state is persistent, but save, which computes the value, may commit between the hook and the store (in value) [commit-before-store]
// EDITED-DAG: error: the target of the address is unknown: it comes from outside of these files at edited.c:{{[0-9]+}}; no hook announces the store (in beyond) [not-known]
// EDITED-DAG: error: job: argument 1 of stamp: it may be in the heap; {{.*}}[unannounced-call]
// EDITED-NOT: in before)

//--- edits.h
void *beyond_here(void);
int save(void);
void before(struct job *j);
void before(struct job *j) { NVM_OBJ(j); j->state = 1; j->left--; }
void sometimes(struct job *j, int really);
void sometimes(struct job *j, int really) { if (really) NVM_OBJ(j); j->state = 1; }
int save(void) { return (int)nvm_write(1, "x", 1); }
void across(struct job *j);
void across(struct job *j) { NVM_OBJ(j); save(); j->state = 1; }
void value(struct job *j);
void value(struct job *j) { NVM(j->state) = save(); }
void beyond(void);
void beyond(void) { int *p = beyond_here(); *p = 1; }
int stamp(struct job *to);
void clocked(struct job *j);
void clocked(struct job *j) { stamp(j); }

//--- queue.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct note { char text[16]; };
struct job { int state, left; char label[16]; struct note note; struct job *next; };
static struct job *first;

static void add(const char *name) {
  struct job *j = malloc(sizeof *j);
  if (j == NULL)
    return;
  j->state = 0;
  j->left = 3;
  memcpy(j->note.text, "new", 4);
  snprintf(j->label, sizeof(j->label), "%s", name);
  j->next = first;
  first = j;
}

static void finish(struct job *j) {
  j->state = 2;
  j->left--;
}

static void load(const char *path) {
  char name[16];
  FILE *f = fopen(path, "r");
  while (f && fscanf(f, "%15s", name) == 1)
    add(name);
  if (f)
    fclose(f);
}

/* after main */
int main(int argc, char **argv) {
  char name[16];
  if (argc > 1)
    load(argv[1]);
  while (fgets(name, sizeof name, stdin)) {
    if (name[0] == '!' && first)
      finish(first);
    else
      add(name);
  }
  return 0;
}
