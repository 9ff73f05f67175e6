# ===- ways.py - The ways of main(): to the load, to the main loops, to the end ----===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""What stands around the load and around the main loops. The marks are those of grammar.py."""

import shapes

# Conditions around the load. `never` and `always` are known to run at run time only: argc is 1.
AROUND = ["nothing", "braces", "if", "access", "switch", "loop", "function", "goto", "else"]
# Several main loops, and which of them serves.
MODES = ["one", "function", "both-ways", "argument", "argument-exit", "exit", "first", "inner"]
# Where what was loaded is given back: at the end, on ways that end the program early, and in children.
FREES = ["nothing", "end", "exit", "usage", "files", "quit", "clear", "child", "turn"]
# Other processes that start-up makes.
FORKS = ["nothing", "helper-before", "helper-behind", "child-loads", "child-serves"]

STDIO = ("fgets", "getline", "for", "getchar")


def indented(lines):
    return "".join("  " + line.replace("\n", "\n  ") + "\n" for line in lines)


def around(kind, lines, declared=()):
    """Statements of main(), around `lines`; and functions above main()."""
    body = indented(lines)
    if kind == "nothing":
        return lines, ""
    if kind == "function":
        return ["boot(path COMMA_MAIN);"], "static void boot(const char *path COMMA_CTX) {\n" + body + "}\n\n"
    if kind == "goto":
        return ["if (argc > 7)\n  goto serve;", "{\n" + body + "}", "serve:;"], ""
    if kind == "switch":
        return ["switch (argc) {\ncase 9:\n  return 2;\ndefault: {\n" + body + "  break;\n}\n}"], ""
    if kind == "else":
        return ["if (argc > 8)\n  return 3;\nelse {\n" + body + "}"], ""
    head = {"braces": "", "if": "if (argc < 6) ", "access": "if (access(path, R_OK) == 0 || argc > 0) ",
            "loop": "do "}[kind]
    return [head + "{\n" + body + "}" + (" while (0);" if kind == "loop" else "")], ""


def dropping(calls, frees):
    """drop_all(), and what belongs to the way of the program on which it is called."""
    if frees == "nothing":
        return ""
    text = "static void drop_all(CTX0) {\n" + "".join(f"  {c};\n" for c in calls) + "}\n\n"
    if frees in ("child", "turn"):
        text += "static void copy_out(CTX0) {\n  pid_t c = fork();\n  if (c == 0) {\n    save_state(CARG0);\n    drop_all(CARG0);\n" \
                "    exit(0);\n  }\n  if (c > 0)\n    waitpid(c, NULL, 0);\n}\n\n"
    return text


COMMANDS = {
    "quit": ("quit", "(void)key, (void)v;\n  save_state(CARG0);\n  drop_all(CARG0);\n  exit(0);", ()),
    "clear": ("clear", '(void)key, (void)v;\n  drop_all(CARG0);\n  say("ok\\n");', ("clear",)),
    "child": ("copy", '(void)key, (void)v;\n  copy_out(CARG0);\n  say("ok\\n");', ("copy", "copy")),
}
BEFORE = {
    "usage": ['if (argc > 5) {\n  fprintf(stderr, "usage: %s [FILE]\\n", argv[0]);\n  drop_all(MAINARG0);\n  exit(1);\n}'],
}
BEHIND = {
    "files": ['static FILE *others[2];\n  for (int k = 0; k < 2; k++) {\n  others[k] = fopen("/dev/null", "r");\n  if (!others[k]) {\n'
              '    perror("/dev/null");\n    drop_all(MAINARG0);\n    exit(1);\n  }\n}'],
}
AT_END = {"end": ["drop_all(MAINARG0);"], "exit": ["drop_all(MAINARG0);", "exit(0);"]}

FORK_BEFORE = {
    "helper-before": ["pid_t helper = fork();", "if (helper == 0)\n  _exit(0);", "waitpid(helper, NULL, 0);"],
    "child-loads": ["pid_t served = fork();",
                    "if (served > 0) {\n  int status = 0;\n  waitpid(served, &status, 0);\n"
                    "  return WIFEXITED(status) ? WEXITSTATUS(status) : 70;\n}"],
}
FORK_BEHIND = {
    "helper-behind": ["pid_t helper = fork();", "if (helper == 0) {\n  close(0);\n  close(1);\n  _exit(0);\n}",
                      "waitpid(helper, NULL, 0);"],
    "child-serves": FORK_BEFORE["child-loads"],
}


# A command with a main loop of its own; `back` ends it, and is answered by the loop outside.
BATCH = ("batch", '(void)key, (void)v;\n  char more[200];\n  say("ok\\n");\n  finish();\n'
         '  while (fgets(more, sizeof more, stdin) && strncmp(more, "back", 4))\n    ONE(more);')


def loops(mode, loop, other):
    """Functions above main(), and what main() ends with: one loop for each of several modes. END is what follows the loop."""
    before, main = shapes.LOOPS[loop]
    if mode in ("one", "inner"):
        return before, main
    others = mode not in ("function", "both-ways")
    if others and other != loop:
        before += "\n" + shapes.LOOPS[other][0] if shapes.LOOPS[other][0] else ""
    functions = [("serve", loop)] + ([("serve_other", other)] if others else [])
    before += "".join(f"\nstatic void {name}(CTX0) {{\n{shapes.LOOPS[which][1]}}}\n" for name, which in functions)
    return before, {
        "function": "  serve(MAINARG0);\n",
        "both-ways": "  if (argc > 3) {\n    fprintf(stderr, \"ready\\n\");\n    serve(MAINARG0);\n  } else\n    serve(MAINARG0);\n",
        "argument": "  if (argc > 3)\n    serve_other(MAINARG0);\n  else\n    serve(MAINARG0);\n",
        "argument-exit": "  if (argc > 3) {\n    serve_other(MAINARG0);\nEND    exit(0);\n  }\n  serve(MAINARG0);\n",
        "exit": "  if (argc < 4) {\n    serve(MAINARG0);\nEND    exit(0);\n  }\n  serve_other(MAINARG0);\n",
        "first": "  char first[256];\n  setvbuf(stdin, NULL, _IONBF, 0);\n  if (fgets(first, sizeof first, stdin)) {\n"
                 "    if (!strncmp(first, \"other\", 5))\n      serve_other(MAINARG0);\n    else {\n      ONE(first);\n"
                 "      serve(MAINARG0);\n    }\n  }\n",
    }[mode]
