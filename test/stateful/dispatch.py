# ===- dispatch.py - From a line of input to what it does --------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Functions of the program's commands, and ways to find the one that a line names. The marks are those of grammar.py."""

import shapes

# The last two have no functions: the main loop does what the command is by itself.
DISPATCHES = ["chain", "table", "bsearch", "switch", "registered", "here", "arms"]
HERE = ("here", "arms")
LOOK = ("  int which = 0;\n  while (which < (int)(sizeof known / sizeof *known) && strcmp(name, known[which]))\n"
        "    which++;\n  switch (which) {\n")


def functions(commands):
    """Commands: (name, function, body)."""
    return "".join(f"static void {f}(CTX, const char *key, int v) {{\n  {body}\n}}\n\n" for _, f, body in commands)


def known(commands):
    return "static const char *const known[] = {" + ", ".join(f'"{c}"' for c, _, _ in commands) + "};\n\n"


def inline(way, commands):
    """What stands in a loop in the place of a call of handle(line)."""
    text = "{\n" + shapes.PARSERS["sscanf"]
    if way == "here":
        return text + "  " + " else ".join(f'if (!strcmp(name, "{c}")) {{\n  {body}\n  }}' for c, _, body in commands) + "\n  }"
    return text + LOOK + "".join(f"  case {k}: {{\n  {body}\n  break;\n  }}\n" for k, (_, _, body) in enumerate(commands)) + "  }\n  }"


def dispatcher(way, parser, answers, commands):
    """handle(), with what it needs; `answers`: it also ends the answer."""
    head = "static void handle(CTX, char *line) {\n" + shapes.PARSERS[parser]
    tail = "  finish();\n}\n\n" if answers else "}\n\n"
    if parser == "strtok" and answers:
        head = head.replace("    return;\n", "    name = key = (char *)\"\";\n")
    if way == "chain":
        return head + "  " + "  else ".join(f'if (!strcmp(name, "{c}"))\n    {f}(CARG, key, v);\n' for c, f, _ in commands) + tail
    if way == "switch":
        return known(commands) + head + LOOK + \
            "".join(f"  case {k}: {f}(CARG, key, v); break;\n" for k, (_, f, _) in enumerate(commands)) + "  }\n" + tail
    struct = "struct command {\n  const char *name;\n  void (*fn)(PARAMS_, const char *, int);\n};\n"
    rows = sorted(commands) if way == "bsearch" else commands
    table = "static const struct command commands[] = {\n" + "".join(f'    {{"{c}", {f}}},\n' for c, f, _ in rows) + "};\n\n"
    count = "sizeof commands / sizeof *commands"
    if way == "table":
        return struct + table + head + f"  for (size_t k = 0; k < {count}; k++)\n" \
            "    if (!strcmp(name, commands[k].name)) {\n      commands[k].fn(CARG, key, v);\n      break;\n    }\n" + tail
    if way == "bsearch":
        return struct + table + "static int by_name(const void *key, const void *row) {\n" \
            "  return strcmp(key, ((const struct command *)row)->name);\n}\n\n" + head + \
            f"  const struct command *c = bsearch(name, commands, {count}, sizeof *commands, by_name);\n" \
            "  if (c)\n    c->fn(CARG, key, v);\n" + tail
    return struct + f"static struct command commands[{len(rows)}];\nstatic int n_commands;\n\n" \
        "static void add_command(const char *name, void (*fn)(PARAMS_, const char *, int)) {\n" \
        "  commands[n_commands].name = name;\n  commands[n_commands++].fn = fn;\n}\n\n" \
        "static void add_commands(void) {\n" + "".join(f'  add_command("{c}", {f});\n' for c, f, _ in rows) + "}\n\n" + \
        head + "  for (int k = 0; k < n_commands; k++)\n    if (!strcmp(name, commands[k].name)) {\n" \
        "      commands[k].fn(CARG, key, v);\n      break;\n    }\n" + tail
