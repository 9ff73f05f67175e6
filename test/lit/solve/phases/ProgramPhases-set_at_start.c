// A flag that start-up sets, too, by the same function, is not set by the load
// alone: with `once` restored the next start would not fill code[]. Where
// start-up sets it only sometimes, it is told.
//
// RUN: rm -rf %t && %nvmove_act --load get_game --out %t %s -- -w > %t.log
// RUN: FileCheck %s --input-file %t.log --implicit-check-not=once --implicit-check-not=window
// CHECK: 3 restored scalars
// CHECK: board {{.*}}gets a value from the file
// CHECK: count {{.*}}counts what is loaded
// CHECK: loaded {{.*}}is set only by the load
// CHECK: set-by-load {{.*}}clocks is set by the load, but not restored
// CHECK: set-by-load {{.*}}ready is set only by the load, and not restored
#include <stdio.h>
#include <stdlib.h>
struct rec {
  int move;
};
static struct rec *list;
static unsigned long *code;
static int count, quit, window, loaded, clocks, ready, board[9];
static const int start[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
static short once;

static void new_game(void) {
  int i;
  count = ready = 0;
  window = 90;
  for (i = 0; i < 9; i++)
    board[i] = start[i];
  if (!once) {
    for (i = 0; i < 64; i++)
      code[i] = rand();
    once = 1;
  }
}
static void set_clocks(void) { clocks = 5; }
static void get_game(void) {
  FILE *f = fopen("game", "r");
  int m, i;
  if (!f)
    return;
  new_game();
  set_clocks();
  loaded = 1;
  ready = 1;
  for (i = 0; i < 9; i++)
    fscanf(f, "%d", &board[i]);
  while (fscanf(f, "%d", &m) == 1)
    list[count++].move = m;
  fclose(f);
}
static void init(int argc) {
  list = malloc(100 * sizeof *list);
  code = malloc(64 * sizeof *code);
  new_game();
  if (argc > 1)
    set_clocks();
}
static void command(void) {
  char s[80];
  int i;
  if (!fgets(s, sizeof s, stdin)) {
    quit = 1;
    return;
  }
  if (s[0] == 'g')
    get_game();
  else if (s[0] == 'q')
    quit = 1;
  else if (s[0] == 'm')
    list[count++].move = atoi(s + 1);
  else if (s[0] == 'p')
    for (i = 0; i < count; i++)
      printf("%d %lu %d %d\n", list[i].move, code[list[i].move & 63], loaded,
             clocks + ready);
}
int main(int argc, char **argv) {
  init(argc);
  while (!quit)
    command();
  return 0;
}
