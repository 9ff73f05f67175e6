// --line-logs: records of up to 48 bytes get room for the copy of a word, where
// nobody knows their size but by their type; engine incll makes use of it.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: cp program.c plain.c
// RUN: %nvmove --notes --load load --line-logs program.c > out
// RUN: FileCheck %s --input-file out
// CHECK-DAG: no-line-log {{.*}}'struct written' gets no line log: fwrite() gets its bytes [program.c:
// CHECK-DAG: no-line-log {{.*}}'struct part' gets no line log: it is part of struct whole
// CHECK-DAG: no-line-log {{.*}}'struct whole' gets no line log: it has 56 bytes, more than 48
// CHECK-DAG: no-line-log {{.*}}'struct text' gets no line log: an allocation is not a multiple of its size, according to the text [program.c:
// CHECK-DAG: no-line-log {{.*}}'struct compared' gets no line log: memcmp() gets its bytes [program.c:
// CHECK-DAG: no-line-log {{.*}}'struct padded' gets no line log: 'larger' changes the size that it is given
// CHECK-DAG: no-line-log {{.*}}'struct asserted' gets no line log: its size is used in program.c
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT:      struct node {
// TEXT-NEXT:   struct node *next;
// TEXT-NEXT:   long count;
// TEXT-NEXT:   int left, right;
// TEXT-NEXT:   NVM_LINE_LOG_64(24);
// TEXT-NEXT: };
// TEXT-NEXT: struct pair { long a, b; NVM_LINE_LOG_32(16); };
// TEXT:      NVM_LAYOUT(node, struct node,
// TEXT-NEXT:   NVM_POINTER(struct node, next),
// TEXT-NEXT:   NVM_FIELD(struct node, count),
// TEXT-NEXT:   NVM_FIELD(struct node, left),
// TEXT-NEXT:   NVM_FIELD(struct node, right),
// TEXT-NEXT:   NVM_LINE_LOG(struct node));
//
// A second run changes nothing, and nothing is unannounced.
// RUN: %nvmove --notes --load load --line-logs --out again program.c > out
// RUN: test ! -e again/patches/1-roots.patch
// RUN: %nvmove verify --load load program.c
//
// A crash loses what no checkpoint has, and no more.
// RUN: sed -i "s|/[*] checkpoint [*]/|nvm_checkpoint();|" program.c
// RUN: gcc -I %runtime_include -include nvmove/restart.h program.c %runtime_lib -o app
// RUN: printf aab.bcx | env NVM_POOL=%t/pool NVM_SIZE=32M NVM_ENGINE=incll NVM_EPOCH_MS=3600000 not --crash ./app > log
// RUN: printf "" | env NVM_POOL=%t/pool ./app > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      b 1 1 0
// LOG-NEXT: a 2 2 1
// LOG-NEXT: pairs 2 1
//
// By name alone; one that cannot have it is an error.
// RUN: %nvmove --notes --load load --line-logs=pair --out named plain.c > out
// RUN: grep NVM_LINE_LOG named/patches/1-roots.patch | count 2
// RUN: not %nvmove --load load --line-logs=text,pair --out no plain.c 2> said
// RUN: FileCheck %s --input-file said --check-prefix=SAID
// SAID: plain.c:{{.*}}error: 'struct text' cannot have a line log: an allocation is not a multiple of its size, {{.*}} [line-log-refused]
// RUN: not %nvmove --load load --line-logs=compared,none --out no plain.c 2> said
// RUN: FileCheck %s --input-file said --check-prefix=NONE
// NONE-DAG: --line-logs: there is no persistent type named 'none'{{.*}} [unknown-type]
// NONE-DAG: error: 'struct compared' cannot have a line log: memcmp() gets its bytes {{.*}} [line-log-refused]
// RUN: test ! -e no
//
// Sizes that are relied on in other ways, one for each record but the first.
// RUN: %nvmove_act --notes --load load --line-logs --analyze-only --out others others.c > out
// RUN: FileCheck %s --input-file out --check-prefix=OTHERS
// OTHERS-NOT: 'struct good'
// OTHERS-DAG: 'struct header' gets no line log: the size of an allocated block is unknown [others.c:
// OTHERS-DAG: 'struct arena' gets no line log: no allocation of it is known
// OTHERS-DAG: 'struct local' gets no line log: fread() gets its bytes [others.c:
// OTHERS-DAG: 'struct helper' gets no line log: fwrite() gets its bytes [others.c:
// OTHERS-DAG: 'struct table' gets no line log: write() gets its bytes [others.c:
// OTHERS-DAG: 'struct value' gets no line log: library() gets its bytes [others.c:
// OTHERS-DAG: 'struct in_union' gets no line log: it is part of union either
// OTHERS-DAG: 'struct behind_void' gets no line log: memcmp() gets its bytes [others.c:
// OTHERS-DAG: 'struct cast' gets no line log: it may share its bytes with struct other
// OTHERS-DAG: 'struct fields' gets no line log: it ends with bit-fields

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node {
  struct node *next;
  long count;
  int left, right;
};
struct pair { long a, b; };
struct written {
  long number;
};
struct part {
  long number;
};
struct whole {
  struct part parts[7];
};
struct text {
  long length;
  char *end;
};
struct compared {
  long number;
};
struct padded {
  long number;
};
struct asserted {
  long number;
};
typedef char asserted_is_small[sizeof(struct asserted) == 8 ? 1 : -1];

static struct node *nodes;
static struct pair *pairs;
static struct written *written;
static struct whole *whole;
static struct text *text;
static struct compared *compared;
static struct padded *padded;
static struct asserted *asserted;

static void *same(size_t size) {
  void *p = malloc(size);
  if (!p)
    abort();
  return p;
}
static void *larger(size_t size) {
  size += 8;
  return malloc(size);
}
static struct node *add(int left) {
  struct node *n = same(sizeof(struct node));
  memset(n, 0, sizeof(*n));
  n->left = left;
  n->next = nodes;
  nodes = n;
  return n;
}
static void load(void) {
  long number;
  FILE *f = fopen("state", "r");
  pairs = calloc(4, sizeof(*pairs));
  written = malloc(sizeof(struct written));
  whole = malloc(sizeof(struct whole));
  text = malloc(sizeof(struct text) + 8);
  compared = malloc(sizeof(struct compared));
  padded = larger(sizeof(struct padded));
  asserted = malloc(sizeof(struct asserted));
  if (!pairs || !written || !whole || !text || !compared || !padded ||
      !asserted)
    abort();
  written->number = whole->parts[0].number = compared->number = 0;
  padded->number = text->length = asserted->number = 0;
  while (f && fread(&number, sizeof number, 1, f) == 1) {
    add((int)number);
    pairs[0].a = written->number = whole->parts[1].number = number;
    text->length = compared->number = padded->number = number;
    asserted->number = number;
  }
  if (f)
    fclose(f);
}
static void command(int c) {
  struct node *n = nodes;
  struct compared zero = {0};
  if (c == 'x')
    kill(getpid(), SIGKILL);
  while (n && n->left != c)
    n = n->next;
  if (!n)
    n = add(c);
  n->count++;
  if (c == 'a') {
    n->right++;
    pairs[1].a++;
  }
  if (n->count == 2)
    n->right = 1;
  pairs[1].b = memcmp(compared, &zero, sizeof(struct compared)) == 0;
  if (c == 'w')
    fwrite(written, sizeof(struct written), 1, stderr);
}
static void checkpoint(void) { /* checkpoint */ }
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    if (c == '.')
      checkpoint();
    else
      command(c);
  for (struct node *n = nodes; n; n = n->next)
    printf("%c %ld %ld %d\n", n->left, n->count, n->count, n->right);
  printf("pairs %ld %ld\n", pairs[1].a, pairs[1].b);
  return 0;
}

//--- others.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct good {
  struct good *next;
  long n;
  void *data;
};
struct header { long n; };
struct arena { long n; };
struct local { long n; };
struct helper { long n; };
struct table { long n; };
struct value { long n; };
struct in_union { long n; };
struct behind_void { long n; };
struct cast { long n; };
struct other { int a, b; };
struct fields { long n; unsigned bit : 1; };
union either {
  struct in_union *p;
  struct in_union v;
};

static struct good *goods;
static struct header *header;
static struct arena *arena;
static struct local *local;
static struct helper *helper;
static struct table *table;
static struct value *value;
static struct in_union *in_union;
static struct behind_void *behind_void;
static struct cast *cast;
static struct fields *fields;

static char room[1000];
static size_t used;
static void *carve(size_t n) {
  void *p = room + used;
  used += n;
  return p;
}
static void *headed(size_t n) {
  char *p = malloc(n + 8);
  return p + 8;
}
static void put(FILE *f, const void *p, size_t n) { fwrite(p, n, 1, f); }
static ssize_t (*out)(int, const void *, size_t) = write;
extern void library(struct value v);

static void load(void) {
  FILE *f = fopen("state", "r");
  struct local tmp;
  long n;
  while (fread(&n, sizeof n, 1, f) == 1) {
    struct good *g = malloc(sizeof *g);
    g->n = n;
    g->next = goods;
    goods = g;
    g->data = strdup("x");
    header = headed(sizeof(struct header));
    arena = carve(sizeof(struct arena));
    local = malloc(sizeof *local);
    fread(&tmp, sizeof tmp, 1, f);
    *local = tmp;
    helper = malloc(sizeof *helper);
    table = malloc(sizeof *table);
    value = malloc(sizeof *value);
    in_union = malloc(sizeof *in_union);
    behind_void = malloc(sizeof *behind_void);
    cast = malloc(sizeof *cast);
    fields = malloc(sizeof *fields);
    header->n = arena->n = helper->n = table->n = value->n = n;
    in_union->n = behind_void->n = cast->n = fields->n = n;
    g->data = behind_void;
  }
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF) {
    goods->n++;
    put(stdout, helper, 8);
    out(1, table, 8);
    library(*value);
    printf("%d\n", ((struct other *)cast)->b);
    for (struct good *g = goods; g; g = g->next) {
      void *d = g->data;
      if (memcmp(d, "x", 1) == 0)
        puts("x");
    }
  }
  return 0;
}
