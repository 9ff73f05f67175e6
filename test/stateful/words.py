# ===- words.py - Addresses in numbers, and of what the next process lacks ---------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Fields and containers of kept records that hold addresses of labels, what dlsym() gives, and pointers in the bits of
numbers. The marks are those of parts.py."""

from parts import Container, Field

NEEDS = {
    "label": """
static void *@go(struct @item *i, int v, int *sum) {
  static void *const ways[] = {&&twice, &&less};
  if (!i)
    return ways[v & 1];
  goto *i->go;
twice:
  *sum = i->v * 2;
  return NULL;
less:
  *sum = i->v - 1;
  return NULL;
}

static int @went(struct @item *i) {
  int sum = 0;
  @go(i, 0, &sum);
  return sum;
}
""",
    "distance": """
static int @go(struct @item *i, int v) {
  static const int ways[] = {&&twice - &&twice, &&less - &&twice};
  if (!i)
    return ways[v & 1];
  goto *(&&twice + i->go);
twice:
  return i->v * 2;
less:
  return i->v - 1;
}
""",
    "again": """
static int @plug(struct @item *i) {
  if (!i->plug)
    i->plug = (int (*)(int))dlsym(RTLD_DEFAULT, "abs");
  return i->plug(-i->v);
}
""",
    "copied": """
static char *@unbox(const struct @item *i) {
  char *p;
  memcpy(&p, &i->box, sizeof p);
  return p;
}
""",
}


def box(decl, put, get, needs=()):
    """A text whose address is in `decl`: `put` stores P there, `get` finds it."""
    return Field(decl, "char *p = DUP(key);\n  " + put.replace("P", "p"), "%s", get,
                 f"if (v & 1)\n    *{get} = 'W';\n  else {{\n    free({get});\n    char *p = DUP(i->key);\n    "
                 f"{put.replace('P', 'p')}\n  }}", f"free({get});", needs)


PLUG = 'i->plug = (int (*)(int))dlsym(RTLD_DEFAULT, v & 1 ? "abs" : "toupper");'
WORDS = {
    "label": Field("void *go;", "i->go = @go(NULL, v, NULL);", "%d", "@went(i)", "i->go = @go(NULL, v, NULL);", needs=("label",)),
    "distance": Field("int go;", "i->go = @go(NULL, v);", "%d", "@go(i, 0)", "i->go = @go(NULL, v);", needs=("distance",)),
    "plugged": Field("int (*plug)(int);", PLUG, "%d", "i->plug(-'a')", PLUG),
    "plug-again": Field("int (*plug)(int);", "i->plug = NULL;", "%d", "@plug(i)", needs=("again",)),
    "handle": Field("void *lib;\n  int (*plug)(int);", "i->lib = dlopen(NULL, RTLD_NOW);\n  "
                    'i->plug = (int (*)(int))dlsym(i->lib, v & 1 ? "abs" : "tolower");', "%d", "i->plug(-'A')",
                    'i->plug = (int (*)(int))dlsym(i->lib, "abs");', "dlclose(i->lib);"),
    "low-bit": box("uintptr_t box;", "i->box = (uintptr_t)P | (uintptr_t)(v & 1);", "(char *)(i->box & ~(uintptr_t)1)"),
    "long": box("long box;", "i->box = (long)P;", "(char *)i->box"),
    "nan": box("uint64_t box;", "i->box = 0xfff1000000000000ull | (uint64_t)(uintptr_t)P;",
               "(char *)(uintptr_t)(i->box & 0xffffffffffffull)"),
    "double": box("double box;", "uint64_t bits = (uint64_t)(uintptr_t)P;\n  memcpy(&i->box, &bits, sizeof bits);", "@unbox(i)",
                  ("copied",)),
    "bytes": box("unsigned char box[8];", "char *to = P;\n  memcpy(i->box, &to, sizeof to);", "@unbox(i)", ("copied",)),
    "array": box("uintptr_t box[3];", "i->box[0] = (uintptr_t)v;\n  i->box[1] = (uintptr_t)P;\n  i->box[2] = i->box[1] + 1;",
                 "(char *)i->box[1]"),
    "xored": box("uintptr_t box;", "i->box = (uintptr_t)P ^ 0x5555;", "(char *)(i->box ^ 0x5555)"),
    "shifted": box("uintptr_t box;", "i->box = (uintptr_t)P >> 4;", "(char *)(i->box << 4)"),
    "halves": box("unsigned box[2];", "i->box[0] = (unsigned)(uintptr_t)P;\n  i->box[1] = (unsigned)((uintptr_t)P >> 32);",
                  "(char *)((uintptr_t)i->box[1] << 32 | i->box[0])"),
    "bit-field": box("struct {\n    uint64_t at : 48, kind : 16;\n  } box;", "i->box.at = (uintptr_t)P;\n  i->box.kind = 5;",
                     "(char *)(uintptr_t)i->box.at"),
}

# A record points into the text of the file until it is changed.
CUT = Field("char *cut;\n  unsigned cut_own : 1;",
            "i->cut_own = !in_file(key);\n  i->cut = i->cut_own ? DUP(key) : (char *)key;", "%s", "i->cut",
            "if (v & 1)\n    for (char *c = i->cut; *c; c++)\n      *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c);\n"
            "  else {\n    if (i->cut_own)\n      FREE(i->cut);\n    i->cut = DUP(\"new\");\n    i->cut_own = 1;\n  }",
            "if (i->cut_own)\n    FREE(i->cut);", ("slurped",))

AT = "(struct @item *)($w[k] & ~(uintptr_t)1)"
KNOWN = "for (size_t k = 0; k < $n; k++)\n    if (!strcmp((" + AT + ")->key, key))\n      return " + AT + ";\n  return NULL;"
ON = "struct @item *on = (struct @item *)(i->both ^ (uintptr_t)last);"
CONTAINERS = {
    # The low bit of a word says whether its record was turned.
    "word-table": Container(
        "uintptr_t $w[16]; size_t $n;", find=KNOWN,
        add="if ($n == 16)\n    return -1;\n  struct @item *i = NEW(struct @item);\n  @fill(ARG, i, key, v);\n"
            "  $w[$n++] = (uintptr_t)i | (uintptr_t)(v & 1);",
        remove="size_t k = 0;\n  while (" + AT + " != i)\n    k++;\n  $w[k] = $w[--$n];\n  $w[$n] = 0;\n  @drop(i);\n  FREE(i);",
        visit="for (size_t k = 0; k < $n; k++)\n    fn(" + AT + ", arg);",
        extra="int turned = 0;\n  for (size_t k = 0; k < $n; k++) {\n    $w[k] ^= 1;\n    turned += (int)($w[k] & 1);\n  }\n"
              "  return turned;"),
    "word-heap": Container(
        "uintptr_t *$w; size_t $n, $cap;", find=KNOWN,
        add="if ($n == $cap) {\n    $cap = $cap ? $cap * 2 : 2;\n    $w = GROW($w, $cap * sizeof *$w);\n  }\n"
            "  struct @item *i = NEW(struct @item);\n  @fill(ARG, i, key, v);\n  $w[$n++] = (uintptr_t)i;",
        remove="size_t k = 0;\n  while (" + AT + " != i)\n    k++;\n  $w[k] = $w[--$n];\n  @drop(i);\n  FREE(i);",
        visit="for (size_t k = 0; k < $n; k++)\n    fn(" + AT + ", arg);"),
    "xor-list": Container(
        "struct @item *$head;", link="uintptr_t both;",
        find="struct @item *last = NULL, *i = $head;\n  while (i && strcmp(i->key, key)) {\n    " + ON +
             "\n    last = i;\n    i = on;\n  }\n  return i;",
        add="struct @item *i = NEW(struct @item);\n  @fill(ARG, i, key, v);\n  i->both = (uintptr_t)$head;\n  if ($head)\n"
            "    $head->both ^= (uintptr_t)i;\n  $head = i;",
        remove="struct @item *last = NULL, *at = $head;\n  while (at != i) {\n"
               "    struct @item *on = (struct @item *)(at->both ^ (uintptr_t)last);\n    last = at;\n    at = on;\n  }\n  " + ON +
               "\n  if (last)\n    last->both ^= (uintptr_t)i ^ (uintptr_t)on;\n  else\n    $head = on;\n  if (on)\n"
               "    on->both ^= (uintptr_t)i ^ (uintptr_t)last;\n  @drop(i);\n  FREE(i);",
        visit="for (struct @item *last = NULL, *i = $head; i;) {\n    fn(i, arg);\n    " + ON + "\n    last = i;\n    i = on;\n  }"),
}
