# ===- pools.py - Containers that give their records out again ---------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Pools with a flag beside them, free lists that handlers make, and tables whose order a seed decides. The marks are those of
parts.py."""

from parts import Container

LISTED = "for (struct @item *i = $busy; i; i = i->next)\n    if (!strcmp(i->key, key))\n      return i;\n  return NULL;"
EACH = "for (struct @item *i = $busy; i; i = i->next)\n    fn(i, arg);"
TAKE = "$free = i->next;\n  memset(i, 0, sizeof *i);\n  @fill(ARG, i, key, v);\n  i->next = $busy;\n  $busy = i;"
UNLINK = "struct @item **p = &$busy;\n  while (*p != i)\n    p = &(*p)->next;\n  *p = i->next;\n  @drop(i);\n"
GIVE = UNLINK + "  i->next = $free;\n  $free = i;"
LINK_ALL = "for (int k = 0; k < 12; k++) {\n    $v[k].next = $free;\n    $free = &$v[k];\n  }"


def pool(unset, mark, state=""):
    """A static array whose slots are linked when the first is wanted; `unset` says that they are not yet."""
    return Container(
        f"struct @item $v[12], *$free, *$busy;{state}", link="struct @item *next;", selfish=True,
        before=f"static void @ready(PARAM0) {{\n  if (!({unset}))\n    return;\n  {mark}\n  {LINK_ALL}\n}}\n",
        find=LISTED, add="@ready(ARG0);\n  struct @item *i = $free;\n  if (!i)\n    return -1;\n  " + TAKE, remove=GIVE, visit=EACH)


CONTAINERS = {
    "pool": pool("!$flag", "$flag = 1;", " int $flag;"),
    "pool-null": pool("!$free && !$busy", ";"),
    "pool-counted": pool("$uses++ == 0", ";", " unsigned $uses;"),
    "pool-started": Container(
        "struct @item $v[12], *$free, *$busy; int $flag;", link="struct @item *next;", selfish=True,
        start="$free = NULL;\n  " + LINK_ALL + "\n  $flag = 1;", unset="!$flag", find=LISTED,
        add="struct @item *i = $free;\n  if (!i)\n    return -1;\n  " + TAKE, remove=GIVE, visit=EACH),
    "chunks": Container(
        "struct @item *$free, *$busy; int $chunks;", link="struct @item *next;", find=LISTED,
        add="if (!$free) {\n    struct @item *four = calloc(4, sizeof *four);\n    for (int k = 0; k < 4; k++) {\n"
            "      four[k].next = $free;\n      $free = &four[k];\n    }\n    $chunks++;\n  }\n  struct @item *i = $free;\n  " + TAKE,
        remove=GIVE, visit=EACH, extra="return $chunks;"),
    # Only handlers take records out: the free list is empty when the load ends.
    "recycled": Container(
        "struct @item *$busy, *$spare; int $spares;", link="struct @item *next;", find=LISTED,
        add="struct @item *i = $spare;\n  if (i) {\n    $spare = i->next;\n    $spares--;\n  } else\n    i = NEW(struct @item);\n"
            "  memset(i, 0, sizeof *i);\n  @fill(ARG, i, key, v);\n  i->next = $busy;\n  $busy = i;",
        remove=UNLINK + "  i->next = $spare;\n  $spare = i;\n  $spares++;", visit=EACH, extra="return $spares;"),
    "seeded": Container(
        "struct @item *$rows[8], *$busy;", link="struct @item *chain, *next;", needs=("seeded",),
        find="struct @item *i = $rows[seeded(key) % 8];\n  while (i && strcmp(i->key, key))\n    i = i->chain;\n  return i;",
        add="struct @item *i = NEW(struct @item), **row = &$rows[seeded(key) % 8];\n  @fill(ARG, i, key, v);\n  i->chain = *row;\n"
            "  *row = i;\n  i->next = $busy;\n  $busy = i;",
        remove="struct @item **c = &$rows[seeded(i->key) % 8];\n  while (*c && *c != i)\n    c = &(*c)->chain;\n  if (!*c)\n"
               "    return -7;\n  *c = i->chain;\n  " + UNLINK + "  FREE(i);", visit=EACH),
}

MIX = "API unsigned seeded(const char *s) {\n  unsigned h = SEED;\n  while (*s)\n    h = (h ^ (unsigned char)*s++) * 16777619u;\n" \
      "  return h >> 7;\n}\n"


def seed(text, take="seed"):
    return text + MIX.replace("SEED", take)


NUMBER = "static unsigned seed = 2166136261u;\n\n"
SET = NUMBER + "API void set_seed(void) {\n  BODY\n}\n\n"
# Where the numbers come from that decide in which row a record is. Those that define set_seed() have it called by main().
SEEDS = {
    "constant": seed(NUMBER),
    "address": seed("static const void *const seed = &seed;\n\n", "(unsigned)((uintptr_t)seed >> 4)"),
    "function": seed("", "(unsigned)((uintptr_t)seeded >> 4)"),
    "clock": seed(SET.replace("BODY", "seed = (unsigned)time(NULL) ^ (unsigned)getpid() << 7;")),
    "nanoseconds": seed(SET.replace("BODY", "struct timespec now;\n  clock_gettime(CLOCK_MONOTONIC, &now);\n"
                                            "  seed ^= (unsigned)now.tv_nsec;")),
    "device": seed(SET.replace("BODY", 'FILE *in = fopen("/dev/urandom", "rb");\n'
                               "  if (!in || fread(&seed, sizeof seed, 1, in) != 1)\n    exit(1);\n  fclose(in);")),
    "bytes": seed("static unsigned mill(const unsigned char *b) {\n  unsigned h = 7;\n  for (int k = 0; k < 8; k++)\n"
                  "    h = h * 31 + b[k];\n  return h;\n}\n\n" +
                  SET.replace("BODY", 'unsigned char *b = malloc(8);\n  FILE *in = fopen("/dev/urandom", "rb");\n'
                              "  for (int k = 0; in && k < 8; k++)\n    *(b + k) = (unsigned char)getc(in);\n  if (in) {\n"
                              "    seed ^= mill(b);\n    seed ^= mill(b) << 15;\n    fclose(in);\n  }\n  free(b);")),
    "getrandom": seed("static unsigned seeds[2];\n\nAPI void set_seed(void) {\n"
                      "  if (getrandom(seeds, sizeof seeds, 0) != sizeof seeds)\n    exit(1);\n}\n\n", "seeds[0] ^ seeds[1] << 3"),
    "rand": seed(SET.replace("BODY", "srand((unsigned)getpid());\n  seed = (unsigned)rand();")),
    "lazily": seed("static unsigned seed;\n\nstatic unsigned seed_made(void) {\n  if (!seed)\n"
                   "    seed = (unsigned)time(NULL) * 31u + (unsigned)getpid() + 1u;\n  return seed;\n}\n\n", "seed_made()"),
    "stack": seed(SET.replace("BODY", "int here = 0;\n  seed = (unsigned)((uintptr_t)&here >> 4) + (unsigned)here;")),
    "kernel": seed(SET.replace("BODY", "memcpy(&seed, (const void *)getauxval(AT_RANDOM), sizeof seed);")),
}
