// Records that hold what the load restores, and of which no pointer leads to
// one and no store names a member: a static that consists of records, of which
// the load fills one, and a record in another to which only the offsets in a
// table lead.
//
// RUN: cd %S
// RUN: %nvmove --load load --print types RecordsByUse-records_within.c -- | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// CHECK-DAG: cert
// CHECK-DAG: eap
// CHECK-DAG: item
// CHECK-DAG: net
// CHECK-DAG: services
// CHECK-DAG: state
//
// RUN: %nvmove --load load --print types RecordsByUse-records_within.c -- -DNULL_BASE | FileCheck %s --check-prefix=CERT
// CERT: cert
//
// Not without the table's telling, nor where the load puts nothing.
// RUN: %nvmove --load load --print types RecordsByUse-records_within.c -- -DNOT_IN_TABLE | FileCheck %s --check-prefix=NO-CERT --implicit-check-not=cert
// NO-CERT: eap
// RUN: %nvmove --load load --print types RecordsByUse-records_within.c -- -DNUMBERS | FileCheck %s --check-prefix=NUMBERS --implicit-check-not=state
// NUMBERS: services
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  struct item *next;
  int n;
};
struct settings {
  int depth;
};
struct services {
  struct item *items;
  int count;
};
struct state {
#ifdef NUMBERS
  int depth;
#endif
  struct settings settings;
  struct services services;
};
struct idle {
  struct settings before, after;
};
static struct state state;
static struct idle idle;

struct cert {
  char *ca, *key;
};
struct counts {
  int n;
};
struct eap {
  char *identity;
  struct cert cert;
  struct counts counts;
  int method;
};
struct net {
  struct net *next;
  char *ssid;
  struct eap eap;
};
static struct net *nets;

#ifdef NULL_BASE
#define AT(member) (size_t)&((struct net *)0)->member
#else
#define AT(member) offsetof(struct net, member)
#endif
static const struct {
  const char *name;
  size_t at;
} table[] = {
    {"ssid", AT(ssid)},
    {"identity", AT(eap.identity)},
#ifndef NOT_IN_TABLE
    {"ca", AT(eap.cert.ca)},
#endif
    {"n", AT(eap.counts.n)},
};

static void set(struct net *n, const char *name, const char *value) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(name, table[i].name)) {
      char **at = (char **)((char *)n + table[i].at);
      free(*at);
      *at = strdup(value);
    }
}

static void add(int n) {
  struct item *i = calloc(1, sizeof *i);
  i->n = n;
  i->next = state.services.items;
  state.services.items = i;
  state.services.count++;
  idle.after.depth = 1;
}

static void load(const char *path) {
  char name[32], value[32];
  FILE *f = fopen(path, "r");
  struct net *n = calloc(1, sizeof *n);
  n->eap.method = 1;
  while (fscanf(f, "%31s %31s", name, value) == 2) {
    set(n, name, value);
    add(atoi(value));
  }
  fclose(f);
  n->next = nets;
  nets = n;
}

int main(int argc, char **argv) {
  char line[32];
  load(argv[1]);
  while (fgets(line, sizeof line, stdin)) {
    set(nets, "ssid", line);
    add(idle.after.depth + state.settings.depth);
    printf("%s %s %d\n", nets->eap.cert.key, nets->eap.cert.ca, nets->eap.counts.n);
  }
  return 0;
}
