// What functions of the C library write into the heap is announced, whatever
// the form: by a hook around the argument, or by a form of the function.
//
// RUN: rm -rf %t && mkdir -p %t && cp %s %t/program.c && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: FileCheck %s --input-file out --check-prefix=REPORT --allow-empty
// REPORT-NOT: unannounced-call
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c
// RUN: %nvmove verify --load load program.c | FileCheck %s --check-prefix=VERIFY
// VERIFY-NOT: unannounced-call
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf ax | env NVM_POOL=%t/pool NVM_SIZE=32M NVM_VERIFY=1 not --crash ./app > log 2> said
// RUN: not grep -i unannounced said
// RUN: env NVM_POOL=%t/pool ./app < /dev/null | FileCheck %s --check-prefix=LOG
// LOG: item 97 at 97, now 1, 2.5, 'rest', 127.0.0.1, 1, 1, 1, 1
#include <arpa/inet.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// CHECK: #define Print (void)nvm_sprintf
#define Print (void)sprintf

struct item {
  struct item *next;
  char name[32], more[32], address[20], link[8];
  time_t at;
  struct timeval day;
  struct timespec ticks;
  struct rusage used;
  struct stat status;
  char *end;
  int exponent, clock;
};
static struct item *items;

static void load(void) {
  int id;
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while (fread(&id, sizeof id, 1, f) == 1) {
    struct item *i = calloc(1, sizeof *i);
    if (!i)
      return;
    i->clock = id;
    i->next = items;
    items = i;
  }
  fclose(f);
}
static void print(char *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  // CHECK: nvm_vsprintf(to, format, arguments);
  vsprintf(to, format, arguments);
  va_end(arguments);
}
static void command(int c) {
  struct in_addr home;
  struct item *i;
  if (c == 'x')
    raise(SIGKILL);
  i = calloc(1, sizeof *i);
  if (!i)
    return;
  i->next = items;
  items = i;
  home.s_addr = htonl(INADDR_LOOPBACK);
  i->clock = c == 'b' ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  // CHECK: nvm_sprintf(i->name, "item ");
  sprintf(i->name, "item ");
  // CHECK: Print(i->name + 5, "%d", c);
  Print(i->name + 5, "%d", c);
  print(i->more, "at %d", c);
  // CHECK: time(NVM_BUF(&i->at, sizeof *(&i->at)));
  time(&i->at);
  // CHECK: gettimeofday(NVM_BUF(&i->day, sizeof *(&i->day)), NULL);
  gettimeofday(&i->day, NULL);
  // CHECK: clock_gettime(i->clock, NVM_BUF(&i->ticks, sizeof *(&i->ticks)));
  clock_gettime(i->clock, &i->ticks);
  // CHECK: getrusage(RUSAGE_SELF, NVM_BUF(&i->used, sizeof *(&i->used)));
  getrusage(RUSAGE_SELF, &i->used);
  // CHECK: fstat(0, NVM_BUF(&i->status, sizeof *(&i->status)));
  fstat(0, &i->status);
  // CHECK: strtod("2.5rest", NVM_BUF(&i->end, sizeof *(&i->end)))
  i->exponent = (int)(strtod("2.5rest", &i->end) * 10);
  // CHECK: inet_ntop(AF_INET, &home, NVM_BUF(i->address, sizeof i->address), sizeof i->address);
  inet_ntop(AF_INET, &home, i->address, sizeof i->address);
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (struct item *i = items; i; i = i->next)
    printf("%s %s, now %d, %.1f, '%s', %s, %d, %d, %d, %d\n", i->name, i->more,
           i->at > 0, i->exponent / 10.0, "rest", i->address, i->day.tv_sec > 0,
           i->ticks.tv_sec > 0, i->used.ru_maxrss > 0, i->status.st_mode != 0);
  return 0;
}
