// The handle of a library's list is a void * with a name: what the load puts into
// it hangs from where the handle is kept, as with a pointer to a struct. A name
// for pointers to anything, that the program turns into pointers to records, is
// none.
//
// RUN: cd %S && %nvmove_act --load load --analyze-only --force --out %t.out LibraryHandles-void_handles.c > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: 3 persistent types
// CHECK-DAG: access
// CHECK-DAG: config
// CHECK-DAG: user
// CHECK: library-memory {{.*}}config.acl leads to memory of a library (lst_List)
#include <stdio.h>
#include <stdlib.h>

typedef void *lst_List;
lst_List lst_create(void);
void lst_append(lst_List list, const void *datum);
void *lst_nth_get(lst_List list, unsigned n);
unsigned lst_length(lst_List list);

typedef void *pointer;

struct access {
  int type;
  char spec[32];
};
struct user {
  int id;
};
struct config {
  lst_List acl, *other; // a slip that compiles
  pointer owner;
};
static struct config *the_config;

static void load(const char *name) {
  int type;
  char spec[32];
  struct user *u;
  FILE *f = fopen(name, "r");
  if (!f)
    return;
  the_config = malloc(sizeof *the_config);
  the_config->acl = lst_create();
  the_config->other = lst_create();
  u = malloc(sizeof *u);
  fscanf(f, "%d", &u->id);
  the_config->owner = u;
  while (fscanf(f, "%d %31s", &type, spec) == 2) {
    struct access *a = malloc(sizeof *a);
    a->type = type;
    snprintf(a->spec, sizeof a->spec, "%s", spec);
    lst_append(the_config->acl, a);
  }
  fclose(f);
}
int main(int argc, char **argv) {
  char line[80];
  unsigned i;
  load(argv[argc - 1]);
  while (fgets(line, sizeof line, stdin))
    for (i = 1; i <= lst_length(the_config->acl); i++) {
      struct access *a = lst_nth_get(the_config->acl, i);
      printf("%d %s\n", a->type++, a->spec);
    }
  return ((struct user *)the_config->owner)->id;
}
