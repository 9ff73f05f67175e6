// Tables into which commands alone put what the load has made come back, with
// the number that says how much is there and how large they are. Not one that
// each command begins anew or leaves empty; one that start-up fills, too, is
// told, but not one that start-up alone fills from what came back. What else is
// filled at the same place is restored with it, or is told.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --notes --load load app.c > out
// RUN: FileCheck %s --input-file out
// CHECK:      5 roots
// CHECK-NEXT: all
// CHECK-NEXT: bought.items
// CHECK-NEXT: cart
// CHECK-NEXT: marked
// CHECK-NEXT: seen.items[]
// CHECK:      7 restored scalars
// CHECK-NEXT: bought.count {{ *}}counts what is in bought.items, at app.c
// CHECK-NEXT: bought.room {{ *}}is the size of what is loaded
// CHECK-NEXT: cart_count {{ *}}counts what is in cart, at app.c
// CHECK-NEXT: marked_at {{ *}}belongs to what is in marked, at app.c
// CHECK-NEXT: marked_count {{ *}}counts what is in marked, at app.c
// CHECK-NEXT: seen.count {{ *}}counts what is in seen.items[], at app.c
// CHECK-NEXT: seen.times {{ *}}belongs to what is in seen.items[], at app.c
// CHECK-NOT:  is not kept
// CHECK-DAG: head-not-kept {{.*}}late is not kept, nor is late_count, which counts its elements
// CHECK-DAG: index-alone {{.*}}marked_count is restored with marked, and marked_by, which it also indexes, is not
// CHECK-NOT:  is not kept
//
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'm3\nk4\ns4\nb5\nb3\nx0\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'm4\nb4\nb5\nb4\np0\n' | env NVM_POOL=%t/pool ./app >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG: marked 3 4 seen 4 bought 5 3 4 5 4 young 3 4 5 late 4 5 beside 7 8 4 9 me

//--- data
3
4
5
//--- app.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct item { int id; struct item *next; };
struct row { struct item *items[16]; int times[16], count; };
struct line { struct item *item; int many; };
struct heap { struct item **items; int count, room; };

static struct item *all;
static struct item *marked[16];
static int marked_count, marked_at[16], cart_count;
static struct line cart[16];
static const char *marked_by[16];
static struct row seen;
static struct heap bought;
static struct item *matches[16], *sorted[16], *waiting[16], *young[16], *late[16];
static int match_count, sorted_count, waiting_count, young_count, late_count;

static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int id;
  if (!f)
    return;
  while (fscanf(f, "%d", &id) == 1) {
    struct item *it = malloc(sizeof *it);
    it->id = id;
    it->next = all;
    all = it;
  }
  fclose(f);
}
static struct item *find(int id) {
  struct item *it = all;
  while (it && it->id != id)
    it = it->next;
  return it;
}
static void add(struct row *row, struct item *it) {
  if (it && row->count < 16) {
    row->times[row->count] = it->id * 2;
    row->items[row->count++] = it;
  }
}
static void buy(struct heap *heap, struct item *it) {
  if (heap->count == heap->room) {
    heap->room += 2;
    heap->items = realloc(heap->items, heap->room * sizeof *heap->items);
  }
  heap->items[heap->count++] = it;
}
static void match(int id) {
  match_count = 0;
  for (struct item *it = all; it; it = it->next)
    if (it->id > id)
      matches[match_count++] = it;
  printf("%d of %d\n", match_count, matches[0]->id);
}
static void begin(void) { sorted_count = 0; }
static void put(struct item *it) { sorted[sorted_count++] = it; }
static void sort(void) {
  begin();
  for (struct item *it = all; it; it = it->next)
    put(it);
  printf("%d of %d\n", sorted_count, sorted[0]->id);
}
static void walk(void) {
  for (struct item *it = all; it; it = it->next)
    waiting[waiting_count++] = it;
  printf("%d of %d\n", waiting_count, waiting[0]->id);
  waiting_count = 0;
}
static void keep_young(void) {
  for (int id = 0; id < 9; id++)
    if (find(id))
      young[young_count++] = find(id);
}
static void keep_late(int id) { late[late_count++] = find(id); }
static void show(const char *name, struct item **items, int count) {
  printf("%s ", name);
  for (int i = 0; i < count; i++)
    printf("%d ", items[i]->id);
}
static void mark(struct item *it) {
  marked_at[marked_count] = 7;
  marked_by[marked_count] = "me";
  marked[marked_count++] = it;
}
static void order(struct item *it) {
  struct line *line = &cart[cart_count++];
  line->item = it;
  line->many = 9;
}
static void command(char c, int id) {
  struct item *it = find(id);
  switch (c) {
  case 'm': mark(it); break;
  case 'k': order(it); break;
  case 'c': marked_count = 0; break;
  case 's': add(&seen, it); break;
  case 'b': buy(&bought, it); break;
  case '?': match(id); break;
  case 'o': sort(); break;
  case 'w': walk(); break;
  case 'l': keep_late(id); break;
  case 'p':
    show("marked", marked, marked_count);
    show("seen", seen.items, seen.count);
    show("bought", bought.items, bought.count);
    show("young", young, young_count);
    show("late", late, late_count);
    printf("beside %d %d %d %d %s", marked_at[0], seen.times[0],
           cart[0].item->id, cart[0].many, marked_by[marked_count - 1]);
    break;
  case 'x': raise(SIGKILL);
  }
}
int main(void) {
  char line[80];
  marked_count = 0;
  load("data");
  keep_young();
  for (int id = 4; id < 6; id++)
    keep_late(id);
  while (fgets(line, sizeof line, stdin))
    command(line[0], atoi(line + 1));
  return 0;
}
