# ===- parts.py - The parts of a generated program: containers and fields --------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""C text with a few marks, which shapes.py fills in:

    @name      a name of this part
    $name      a member of its state: a static, or a member of a record
    (PARAM0)   the parameters of a function that gets nothing but the state
    (PARAM, .. the same with more parameters; ARG0 and ARG, stand in calls
    NEW(T)     a new record; FREE(p), DUP(s), GROW(p, n): memory as this program gets it
    API        what other files may call
"""

from dataclasses import dataclass, field


@dataclass
class Field:
    """A member of the records of a part; `i` is the record, `key` and `v` what the command says."""
    decl: str
    fill: str
    show: str                  # of printf()
    args: str
    change: str = ""
    drop: str = ""
    needs: tuple = ()


@dataclass
class Container:
    """How a part keeps its records. `visit` calls fn(i, arg) for each; `flat` ones hold records, others pointers."""
    state: str
    find: str
    add: str
    remove: str
    visit: str
    link: str = ""             # members of a record
    before: str = ""           # what stands before the functions
    start: str = ""            # what start-up does, and when it has to
    unset: str = ""
    extra: str = ""            # a command of its own
    selfish: bool = False      # the state points into itself
    tail: str = ""             # the last member of a record
    needs: tuple = field(default=())


TEXTS = {
    "strdup": "i->text = DUP(key);",
    "malloc": "i->text = malloc(strlen(key) + 1);\n  strcpy(i->text, key);",
    "asprintf": "if (asprintf(&i->text, \"%s/%d\", key, v) < 0)\n    exit(1);",
    "strndup": "i->text = strndup(key, 3);",
    "memcpy": "size_t size = strlen(key) + 1;\n  i->text = malloc(size);\n  memcpy(i->text, key, size);",
    "memstream": "size_t size;\n  FILE *to = open_memstream(&i->text, &size);\n  fprintf(to, \"%s-%d\", key, v);\n"
                 "  fclose(to);",
}
LONGER = {
    "again": "FREE(i->text);\n  i->text = NULL;\n  if (asprintf(&i->text, \"%s+%d\", i->key, v) < 0)\n    exit(1);",
    "realloc": "size_t size = strlen(i->text);\n  if (size < 40) {\n    i->text = GROW(i->text, size + 2);\n"
               "    strcat(i->text, \"x\");\n  }",
    "letters": "for (char *c = i->text; *c; c++)\n    *c = *c == 'a' ? 'z' : *c;",
}
# Functions of the library that write into a member.
WRITERS = {
    "snprintf": ("char note[16];", 'snprintf(i->note, sizeof i->note, "%d.%s", v % 97, key);', '%s', 'i->note'),
    "strncpy": ("char note[16];", "strncpy(i->note, key, 15);\n  i->note[15] = 0;", '%s', 'i->note'),
    "strcpy": ("char note[40];", "strcpy(i->note, key);\n  strcat(i->note, \"!\");", '%s', 'i->note'),
    "stpcpy": ("char note[40];", "strcpy(stpcpy(i->note, key), \"?\");", '%s', 'i->note'),
    "memset": ("char note[8];", "memset(i->note, 'a' + (v & 15), 7);\n  i->note[7] = 0;", '%s', 'i->note'),
    "memccpy": ("char note[16];", "memset(i->note, 0, sizeof i->note);\n  memccpy(i->note, key, 0, 15);", '%s', 'i->note'),
    "sscanf": ("int got;", 'char digits[16];\n  snprintf(digits, sizeof digits, "%d", v);\n  i->got = 0;\n'
                           '  sscanf(digits, "%d", &i->got);', '%d', 'i->got'),
    "frexp": ("int got;", "(void)frexp(v + 1.0, &i->got);", '%d', 'i->got'),
    "modf": ("double got;", "(void)modf(v / 4.0, &i->got);", '%g', 'i->got'),
    "swab": ("char note[8];", "char pair[8] = \"abcdef\";\n  pair[0] = (char)('a' + (v & 7));\n"
                              "  memset(i->note, 0, sizeof i->note);\n  swab(pair, i->note, 6);", '%s', 'i->note'),
    "inet_pton": ("unsigned char note[4];", 'char dots[32];\n  snprintf(dots, sizeof dots, "10.0.%d.1", v & 127);\n'
                  '  memset(i->note, 0, 4);\n  inet_pton(AF_INET, dots, i->note);', '%d', 'i->note[2]'),
    "mbstowcs": ("wchar_t note[16];", "memset(i->note, 0, sizeof i->note);\n  mbstowcs(i->note, key, 15);", '%d',
                 '(int)i->note[0]'),
    "gmtime_r": ("struct tm when;", "time_t then = (time_t)v * 86400;\n  gmtime_r(&then, &i->when);", '%d', 'i->when.tm_yday'),
    "div": ("div_t got;", "i->got = div(v, 7);", '%d.%d', 'i->got.quot, i->got.rem'),
    "strtok": ("char note[24];", 'char copy[40], *save = NULL;\n  snprintf(copy, sizeof copy, "%s,%d", key, v);\n'
               '  char *word = strtok_r(copy, ",", &save);\n  snprintf(i->note, sizeof i->note, "%s", word ? word : "");\n'
               '  word = strtok_r(NULL, ",", &save);\n  if (word)\n    strncat(i->note, word, 4);', '%s', 'i->note'),
}


def fields(choices, name):
    """Name -> Field, with variants as the choices say."""
    text = choices.pick(f"{name}.text", list(TEXTS))
    longer = choices.pick(f"{name}.longer", list(LONGER))
    writer = choices.pick(f"{name}.writer", list(WRITERS))
    decl, fill, show, args = WRITERS[writer]
    return {
        "text": Field("char *text;", TEXTS[text], "%s", "i->text", LONGER[longer], "FREE(i->text);"),
        "written": Field(decl, fill, show, args, change=fill.replace("key", "i->key")),
        "pos": Field("struct {\n    int x, y;\n    struct {\n      short a;\n      char c;\n    } in;\n  } pos;",
                     "i->pos.x = v;\n  i->pos.y = -v;\n  i->pos.in.a = (short)(v & 63);\n  i->pos.in.c = 'c';",
                     "%d,%d,%d%c", "i->pos.x, i->pos.y, i->pos.in.a, i->pos.in.c",
                     "i->pos.x += v;\n  i->pos.in.a++;\n  i->pos.in.c = (char)('a' + (v & 15));"),
        "tagged": Field("int tag;\n  union {\n    int n;\n    double d;\n    char s[12];\n    char *p;\n  } u;",
                        "@tag(i, key, v);", "%d:%s", "i->tag, @untag(i)",
                        "if (i->tag == 3)\n    FREE(i->u.p);\n  @tag(i, i->key, v);",
                        "if (i->tag == 3)\n    FREE(i->u.p);", ("tagged",)),
        "op": Field("int (*op)(int, int);", "i->op = v & 1 ? op_add : op_mul;", "%d", "i->op(3, 4)",
                    "i->op = i->op == op_add ? op_sub : op_add;", needs=("op",)),
        "bits": Field("unsigned on : 1, level : 5;", "i->on = v & 1;\n  i->level = (unsigned)v & 31;", "%d/%d",
                      "(int)i->on, (int)i->level", "i->on = !i->on;\n  i->level++;"),
        "hist": Field("int hist[4];", "memset(i->hist, 0, sizeof i->hist);\n  i->hist[0] = v;", "%d|%d|%d",
                      "i->hist[0], i->hist[1], i->hist[3]",
                      "memmove(i->hist + 1, i->hist, 3 * sizeof *i->hist);\n  i->hist[0] = v;"),
        "kind": Field("const struct kind *kind;", "i->kind = &kinds[v & 1];", "%s", "i->kind->name",
                      "i->kind = &kinds[2];", needs=("kind",)),
        "label": Field("const char *label;", 'i->label = v & 1 ? "odd" : "even";', "%s", "i->label",
                       'i->label = "changed";'),
        "avg": Field("double avg;\n  unsigned long hits;", "i->avg = v;\n  i->hits = 1;", "%.2f/%lu", "i->avg, i->hits",
                     "i->hits++;\n  i->avg += (v - i->avg) / (double)i->hits;"),
        "id": Field("int id;", "i->id = ++SEQ;", "#%d", "i->id", needs=("seq",)),
        "sum": Field("unsigned sum;", "i->sum = checksum(key);", "%08x", "i->sum", needs=("crc",)),
        "subs": Field("struct @sub *subs;",
                      "i->subs = NULL;", "%d", "@sum_subs(i)",
                      "struct @sub *s = NEW(struct @sub);\n  s->v = v;\n  s->next = i->subs;\n  i->subs = s;",
                      "while (i->subs) {\n    struct @sub *s = i->subs;\n    i->subs = s->next;\n    FREE(s);\n  }",
                      ("subs",)),
        "twin": Field("struct @pair {\n    char *a;\n    int b;\n  } *twin;",
                      "i->twin = NEW(struct @pair);\n  i->twin->a = DUP(key);\n  i->twin->b = v;", "%s=%d",
                      "i->twin->a, i->twin->b", "i->twin->b += v;\n  i->twin->a[0] = 'Q';",
                      "FREE(i->twin->a);\n  FREE(i->twin);"),
        "wide": Field("wchar_t *wide;", "wchar_t w[4] = {L'a' + (v & 7), L'b', 0};\n  i->wide = wcsdup(w);", "%ls",
                      "i->wide", "i->wide[0] = L'z';", "FREE(i->wide);"),
        "ends": Field("char *digits, *rest;\n  long number;", 'if (asprintf(&i->digits, "%d,%s", v, key) < 0)\n    exit(1);\n'
                      '  i->number = strtol(i->digits, &i->rest, 10);', "%ld%s", "i->number, i->rest", "i->rest++;\n  if (!*i->rest)\n"
                      "    i->rest = i->digits;", "FREE(i->digits);"),
        "flags": Field("struct {\n    unsigned char on[6];\n  } flags;",
                       "memset(&i->flags, 0, sizeof i->flags);\n  i->flags.on[v % 6 < 0 ? 0 : v % 6] = 1;", "%d%d%d",
                       "i->flags.on[0], i->flags.on[1], i->flags.on[5]", "i->flags.on[5] ^= 1;"),
    }


FIELD_NEEDS = {
    "tagged": """
static void @tag(struct @item *i, const char *key, int v) {
  i->tag = v & 3;
  switch (i->tag) {
  case 0: i->u.n = v; break;
  case 1: i->u.d = v / 2.0; break;
  case 2: snprintf(i->u.s, sizeof i->u.s, "%.8s", key); break;
  default: i->u.p = DUP(key);
  }
}

static const char *@untag(const struct @item *i) {
  static char text[40];
  switch (i->tag) {
  case 0: snprintf(text, sizeof text, "%d", i->u.n); break;
  case 1: snprintf(text, sizeof text, "%g", i->u.d); break;
  case 2: return i->u.s;
  default: return i->u.p;
  }
  return text;
}
""",
    "subs": """
static int @sum_subs(const struct @item *i) {
  int sum = 0;
  for (const struct @sub *s = i->subs; s; s = s->next)
    sum = sum * 3 + s->v;
  return sum;
}
""",
}

CONTAINERS = {
    "list": Container(
        "struct @item *$head; int $n;", link="struct @item *next;",
        find="for (struct @item *i = $head; i; i = i->next)\n    if (!strcmp(i->key, key))\n      return i;\n  return NULL;",
        add="struct @item *i = NEW(struct @item);\n  @fill(ARG, i, key, v);\n  i->next = $head;\n  $head = i;\n  $n++;",
        remove="for (struct @item **p = &$head; *p; p = &(*p)->next)\n    if (*p == i) {\n      *p = i->next;\n      break;\n"
               "    }\n  @drop(i);\n  FREE(i);\n  $n--;",
        visit="for (struct @item *i = $head; i; i = i->next)\n    fn(i, arg);",
        extra="struct @item *turned = NULL;\n  while ($head) {\n    struct @item *i = $head;\n    $head = i->next;\n"
              "    i->next = turned;\n    turned = i;\n  }\n  $head = turned;\n  return $n;"),
    "tail": Container(
        "struct @item *$head, **$last; unsigned $n;", link="struct @item *next;", selfish=True,
        start="$last = &$head;", unset="!$last",
        find="struct @item *i;\n  for (i = $head; i; i = i->next)\n    if (!strcmp(i->key, key))\n      break;\n  return i;",
        add="struct @item *i = NEW(struct @item);\n  @fill(ARG, i, key, v);\n  i->next = NULL;\n  *$last = i;\n"
            "  $last = &i->next;\n  ++$n;",
        remove="struct @item **p = &$head;\n  while (*p != i)\n    p = &(*p)->next;\n  if (!(*p = i->next))\n    $last = p;\n"
               "  @drop(i);\n  FREE(i);\n  --$n;",
        visit="for (struct @item *i = $head; i; i = i->next)\n    fn(i, arg);",
        extra="if ($head && $head->next) {\n    struct @item *i = $head;\n    $head = i->next;\n    i->next = NULL;\n"
              "    *$last = i;\n    $last = &i->next;\n  }\n  return (int)$n;"),
    "dlist": Container(
        "struct link $ends; int $n;", link="struct link at;", selfish=True, needs=("link",),
        start="$ends.next = $ends.prev = &$ends;", unset="!$ends.next",
        find="for (struct link *l = $ends.next; l != &$ends; l = l->next) {\n"
             "    struct @item *i = HOLDER(l, struct @item, at);\n    if (!strcmp(i->key, key))\n      return i;\n  }\n"
             "  return NULL;",
        add="struct @item *i = NEW(struct @item);\n  @fill(ARG, i, key, v);\n  link_in(&i->at, &$ends);\n  $n++;",
        remove="link_out(&i->at);\n  @drop(i);\n  FREE(i);\n  $n--;",
        visit="for (struct link *l = $ends.next, *next; l != &$ends; l = next) {\n    next = l->next;\n"
              "    fn(HOLDER(l, struct @item, at), arg);\n  }",
        extra="if ($n > 1) {\n    struct link *l = $ends.prev;\n    link_out(l);\n    link_in(l, $ends.next);\n  }\n"
              "  return $n;"),
    "tailq": Container(
        "TAILQ_HEAD(@queue, @item) $q; int $n;", link="TAILQ_ENTRY(@item) at;", selfish=True, needs=("queue",),
        start="TAILQ_INIT(&$q);", unset="!$q.tqh_last",
        find="struct @item *i;\n  TAILQ_FOREACH (i, &$q, at)\n    if (!strcmp(i->key, key))\n      return i;\n  return NULL;",
        add="struct @item *i = NEW(struct @item);\n  @fill(ARG, i, key, v);\n  TAILQ_INSERT_TAIL(&$q, i, at);\n  $n++;",
        remove="TAILQ_REMOVE(&$q, i, at);\n  @drop(i);\n  FREE(i);\n  $n--;",
        visit="struct @item *i;\n  TAILQ_FOREACH (i, &$q, at)\n    fn(i, arg);",
        extra="struct @item *i = TAILQ_FIRST(&$q);\n  if (i) {\n    TAILQ_REMOVE(&$q, i, at);\n"
              "    TAILQ_INSERT_TAIL(&$q, i, at);\n  }\n  return $n;"),
    "slist": Container(
        "SLIST_HEAD(@stack, @item) $s; int $n;", link="SLIST_ENTRY(@item) at;", needs=("queue",),
        find="struct @item *i;\n  SLIST_FOREACH (i, &$s, at)\n    if (!strcmp(i->key, key))\n      return i;\n  return NULL;",
        add="struct @item *i = NEW(struct @item);\n  @fill(ARG, i, key, v);\n  SLIST_INSERT_HEAD(&$s, i, at);\n  $n++;",
        remove="SLIST_REMOVE(&$s, i, @item, at);\n  @drop(i);\n  FREE(i);\n  $n--;",
        visit="struct @item *i;\n  SLIST_FOREACH (i, &$s, at)\n    fn(i, arg);"),
    "tree": Container(
        "struct @item *$root; int $n;", link="struct @item *left, *right;",
        before="static void @walk(struct @item *i, @fn fn, void *arg) {\n  if (!i)\n    return;\n  @walk(i->left, fn, arg);\n"
               "  fn(i, arg);\n  @walk(i->right, fn, arg);\n}\n\n"
               "static struct @item *@take_least(struct @item **p) {\n  while ((*p)->left)\n    p = &(*p)->left;\n"
               "  struct @item *least = *p;\n  *p = least->right;\n  return least;\n}\n",
        find="struct @item *i = $root;\n  while (i) {\n    int c = strcmp(key, i->key);\n    if (!c)\n      break;\n"
             "    i = c < 0 ? i->left : i->right;\n  }\n  return i;",
        add="struct @item **p = &$root, *i = NEW(struct @item);\n  while (*p)\n"
            "    p = strcmp(key, (*p)->key) < 0 ? &(*p)->left : &(*p)->right;\n  @fill(ARG, i, key, v);\n"
            "  i->left = i->right = NULL;\n  *p = i;\n  $n++;",
        remove="struct @item **p = &$root;\n  while (*p != i)\n    p = strcmp(i->key, (*p)->key) < 0 ? &(*p)->left : &(*p)->right;\n"
               "  if (i->left && i->right) {\n    struct @item *least = @take_least(&i->right);\n    least->left = i->left;\n"
               "    least->right = i->right;\n    *p = least;\n  } else\n    *p = i->left ? i->left : i->right;\n"
               "  @drop(i);\n  FREE(i);\n  $n--;",
        visit="@walk($root, fn, arg);"),
    "hash": Container(
        "struct @item **$buckets; size_t $size, $n;", link="struct @item *chain;\n  unsigned hash;", needs=("hash",),
        before="static void @resize(PARAM, size_t size) {\n  struct @item **wider = calloc(size, sizeof *wider);\n"
               "  for (size_t k = 0; k < $size; k++)\n    for (struct @item *i = $buckets[k], *next; i; i = next) {\n"
               "      next = i->chain;\n      i->chain = wider[i->hash % size];\n      wider[i->hash % size] = i;\n    }\n"
               "  free($buckets);\n  $buckets = wider;\n  $size = size;\n}\n",
        find="if (!$size)\n    return NULL;\n  for (struct @item *i = $buckets[hash(key) % $size]; i; i = i->chain)\n"
             "    if (!strcmp(i->key, key))\n      return i;\n  return NULL;",
        add="if ($n == $size)\n    @resize(ARG, $size ? $size * 2 + 1 : 2);\n  struct @item *i = NEW(struct @item);\n"
            "  @fill(ARG, i, key, v);\n  i->hash = hash(key);\n  struct @item **b = &$buckets[i->hash % $size];\n"
            "  i->chain = *b;\n  *b = i;\n  $n++;",
        remove="struct @item **p = &$buckets[i->hash % $size];\n  while (*p != i)\n    p = &(*p)->chain;\n  *p = i->chain;\n"
               "  @drop(i);\n  FREE(i);\n  $n--;",
        visit="for (size_t k = 0; k < $size; k++)\n    for (struct @item *i = $buckets[k]; i; i = i->chain)\n      fn(i, arg);",
        extra="@resize(ARG, $size + 3);\n  return (int)$n;"),
    "buckets": Container(
        "struct @item *$buckets[7]; int $n;", link="struct @item *chain;", needs=("hash",),
        find="struct @item *i = $buckets[hash(key) % 7];\n  while (i && strcmp(i->key, key))\n    i = i->chain;\n  return i;",
        add="struct @item *i = NEW(struct @item), **b = &$buckets[hash(key) % 7];\n  @fill(ARG, i, key, v);\n  i->chain = *b;\n"
            "  *b = i;\n  $n += 1;",
        remove="struct @item **p = &$buckets[hash(i->key) % 7];\n  while (*p != i)\n    p = &(*p)->chain;\n  *p = i->chain;\n"
               "  @drop(i);\n  FREE(i);\n  $n -= 1;",
        visit="for (int k = 0; k < 7; k++)\n    for (struct @item *i = $buckets[k]; i; i = i->chain)\n      fn(i, arg);"),
    "array": Container(
        "struct @item *$v; size_t $n, $cap;",
        before="static int @order(const void *a, const void *b) {\n"
               "  return strcmp(((const struct @item *)a)->key, ((const struct @item *)b)->key);\n}\n",
        find="for (size_t k = 0; k < $n; k++)\n    if (!strcmp($v[k].key, key))\n      return &$v[k];\n  return NULL;",
        add="if ($n == $cap) {\n    $cap = $cap ? $cap * 2 : 2;\n    $v = GROW($v, $cap * sizeof *$v);\n  }\n"
            "  struct @item *i = &$v[$n++];\n  @fill(ARG, i, key, v);",
        remove="size_t k = (size_t)(i - $v);\n  @drop(i);\n  memmove($v + k, $v + k + 1, ($n - k - 1) * sizeof *$v);\n  $n--;",
        visit="for (size_t k = 0; k < $n; k++)\n    fn(&$v[k], arg);",
        extra="if ($n)\n    qsort($v, $n, sizeof *$v, @order);\n  return (int)$n;"),
    "pointers": Container(
        "struct @item **$v; int $n, $cap;",
        before="static int @order(const void *a, const void *b) {\n  struct @item *const *x = a, *const *y = b;\n"
               "  return strcmp((*x)->key, (*y)->key);\n}\n",
        find="for (int k = 0; k < $n; k++)\n    if (!strcmp($v[k]->key, key))\n      return $v[k];\n  return NULL;",
        add="struct @item *i = NEW(struct @item);\n  @fill(ARG, i, key, v);\n  if ($n == $cap) {\n    $cap += 3;\n"
            "    $v = GROW($v, (size_t)$cap * sizeof *$v);\n  }\n  $v[$n++] = i;",
        remove="int k = 0;\n  while ($v[k] != i)\n    k++;\n  $v[k] = $v[--$n];\n  @drop(i);\n  FREE(i);",
        visit="for (int k = 0; k < $n; k++)\n    fn($v[k], arg);",
        extra="if ($n)\n    qsort($v, (size_t)$n, sizeof *$v, @order);\n  return $n;"),
    "table": Container(
        "struct @item $v[12]; int $n;",
        find="for (int k = 0; k < $n; k++)\n    if (!strcmp($v[k].key, key))\n      return &$v[k];\n  return NULL;",
        add="if ($n == 12)\n    return -1;\n  struct @item *i = &$v[$n];\n  @fill(ARG, i, key, v);\n  $n++;",
        remove="@drop(i);\n  *i = $v[--$n];\n  memset(&$v[$n], 0, sizeof $v[$n]);",
        visit="for (int k = 0; k < $n; k++)\n    fn(&$v[k], arg);",
        extra="if ($n > 1) {\n    struct @item first = $v[0];\n    $v[0] = $v[$n - 1];\n    $v[$n - 1] = first;\n  }\n  return $n;"),
    "ring": Container(
        "struct @item $v[5]; unsigned $head, $count;",
        find="for (unsigned k = 0; k < $count; k++)\n    if (!strcmp($v[($head + k) % 5].key, key))\n"
             "      return &$v[($head + k) % 5];\n  return NULL;",
        add="struct @item *i = &$v[($head + $count) % 5];\n  if ($count == 5) {\n    @drop(i);\n    $head = ($head + 1) % 5;\n"
            "  } else\n    $count++;\n  @fill(ARG, i, key, v);",
        remove="if (i != &$v[$head])\n    return 0;\n  @drop(i);\n  memset(i, 0, sizeof *i);\n  $head = ($head + 1) % 5;\n  $count--;",
        visit="for (unsigned k = 0; k < $count; k++)\n    fn(&$v[($head + k) % 5], arg);"),
    "slots": Container(
        "struct @item $v[10]; int $free_at, $n, $ready;", link="int used, next_free;",
        start="for (int k = 0; k < 10; k++)\n    $v[k].next_free = k + 1;\n  $ready = 1;", unset="!$ready",
        find="for (int k = 0; k < 10; k++)\n    if ($v[k].used && !strcmp($v[k].key, key))\n      return &$v[k];\n  return NULL;",
        add="if ($free_at >= 10)\n    return -1;\n  struct @item *i = &$v[$free_at];\n  $free_at = i->next_free;\n"
            "  @fill(ARG, i, key, v);\n  i->used = 1;\n  $n++;",
        remove="@drop(i);\n  i->used = 0;\n  i->next_free = $free_at;\n  $free_at = (int)(i - $v);\n  $n--;",
        visit="for (int k = 0; k < 10; k++)\n    if ($v[k].used)\n      fn(&$v[k], arg);"),
    "open": Container(
        "struct @item $v[17]; unsigned char $used[17];", needs=("hash",),
        find="for (unsigned k = 0, at = hash(key) % 17; k < 17 && $used[at]; k++, at = (at + 1) % 17)\n"
             "    if ($used[at] == 1 && !strcmp($v[at].key, key))\n      return &$v[at];\n  return NULL;",
        add="unsigned at = hash(key) % 17, k = 0;\n  while ($used[at] == 1 && k++ < 17)\n    at = (at + 1) % 17;\n"
            "  if ($used[at] == 1)\n    return -1;\n  @fill(ARG, &$v[at], key, v);\n  $used[at] = 1;",
        remove="@drop(i);\n  memset(i, 0, sizeof *i);\n  $used[i - $v] = 2;",
        visit="for (int k = 0; k < 17; k++)\n    if ($used[k] == 1)\n      fn(&$v[k], arg);"),
    "skip": Container(
        "struct @item *$first[4]; int $n;", link="int height;", tail="struct @item *next[];", needs=("hash",),
        find="struct @item **next = $first;\n  for (int level = 3; level >= 0; level--)\n"
             "    while (next[level] && strcmp(next[level]->key, key) < 0)\n      next = next[level]->next;\n"
             "  return next[0] && !strcmp(next[0]->key, key) ? next[0] : NULL;",
        add="int height = 1 + (int)(hash(key) % 4);\n"
            "  struct @item *i = malloc(sizeof *i + (size_t)height * sizeof *i->next), **next = $first;\n"
            "  @fill(ARG, i, key, v);\n  i->height = height;\n"
            "  for (int level = 3; level >= 0; level--) {\n"
            "    while (next[level] && strcmp(next[level]->key, key) < 0)\n"
            "      next = next[level]->next;\n    if (level < height) {\n      i->next[level] = next[level];\n"
            "      next[level] = i;\n    }\n  }\n  $n++;",
        remove="struct @item **next = $first;\n  for (int level = 3; level >= 0; level--) {\n"
               "    while (next[level] && strcmp(next[level]->key, i->key) < 0)\n      next = next[level]->next;\n"
               "    if (next[level] == i)\n      next[level] = i->next[level];\n  }\n  @drop(i);\n  free(i);\n  $n--;",
        visit="for (struct @item *i = $first[0]; i; i = i->next[0])\n    fn(i, arg);"),
    "heap": Container(
        "struct @item *$v[16]; int $n;",
        before="static void @swap(struct @item **a, struct @item **b) {\n  struct @item *t = *a;\n  *a = *b;\n  *b = t;\n}\n\n"
               "static void @sift(PARAM, int k) {\n  while (k && $v[(k - 1) / 2]->v > $v[k]->v) {\n"
               "    @swap(&$v[(k - 1) / 2], &$v[k]);\n    k = (k - 1) / 2;\n  }\n"
               "  for (int least = k;; k = least) {\n    for (int c = 2 * k + 1; c <= 2 * k + 2; c++)\n"
               "      if (c < $n && $v[c]->v < $v[least]->v)\n        least = c;\n    if (least == k)\n      break;\n"
               "    @swap(&$v[k], &$v[least]);\n  }\n}\n",
        find="for (int k = 0; k < $n; k++)\n    if (!strcmp($v[k]->key, key))\n      return $v[k];\n  return NULL;",
        add="if ($n == 16)\n    return -1;\n  struct @item *i = NEW(struct @item);\n  @fill(ARG, i, key, v);\n  $v[$n++] = i;\n"
            "  @sift(ARG, $n - 1);",
        remove="int k = 0;\n  while ($v[k] != i)\n    k++;\n  $v[k] = $v[--$n];\n  if (k < $n)\n    @sift(ARG, k);\n  @drop(i);\n"
               "  FREE(i);",
        visit="for (int k = 0; k < $n; k++)\n    fn($v[k], arg);"),
}


@dataclass
class Plain:
    """A part without records."""
    state: str
    add: str
    remove: str
    change: str
    show: str
    store: str
    start: str = ""
    unset: str = ""
    extra: str = ""
    before: str = ""
    needs: tuple = ("hash",)


PLAINS = {
    "bits": Plain(
        "unsigned long $bits[3]; int $n;",
        "unsigned at = hash(key) % 192;\n  if (!($bits[at / 64] >> at % 64 & 1))\n    $n++;\n"
        "  $bits[at / 64] |= 1ul << at % 64;\n  return $n + v * 0;",
        "unsigned at = hash(key) % 192;\n  if ($bits[at / 64] >> at % 64 & 1)\n    $n--;\n"
        "  $bits[at / 64] &= ~(1ul << at % 64);\n  return $n;",
        "unsigned at = (hash(key) + (unsigned)v) % 192;\n  $bits[at / 64] ^= 1ul << at % 64;\n"
        "  $n += $bits[at / 64] >> at % 64 & 1 ? 1 : -1;\n  return $n;",
        'say("%lx %lx %lx of %d\\n", $bits[0], $bits[1], $bits[2], $n);',
        'for (int k = 0; k < 192; k++)\n    if ($bits[k / 64] >> k % 64 & 1)\n      fprintf(f, "@ b%d 0\\n", k);'),
    "words": Plain(
        "unsigned *$words; size_t $size;",
        "unsigned at = hash(key) % 400;\n  if (at / 32 >= $size) {\n    size_t size = at / 32 + 1;\n"
        "    $words = GROW($words, size * sizeof *$words);\n    memset($words + $size, 0, (size - $size) * sizeof *$words);\n"
        "    $size = size;\n  }\n  $words[at / 32] |= 1u << at % 32;\n  return (int)$size + v * 0;",
        "unsigned at = hash(key) % 400;\n  if (at / 32 < $size)\n    $words[at / 32] &= ~(1u << at % 32);\n  return (int)$size;",
        "if (v >= 0 && (size_t)v / 32 < $size)\n    $words[v / 32] ^= 1u << v % 32;\n  return (int)$size + (*key == 0);",
        'for (size_t k = 0; k < $size; k++)\n    say("%x ", $words[k]);\n  say("of %d\\n", (int)$size);',
        'for (size_t k = 0; k < $size; k++)\n    fprintf(f, "@ w%d 0\\n", (int)k);'),
    "text": Plain(
        "char *$text; size_t $len, $cap;",
        "size_t more = strlen(key) + 1;\n  if ($len + more + 1 > $cap) {\n    $cap = ($len + more) * 2;\n"
        "    $text = GROW($text, $cap);\n  }\n  memcpy($text + $len, key, more - 1);\n  $text[$len + more - 1] = ' ';\n"
        "  $len += more;\n  $text[$len] = 0;\n  return (int)$len + v * 0;",
        "char *at = $text ? strstr($text, key) : NULL;\n  if (at) {\n    size_t size = strlen(key);\n"
        "    memmove(at, at + size, strlen(at + size) + 1);\n    $len -= size;\n  }\n  return (int)$len;",
        "if ($len)\n    $text[(unsigned)v % $len] = *key;\n  return (int)$len;",
        'say("\'%s\' %d\\n", $text ? $text : "", (int)$len);',
        'if ($text)\n    fprintf(f, "@ %.20s 0\\n", $text);', needs=()),
    "line": Plain(
        "char *$line;",
        "char *longer;\n  if (asprintf(&longer, \"%s%s%d;\", $line ? $line : \"\", key, v) < 0)\n    exit(1);\n  free($line);\n"
        "  $line = longer;\n  return (int)strlen($line);",
        "free($line);\n  $line = DUP(key);\n  return 1;",
        "if ($line && strlen($line) < 60) {\n    size_t n = strlen($line);\n    $line = GROW($line, n + 2);\n    $line[n] = *key;\n"
        "    $line[n + 1] = 0;\n  }\n  return v;",
        'say("%s\\n", $line ? $line : "none");', 'fprintf(f, "@ %.20s 0\\n", $line ? $line : "none");', needs=()),
    "grid": Plain(
        "int **$rows; int $h, $w;",
        "int *row = calloc((size_t)$w, sizeof *row);\n  row[hash(key) % 4] = v;\n"
        "  $rows = GROW($rows, ((size_t)$h + 1) * sizeof *$rows);\n  $rows[$h++] = row;\n  return $h;",
        "(void)key;\n  if ($h) {\n    free($rows[--$h]);\n  }\n  return $h;",
        "if ($h)\n    $rows[hash(key) % (unsigned)$h][2] += v;\n  return $h;",
        'for (int y = 0; y < $h; y++)\n    say("%d %d %d %d\\n", $rows[y][0], $rows[y][1], $rows[y][2], $rows[y][3]);\n'
        '  say("of %d\\n", $h);',
        'for (int y = 0; y < $h; y++)\n    fprintf(f, "@ r%d %d\\n", y, $rows[y][0]);', start="$w = 4;", unset="!$w"),
    "cells": Plain(
        "int $cells[3][4]; long $total;",
        "$cells[hash(key) % 3][v & 3] += v;\n  $total += v;\n  return (int)$total;",
        "memset($cells[hash(key) % 3], 0, sizeof $cells[0]);\n  return (int)$total;",
        "int (*row)[4] = &$cells[hash(key) % 3];\n  (*row)[3]++;\n  $total -= v;\n  return (*row)[3];",
        'for (int y = 0; y < 3; y++)\n    say("%d %d %d %d\\n", $cells[y][0], $cells[y][1], $cells[y][2], $cells[y][3]);\n'
        '  say("total %ld\\n", $total);',
        'for (int y = 0; y < 3; y++)\n    fprintf(f, "@ c%d %d\\n", y, $cells[y][1]);'),
    "counts": Plain(
        "int $counts[8]; unsigned $adds; int $most;",
        "int *c = &$counts[hash(key) & 7];\n  *c += v;\n  $adds++;\n  if (*c > $most)\n    $most = *c;\n  return *c;",
        "$counts[hash(key) & 7] = 0;\n  return (int)$adds;",
        "$counts[hash(key) & 7] -= v;\n  return $counts[hash(key) & 7];",
        'for (int k = 0; k < 8; k++)\n    say("%d ", $counts[k]);\n  say("adds %u most %d\\n", $adds, $most);',
        'fprintf(f, "@ k%d %d\\n", $most, $counts[0]);'),
    "settings": Plain(
        "char $title[24]; int $limit; double $rate;",
        'snprintf($title, sizeof $title, "%s", key);\n  $limit = v;\n  return $limit;',
        'strcpy($title, "untitled");\n  return *key;',
        "$rate = v / 4.0;\n  $limit += v;\n  strncat($title, key, 1);\n  $title[20] = 0;\n  return $limit;",
        'say("%s %d %.2f\\n", $title, $limit, $rate);', 'fprintf(f, "@ %.20s %d\\n", *$title ? $title : "x", $limit);',
        needs=()),
}
