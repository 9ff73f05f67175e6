// Functions of the C library that write through pointers which they are handed:
// their rows say how much, and that is announced where it may be in the heap.
// Those that only read are left alone.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load t.c > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG-NOT: {{unsupported|unannounced}}
// RUN: sh %S/../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s
// RUN: gcc -Wall -Wextra -Werror -I %runtime_include t.c %runtime_lib -lm -o t
// RUN: gcc -Wall -Wextra -Werror -I %runtime_include %s -lm -o plain
// RUN: printf '10.0.0.1\n192.168.1.7\n' > state
// RUN: printf '172.16.0.9\n10.2.0.5\n' | env NVM_POOL=%t/pool NVM_SIZE=64M NVM_VERIFY=1 ./t > /dev/null 2> err
// RUN: not grep unannounced err
// RUN: env NVM_POOL=%t/pool ./t < /dev/null > got
// RUN: printf '172.16.0.9\n10.2.0.5\n' | ./plain > want
// RUN: cmp got want
// RUN: %nvmove verify --load load t.c
//
// CHECK: inet_pton(AF_INET, s, NVM_REST(&h->address)
// CHECK: mbstowcs(NVM_REST(h->wide), s, 20)
// CHECK: frexp(w, NVM_BUF(&h->exponent, sizeof *(&h->exponent)))
// CHECK: remquo(w, 3, NVM_BUF(&h->quotient, sizeof *(&h->quotient)))
// CHECK: strtol(s, NVM_BUF(&h->end, sizeof *(&h->end)), 10)
// CHECK: wcstol(h->wide, NVM_BUF(&h->wide_end, sizeof *(&h->wide_end)), 10)
// CHECK: rand_r(NVM_BUF(&h->seed, sizeof *(&h->seed)))
// CHECK: gcvt(w, 4, NVM_REST(h->number))
// CHECK: iconv(c, &in, &left, NVM_{{.*}}(&h->out{{.*}}), NVM_BUF(&h->room, sizeof *(&h->room)))
// CHECK: getpwnam_r("root", NVM_BUF(&h->owner, sizeof *(&h->owner)), NVM_BUF(h->names, sizeof h->names), sizeof h->names, &found)
// CHECK: wcscoll(h->wide, L"1")
// CHECK: sigaddset(NVM_BUF(&h->signals, sizeof *(&h->signals)), SIGTERM)
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <iconv.h>
#include <math.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

struct host {
  struct host *next;
  struct in_addr address;
  wchar_t wide[20], *wide_end;
  int exponent, quotient;
  double fraction, rest;
  long first, again;
  char *end, number[40], text[40], *out, names[1024];
  unsigned seed, random;
  size_t room;
  struct passwd owner;
  sigset_t signals;
};
static struct host *hosts;

static void fill(struct host *h, char *s) {
  double w;
  char *in = s;
  size_t left = strlen(s);
  struct passwd *found;
  iconv_t c = iconv_open("UTF-8", "ISO-8859-1");
  if (c == (iconv_t)-1 || inet_pton(AF_INET, s, &h->address) != 1)
    abort();
  if (mbstowcs(h->wide, s, 20) == (size_t)-1)
    abort();
  w = (double)ntohl(h->address.s_addr);
  h->fraction = frexp(w, &h->exponent);
  h->rest = remquo(w, 3, &h->quotient);
  h->first = strtol(s, &h->end, 10);
  h->again = wcstol(h->wide, &h->wide_end, 10);
  h->seed = (unsigned)h->first;
  h->random = (unsigned)rand_r(&h->seed);
  gcvt(w, 4, h->number);
  h->out = h->text;
  h->room = sizeof h->text;
  iconv(c, &in, &left, &h->out, &h->room);
  iconv_close(c);
  h->end = NULL;
  if (getpwnam_r("root", &h->owner, h->names, sizeof h->names, &found))
    abort();
  if (wcscoll(h->wide, L"1") < 0)
    abort();
  sigemptyset(&h->signals);
  sigaddset(&h->signals, SIGTERM);
}

static void add(char *s) {
  struct host *h = calloc(1, sizeof *h);
  if (!h)
    abort();
  s[strcspn(s, "\n")] = 0;
  fill(h, s);
  h->next = hosts;
  hosts = h;
}

static void load(FILE *f) {
  char line[40];
  while (fgets(line, sizeof line, f))
    add(line);
}

int main(void) {
  char line[40];
  FILE *f = fopen("state", "r");
  if (f) {
    load(f);
    fclose(f);
  }
  while (fgets(line, sizeof line, stdin))
    add(line);
  for (struct host *h = hosts; h; h = h->next)
    printf("%s %d %d %g %g %ld %ld %ld %s %s %zu %u %u %s %d\n",
           inet_ntoa(h->address), h->exponent, h->quotient, h->fraction,
           h->rest, h->first, h->again, (long)(h->wide_end - h->wide),
           h->number, h->text, h->room, h->seed, h->random, h->owner.pw_name,
           sigismember(&h->signals, SIGTERM));
  return 0;
}
