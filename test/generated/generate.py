#!/usr/bin/env python3
# ===- generate.py - A program that loads state and changes it ------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""usage: generate.py SEED

Writes a program in C: records of a few types, in the containers of containers.h,
in lists through members of their own, in tables and behind pointers, that hang
from statics, from members of a static struct or of one that start-up makes, or
from a local of main. A load function fills them with what it reads, a handler
changes what a byte from standard input says: '?' shows all, 'K' kills the
process.
"""

import random
import sys

NEW = {"list": ["list_new(NULL)", "list_new(drop)"], "vec": ["vec_new()"], "map": ["map_new()"],
       "tree": ["tree_new()"], "box": ["box_new()"], "coll": ["coll_of_list()", "coll_of_map()"]}
BY_VALUE = {"list": "list_init(&{0}, NULL);", "vec": "", "map": "", "tree": "", "box": ""}
ADD = {"list": ["list_add({0}, {1});", "list_put({0}, {1});", "list_put2({0}, {1});", "list_put3({0}, {1});",
                "list_put4({0}, {1});", "list_push({0}, {1});"],
       "vec": ["vec_push({0}, {1});", "*vec_slot({0}) = {1};", "set(vec_slot({0}), {1});"],
       "map": ["map_set({0}, {2}, {1});", "*map_ref({0}, {2}) = {1};", "set(map_ref({0}, {2}), {1});"],
       "tree": ["tree_set({0}, {2}, {1});"], "box": ["box_set({0}, {1});", "set(&{0}->content, {1});"],
       "coll": ["coll_add({0}, {2}, {1});"]}
GET = {"list": ["list_pop({0})"], "vec": ["vec_get({0}, 0)"], "map": ["map_get({0}, 1)", "*map_ref({0}, 1)"],
       "tree": ["tree_get({0}, 1)"], "box": ["box_get({0})"], "coll": ["coll_get({0}, 1)"]}
TAKE = {"list": "list_pop({0})", "vec": "vec_pop({0})", "map": "map_remove({0}, 1)"}
SHOW = {"list": "for (n = {0}->head, i = 0; n && i++ < 50; n = n->next) show(n->data, 3); printf(\"of %d\", {0}->n);",
        "vec": "for (i = 0; i < {0}->n; i++) show({0}->items[i], 3);", "map": "map_each({0}, show_pair, NULL);",
        "tree": "tree_walk({0}, show_one, NULL);", "box": "show({0}->content, 3);",
        "coll": "show(coll_get({0}, 1), 3); show(coll_get({0}, 2), 3);"}
HOMES = {"static": "{0}", "app": "app.{0}", "server": "server->{0}", "local": "local->{0}"}


class Place:
    """What outlives the load: a container, or one of the other ways to keep records."""

    def __init__(self, name, kind, home, record=None, by_value=False):
        self.name, self.kind, self.record, self.by_value = name, kind, record, by_value
        self.home = home
        self.slot = HOMES[home].format(name)
        self.at = f"(&{self.slot})" if by_value else self.slot

    def declaration(self):
        t = f"struct t{self.record}"
        return {"link": f"struct link {self.name}", "tailq": f"TAILQ_HEAD({self.name}_head, t{self.record}) {self.name}",
                "first": f"{t} *{self.name}", "table": f"{t} *{self.name}[8]", "any": f"void *{self.name}",
                "rows": f"struct row *{self.name}; int {self.name}_n", "total": f"int {self.name}"}.get(
                    self.kind, f"struct {self.kind} {'' if self.by_value else '*'}{self.name}")


class Program:
    """`only`: the names of the places that are shown and changed after the load, `records`: the record types that
    the handler makes; None: all."""

    def __init__(self, seed, only=None, records=None):
        self.random = random.Random(seed)
        self.only, self.records = only, records
        self.count = self.random.randint(6, 12)
        self.names = 0
        self.places = []
        homes = ["static"] * 3 + self.random.sample(["app", "server", "local"], self.random.randint(0, 2))
        for i in range(self.random.randint(2, 6)):
            kind = self.random.choice(list(NEW))
            self.places.append(Place(f"s{i}", kind, self.random.choice(homes),
                                     by_value=kind in BY_VALUE and self.random.random() < 0.3))
        for i in range(self.random.randint(2, 6)):
            kind = self.random.choice(["link", "tailq", "first", "first", "table", "any", "rows", "total"])
            self.places.append(Place(f"p{i}", kind, self.random.choice(homes), self.random.randrange(self.count)))
        self.start, self.load = [], []
        self.elements, self.containers = [], []  # (expression, record), (expression, kind)
        self.lists_kept = set()

    def of_kind(self, *kinds):
        return [p for p in self.places if p.kind in kinds]

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def chance(self, p):
        return self.random.random() < p

    # -- Statements of the load ------------------------------------------------

    def initialise(self):
        for p in self.places:
            into = self.start if self.chance(0.6) else self.load
            if p.kind == "link":
                into.append(f"link_init(&{p.slot});")
            elif p.kind == "tailq":
                into.append(f"TAILQ_INIT(&{p.slot});")
            elif p.kind in NEW:
                into.append(BY_VALUE[p.kind].format(p.slot) if p.by_value else
                            f"{p.slot} = {self.random.choice(NEW[p.kind])};")
                self.containers.append((p.at, p.kind))

    def element(self):
        if not self.elements or self.chance(0.45):
            record, e = self.random.randrange(self.count), self.name("e")
            self.load.append(f"struct t{record} *{e} = make{record}(fgetc(in));")
            self.elements.append((e, record))
            return e
        return self.random.choice(self.elements)[0]

    def add(self, container, x):
        at, kind = container
        return self.random.choice(ADD[kind]).format(at, x, self.random.randint(1, 3))

    def pair(self, *kinds):
        """Two containers of one kind; none: nothing."""
        kind = self.random.choice(kinds)
        of_kind = [c for c in self.containers if c[1] == kind]
        return self.random.sample(of_kind, 2) if len(of_kind) > 1 else None

    def new_container(self):
        kind, c = self.random.choice(list(NEW)), self.name("c")
        self.load.append(f"struct {kind} *{c} = {self.random.choice(NEW[kind])};")
        self.containers.append((c, kind))

    def put(self):
        self.load.append(self.add(self.random.choice(self.containers), self.element()))

    def put_many(self):
        record, e = self.random.randrange(self.count), self.name("e")
        c, place = self.random.choice(self.containers), self.random.choice(self.places)
        more = self.keep(place, e, record) if self.chance(0.5) else ""
        self.load.append(f"for (int k = 0; k < 3; k++) {{ struct t{record} *{e} = make{record}(fgetc(in)); "
                         f"{self.add(c, e)} {more} }}")

    def move_one(self):
        at, kind = self.random.choice(self.containers)
        g = self.name("g")
        to = self.add(self.random.choice(self.containers), g)
        self.load.append(f"void *{g} = {self.random.choice(GET[kind]).format(at)};\n  if ({g}) {{ {to} }}")

    def splice(self):
        if two := self.pair("list"):
            self.load.append(f"list_splice({two[0][0]}, {two[1][0]});")

    def swap(self):
        if two := self.pair("vec"):
            self.load.append(self.random.choice(["vec_swap", "vec_take"]) + f"({two[0][0]}, {two[1][0]});")

    def each(self):
        at, kind = self.random.choice(self.containers)
        to, into = self.random.choice(self.containers)
        walks = {"list": "list_each", "tree": "tree_walk"}
        if kind in walks and into in ("list", "vec", "map") and at != to:
            self.load.append(f"{walks[kind]}({at}, into_{into}, {to});")

    def copy(self):
        at, kind = self.random.choice(self.containers)
        if kind == "list":
            c = self.name("c")
            self.load.append(f"struct list *{c} = list_copy({at});")
            self.containers.append((c, "list"))

    def iterate(self):
        at, kind = self.random.choice(self.containers)
        to = self.random.choice(self.containers)
        if kind == "list" and to[0] != at:
            i = self.name("i")
            self.load.append(f"struct iter *{i} = iter_new({at}); void *x{i};\n  while ((x{i} = iter_next({i}))) "
                             f"{{ {self.add(to, 'x' + i)} }}\n  FREE({i});")

    def reverse(self):
        at, kind = self.random.choice(self.containers)
        if kind == "list":
            self.load.append(f"list_reverse({at});")

    def fill_member(self):
        if not self.elements:
            return
        e, record = self.random.choice(self.elements)
        same = [x for x, r in self.elements if r == record]
        lists = [c for c, kind in self.containers if kind == "list"]
        ways = [f"{e}->any = {self.element()};", f"set(&{e}->any, {self.element()});",
                f"vec_push(&{e}->items, {self.element()});", f"if (!{e}->name) {e}->name = text(in);",
                f"{e}->next = {self.random.choice(same)};"]
        if lists:
            ways.append(f"{e}->kids = {self.random.choice(lists)};")
        self.load.append(self.random.choice(ways))

    def keep_one(self):
        place = self.random.choice(self.places)
        same = [x for x, r in self.elements if place.record in (None, r) or place.kind in ("link", "any", "rows")]
        if same:
            self.load.append(self.keep(place, self.random.choice(same), place.record))

    def keep(self, p, e, record):
        """The statement that keeps a record in a place that is no container."""
        if p.kind == "link":
            return f"if (!{e}->in.next) link_add(&{p.slot}, &{e}->in);"
        if p.kind == "any":
            return f"{p.slot} = {e};"
        if p.kind == "total":
            return f"{p.slot} += {e}->id;"
        if p.kind == "rows":
            return (f"{p.slot} = GROW({p.slot}, (size_t){p.slot}_n + 1, struct row); "
                    f"{p.slot}[{p.slot}_n].id = {e}->id; {p.slot}[{p.slot}_n++].held = {e};")
        if p.kind not in ("tailq", "first", "table") or p.record != record:
            return ""
        if p.kind == "tailq":
            return f"if (!{e}->entry.tqe_prev) TAILQ_INSERT_TAIL(&{p.slot}, {e}, entry);"
        if p.kind == "first":
            return f"if (!{e}->next) {{ {e}->next = {p.slot}; {p.slot} = {e}; }}"
        return (f"if (!{e}->next) {{ struct t{record} **at = &{p.slot}[{e}->id & 7]; "
                f"{e}->next = *at; *at = {e}; }}")

    def replace(self):
        p = self.random.choice(self.places)
        same = [c for c, kind in self.containers if kind == p.kind and c != p.at]
        if same and not p.by_value:
            self.load.append(f"{p.slot} = {self.random.choice(same)};")

    def fill(self):
        ways = [(self.new_container, 18), (self.put, 28), (self.put_many, 8), (self.move_one, 6), (self.splice, 4),
                (self.swap, 4), (self.each, 6), (self.copy, 3), (self.iterate, 4), (self.reverse, 2),
                (self.fill_member, 12), (self.keep_one, 14), (self.replace, 3)]
        for _ in range(self.random.randint(15, 60)):
            self.random.choices([w for w, _ in ways], [n for _, n in ways])[0]()

    # -- The rest --------------------------------------------------------------

    def change(self, p):
        """What the handler does with a place for a byte c."""
        record = self.random.choice(sorted(self.records)) if self.records else self.random.randrange(self.count)
        new = f"make{record}(1000 + c)"
        if p.kind in NEW:
            take = TAKE.get(p.kind)
            add = self.random.choice(ADD[p.kind]).format(p.at, new, "c")
            if take and self.chance(0.4):
                return f"if (c & 1) {{ {add} }} else {{ forget({take.format(p.at)}); }}"
            return add
        if p.kind in ("tailq", "first", "table") and (self.records is None or p.record in self.records):
            record = p.record
            new = f"make{record}(1000 + c)"
        elif p.kind in ("tailq", "first", "table"):
            return ""
        if p.kind == "tailq" and self.chance(0.5):
            e = f"TAILQ_FIRST(&{p.slot})"
            return (f"struct t{record} *e = c & 1 || !{e} ? {new} : {e};\n    if (e == {e}) {{ TAILQ_REMOVE(&{p.slot}, e, entry); "
                    f"e->entry.tqe_prev = NULL; }} else {{ {self.keep(p, 'e', record)} }}")
        if p.kind == "first" and self.chance(0.3):
            return f"{p.slot} = {p.slot}->next;"
        return f"struct t{record} *e = {new};\n    {self.keep(p, 'e', record)}"

    def shown(self):
        return [p for p in self.places if self.only is None or p.name in self.only]

    def show(self, p):
        if p.kind in SHOW:
            return SHOW[p.kind].format(p.at)
        if p.kind == "link":
            return f"for (l = {p.slot}.next, i = 0; l && l != &{p.slot} && i++ < 50; l = l->next) show(l, 2);"
        if p.kind == "tailq":
            return f"struct t{p.record} *t; i = 0; TAILQ_FOREACH(t, &{p.slot}, entry) if (i++ < 50) show(t, 2);"
        if p.kind == "table":
            return f"for (i = 0; i < 8; i++) show({p.slot}[i], 2);"
        if p.kind == "rows":
            return f"for (i = 0; i < {p.slot}_n; i++) {{ printf(\"%d=\", {p.slot}[i].id); show({p.slot}[i].held, 2); }}"
        if p.kind == "total":
            return f"printf(\"%d\", {p.slot});"
        return f"show({p.slot}, 3);"

    def condition(self, p):
        return f" && {p.slot}" if p.kind in ("first", "any") or (p.kind in NEW and not p.by_value) else ""

    def text(self):
        self.initialise()
        self.fill()
        homes = {home: [p for p in self.places if p.home == home] for home in HOMES}
        out = ['#include "containers.h"', ""]
        for i in range(self.count):
            out += [f"struct t{i} {{", "  struct link in;", "  int id;", f"  TAILQ_ENTRY(t{i}) entry;",
                    f"  struct t{i} *next;", "  void *any;", "  char *name;", "  struct list *kids;",
                    "  struct vec items;", "};"]
        out += ["struct row {", "  int id;", "  void *held;", "};"]
        out += [f"static {p.declaration().replace('; int', '; static int')};" for p in homes["static"]]
        for home, head in (("app", "static struct {"), ("server", "static struct server {"), ("local", "struct local {")):
            tail = {"app": "} app;", "server": "} *server;", "local": "};"}[home]
            out += [head, "  FILE *log;"] + [f"  {p.declaration()};" for p in homes[home]] + [tail]
        out += ["static void drop(void *x) { FREE(x); }",
                "/* What the handler made is in one container only. */",
                "static void forget(void *x) { struct t0 *t = x; if (t && t->id >= 1000) FREE(t); }"]
        for i in range(self.count):
            out += [f"static struct t{i} *make{i}(int id) {{", f"  struct t{i} *t = NEW(struct t{i});", "  t->id = id;",
                    "  return t;", "}"]
        out += [f"static void into_{kind}(void *x, void *context) {{ if (x) {{ {way} }} }}" for kind, way in (
            ("list", "list_put(context, x);"), ("vec", "vec_push(context, x);"), ("map", "map_set(context, 2, x);"))]
        server = ["server = NEW(struct server);", "server->log = stderr;"]
        out += ["static void start(struct local *local) {", "  app.log = local->log = stderr;"]
        out += ["  " + line for line in server + self.start] + ["}"]
        out += ["static void load(FILE *in, struct local *local) {"] + ["  " + line for line in self.load] + ["}"]
        out += self.output()
        out += ["static void change(int c, struct local *local) {"]
        shown = self.shown()
        for i, p in enumerate(shown):
            body = self.change(p) if p.kind != "total" else f"{p.slot} += c;"
            out += [f"  if (c % {len(shown)} == {i}{self.condition(p)}) {{", f"    {body}", "  }"]
        out += ["}", "int main(int argc, char **argv) {", "  struct local here = {0}, *local = &here;", "  FILE *in;",
                "  int c;", "  start(local);", "  in = argc > 1 ? fopen(argv[1], \"r\") : NULL;", "  if (!in)",
                "    return 1;", "#ifdef TRACE", "  trace_load();", "#endif", "  load(in, local);", "  fclose(in);",
                "#ifdef TRACE", "  trace_report(&here, sizeof(here));", "#endif", "  dump(local);",
                "  while ((c = getchar()) != EOF)", "    if (c == 'K')", "      kill(getpid(), SIGKILL);",
                "    else if (c == '?')", "      dump(local);", "    else", "      change(c, local);", "  return 0;", "}"]
        return "\n".join(line for line in out if line.strip()) + "\n"

    def output(self):
        out = ["static int budget;", "static void show(void *x, int depth) {",
               "  struct t0 *t = x; /* they are alike */", "  struct node *n;", "  int i = 0;",
               "  if (!t) { printf(\"- \"); return; }", "  printf(\"%d%s\", t->id, t->name ? t->name : \"\");",
               "  if (depth == 0 || budget-- <= 0) { printf(\" \"); return; }",
               "  printf(\"(\");", "  show(t->next, depth - 1);", "  show(t->any, depth - 1);", "  printf(\"[\");",
               "  for (n = t->kids ? t->kids->head : NULL; n && i++ < 5; n = n->next) show(n->data, depth - 1);",
               "  printf(\"]\");", "  for (i = 0; i < t->items.n; i++) show(t->items.items[i], depth - 1);",
               "  printf(\") \");", "}",
               "static void show_one(void *x, void *context) { (void)context; show(x, 3); }",
               "static void show_pair(int key, void *x, void *context) "
               "{ (void)context; printf(\"%d:\", key); show(x, 3); }",
               "static void dump(struct local *local) {", "  struct node *n;", "  struct link *l;", "  int i;",
               "  budget = 3000;"]
        for p in self.shown():
            out += [f"  printf(\"\\n{p.name}: \");", f"  if (1{self.condition(p)}) {{ {self.show(p)} }}"]
        return out + ["  printf(\"\\nend\\n\");", "  fflush(stdout);", "  (void)n, (void)l, (void)i, (void)local;", "}"]


if __name__ == "__main__":
    print(Program(int(sys.argv[1])).text(), end="")
