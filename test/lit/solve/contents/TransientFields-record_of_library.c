// A broken-down time is kept whole: in it is a pointer to the zone's name, which is
// in memory of the library. And a text out of such a record, which getpwnam()
// gives. Where the library or the program follows them after a restart, that is to
// act on: no function that leaves the zone alone counts. The advice is followed.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c && echo '3000000' > state
// RUN: %nvmove_act --notes --load load t.c | FileCheck %s
// RUN: %nvmove --notes --load load --force t.c -- -DNO_ZONE | FileCheck %s --check-prefix=NOZONE --implicit-check-not=used-after-restart
// RUN: %nvmove_act --notes --load load --force t.c -- -DFOLLOWED
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: gcc -DFOLLOWED -fPIE -pie -I %runtime_include t.c %runtime_lib -o t
// RUN: echo '4000000 0' | env TZ=XYZ-2 NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./t
// RUN: echo '5000000 1' | env TZ=XYZ-2 NVM_POOL=%t/pool ./t | FileCheck %s --check-prefix=SAYS
//
// CHECK-DAG: used-after-restart{{ +}}event.tm.tm_zone may point to memory of {{mktime|localtime}}(): a restart leaves it unchanged, as a dead pointer, {{.*}}and it is used at t.c:[[#]] (in
// CHECK-DAG: used-after-restart{{ +}}event.home may point to memory of getpwuid(): a restart makes it null, and it is used without a test at t.c:[[#]] (in
// NOZONE: pointer-to-volatile{{ +}}event.tm.tm_zone may point to memory of {{mktime|localtime}}()
// SAYS: 27 22:53 XYZ /{{[^ ]*$}}
// SAYS-NEXT: 16 09:06 XYZ /
// SAYS-NEXT: 04 19:20 XYZ /
#define _GNU_SOURCE
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct event {
  struct event *next;
  struct tm tm;
#ifndef NO_ZONE
  const char *home;
#endif
};
static struct event *events;

static void fill(struct event *e, time_t t) {
  e->tm = *localtime(&t);
#ifndef NO_ZONE
  struct passwd *pw = getpwuid(0);
  e->home = pw->pw_dir;
#endif
}

static void add(long t) {
  struct event *e = calloc(1, sizeof *e);
  fill(e, t);
  e->next = events;
  events = e;
}

static void load(void) {
  FILE *f = fopen("state", "r");
  long t;
  while (f && fscanf(f, "%ld", &t) == 1)
    add(t);
  if (f)
    fclose(f);
}

static void command(long t) {
  char text[40] = "";
  if (t == 0)
    raise(SIGKILL);
  if (t > 1) {
    add(t);
    return;
  }
  for (struct event *e = events; e; e = e->next) {
#ifdef NO_ZONE
    printf("%s %ld\n", asctime(&e->tm), (long)mktime(&e->tm));
#else
    strftime(text, sizeof text, "%d %H:%M %Z", &e->tm);
    printf("%s %.40s\n", text, e->home);
#endif
  }
}

int main(void) {
  long t;
  load();
#ifdef FOLLOWED
  for (struct event *e = events; e; e = e->next)
    fill(e, mktime(&e->tm));
#endif
  while (scanf("%ld", &t) == 1)
    command(t);
  return 0;
}
