# ===- part.py - A part of a generated program as text ----------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""What the choices of a part make of the texts of parts.py, pools.py and words.py."""

import parts
import pools
import words

CONTAINERS = parts.CONTAINERS | pools.CONTAINERS | words.CONTAINERS
FIELD_NEEDS = parts.FIELD_NEEDS | words.NEEDS


class Part:
    """A container or a plain part, with the texts that its choices make of it."""

    def __init__(self, program, name, selfish):
        self.program, self.name = program, name
        c = program.choices
        kinds = [k for k, v in CONTAINERS.items() if selfish or not v.selfish] + list(parts.PLAINS)
        self.kind = c.pick(f"{name}.kind", kinds)
        self.container = CONTAINERS.get(self.kind)
        self.base = self.container or parts.PLAINS[self.kind]
        self.fields = []
        if self.container:
            known = parts.fields(c, name)
            self.fields = [known[f] for f in c.some(f"{name}.field", list(known), 0, 5)]
            word = c.seldom(f"{name}.word", ["none", *words.WORDS])
            self.fields += [words.WORDS[word]] if word != "none" else []
            self.fields += [words.CUT] if program.reader == "slurp" else []
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
            make += [text.lstrip("\n") for need, text in FIELD_NEEDS.items() if need in self.needs]
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
            if self.program.frees != "nothing":
                define("void", "@key_of", "struct @item *i, void *arg",
                       'if (!*(char *)arg)\n    snprintf(arg, 12, "%s", i->key);')
                define("void", "@clear", "PARAM0", "for (char key[12] = \"\";; *key = 0) {\n    @visit(ARG, @key_of, key);\n"
                       "    if (!*key || !@del(ARG, key))\n      break;\n  }", api=True)
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
