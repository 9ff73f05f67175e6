// Text that a library has allocated for the load is in no pool, and whoever tests it for null finds none after a
// restart. A copy is.
//
// RUN: %nvmove_act --load load --out %t --force %s | FileCheck %s
// RUN: %nvmove --load load --out %t --force %s -- -DCOPY | FileCheck %s --check-prefix=COPY
// CHECK: library-memory{{ +}}feed.title may be text that xml_text() has allocated, which the pool does not have: a restart makes it null
// CHECK-NEXT: store a copy, by strdup(), and free the text of the library; or hand the library nvm_malloc() and nvm_free() as its allocator
// COPY-NOT: {{library-memory|used-after-restart|pointer-to-volatile}}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct xml;
struct xml *xml_next(struct xml *x);
char *xml_text(struct xml *x);
void xml_free(char *text);

struct feed {
  struct feed *next;
  char *title;
  int hits;
};
static struct feed *feeds;

static void load(struct xml *x) {
  for (; x; x = xml_next(x)) {
    struct feed *f = calloc(1, sizeof *f);
#ifdef COPY
    char *text = xml_text(x);
    f->title = strdup(text);
    xml_free(text);
#else
    f->title = xml_text(x);
#endif
    f->next = feeds;
    feeds = f;
  }
}
int main(void) {
  char line[80];
  load(xml_next(NULL));
  while (fgets(line, sizeof line, stdin))
    for (struct feed *f = feeds; f; f = f->next)
      if (f->title && !strncmp(line, f->title, strlen(f->title)))
        printf("%d\n", ++f->hits);
  return 0;
}
