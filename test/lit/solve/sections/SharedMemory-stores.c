// What handlers write to memory that other processes map leaves at once: reported
// once for each mapping, where it is written. Not for one of this process, nor for
// one that is only read.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load t.c > log
// RUN: grep shared-memory nvmove-out/report.txt > got
// RUN: FileCheck %s --input-file got --implicit-check-not=shared-memory
// CHECK-DAG: t.c:[[#@LINE+52]]:{{.*}}memory that mmap() maps
// CHECK-DAG: t.c:[[#@LINE+52]]:{{.*}}memory that shmat() maps
// CHECK-DAG: t.c:[[#@LINE+41]]:{{.*}}memory that mmap() maps
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>

struct item {
  struct item *next;
  int n;
};
static struct item *items;

struct status {
  long seen, last;
  char name[16];
};
static struct status *status, *own, *read_only, *queue;
static char *board;

static void add(int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n;
  i->next = items;
  items = i;
}

void load(FILE *in) {
  for (int n; (n = getc(in)) != EOF;)
    add(n);
}

static void *map(int flags, int protection) {
  int fd = shm_open("/status", O_RDWR | O_CREAT, 0600);
  return mmap(NULL, sizeof(struct status), protection, flags, fd, 0);
}

static void publish(const char *text) {
  strcpy(board, text);
}

static long sum;
static void handle(int c) {
  add(c);
  sum += own->last;
  sum += read_only->last;
  own->last = c;
  status->last = c;
  queue->seen++;
  publish("new");
}

int main(void) {
  FILE *in = fopen("state", "r");
  status = mmap(NULL, sizeof *status, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
  own = mmap(NULL, sizeof *own, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  read_only = mmap(NULL, sizeof *read_only, PROT_READ, MAP_SHARED, 3, 0);
  queue = shmat(shmget(1, 4096, 0600), NULL, 0);
  board = map(MAP_SHARED, PROT_READ | PROT_WRITE);
  if (in) {
    load(in);
    fclose(in);
  }
  int c;
  while ((c = getchar()) != EOF)
    handle(c);
  return 0;
}
