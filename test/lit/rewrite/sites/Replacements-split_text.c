// strtok() ends parts of a text that an earlier call was handed: where one call
// may write to the heap, all are replaced. A buffer whose size is one argument
// of several numbers is announced, and verify sees that.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load --out out t.c > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG --implicit-check-not=unannounced-call
// RUN: sh %S/../Inputs/apply out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c
// RUN: gcc -Wall -Wextra -Werror -Wno-unused-parameter -I %runtime_include t.c %runtime_lib -o t
// RUN: %nvmove verify --load load t.c
// RUN: printf 'a,b;c 0' > state
// RUN: printf 'swk' | not --crash env NVM_POOL=%t/pool NVM_SIZE=64M NVM_VERIFY=1 ./t 2> err
// RUN: not grep unannounced err
// RUN: env NVM_POOL=%t/pool ./t < /dev/null | FileCheck %s --check-prefix=OUT
//
// Where a macro pastes the name together, that is reported.
// RUN: %nvmove_act --notes --load load --out pasted %s -- -DPASTED > log2
// RUN: FileCheck %s --input-file log2 --check-prefix=PASTED
// LOG: 1 finding to know
// CHECK-DAG: {{^}}  return nvm_strtok(NULL, ",;");
// CHECK-DAG: nvm_strtok(first->text, ",;")
// CHECK-DAG: nvm_strtok(NAME(line), " ")
// CHECK-DAG: inet_ntop(family, &address, NVM_BUF(first->host, sizeof first->host), sizeof first->host)
// PASTED: uneditable-site {{.*}}nvm_strtok
// OUT: a b c 127.0.0.1
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item {
  struct item *next;
  char text[16], host[INET_ADDRSTRLEN];
  char *second;
};
static struct item *first;
#define NAME(x) x
#ifdef PASTED
#define SPLIT(how, text) str##how(text, ",;")
#else
#define SPLIT(how, text) strtok(text, ",;")
#endif
static char *next_part(void) {
#ifdef PASTED
  return SPLIT(tok, NULL);
#else
  return strtok(NULL, ",;");
#endif
}
static void split(void) {
  if (strtok(first->text, ",;"))
    first->second = next_part();
}
static void where(int family) {
  struct in_addr address = {htonl(INADDR_LOOPBACK)};
  inet_ntop(family, &address, first->host, sizeof first->host);
}
static void load(const char *file) {
  char line[32];
  FILE *f = fopen(file, "r");
  if (!f)
    return;
  while (fgets(line, sizeof line, f)) {
    struct item *i = calloc(1, sizeof *i);
    strcpy(i->text, strtok(NAME(line), " "));
    i->next = first;
    first = i;
  }
  fclose(f);
}
static void command(int c) {
  if (c == 's')
    split();
  else if (c == 'w')
    where(AF_INET);
  else
    raise(SIGKILL);
}
int main(void) {
  int c;
  load("state");
  while ((c = getchar()) != EOF)
    command(c);
  printf("%s %s %s %s\n", first->text, first->second,
         first->second + strlen(first->second) + 1, first->host);
  return 0;
}
