# ===- grammar.py - A program that loads state, changes it and answers -------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""usage: grammar.py SEED [FOLDER]

Writes a C program that reads `state.dat` by load_state(), takes commands line by line, answers each with lines that
end in '.', and prints all of its state for `dump`. `script` are commands to feed it.
"""

import os
import re
import sys

import extras as extras_
import parts
import shapes
from choices import Choices

NAMES = ["ant", "bee", "cat"]
KEYS = ["a", "b", "c", "dd", "ee", "ff", "golf", "hotel", "india9"]
PLACES = {  # where the state lies -> the ways to load it
    "statics": ["direct"],
    "struct": ["direct"],
    "struct-argument": ["direct", "temporary", "memcpy"],
    "world": ["direct", "argument", "temporary", "memcpy", "members", "value", "through", "heap"],
    "world-heap": ["fill", "assign", "return", "out"],
    "part-heap": ["fill", "assign"],
    "main": ["argument", "value", "temporary"],
    "main-heap": ["argument", "return"],
}
MOVES = ("temporary", "memcpy", "members", "value", "through", "heap")
IN_MAIN = ("main", "main-heap")


class Part:
    """A container or a plain part, with the texts that its choices make of it."""

    def __init__(self, program, name, selfish):
        self.program, self.name = program, name
        c = program.choices
        kinds = [k for k, v in parts.CONTAINERS.items() if selfish or not v.selfish] + list(parts.PLAINS)
        self.kind = c.pick(f"{name}.kind", kinds)
        self.container = parts.CONTAINERS.get(self.kind)
        self.base = self.container or parts.PLAINS[self.kind]
        self.fields = []
        if self.container:
            known = parts.fields(c, name)
            self.fields = [known[f] for f in c.some(f"{name}.field", list(known), 0, 5)]
        self.needs = set(self.base.needs).union(*(f.needs for f in self.fields))
        # Records of such a part stay where they are.
        self.stays = bool(self.container and self.container.add.find("NEW(") >= 0)
        self.guarded = c.pick(f"{name}.guarded", [True, False])

    def mark(self, text):
        """Puts names in: @ and $, PARAM and ARG."""
        place = self.program.place
        taken = place not in ("statics", "struct")
        prefix = {"statics": f"{self.name}_", "struct": f"{self.name}."}.get(place, "s->")
        text = text.replace("SEQ", "next_id" if self.program.static_ids else "$ids")
        for mark, word in (("PARAM", f"struct {self.name} *s"), ("ARG", "s")):
            text = text.replace(f"{mark}0", word if taken else "void" if mark == "PARAM" else "")
            text = text.replace(f"{mark}, ", f"{word}, " if taken else "")
        text = text.replace('"@ ', f'"{self.name} ')
        return text.replace("@", f"{self.name}_").replace("$", prefix)

    def members(self):
        state = self.base.state
        if "seq" in self.needs and not self.program.static_ids:
            state += " int $ids;"
        return [m.strip() for m in state.split(";") if m.strip()]

    def types(self):
        text = ""
        if self.container:
            members = ["char key[12];", "int v;"] + ([self.base.link] if self.base.link else [])
            members += [f.decl for f in self.fields] + ([self.base.tail] if self.base.tail else [])
            if any("subs" in f.needs for f in self.fields):
                text += "struct @sub {\n  struct @sub *next;\n  int v;\n};\n"
            text += "struct @item {\n  " + "\n  ".join(members) + "\n};\ntypedef void (*@fn)(struct @item *, void *);\n"
        text = text.replace("@", f"{self.name}_")
        if self.program.place != "statics":
            inside = "".join(f"  {m.replace('$', '').replace('@', self.name + '_')};\n" for m in self.members())
            text += f"struct {self.name} {{\n{inside}}};\n"
        return text

    def statics(self):
        """What stands in the part's own file."""
        if self.program.place == "statics":
            return "".join(f"static {m};\n" for m in map(self.mark, self.members()))
        return f"static struct {self.name} {self.name};\n" if self.program.place == "struct" else ""

    def functions(self):
        base = self.base
        make = []

        def define(result, name, params, body, api=False):
            make.append(f"{'API' if api else 'static'} {result} {name}({params}) {{\n  {body}\n}}\n")
        if self.container:
            for need in ("tagged", "subs"):
                if need in self.needs:
                    make.append(parts.FIELD_NEEDS[need].lstrip("\n"))
            blocks = [f.fill if "\n" not in f.fill else "{\n  " + f.fill + "\n  }" for f in self.fields]
            define("void", "@fill", "PARAM, struct @item *i, const char *key, int v", "\n  ".join(
                ['snprintf(i->key, sizeof i->key, "%.11s", key);', "i->v = v;", *blocks]))
            drops = [f.drop for f in self.fields if f.drop] + self.program.on_drop(self)
            define("void", "@drop", "struct @item *i", "\n  ".join(drops or ["(void)i;"]))
            if base.before:
                make.append(base.before)
            define("struct @item *", "@find", "PARAM, const char *key", base.find, api=True)
            define("int", "@add", "PARAM, const char *key, int v", base.add + "\n  return v;", api=True)
            define("int", "@del", "PARAM, const char *key",
                   f"struct @item *i = @find(ARG, key);\n  if (!i)\n    return 0;\n  {base.remove}\n  return 1;", api=True)
            changes = [f"{{\n  {f.change}\n  }}" if "\n" in f.change else f.change for f in self.fields if f.change]
            define("int", "@inc", "PARAM, const char *key, int v", "\n  ".join(
                ["struct @item *i = @find(ARG, key);", "if (!i)\n    return -1;", "i->v += v;", *changes, "return i->v;"]),
                api=True)
            define("void", "@visit", "PARAM, @fn fn, void *arg", base.visit)
            show = "".join(" " + f.show for f in self.fields)
            args = "".join(", " + f.args for f in self.fields)
            define("void", "@show_one", "struct @item *i, void *arg",
                   f'(void)arg;\n  say("{self.name} %s %d{show}\\n", i->key, i->v{args});')
            define("void", "@store_one", "struct @item *i, void *arg",
                   f'fprintf((FILE *)arg, "{self.name} %s %d\\n", i->key, i->v);')
            define("void", "@show", "PARAM0", "@visit(ARG, @show_one, NULL);", api=True)
            define("void", "@store", "PARAM, FILE *f", "@visit(ARG, @store_one, f);", api=True)
        else:
            if base.before:
                make.append(base.before)
            define("int", "@add", "PARAM, const char *key, int v", base.add, api=True)
            define("int", "@del", "PARAM, const char *key", base.remove, api=True)
            define("int", "@inc", "PARAM, const char *key, int v", base.change, api=True)
            define("void", "@show", "PARAM0", f'say("{self.name} ");\n  ' + base.show, api=True)
            define("void", "@store", "PARAM, FILE *f", base.store, api=True)
        if base.extra:
            define("int", "@turn", "PARAM0", base.extra, api=True)
        if base.start:
            start = base.start if not self.guarded else f"if ({base.unset}) {{\n  {base.start}\n  }}"
            define("void", "@start", "PARAM0", start, api=True)
        return self.mark("\n".join(make))

    def argument(self, target, more=""):
        """`target`: what holds the part: '&world.%s'."""
        if self.program.place in ("statics", "struct"):
            return more
        return target.replace("%s", self.name) + (", " + more if more else "")


class Program:
    def __init__(self, seed, fixed=(), without=()):
        self.choices = c = Choices(seed, fixed, without)
        self.place = c.pick("place", list(PLACES))
        self.load = c.pick("load", PLACES[self.place])
        self.static_ids = c.pick("ids", ["static", "member"]) == "static"
        count = c.pick("count", [1, 2, 2, 3])
        self.extras_wanted = []
        self.parts = []
        self.files = c.pick("files", ["one", "several"])
        self.names = c.some("extra", list(extras_.EXTRAS), 0, 4)
        self.parts = [Part(self, n, self.load not in MOVES) for n in NAMES[:count]]
        self.extras = [extras_.EXTRAS[n] for n in self.names if self.fits(n)]
        self.names = [n for n in self.names if self.fits(n)]
        self.needs = set().union(*(p.needs for p in self.parts))
        self.output = c.pick("output", list(shapes.OUTPUTS))
        self.memory = c.pick("memory", list(shapes.MEMORY))
        self.loop = c.pick("loop", list(shapes.LOOPS))
        self.reader = c.pick("reader", list(shapes.READERS))
        self.parser = c.pick("parser", list(shapes.PARSERS))
        self.dispatch = c.pick("dispatch", ["chain", "table", "bsearch", "switch", "registered"])
        self.result = c.pick("result", ["void", "int", "count"])
        self.given = c.pick("given", ["file", "path"])
        self.fresh = c.pick("fresh", ["nothing", "defaults"])
        self.answer = c.pick("answer", ["loop", "handler"])
        self.checksum = c.pick("checksum", list(shapes.CHECKSUMS))
        self.end = c.pick("end", ["nothing", "save"])
        self.has_file = c.pick("file", [True, True, False])
        self.commands = []

    def fits(self, name):
        extra = extras_.EXTRAS[name]
        return not extra.records or (self.parts[0].stays and self.files == "one")

    def on_drop(self, part):
        if part.name != NAMES[0]:
            return []
        return [extras_.EXTRAS[n].drop for n in self.names if extras_.EXTRAS[n].drop and part.stays and self.files == "one"]

    # Where the state is, seen from handlers and from main().
    def outer(self):
        return {"struct-argument": "&%s", "world": "&world.%s", "world-heap": "&world->%s", "part-heap": "%s",
                "main": "&w->%s", "main-heap": "&w->%s"}.get(self.place, "")

    def marks(self, text, in_main=False):
        """CTX, CARG, MAIN and the others: the record of main() that handlers are handed."""
        handed = self.place in IN_MAIN
        main = "&w" if self.place == "main" else "w"
        one = f"{{ handle({main if in_main else 'w'}, \\1); finish(); }}" if handed else "{ handle(\\1); finish(); }"
        if self.answer == "handler":
            one = one.replace("{ ", "").replace(" finish(); }", "")
        text = re.sub(r"ONE\((.*?)\);", one, text)
        for mark, word in (("CTX", "struct world *w"), ("CARG", "w"), ("INNER", "w"), ("MAINARG", main),
                           ("PARAMS_", "struct world *")):
            text = text.replace(f"{mark}0", word if handed else "void" if mark == "CTX" else "")
            text = text.replace(f" COMMA_{mark}", f", {word}" if handed else "")
            text = text.replace(f"{mark}, ", f"{word}, " if handed else "")
        return text.replace(" COMMA_MAIN", f", {main}" if handed else "")

    def memory_words(self, text):
        words = {"NEW": "malloc(sizeof({0}))", "GROW": "realloc", "DUP": "strdup", "FREE": "free"}
        words |= shapes.MEMORY[self.memory][1]
        text = re.sub(r"\bNEW\(([^)]*)\)", lambda m: words["NEW"].format(m[1]), text)
        return re.sub(r"\b(GROW|DUP|FREE)\b", lambda m: words[m[1]], text)

    # The pieces.
    def types(self):
        text = shapes.MEMORY_MACROS if self.memory == "macros" else ""
        text += "#define say printf\n" if self.output in ("printf", "line", "unbuffered") else ""
        text += "".join(shapes.COMMON[n][0] for n in sorted(self.needs))
        text += "".join(p.types() for p in self.parts)
        if self.place.startswith(("world", "main")):
            text += "struct world {\n" + "".join(f"  struct {p.name} {p.name};\n" for p in self.parts) + "};\n"
        return text

    def state(self):
        """Definitions that several files may see."""
        kept = {"struct-argument": [f"struct {p.name} {p.name};" for p in self.parts], "world": ["struct world world;"],
                "world-heap": ["struct world *world;"],
                "part-heap": [f"struct {p.name} *{p.name};" for p in self.parts]}.get(self.place, [])
        if "seq" in self.needs and self.static_ids:
            kept.append("int next_id;")
        return kept

    def common(self):
        text = shapes.MEMORY[self.memory][0]
        for name in sorted(self.needs):
            for result, head, body in shapes.COMMON[name][1]:
                text += f"API {result} {head} {{\n{body}}}\n\n"
        text += shapes.CHECKSUMS[self.checksum] + "\n" if "crc" in self.needs else ""
        return text + shapes.OUTPUTS[self.output]

    def extra_globals(self):
        return "\n".join(e.globals for e in self.extras).replace("#", NAMES[0] + "_")

    def starts(self, target):
        return [f"{p.name}_start({p.argument(target)});" for p in self.parts if p.base.start]

    def loading(self):
        """Functions that make, start, load and store the state."""
        heap = self.load in ("assign", "return", "out") or self.place in ("world-heap", "part-heap", "main-heap")
        text = ""
        if heap and self.place != "part-heap":
            text += "static struct world *world_new(void) {\n  struct world *made = calloc(1, sizeof *made);\n" + \
                "".join(f"  {s}\n" for s in self.starts("&made->%s")) + "  return made;\n}\n\n"
        if self.place == "part-heap":
            for p in self.parts:
                text += f"static struct {p.name} *{p.name}_new(void) {{\n" \
                    f"  struct {p.name} *made = calloc(1, sizeof *made);\n" + \
                    (f"  {p.name}_start(made);\n" if p.base.start else "") + "  return made;\n}\n\n"
        begin, target, end, params, result = self.shape()
        init, body = shapes.READERS[self.reader][0], shapes.READERS[self.reader][1]
        branches = [f'if (!strcmp(part, "{p.name}"))\n      {p.name}_add({p.argument(target, "key, v")});\n' for p in self.parts]
        chained = [e.loaded for e in self.extras if e.loaded.startswith("if (!strcmp(part")]
        always = [e.loaded for e in self.extras if e.loaded and e.loaded not in chained]
        body += "".join("    " + a for a in always) + "    " + "    else ".join(branches + chained)
        if self.result == "count" and result == "void":
            init, body = init + "  int lines = 0;\n", body + "    lines++;\n"
        answers = result == "void" and self.result != "void"
        fail = "return -1;" if answers else {"value": "return tmp;", "return": "return made;"}.get(self.load, "return;")
        head = ["FILE *f" if self.given == "file" else "const char *path", *params]
        text += f"{'int' if answers else result}{' ' if not result.endswith('*') or answers else ''}" \
            f"load_state({', '.join(head)}) {{\n" + "".join(f"  {b}\n" for b in begin)
        if self.given == "path":
            text += f'  FILE *f = fopen(path, "r");\n  if (!f)\n    {fail}\n'
        elif self.load in ("value", "return"):
            text += f"  if (!f)\n    {fail}\n"
        text += init + body + shapes.READERS[self.reader][2] + ("  fclose(f);\n" if self.given == "path" else "")
        text += "".join(f"  {e}\n" for e in end)
        if answers:
            text += "  return lines;\n" if self.result == "count" else "  return 0;\n"
        elif fail not in ("return;",):
            text += f"  {fail}\n"
        text += "}\n\n"
        text += 'static void save_state(CTX0) {\n  FILE *f = fopen("state.dat", "w");\n' + \
            "".join(f"  {p.name}_store({p.argument(self.outer(), 'f')});\n" for p in self.parts) + \
            "".join(f"  {e.stored}\n" for e in self.extras if e.stored) + "  fclose(f);\n}\n\n"
        return text + self.fresh_state()

    def shape(self):
        """Of the load: what it begins with, where a part is filled, what it ends with, its parameters, its result."""
        starts = self.starts
        if self.place in ("statics", "struct"):
            return [], "", [], [], "void"
        tmp = ["struct world tmp;", "memset(&tmp, 0, sizeof tmp);", *starts("&tmp.%s")]
        if self.place == "struct-argument":
            if self.load == "direct":
                return [], "&%s", [], [], "void"
            begin, end = [], []
            for p in self.parts:
                begin += [f"struct {p.name} new_{p.name};", f"memset(&new_{p.name}, 0, sizeof new_{p.name});"]
                end.append(f"memcpy(&{p.name}, &new_{p.name}, sizeof {p.name});" if self.load == "memcpy"
                           else f"{p.name} = new_{p.name};")
            return begin + starts("&new_%s"), "&new_%s", end, [], "void"
        if self.place == "part-heap":
            if self.load == "fill":
                return [], "%s", [], [], "void"
            return [f"struct {p.name} *new_{p.name} = {p.name}_new();" for p in self.parts], "new_%s", \
                [f"{p.name} = new_{p.name};" for p in self.parts], [], "void"
        made = ["struct world *made = world_new();"]
        to = "world" if self.place == "world" else "*to"
        params = ["struct world *to"] if self.place in IN_MAIN else []
        return {
            "direct": ([], "&world.%s", [], [], "void"),
            "fill": ([], "&world->%s", [], [], "void"),
            "argument": ([], "&to->%s", [], ["struct world *to"], "void"),
            "temporary": (tmp, "&tmp.%s", [f"{to} = tmp;"], params, "void"),
            "memcpy": (tmp, "&tmp.%s", ["memcpy(&world, &tmp, sizeof world);"], [], "void"),
            "members": (tmp, "&tmp.%s", [f"world.{p.name} = tmp.{p.name};" for p in self.parts], [], "void"),
            "through": (tmp + ["struct world *to = &world;"], "&tmp.%s", ["*to = tmp;"], [], "void"),
            "heap": (["struct world *made = calloc(1, sizeof *made);", *starts("&made->%s")], "&made->%s",
                     ["world = *made;", "free(made);"], [], "void"),
            "value": (tmp, "&tmp.%s", [], [], "struct world"),
            "assign": (made, "&made->%s", ["world = made;"], [], "void"),
            "return": (made, "&made->%s", [], [], "struct world *"),
            "out": (made, "&made->%s", ["*to = made;"], ["struct world **to"], "void"),
        }[self.load]

    def fresh_state(self):
        text = "static void fresh_state(CTX0) {\n"
        if self.place == "world-heap":
            text += "  if (!world)\n    world = world_new();\n"
        if self.place == "part-heap":
            text += "".join(f"  if (!{p.name})\n    {p.name} = {p.name}_new();\n" for p in self.parts)
        if self.fresh == "defaults":
            text += "".join(f'  {p.name}_add({p.argument(self.outer(), chr(34) + "first" + chr(34) + ", 1")});\n'
                            for p in self.parts)
        if self.place in IN_MAIN and self.fresh == "nothing":
            text += "  (void)w;\n"
        return text + "}\n\n"

    def handlers(self):
        text = ""
        self.commands = []

        def handler(command, name, body):
            nonlocal text
            self.commands.append((command, name))
            text += f"static void {name}(CTX, const char *key, int v) {{\n  {body}\n}}\n\n"
        added = [e.added for e in self.extras if e.added]
        for p in self.parts:
            def call(what, more):
                return f"{p.name}_{what}({p.argument(self.outer(), more)})"
            handler(f"add_{p.name}", f"{p.name}_on_add", "\n  ".join([*added, f'say("%d\\n", {call("add", "key, v")});']))
            handler(f"del_{p.name}", f"{p.name}_on_del", f'(void)v;\n  say(%s, {call("del", "key")});' % '"%d\\n"')
            handler(f"inc_{p.name}", f"{p.name}_on_inc", f'say(%s, {call("inc", "key, v")});' % '"%d\\n"')
            if p.base.extra:
                handler(f"turn_{p.name}", f"{p.name}_on_turn", f'(void)key, (void)v;\n  say(%s, {call("turn", "")});' % '"%d\\n"')
        for e in self.extras:
            for name, body in e.commands:
                if "#OUTER" in body:
                    first = self.parts[0]
                    body = re.sub(r"#find\(#OUTER, (\w+)\)",
                                  lambda m, first=first: f"{first.name}_find({first.argument(self.outer(), m[1])})", body)
                handler(name, f"on_{name}", body)
        handler("dump", "on_dump", "\n  ".join(["(void)key, (void)v;"] + [
            f"{p.name}_show({p.argument(self.outer())});" for p in self.parts] + [e.dumped for e in self.extras if e.dumped]))
        handler("save", "on_save", "(void)key, (void)v;\n  save_state(CARG0);")
        return text + self.dispatcher()

    def dispatcher(self):
        head = "static void handle(CTX, char *line) {\n" + shapes.PARSERS[self.parser]
        tail = "  finish();\n}\n\n" if self.answer == "handler" else "}\n\n"
        if self.parser == "strtok":
            head = head.replace("    return;\n", "    name = key = (char *)\"\";\n" if self.answer == "handler" else "    return;\n")
        if self.dispatch == "chain":
            return head + "  " + "  else ".join(f'if (!strcmp(name, "{c}"))\n    {f}(CARG, key, v);\n'
                                                for c, f in self.commands) + tail
        if self.dispatch == "switch":
            names = ", ".join(f'"{c}"' for c, _ in self.commands)
            return f"static const char *const known[] = {{{names}}};\n\n" + head + \
                "  int which = 0;\n  while (which < (int)(sizeof known / sizeof *known) && strcmp(name, known[which]))\n" \
                "    which++;\n  switch (which) {\n" + \
                "".join(f"  case {k}: {f}(CARG, key, v); break;\n" for k, (_, f) in enumerate(self.commands)) + "  }\n" + tail
        struct = "struct command {\n  const char *name;\n  void (*fn)(PARAMS_, const char *, int);\n};\n"
        rows = sorted(self.commands) if self.dispatch == "bsearch" else self.commands
        table = "static const struct command commands[] = {\n" + "".join(f'    {{"{c}", {f}}},\n' for c, f in rows) + "};\n\n"
        count = "sizeof commands / sizeof *commands"
        if self.dispatch == "table":
            return struct + table + head + f"  for (size_t k = 0; k < {count}; k++)\n" \
                "    if (!strcmp(name, commands[k].name)) {\n      commands[k].fn(CARG, key, v);\n      break;\n    }\n" + tail
        if self.dispatch == "bsearch":
            return struct + table + "static int by_name(const void *key, const void *row) {\n" \
                "  return strcmp(key, ((const struct command *)row)->name);\n}\n\n" + head + \
                f"  const struct command *c = bsearch(name, commands, {count}, sizeof *commands, by_name);\n" \
                "  if (c)\n    c->fn(CARG, key, v);\n" + tail
        return struct + f"static struct command commands[{len(rows)}];\nstatic int n_commands;\n\n" \
            "static void add_command(const char *name, void (*fn)(PARAMS_, const char *, int)) {\n" \
            "  commands[n_commands].name = name;\n  commands[n_commands++].fn = fn;\n}\n\n" \
            "static void add_commands(void) {\n" + "".join(f'  add_command("{c}", {f});\n' for c, f in rows) + "}\n\n" + \
            head + "  for (int k = 0; k < n_commands; k++)\n    if (!strcmp(name, commands[k].name)) {\n" \
            "      commands[k].fn(CARG, key, v);\n      break;\n    }\n" + tail

    def main(self):
        handed = self.place in IN_MAIN
        main = ("&w" if self.place == "main" else "w") if handed else ""
        lines = ['const char *path = argc > 1 ? argv[1] : "state.dat";']
        if self.place == "main":
            lines += ["struct world w;", "memset(&w, 0, sizeof w);"]
        elif self.place == "main-heap":
            lines += ["struct world *w = NULL;"] if self.load == "return" else ["struct world *w = world_new();"]
        lines += [shapes.OUTPUT_STARTS[self.output]] if self.output in shapes.OUTPUT_STARTS else []
        lines += ["add_commands();"] if self.dispatch == "registered" else []
        lines += [e.start for e in self.extras if e.start]
        if self.place == "world-heap" and self.load == "fill":
            lines.append("world = world_new();")
        elif self.place == "part-heap" and self.load == "fill":
            lines += [f"{p.name} = {p.name}_new();" for p in self.parts]
        elif self.place in ("statics", "struct", "struct-argument", "world", "main") and self.load not in MOVES:
            lines += self.starts(self.outer().replace("w->", "w."))
        elif self.load in MOVES:
            lines += self.starts(self.outer().replace("w->", "w."))
        arguments = ["f" if self.given == "file" else "path"]
        if self.load == "out":
            arguments.append("&world")
        elif self.load == "argument":
            arguments.append("&world" if self.place == "world" else main)
        elif handed and self.load == "temporary":
            arguments.append(main)
        call = f"load_state({', '.join(arguments)})"
        answers = self.load not in ("value", "return") and self.result != "void"
        if self.load in ("value", "return"):
            call = ("w = " if handed else "world = ") + call
        lines += self.load_lines(call, answers, main)
        if self.place == "world-heap" and not (answers or self.load == "return"):
            lines.append("if (!world)\n    fresh_state();")
        if self.place == "part-heap" and not answers:
            lines.append("fresh_state();" if self.load == "assign" and self.fresh == "nothing"
                         else f"if (!{NAMES[0]})\n    fresh_state();")
        text = "int main(int argc, char **argv) {\n" + "".join(f"  {x}\n" for x in lines)
        text += self.marks(shapes.LOOPS[self.loop][1], in_main=True)
        text += f"  save_state({main});\n" if self.end == "save" else ""
        return text + "  return 0;\n}\n"

    def load_lines(self, call, answers, main):
        fresh = f"fresh_state({main});"
        if self.given == "path":
            if answers:
                return [f"if ({call} < 0)\n    {fresh}"]
            if self.place == "main-heap" and self.load == "return":
                return [f"{call};", f"if (!w)\n    {fresh}"]
            return [f"{call};"]
        opened = ['FILE *f = fopen(path, "r");']
        if answers:
            return opened + [f"if (!f || {call} < 0)\n    {fresh}", "if (f)\n    fclose(f);"]
        if self.load in ("value", "return"):
            return opened + [f"{call};", "if (f)\n    fclose(f);"]
        return opened + [f"if (f) {{\n    {call};\n    fclose(f);\n  }} else\n    {fresh}"]

    def sources(self):
        """File name -> text."""
        handlers = self.marks(self.handlers())
        loading, before = self.marks(self.loading()), self.marks(shapes.LOOPS[self.loop][0])
        handlers = handlers if self.answer == "loop" or "finish();" in handlers else handlers
        pieces = {p.name: p.statics() + p.functions() for p in self.parts}
        program = loading + handlers + (before + "\n" if before else "") + self.main()
        several = self.files == "several"
        if not several:
            text = shapes.HEAD + "\n" + self.types() + "\n" + "".join(f"static {s}\n" for s in self.state()) + \
                self.extra_globals() + "\n" + self.common() + "\n" + "\n".join(pieces.values()) + "\n" + program
            # `current` stands above the functions that use it, the functions of extras below those that print.
            return {"main.c": self.memory_words(text).replace("API ", "static ")}
        prototypes = "".join(f"{m[1].strip()};\n" for m in re.finditer(
            r"^API ([^{]*)\{$", self.common() + "".join(pieces.values()), re.M))
        header = shapes.HEAD + "\n" + self.types() + "".join(f"extern {s}\n" for s in self.state()) + prototypes
        files = {"common.h": "#ifndef COMMON_H\n#define COMMON_H\n" + header + "#endif\n",
                 "common.c": '#include "common.h"\n\n' + "".join(f"{s}\n" for s in self.state()) + "\n" + self.common(),
                 "main.c": '#include "common.h"\n\n' + self.extra_globals() + "\n" + program}
        for name, text in pieces.items():
            files[f"{name}.c"] = '#include "common.h"\n\n' + text
        return {n: self.memory_words(t).replace("API ", "") for n, t in files.items()}

    def lines(self):
        """What state.dat holds; None: there is none."""
        if not self.has_file:
            return None
        die = self.choices.die("lines")
        lines = [f"{p.name} {k} {die.randint(-3, 60)}" for p in self.parts for k in die.sample(KEYS, 3)]
        return lines + [line for e in self.extras for line in e.lines]

    def script(self):
        die = self.choices.die("script")
        lines = []
        for _ in range(12):
            name = die.choice(NAMES)
            what, key, v = die.choice(["add"] * 4 + ["inc"] * 4 + ["del"] * 2 + ["turn"]), die.choice(KEYS), die.randint(-3, 60)
            part = next((p for p in self.parts if p.name == name), self.parts[0])
            if what == "turn" and not part.base.extra:
                what = "add"
            lines.append(f"{what}_{part.name} {key} {v}")
        for e in self.extras:
            for line in e.script:
                lines.insert(die.randint(0, len(lines)), line)
        if die.random() < 0.3:
            lines.insert(len(lines) // 2, "save")
        return lines

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        for name, text in self.sources().items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                out.write(text)
        if self.lines() is not None:
            with open(os.path.join(folder, "state.dat"), "w", encoding="utf-8") as out:
                out.write("".join(f"{line}\n" for line in self.lines()))


if __name__ == "__main__":
    made = Program(sys.argv[1])
    if len(sys.argv) > 2:
        made.write(sys.argv[2])
    else:
        print("\n".join(f"/* {n} */\n{t}" for n, t in made.sources().items()))
    print("\n".join(made.script()))
