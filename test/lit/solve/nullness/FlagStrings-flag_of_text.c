// A static text, or one in a record, that is empty until the load has ended
// keeps back what stands behind a test of it, like a flag. All that early code
// may do with its address is to read there.
//
// RUN: cd %S
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DTEST=*on_error' | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- "-DTEST=on_error[0] != '\0'" | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DTEST=strlen(on_error) > 0' | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DTEST=strcmp(on_error, "")' | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DTEST=!(strlen(config.text) == 0)' | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DEARLY=on_error[0] = 0; config.text[0] = 0; memset(on_error, 0, sizeof on_error)' | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DEARLY=show(on_error)' | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DFIRST=""' '-DEARLY=printf("%s", strchr(on_error, 58))' | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DLATE=on_error[0] = 65; strcpy(on_error, "say"); kept = on_error' | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// CHECK: item
//
// What start-up, or the load, may write.
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DFIRST="say"' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DTEST=*config.text' '-DOTHER="say"' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DEARLY=on_error[0] = 65' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DEARLY=strcpy(on_error, "say")' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DEARLY=fill(on_error)' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DEARLY=put(on_error + 1)' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DEARLY=kept = on_error' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DEARLY=keep(on_error)' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DEARLY=*strchr(on_error, 0) = 65' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DEARLY=set(line)' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DEARLY=unknown(on_error)' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DEARLY=hook(on_error)' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DKEPT=on_error' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DDURING=strcpy(on_error, line)' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DDURING=fgets(on_error, 9, f)' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DTEST=*config.text' '-DEARLY=strcpy(config.text, "say")' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DTEST=*config.text' '-DDURING=fread(&config, sizeof config, 1, f)' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DTEST=*config.text' '-DEARLY=config = (struct config){1, "say"}' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DTEST=on_error[1]' | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagStrings-flag_of_text.c -- '-DTEST=strlen(on_error) < 3' | FileCheck %s --check-prefix=JOB
// JOB: item
// JOB-NEXT: job
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef TEST
#define TEST strlen(on_error) != 0
#endif
#ifndef EARLY
#define EARLY
#endif
#ifndef DURING
#define DURING
#endif
#ifndef LATE
#define LATE
#endif
#ifndef FIRST
#define FIRST {0}
#endif
#ifndef OTHER
#define OTHER ""
#endif
#ifndef KEPT
#define KEPT NULL
#endif

struct item {
  struct item *next;
  int n;
};
struct job {
  struct job *next;
  int n;
};
struct config {
  int n;
  char text[32];
};
static struct item *items;
static struct job *jobs;
static char on_error[32] = FIRST;
static struct config config = {7, OTHER};
static char *kept = KEPT;

void unknown(const char *text);
static void nothing(const char *text) {}
static void fill(char *text);
void (*hook)(char *) = fill;

static void put(char *text) {
  char *p = text;
  *p++ = 'A';
}
static void fill(char *text) { put(text); }
static void keep(const char *text) { kept = (char *)text; }
static size_t show(const char *text) {
  const char *p;
  for (p = text; *p; p++) putchar(*p);
  nothing(text);
  return p - text + strlen(text);
}
static void set(const char *text) {
  strcpy(on_error, text);
  strcpy(config.text, text);
}

static void run(const char *text) {
  struct job *j = calloc(1, sizeof *j);
  j->n = atoi(text);
  j->next = jobs;
  jobs = j;
}

static void complain(const char *text) {
  if (!(TEST)) {
    fputs(text, stderr);
    return;
  }
  run(on_error);
}

static void load(const char *name) {
  char line[32];
  FILE *f = fopen(name, "r");
  while (fgets(line, 32, f)) {
    if (!*line) complain("empty");
    DURING;
    struct item *i = calloc(1, sizeof *i);
    i->n = atoi(line);
    i->next = items;
    items = i;
  }
  fclose(f);
}

int main(int argc, char **argv) {
  char line[32] = "";
  EARLY;
  load(argv[1]);
  LATE;
  while (fgets(line, 32, stdin)) {
    if (*line == 'e') set(line);
    else if (*line == 'r') run(line);
    else complain(line);
    if (kept) *kept = *line;
    printf("%s %d %d\n", config.text, jobs->n, items->n);
  }
  return 0;
}
