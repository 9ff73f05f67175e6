// Text that each start is handed: argv, optarg, getenv(). In a variable a
// restart leaves what this start has put there, unless the load had replaced
// it; in an object it is null. Text of the program itself comes back.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load --out out t.c > log
// RUN: FileCheck %s --input-file log
// RUN: FileCheck %s --input-file out/patches/1-roots.patch --check-prefix=PATCH
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include t.c
// RUN: %nvmove verify --load load t.c
// RUN: gcc -no-pie -I %runtime_include t.c %runtime_lib -o t
// RUN: printf 'log item' > state
// RUN: printf 'nk' | not --crash env NVM_POOL=%t/pool NVM_SIZE=64M HOME=one ./t -t mine -l mylog here
// RUN: printf '6' | env NVM_POOL=%t/pool HOME=another ./t -t yours there | FileCheck %s --check-prefix=OUT
// CHECK-DAG: pointer-to-volatile {{.*}}title may point to optarg, of a library: after a restart it has the value of that start
// CHECK-DAG: pointer-to-volatile {{.*}}log_file may point to optarg, of a library: after a restart it has
// CHECK-DAG: pointer-to-volatile {{.*}}dir may point to argv, which each start gets from its caller: after a restart it has
// CHECK-DAG: pointer-to-volatile {{.*}}home may point to what getenv() returns: after a restart it has
// CHECK-DAG: pointer-to-volatile {{.*}}words may point to argv, which each start gets from its caller: after a restart it has
// CHECK-DAG: pointer-to-volatile {{.*}}item.owner may point to argv, which each start gets from its caller: a restart makes it null
// CHECK-NOT: item.name may point to {{argv|optarg|what}}
// PATCH-DAG: {{^}}+    NVM_ROOT_VOLATILE(dir);
// PATCH-DAG: {{^}}+    NVM_ROOT_VOLATILE(home);
// PATCH-DAG: {{^}}+    NVM_ROOT_VOLATILE(log_file);
// PATCH-DAG: {{^}}+    NVM_ROOT_VOLATILE(title);
// PATCH-DAG: {{^}}+    NVM_ROOT_VOLATILE(words);
// PATCH-DAG: {{^}}+    NVM_ROOT_POINTERS(items);
// PATCH-DAG: {{^}}+           NVM_VOLATILE(struct item, owner),
// OUT: title yours, log log, home another, dir nowhere, word yours: 6/there n/- item/-
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct item { const char *name, *owner; struct item *next; };
static struct item *items;
static const char *title = "none", *log_file = "none", *home, *dir;
static const char *words[4];
static char **arguments;
static const char *word(char **from) { return *++from; }
static void options(int argc, char **argv) {
  int c;
  while ((c = getopt(argc, argv, "t:l:")) >= 0)
    if (c == 't')
      title = optarg;
    else
      log_file = optarg;
  dir = argv[optind];
  arguments = argv;
}
static char *owner;
static void add(const char *text) {
  struct item *i = malloc(sizeof *i);
  if (!i)
    abort();
  i->name = strdup(text);
  i->owner = owner;
  i->next = items;
  items = i;
}
static void load(const char *name) {
  char text[16];
  FILE *f = fopen(name, "r");
  if (!f)
    return;
  while (fscanf(f, "%15s", text) == 1)
    if (text[0] == 't')
      title = strdup(text);
    else if (text[0] == 'l')
      log_file = strdup(text);
    else if (text[0] == 'h')
      home = strdup(text);
    else if (text[0] == 'd')
      dir = strdup(text);
    else if (text[0] == 'w')
      words[1] = strdup(text);
    else
      add(text);
  fclose(f);
}
int main(int argc, char **argv) {
  int c;
  options(argc, argv);
  home = getenv("HOME");
  words[0] = word(arguments + 1);
  owner = argv[argc - 1];
  load("state");
  while ((c = getchar()) != EOF) {
    char text[2] = {(char)c, 0};
    if (c == 'k')
      raise(SIGKILL);
    if (c == 'n')
      dir = "nowhere";
    add(text);
  }
  printf("title %s, log %s, home %s, dir %s, word %s:", title,
         log_file, home, dir, words[0]);
  for (struct item *i = items; i; i = i->next)
    printf(" %s/%s", i->name, i->owner ? i->owner : "-");
  printf("\n");
  return 0;
}
