/*===- recovery_bench.c - how long reopening after a crash takes -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   recovery_bench fill ENGINE OBJECTS POOL       makes a pool of linked objects
 *   recovery_bench crash LINES POOL open|ended    changes so many lines in one
 *                         section, and dies before it ends or behind
 *   recovery_bench open POOL                      opens it, reads an object, ends
 *
 * open prints the time by the clock from nvm_open() until an object has been read
 * after nvm_ready().
 */
#define _GNU_SOURCE
#include "bench.h"
#include "base/pool.h"
#include <signal.h>

struct object {
  struct object *next;
  uint64_t number, bytes[5];
};
NVM_TYPE(object);
static struct object *objects;

static void fill(const char *engine, uint64_t count, const char *path) {
  struct setup s = {engine, engine, 0, 0};
  open_pool(&s, path, count * 64 * 3 + (192ul << 20));
  nvm_restore();
  for (uint64_t i = 0; i < count; i++) {
    struct object *o = nvm_alloc(&nvm_type_object, sizeof(*o));
    if (!o)
      fail("full");
    *NVM_OBJ(o) = (struct object){objects, i, {0}};
    objects = o;
  }
  nvm_ready();
  nvm_close();
}

static double reopen(const char *path) {
  double start = now_s();
  struct nvm_options options = {0};
  if (nvm_open(path, &options) != 0 || !nvm_restore())
    fail("nvm_open");
  nvm_ready();
  volatile uint64_t number = objects->next->number;
  (void)number;
  return (now_s() - start) * 1e3;
}

/* A line for each object; what a log has to bring back, or home. Before the
 * section's end where the program writes in place: there is a log to roll back;
 * else to bring home. */
static void crash(long lines, const char *path) {
  reopen(path);
  struct object *o = objects;
  nvm_begin();
  for (long i = 0; o && i < lines; i++, o = o->next)
    NVM(o->number)++;
  if (!nvmi_pool.engine->direct)
    nvm_end();
  kill(getpid(), SIGKILL);
}

int main(int argc, char **argv) {
  struct setups engines = {.count = 0};
  for (const struct nvm_engine *const *e = nvmi_engines; *e; e++)
    if ((*e)->durable && (*e)->hooked && (*e)->goes_back)
      add_setup(&engines, (*e)->name, "", 0);
  if (asks_for_variants(argc, argv))
    print_variants(engines.of, engines.count);
  NVM_ROOT(objects);
  if (argc == 5 && strcmp(argv[1], "fill") == 0)
    fill(argv[2], strtoull(argv[3], NULL, 10), argv[4]);
  else if (argc == 4 && strcmp(argv[1], "crash") == 0)
    crash(atol(argv[2]), argv[3]);
  else if (argc == 3 && strcmp(argv[1], "open") == 0)
    printf("reopening,%.3f,ms\n", reopen(argv[2]));
  else {
    fprintf(stderr, "usage: recovery_bench fill ENGINE OBJECTS POOL | crash "
                    "LINES POOL | open POOL\n");
    return 2;
  }
  return 0;
}
