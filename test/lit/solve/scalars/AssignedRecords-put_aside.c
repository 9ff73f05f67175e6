// Careful programs load all or nothing: into a record that is put aside, and
// copied to the static when the file was sound. What is assigned so is as good
// as filled directly: counts, indices and constants too. By a struct's
// assignment, memcpy(), a block, a function's result, a literal, another
// static, or member by member. Not what ends with the process.
//
// RUN: rm -rf %t && mkdir -p %t && cp %s %t/app.c && printf 'ab' > %t/state
// RUN: cd %t && %nvmove --load load --out %t/out app.c > %t/log
// RUN: FileCheck %s --input-file %t/log
// CHECK: restored scalars
// CHECK: assigned.mode {{.*}}is copied from what the load fills, at app.c
// CHECK-NOT: session.{{since|fd|users}}
// CHECK: session.length {{.*}}is copied from what the load fills, at app.c
// CHECK: session.level {{.*}}is copied from what the load fills, at app.c
// CHECK-NOT: session.{{since|fd|users}}
// CHECK: holds-descriptor session.fd is set
// CHECK: set-by-load session.since, session.users is set
// CHECK-NOT: set-by-load
// RUN: cd %t && cat out/patches/*.patch | patch -p1 --fuzz=0
// RUN: cd %t && gcc -I %runtime_include app.c %runtime_lib -o app
// RUN: cd %t && printf '7x!' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app > first
// RUN: FileCheck %s --check-prefix=FIRST --input-file %t/first
// RUN: cd %t && printf '?' | env NVM_POOL=%t/pool ./app > again
// RUN: FileCheck %s --check-prefix=AGAIN --input-file %t/again
// FIRST: ok ok ok
// AGAIN: 4:abx! 7 4 1
// AGAIN-SAME: 4:abx! 7 4 1
// AGAIN-SAME: 4:abx! 7 4 1
// AGAIN-SAME: 4:abx! 7 4 1
// AGAIN-SAME: 4:abx! 7 4 1
// AGAIN-SAME: 4:abx! 7 4 1
// AGAIN-SAME: 4:abx! 7 4 1
// AGAIN-SAME: 1 0 2 1 4
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct world {
  char text[16];
  struct {
    int n;
  } used;
  int mode, next, hits;
};
static struct session {
  int fd, level, length, users;
  time_t since;
} session;
static struct world assigned, copied, blocked, returned, literal, aside,
    byMember;
static struct world first; // is put aside, too
static int kinds[4], total;

static void push(struct world *w, int c) {
  w->text[w->used.n++] = c;
  w->next++;
}

static struct world make(const char *text) {
  struct world w;
  memset(&w, 0, sizeof w);
  w.mode = 3;
  for (; *text; text++)
    push(&w, *text);
  return w;
}

static void load(const char *name) {
  FILE *f = fopen(name, "r");
  char text[8] = "";
  struct world w = {.mode = 3}, other;
  struct world *block = calloc(1, sizeof *block);
  struct session s = {0};
  int seen[4] = {0}, sum = 0;
  if (f && fgets(text, sizeof text, f)) {
    memset(&first, 0, sizeof first);
    block->mode = first.mode = 3;
    for (int i = 0; text[i]; i++) {
      w.text[w.used.n] = text[i];
      w.used.n++;
      w.next += 1;
      push(block, text[i]);
      push(&first, text[i]);
      seen[text[i] & 3]++;
      sum++;
    }
    copied = make(text);
    memcpy(&returned, &copied, sizeof returned);
    returned = make(text);
    other = w;
    memcpy(&copied, &other, sizeof copied);
    blocked = *block;
    aside = first;
    literal = (struct world){.mode = 3, .next = w.next, .used = {w.used.n}};
    memcpy(literal.text, text, sizeof text);
    memcpy(byMember.text, w.text, sizeof w.text);
    byMember.used.n = w.used.n;
    byMember.mode = w.mode;
    byMember.next = w.next;
    byMember.hits = w.hits;
    assigned = w;
    s.since = time(NULL);
    s.fd = open(name, O_RDONLY);
    s.level = 1;
    s.length = (int)strlen(name);
    s.users = getenv("USERS") ? atoi(getenv("USERS")) : 1;
    session = s;
    memcpy(kinds, seen, sizeof kinds);
    total = sum;
  }
  free(block);
  if (f)
    fclose(f);
}

static void show(const struct world *w) {
  printf("%d:%s %d %d %d ", w->used.n, w->text, w->mode, w->next, w->hits);
}

static void change(struct world *w, int c) {
  if (c >= '0' && c <= '9') {
    w->mode = c - '0';
    w->hits++;
  } else {
    push(w, c);
  }
}

static void command(int c) {
  struct world *all[] = {&assigned, &copied, &blocked, &returned,
                         &literal,  &aside,  &byMember};
  if (c != '?' && (c < '0' || c > '9')) {
    kinds[c & 3]++;
    total++;
  }
  for (int i = 0; i < 7; i++)
    if (c == '?')
      show(all[i]);
    else
      change(all[i], c);
  if (c == '?')
    printf("%d %d %d %d %d\n", kinds[0], kinds[3], kinds[1], kinds[2], total);
  else
    printf("ok ");
  fflush(stdout);
}

int main(void) {
  load("state");
  for (char line[2]; read(0, line, 1) == 1;)
    command(line[0]);
  return session.level == 0 || session.length != 5 || session.users > 9 ||
         (session.fd && session.since == 0);
}
