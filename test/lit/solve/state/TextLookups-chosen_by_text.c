// What a function finds in what is loaded, and chooses a number by, is restored,
// though it is a constant, and though the load also runs on request. Where the
// function does more than to look, it is told.
//
// RUN: rm -rf %t && %nvmove --load load --out %t %s -- -w > %t.log
// RUN: FileCheck %s --input-file %t.log --implicit-check-not="attempts {{[^i]}}"
// CHECK: 3 restored scalars
// CHECK: background {{.*}}gets a value from the file
// CHECK: heartbeat {{.*}}gets a value from the file
// CHECK: port {{.*}}gets a value from the file
// CHECK: set-by-load {{.*}}connected is set by the load, but not restored
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct key {
  struct key *next;
  char *name, *value;
};
static struct key *keys;
static int port, heartbeat, background, connected, attempts;
static struct key *find(const char *name) {
  struct key *k;
  for (k = keys; k; k = k->next)
    if (!strcmp(k->name, name))
      return k;
  return NULL;
}
static int get_int(const char *name, int otherwise) {
  struct key *k = find(name);
  return k ? (int)strtol(k->value, NULL, 0) : otherwise;
}
static short get_bool(const char *name, short otherwise) {
  struct key *k = find(name);
  if (k == NULL)
    return otherwise;
  if (!strcmp(k->value, "no") || !strcmp(k->value, "0"))
    return 0;
  if (!strcmp(k->value, "yes") || !strcmp(k->value, "1"))
    return 1;
  return otherwise;
}
static int open_connection(void) {
  struct key *k = find("server");
  if (!k || !popen(k->value, "r"))
    return 0;
  return 1;
}
static int load(const char *file) {
  FILE *f = fopen(file, "r");
  char a[32], b[32];
  if (!f)
    return -1;
  while (fscanf(f, "%31s %31s", a, b) == 2) {
    struct key *k = malloc(sizeof *k);
    k->name = strdup(a);
    k->value = strdup(b);
    k->next = keys;
    keys = k;
  }
  fclose(f);
  if (port == -1)
    port = get_int("port", -1);
  if (heartbeat == -1)
    heartbeat = get_bool("heartbeat", -1);
  if (background == -1) {
    int b = get_bool("background", -1);
    if (b != -1)
      background = b;
  }
  connected = open_connection();
  return 0;
}
static void set_heartbeat(int on) { heartbeat = on ? 1 : 0; }
static void clear_settings(void) { port = heartbeat = background = -1; }
static void defaults(void) {
  if (port == -1)
    port = 13666;
  if (heartbeat == -1)
    heartbeat = 2;
  if (background == -1)
    background = 0;
}
static void reload(const char *file) {
  clear_settings();
  load(file);
  defaults();
}
int main(int argc, char **argv) {
  char s[80];
  clear_settings();
  if (load(argv[1]) < 0)
    return 1;
  defaults();
  printf("%d %d %d %d\n", port, heartbeat, background, connected);
  while (fgets(s, sizeof s, stdin)) {
    keys->value[0]++;
    attempts++;
    if (s[0] == 'r')
      reload(argv[1]);
    set_heartbeat(s[0] == 'y');
  }
  return 0;
}
