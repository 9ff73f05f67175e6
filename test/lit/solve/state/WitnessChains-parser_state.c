// What a scanner that flex wrote, and a parser of bison, keep for themselves is
// no state of the program: they make it anew. The value of the last token is,
// where other code looks at it.
//
// RUN: %nvmove --load load --print types %s -- -std=gnu11 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types %s -- -std=gnu11 -DLOOKS > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --check-prefix=LOOKS --implicit-check-not={{.}}
//
// CHECK: item
// LOOKS: item
// LOOKS-NEXT: word

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct yy_buffer_state { FILE *file; char *text; };
static struct yy_buffer_state **yy_buffer_stack;
struct word { char *text; };
union { struct word *word; } yylval;
struct item { char *name; struct item *next; };
static struct item *items;
static FILE *in;

int yylex(void) {
  if (!yy_buffer_stack) {
    yy_buffer_stack = malloc(sizeof *yy_buffer_stack);
    yy_buffer_stack[0] = malloc(sizeof *yy_buffer_stack[0]);
    yy_buffer_stack[0]->text = malloc(100);
    yy_buffer_stack[0]->file = in;
  }
  struct yy_buffer_state *b = yy_buffer_stack[0];
  if (!fgets(b->text, 100, b->file))
    return 0;
  yylval.word = malloc(sizeof(struct word));
  yylval.word->text = strdup(b->text);
  return 1;
}

int yyparse(void) {
  while (yylex()) {
    struct item *i = malloc(sizeof *i);
    i->name = yylval.word->text;
    i->next = items;
    items = i;
  }
  return 0;
}

static void load(const char *path) {
  in = fopen(path, "r");
  yyparse();
  fclose(in);
}

int main(void) {
  load("state");
  while (getchar() != EOF) {
    puts(items->name);
#ifdef LOOKS
    puts(yylval.word->text);
#endif
  }
  return 0;
}
