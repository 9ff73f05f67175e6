// An object that is smaller than a pointer as a whole holds no address, wherever it
// is copied from: the text of settings is not taken into the pool
// because an address of six bytes might hold it. One that has room for a pointer
// may hold it in parts, and so may what follows an array of one element.
//
// RUN: rm -rf %t && mkdir %t && cp %s %t/app.c && cd %t
// RUN: %nvmove --load load --out out app.c > log
// RUN: FileCheck %s --input-file out/report.json --check-prefix=SMALL
// RUN: cat out/patches/*.patch | grep '^+' | FileCheck %s --check-prefix=PATCH
// RUN: %nvmove --load load --out large app.c -- -DROOM=8 > log
// RUN: FileCheck %s --input-file large/report.json --check-prefix=LARGE
// RUN: %nvmove --load load --out open app.c -- -DROOM=1 > log
// RUN: FileCheck %s --input-file open/report.json --check-prefix=LARGE
// SMALL-NOT: may be held by
// PATCH: nvm_calloc
// PATCH-NOT: nvm_strdup
// LARGE: may be held by host.mac
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef ROOM
#define ROOM 6
#endif
struct mac { unsigned char octet[ROOM]; };
struct host { struct host *next; struct mac mac; };
static struct host *hosts;
static char **settings;

static void add(const struct mac *mac) {
  struct host *h = calloc(1, sizeof *h);
  memcpy(&h->mac, mac, sizeof h->mac);
  h->next = hosts;
  hosts = h;
}
static void take(const char *packet) {
  struct mac mac;
  memcpy(&mac, packet, sizeof mac);
  add(&mac);
}
static void load(const char *name) {
  FILE *f = fopen(name, "rb");
  char line[64];
  while (f && fgets(line, sizeof line, f))
    take(line);
}
int main(int argc, char **argv) {
  settings = malloc(sizeof *settings);
  *settings = strdup(argv[argc - 1]);
  load("state");
  for (int c; (c = getchar()) != EOF;) {
    char packet[64] = {(char)c};
    take(packet);
    printf("%s %d\n", *settings, hosts->mac.octet[0]);
  }
  return 0;
}
