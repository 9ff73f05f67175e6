// read() handed over as a function, and readv(), which fills what a list names.
//
// RUN: cd %S && %nvmove --load load --print types Library-scattered_read.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK-DAG: player
// CHECK-DAG: room
//
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out Library-scattered_read.c -- -std=gnu99 > %t.log
// RUN: FileCheck %s --input-file %t.log --check-prefix=LOG
// LOG: 2 restored scalars
// LOG-NEXT: deck
// LOG-NEXT: turn

#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

struct player { int score; char hand[8]; };
struct room { int x; struct room *next; };
static struct player players[2];
static char deck[64];
static int turn;
static struct room *rooms;

static int transfer(int fd, ssize_t (*all)(int, const struct iovec *, int)) {
  const struct iovec parts[] = {{&turn, sizeof turn}, {deck, sizeof deck}, {players, sizeof players}};
  return all(fd, parts, 3) > 0;
}
static int one(int fd, ssize_t (*get)(int, void *, size_t), void *to, size_t size_bytes) {
  return get(fd, to, size_bytes) == (ssize_t)size_bytes;
}
static int save(int fd) { return transfer(fd, writev); }
static void load(int fd) {
  struct room *r;
  if (!transfer(fd, readv))
    return;
  while ((r = malloc(sizeof *r)) && one(fd, read, r, sizeof *r)) {
    r->next = rooms;
    rooms = r;
  }
}
int main(void) {
  load(0);
  return players[0].score + deck[turn] + rooms->x + save(1);
}
