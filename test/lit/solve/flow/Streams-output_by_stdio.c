// What a section prints to stdout leaves behind its commit: fflush() commits
// first, and without it a stdout that is written by lines is held back. What
// somebody has read is there after a crash.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: FileCheck %s --input-file out --check-prefix=REPORT --allow-empty
// REPORT-NOT: output-by-stdio
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT: fflush(log);
// TEXT: nvm_fflush(stdout);
// TEXT: nvm_start();
// TEXT-NEXT: nvm_hold_output();
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf 'a+' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > first
// RUN: printf 'aax' | env NVM_POOL=%t/pool not --crash ./app > second
// RUN: printf 'af' | env NVM_POOL=%t/pool not --crash ./app > third
// RUN: printf '?' | env NVM_POOL=%t/pool ./app > fourth
// RUN: cat first second third fourth | FileCheck %s --check-prefix=LOG
// What is printed before a kill in the same section is not out.
// LOG:      n 1
// LOG-NEXT: n 2
// LOG-NEXT: n 3
// LOG-NEXT: n 4
// What fflush() has written is.
// LOG-NEXT: n 5
// LOG-NEXT: n 5
// LOG-NOT:  n
//
// A write() in a section comes behind what was printed before it.
// RUN: printf 'aw?' | env NVM_POOL=%t/other NVM_SIZE=32M ./app | FileCheck %s --check-prefix=ORDER
// ORDER:      n 1
// ORDER-NEXT: n 1
// ORDER-NEXT: written
// ORDER-NEXT: n 1
//
// A question is not held back.
// RUN: %nvmove --load load --out asks asks.c > out
// RUN: FileCheck %s --input-file out --check-prefix=ASKS
// ASKS: output-by-stdio if stdout is a terminal or unbuffered, what is printed to it here is written out before the section is committed; it cannot be held back, because getchar() may wait
// RUN: not grep -r nvm_hold_output asks/patches
//
// Where the program itself has stdout written by lines, what it says is lost
// for sure; not where it does so when it is asked to, nor with a whole buffer.
// RUN: sed 's/^  load();/  setvbuf(stdout, NULL, _IOLBF, 0);\n  load();/' asks.c > lines.c
// RUN: %nvmove_act --load load --out lines lines.c > out
// RUN: FileCheck %s --input-file out --check-prefix=LINES
// LINES: 1 finding to act on
// LINES-NEXT: output-by-stdio setvbuf() limits the buffer of stdout to a line: what is printed to it here
// RUN: sed 's/^  load();/  if (getenv("LINES"))\n    setvbuf(stdout, NULL, _IOLBF, 0);\n  load();/' asks.c > asked.c
// RUN: %nvmove --load load --out asked asked.c
// RUN: sed 's/^  load();/  setvbuf(stdout, NULL, _IOFBF, 999);\n  load();/' asks.c > whole.c
// RUN: %nvmove --load load --out whole whole.c

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
  int n;
};
static struct item *item;
static FILE *log;

static int load(void) {
  FILE *f = fopen("state", "r");
  if (!f)
    return -1;
  item = malloc(sizeof *item);
  if (item)
    item->n = getc(f);
  fclose(f);
  return 0;
}
static void note(const char *text) {
  fputs(text, log);
  fflush(log);
}
static void command(int c) {
  if (c == '?' || c == 'a' || c == 'f' || c == 'x')
    item->n += c != '?';
  note("command\n");
  if (c == '+')
    raise(SIGKILL);
  printf("n %d\n", item->n);
  if (c == 'f')
    fflush(stdout);
  if (c == 'w' && write(1, "written\n", 8) != 8)
    abort();
  if (c == 'f' || c == 'x')
    raise(SIGKILL);
}
int main(void) {
  int c;
  setvbuf(stdout, NULL, _IOLBF, 0);
  log = fopen("log", "a");
  if (load() < 0) {
    item = malloc(sizeof *item);
    if (!item || !log)
      return 1;
    item->n = 0;
  }
  while ((c = getchar()) != EOF)
    command(c);
  return 0;
}
//--- asks.c
#include <stdio.h>
#include <stdlib.h>

struct item {
  int n;
};
static struct item *item;

static void load(void) {
  FILE *f = fopen("state", "r");
  item = malloc(sizeof *item);
  item->n = getc(f);
  fclose(f);
}
static void command(int c) {
  printf("sure?\n");
  if (getchar() == 'y')
    item->n = c;
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  return 0;
}
