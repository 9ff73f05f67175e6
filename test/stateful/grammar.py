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

import dispatch as dispatches
import doings
import extras as extras_
import pools
import shapes
import ways
from choices import Choices
from part import Part

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


class Program:
    def __init__(self, seed, fixed=(), without=()):
        self.choices = c = Choices(seed, fixed, without)
        self.place = c.pick("place", list(PLACES))
        self.load = c.pick("load", PLACES[self.place])
        self.static_ids = c.pick("ids", ["static", "member"]) == "static"
        count = c.pick("count", [1, 2, 2, 3])
        self.files = c.pick("files", ["one", "several"])
        self.reader = c.pick("reader", list(shapes.READERS))
        self.frees = c.seldom("frees", ways.FREES)
        wanted = {n: extras_.EXTRAS.get(n) or doings.EXTRAS[n](c)
                  for n in c.some("extra", [*extras_.EXTRAS, *doings.EXTRAS], 0, 4)}
        for kind, (options, make) in doings.KINDS.items():
            chosen = c.seldom(kind, options)
            wanted |= {kind: make(c, chosen)} if chosen != "none" else {}
        self.drops = [e.drop for e in wanted.values() if e.drop] if self.files == "one" else []
        self.parts = [Part(self, n, self.load not in MOVES) for n in NAMES[:count]]
        self.extras = [e for e in wanted.values() if not e.records or (self.parts[0].stays and self.files == "one")]
        self.needs = set().union(*(p.needs for p in self.parts)) | ({"slurped"} if self.reader == "slurp" else set())
        self.seed = c.pick("seed", list(pools.SEEDS))
        self.output = c.pick("output", list(shapes.OUTPUTS))
        self.memory = c.pick("memory", list(shapes.MEMORY))
        self.loop = c.pick("loop", list(shapes.LOOPS))
        self.parser = c.pick("parser", list(shapes.PARSERS))
        self.dispatch = c.pick("dispatch", dispatches.DISPATCHES)
        self.around = c.seldom("around", ways.AROUND)
        self.mode = c.seldom("modes", ways.MODES)
        self.other = c.pick("other", list(shapes.LOOPS))
        self.fork = c.seldom("fork", ways.FORKS)
        self.result = c.pick("result", ["void", "int", "count"])
        self.given = c.pick("given", ["file", "path"])
        self.fresh = c.pick("fresh", ["nothing", "defaults"])
        self.answer = c.pick("answer", ["loop", "handler"])
        self.checksum = c.pick("checksum", list(shapes.CHECKSUMS))
        self.end = c.pick("end", ["nothing", "save"])
        self.has_file = c.pick("file", [True, True, False])
        self.commands = []

        here = self.dispatch in dispatches.HERE
        if here:
            self.answer = "loop"
        if self.mode == "inner" and (here or self.loop not in ways.STDIO):
            self.mode = "one"
        if self.fork.startswith("child") and any(e.thread for e in self.extras):
            self.fork = "nothing"
        if self.around == "function" and self.place == "main-heap":
            self.around = "braces"

    def on_drop(self, part):
        return self.drops if part.name == NAMES[0] and part.stays else []

    # Where the state is, seen from handlers and from main().
    def outer(self):
        return {"struct-argument": "&%s", "world": "&world.%s", "world-heap": "&world->%s", "part-heap": "%s",
                "main": "&w->%s", "main-heap": "&w->%s"}.get(self.place, "")

    def marks(self, text, in_main=False):
        """CTX, CARG, MAIN and the others: the record of main() that handlers are handed."""
        handed = self.place in IN_MAIN
        main = "&w" if self.place == "main" else "w"
        text = re.sub(r"ONE\((.*?)\);", lambda m: self.one(m[1], main if in_main else "w"), text)
        given = main if in_main else "w"
        for mark, word in (("CTX", "struct world *w"), ("CARG", "w"), ("INNER", "w"), ("MAINARG", given),
                           ("PARAMS_", "struct world *")):
            text = text.replace(f"{mark}0", word if handed else "void" if mark == "CTX" else "")
            text = text.replace(f" COMMA_{mark}", f", {word}" if handed else "")
            text = text.replace(f"{mark}, ", f"{word}, " if handed else "")
        return text.replace(" COMMA_MAIN", f", {given}" if handed else "")

    def one(self, line, given):
        """What a loop does with a line."""
        turn = "copy_out(CARG0); " if self.frees == "turn" else ""
        if self.dispatch in dispatches.HERE:
            text = turn + re.sub(r"\bline\b", line, dispatches.inline(self.dispatch, self.commands)) + "\n  finish();"
            text = text.replace("w->", "w.") if given == "&w" else text
            return "{ " + text.replace("CARG", "MAINARG" if given == "&w" else "CARG") + " }"
        handle = f"handle({given}, {line});" if self.place in IN_MAIN else f"handle({line});"
        turn = turn.replace("CARG0", "MAINARG0")
        return f"{{ {turn}{handle} finish(); }}" if self.answer != "handler" else f"{{ {turn}{handle} }}" if turn else handle

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
            text += shapes.COMMON_STATICS.get(name, "")
            for result, head, body in shapes.COMMON[name][1]:
                text += f"API {result} {head} {{\n{body}}}\n\n"
        text += shapes.CHECKSUMS[self.checksum] + "\n" if "crc" in self.needs else ""
        seeds = pools.SEEDS[self.seed] if "seeded" in self.needs else ""
        return text + seeds + shapes.OUTPUTS[self.output]

    def first(self, text):
        """With the names of the first part in the place of #."""
        target = self.parts[0].argument(self.outer())
        return text.replace("#OUTER, ", target + ", " if target else "").replace("#", NAMES[0] + "_")

    def extra_globals(self):
        return "\n".join(self.marks(self.first(e.globals)) for e in self.extras)

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
        calls = [f"{p.name}_clear({p.argument(self.outer())})" for p in self.parts if p.container]
        text += ways.dropping(calls, self.frees)
        return text + "".join(self.first(e.late) for e in self.extras) + self.fresh_state()

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
        """The commands: names, functions, bodies."""
        self.commands = commands = []
        added = [e.added for e in self.extras if e.added]
        for p in self.parts:
            def call(what, more):
                return f"{p.name}_{what}({p.argument(self.outer(), more)})"
            commands += [
                (f"add_{p.name}", f"{p.name}_on_add", "\n  ".join([*added, f'say("%d\\n", {call("add", "key, v")});'])),
                (f"del_{p.name}", f"{p.name}_on_del", f'(void)v;\n  say("%d\\n", {call("del", "key")});'),
                (f"inc_{p.name}", f"{p.name}_on_inc", f'say("%d\\n", {call("inc", "key, v")});')]
            if p.base.extra:
                commands.append((f"turn_{p.name}", f"{p.name}_on_turn", f'(void)key, (void)v;\n  say("%d\\n", {call("turn", "")});'))
        commands += [(name, f"on_{name}", self.both(body)) for e in self.extras for name, body in e.commands]
        commands += [(name, f"on_{name}", body) for name, body, _ in [ways.COMMANDS[self.frees]]
                     ] if self.frees in ways.COMMANDS else []
        commands += [(ways.BATCH[0], "on_batch", ways.BATCH[1])] if self.mode == "inner" else []
        commands.append(("dump", "on_dump", "\n  ".join(["(void)key, (void)v;"] + [
            f"{p.name}_show({p.argument(self.outer())});" for p in self.parts] + [self.first(e.dumped) for e in self.extras if e.dumped])))
        commands.append(("save", "on_save", "(void)key, (void)v;\n  save_state(CARG0);"))
        if self.dispatch in dispatches.HERE:
            return dispatches.known(commands) if self.dispatch == "arms" else ""
        ahead = "static void handle(CTX, char *line);\n\n" if self.mode == "inner" else ""
        return ahead + dispatches.functions(commands) + dispatches.dispatcher(self.dispatch, self.parser, self.answer == "handler",
                                                                             commands)

    def both(self, text):
        """With calls of the first and the last part in the place of ADD and ADD2, ..."""
        def call(m):
            part = self.parts[-1 if m[2] else 0]
            return f"{part.name}_{m[1].lower()}({part.argument(self.outer(), m[3])})"
        return re.sub(r"\b(ADD|DEL|INC)(2?)\(([^)]*)\)", call, self.first(text))

    def main(self):
        handed = self.place in IN_MAIN
        main = ("&w" if self.place == "main" else "w") if handed else ""
        lines = ['const char *path = argc > 1 ? argv[1] : "state.dat";']
        lines += ["set_seed();"] if "seeded" in self.needs and "set_seed" in pools.SEEDS[self.seed] else []
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
        lines += ways.BEFORE.get(self.frees, []) + ways.FORK_BEFORE.get(self.fork, [])
        loaded = self.load_lines(call, answers, main)
        if self.place == "world-heap" and not (answers or self.load == "return"):
            loaded.append("if (!world)\n    fresh_state();")
        if self.place == "part-heap" and not answers:
            loaded.append("fresh_state();" if self.load == "assign" and self.fresh == "nothing"
                         else f"if (!{NAMES[0]})\n    fresh_state();")
        loaded, boot = ways.around(self.around, loaded)
        lines += loaded + ways.FORK_BEHIND.get(self.fork, []) + ways.BEHIND.get(self.frees, []) + [e.behind for e in self.extras if e.behind]
        before, loop = ways.loops(self.mode, self.loop, self.other)
        end = (f"save_state({main});",) if self.end == "save" else ()
        end = "".join(f"  {x}\n" for x in (*end, *ways.AT_END.get(self.frees, ())))
        text = "int main(int argc, char **argv) {\n" + "".join(f"  {x}\n" for x in lines) + loop.replace("END", end) + end + "  return 0;\n}\n"
        if boot and self.place == "main":
            boot = boot.replace("&w", "w")
        return self.marks(before + "\n" + boot) + self.marks(text, in_main=True)

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
        loading = self.marks(self.loading())
        pieces = {p.name: p.statics() + p.functions() for p in self.parts}
        program = loading + handlers + self.main()
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

    def about(self):
        """What findings call that of which a line of the dump tells: by its first word."""
        result = {word: set(e.names) for e in self.extras for word in re.findall(r'say\("(\w+)', e.dumped)}
        for p in self.parts:
            members = re.findall(r"[@$](\w+)[\[;,]", "; ".join(p.members()) + ";")
            result[p.name] = {f"{p.name}_{m}" for m in ["item", *members]}
        return result

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
        for line in ways.COMMANDS.get(self.frees, ("", "", ()))[2]:
            lines.insert(die.randint(0, len(lines)), line)
        if self.mode == "inner":
            first = die.randint(0, len(lines))
            lines.insert(first, "batch")
            lines.insert(die.randint(first + 1, len(lines)), "back")
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
