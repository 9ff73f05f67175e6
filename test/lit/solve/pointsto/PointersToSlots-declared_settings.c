// Start-up declares settings with their addresses, by a function that keeps them
// in a list, and the load sets them by name: numbers, text, arrays of
// characters, members of a static record. They come back as if the load named
// them. What nobody declares does not.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --load load --out out p.c > log
// RUN: FileCheck %s --input-file log
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include p.c
// RUN: gcc -I %runtime_include p.c %runtime_lib -o p
// RUN: sh run ./p > out.txt
// RUN: FileCheck %s --input-file out.txt --check-prefix=OUT
// CHECK: 2 roots
// CHECK-NEXT: limits.owner
// CHECK-NEXT: root
// CHECK: 5 restored scalars
// CHECK-NEXT: depth {{.*}}gets a value from the file
// CHECK-NEXT: greeting
// CHECK-NEXT: limits.level
// CHECK-NEXT: port
// CHECK-NEXT: share
// OUT: 8080 7 3 0.5 hello /srv joe 80
// OUT-NEXT: killed 137
// OUT-NEXT: 8080 7 3 0.5 hello /srv joe 80
//--- run
rm -f pool
export NVM_POOL=pool NVM_SIZE=64M
printf 'port=8080\ndepth=7\nlevel=3\nshare=0.5\ngreeting=hello\nroot=/srv\nowner=joe\n' > conf
printf '?\nk\n' | $1
echo "killed $?"
rm conf
printf '?\n' | $1
//--- p.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum kind { Number, Real, Text, Chars };
struct setting {
  const char *name;
  enum kind kind;
  union {
    int *number;
    double *real;
    char **text;
  } value;
  char *chars;
  struct setting *next;
};
static struct setting *settings;
static struct { int level, unused; char *owner; } limits;
int port = 80, depth = 1, other = 80;
static double share;
char *root, greeting[32];
static void declare(const char *name, enum kind kind, void *address) {
  struct setting *s = calloc(1, sizeof *s);
  s->name = name;
  s->kind = kind;
  if (kind == Number)
    s->value.number = address;
  else if (kind == Real)
    s->value.real = address;
  else
    s->value.text = address;
  s->next = settings;
  settings = s;
}
#define SETTING(variable, kind) declare(#variable, kind, &variable)
static void declare_chars(const char *name, char *chars) {
  declare(name, Chars, NULL);
  settings->chars = chars;
}
static void init(void) {
  SETTING(port, Number);
  SETTING(depth, Number);
  SETTING(root, Text);
  declare("level", Number, &limits.level);
  declare("owner", Text, &limits.owner);
  declare("share", Real, &share);
  declare_chars("greeting", greeting);
}
static void set(struct setting *s, char *text) {
  switch (s->kind) {
  case Number: *s->value.number = atoi(text); break;
  case Real: *s->value.real = atof(text); break;
  case Text: *s->value.text = strdup(text); break;
  case Chars: strncpy(s->chars, text, 31); break;
  }
}
void load(const char *file) {
  char line[256], *value;
  FILE *f = fopen(file, "r");
  while (f && fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = 0;
    if ((value = strchr(line, '=')) == NULL)
      continue;
    *value++ = 0;
    for (struct setting *s = settings; s; s = s->next)
      if (!strcmp(s->name, line))
        set(s, value);
  }
}
int main(void) {
  char line[64];
  init();
  load("conf");
  while (fgets(line, sizeof line, stdin))
    if (*line == 'k')
      raise(SIGKILL);
    else {
      printf("%d %d %d %g %s %s %s %d\n", port, depth, limits.level, share,
             greeting, root, limits.owner, other);
      fflush(stdout);
    }
  return 0;
}
