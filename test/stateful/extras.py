# ===- extras.py - What a generated program keeps besides its parts ---------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Statics of the program as a whole. `#` stands for the first part, `CTX` and so on as in parts.py."""

from dataclasses import dataclass


@dataclass
class Extra:
    globals: str = ""
    loaded: str = ""           # a branch of the load: part, key and v are set
    stored: str = ""
    added: str = ""            # runs with each command that adds: key, v
    dumped: str = ""
    commands: tuple = ()       # (name, body)
    script: tuple = ()
    lines: tuple = ()          # of the file
    start: str = ""
    records: bool = False      # only where the first part has records that stay in their place
    drop: str = ""             # when a record `i` of the first part goes
    late: str = ""             # functions that use those of the first part
    behind: str = ""           # a statement of main() behind the load
    names: tuple = ()          # what findings call that of which the dump tells, besides its first word
    thread: bool = False       # start-up or the load begins a thread


EXTRAS = {
    "limit": Extra("static int limit = 40;\n", 'if (!strcmp(part, "limit"))\n      limit = v;\n',
                   'fprintf(f, "limit all %d\\n", limit);', dumped='say("limit %d\\n", limit);',
                   commands=(("limit", '(void)key;\n  limit = v;\n  say("%d\\n", limit);'),), script=("limit x 9",),
                   lines=("limit all 30",)),
    "title": Extra("static char *title;\n", 'if (!strcmp(part, "title")) {\n      free(title);\n      title = strdup(key);\n    }\n',
                   'fprintf(f, "title %s 0\\n", title ? title : "none");', dumped='say("title %s\\n", title ? title : "none");',
                   commands=(("title", '(void)v;\n  char *new = strdup(key);\n  free(title);\n  title = new;\n  say("ok\\n");'),),
                   script=("title final 0",), lines=("title first 0",)),
    "stats": Extra("static struct {\n  int adds, most;\n  double mean;\n} stats;\n\n"
                   "static void count_in(int v) {\n  stats.adds++;\n  if (v > stats.most)\n    stats.most = v;\n"
                   "  stats.mean += (v - stats.mean) / stats.adds;\n}\n", 'count_in(v);\n', added="count_in(v);",
                   dumped='say("stats %d %d %.3f\\n", stats.adds, stats.most, stats.mean);'),
    "ops": Extra("static unsigned ops;\n", added="ops++;", dumped='say("ops %u\\n", ops);'),
    "last": Extra("static char last[32];\n", added='snprintf(last, sizeof last, "%s", key);',
                  dumped='say("last %s\\n", last);'),
    "noted": Extra("static char noted[32];\nstatic int notes, longest;\n\n"
                   "static void put_text(char *to, const char *from, size_t n) {\n  while (--n && *from)\n    *to++ = *from++;\n"
                   "  *to = 0;\n}\n\nstatic void raise_to(int *most, int v) {\n  if (v > *most)\n    *most = v;\n}\n\n"
                   "static void bump(int *n) {\n  ++*n;\n}\n",
                   added="put_text(noted, key, sizeof noted);\n  bump(&notes);\n  raise_to(&longest, (int)strlen(key));",
                   dumped='say("noted %s %d %d\\n", noted, notes, longest);', names=("notes", "longest")),
    "undo": Extra("struct undo {\n  struct undo *next;\n  char *key;\n  int v;\n};\nstatic struct undo *undo;\n\n"
                  "static void remember(const char *key, int v) {\n  struct undo *u = malloc(sizeof *u);\n"
                  "  u->key = strdup(key);\n  u->v = v;\n  u->next = undo;\n  undo = u;\n}\n", added="remember(key, v);",
                  dumped='for (struct undo *u = undo; u; u = u->next)\n    say("undo %s %d\\n", u->key, u->v);',
                  commands=(("undo", '(void)key;\n  struct undo *u = undo;\n  if (u) {\n    undo = u->next;\n'
                                     '    say("%s %d\\n", u->key, u->v + v);\n    free(u->key);\n    free(u);\n  }'),),
                  script=("undo", "undo")),
    "current": Extra("static struct #item *current;\n", drop="if (current == i)\n    current = NULL;",
                     dumped='say("current %s\\n", current ? current->key : "none");', records=True,
                     commands=(("use", '(void)v;\n  current = #find(#OUTER, key);\n  say("%s\\n", current ? "ok" : "none");'),),
                     script=("use a 0", "use b 0")),
    "log": Extra("static FILE *log_file;\nstatic int log_open;\n\nstatic void note(const char *key) {\n  if (!log_open) {\n"
                 "    log_file = fopen(\"log.txt\", \"a\");\n    log_open = 1;\n  }\n  fprintf(log_file, \"%s\\n\", key);\n"
                 "  fflush(log_file);\n}\n", 'note(key);\n', added="note(key);"),
    "pattern": Extra("static regex_t pattern;\nstatic int pattern_ready;\n\nstatic int is_name(const char *key) {\n"
                     "  if (!pattern_ready) {\n    if (regcomp(&pattern, \"^[a-z]+$\", REG_EXTENDED | REG_NOSUB))\n"
                     "      exit(1);\n    pattern_ready = 1;\n  }\n  return !regexec(&pattern, key, 0, NULL, 0);\n}\n",
                     'if (!is_name(key))\n      continue;\n', added="v += is_name(key);"),
    "seen": Extra("struct seen {\n  char key[16];\n  int times;\n};\nstatic struct seen seen[32];\nstatic size_t n_seen;\n\n"
                  "static int same(const void *a, const void *b) {\n  return strcmp(a, b);\n}\n\n"
                  "static void see(const char *key) {\n  struct seen one = {\"\", 0}, *s;\n"
                  "  snprintf(one.key, sizeof one.key, \"%.15s\", key);\n  if (n_seen == 32)\n    return;\n"
                  "  s = lsearch(&one, seen, &n_seen, sizeof one, same);\n  s->times++;\n}\n", 'see(key);\n', added="see(key);",
                  dumped='for (size_t k = 0; k < n_seen; k++)\n    say("seen %s %d\\n", seen[k].key, seen[k].times);'),
    "mode": Extra("enum mode { CALM, LOUD, MUTE };\nstatic enum mode mode;\nstatic int modes;\n",
                  dumped='say("mode %d after %d\\n", (int)mode, modes);',
                  commands=(("mode", '(void)key;\n  mode = v & 1 ? LOUD : MUTE;\n  modes++;\n  say("ok\\n");'),),
                  script=("mode x 1", "mode x 2")),
    "history": Extra("static char *history[4];\nstatic int n_history;\n\nstatic void keep_line(const char *key) {\n"
                     "  if (n_history == 4) {\n    free(history[0]);\n    memmove(history, history + 1, 3 * sizeof *history);\n"
                     "    n_history--;\n  }\n  history[n_history++] = strdup(key);\n}\n", added="keep_line(key);",
                     dumped='for (int k = 0; k < n_history; k++)\n    say("history %s\\n", history[k]);'),
    "totals": Extra("static long totals[4];\nstatic unsigned char touched[4];\n", "totals[v & 3] += v;\n    touched[v & 3] = 1;\n",
                    added="totals[v & 3] += v;\n  touched[v & 3] = 1;",
                    dumped='for (int k = 0; k < 4; k++)\n    if (touched[k])\n      say("total %d %ld\\n", k, totals[k]);'),
    "started": Extra("static int started;\nstatic char *banner;\n", start="started = 1;\n  banner = strdup(\"ready\");",
                     dumped='say("started %d %s\\n", started, banner);'),
    "first_key": Extra("static char first_key[16];\nstatic int have_first;\n",
                       'if (!have_first) {\n      snprintf(first_key, sizeof first_key, "%.15s", key);\n      have_first = 1;\n    }\n',
                       dumped='say("first %s\\n", have_first ? first_key : "none");'),
    "names": Extra("struct name {\n  struct name *next;\n  char text[];\n};\nstatic struct name *names;\n\n"
                   "static const char *intern(const char *key) {\n  for (struct name *n = names; n; n = n->next)\n"
                   "    if (!strcmp(n->text, key))\n      return n->text;\n"
                   "  struct name *n = malloc(sizeof *n + strlen(key) + 1);\n  strcpy(n->text, key);\n  n->next = names;\n"
                   "  names = n;\n  return n->text;\n}\nstatic const char *newest;\n", "newest = intern(key);\n",
                   added="newest = intern(key);",
                   dumped='for (struct name *n = names; n; n = n->next)\n    say("name %s\\n", n->text);\n'
                          '  say("newest %s\\n", newest ? newest : "none");'),
}
