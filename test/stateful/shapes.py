# ===- shapes.py - How a generated program loads, listens and answers -------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Tables of C text, by the name of the choice. The first of each is the plainest."""

HEAD = """#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/queue.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
"""

FORMAT = """API void say(const char *form, ...) {
  char text[512];
  va_list more;
  va_start(more, form);
  int n = vsnprintf(text, sizeof text, form, more);
  va_end(more);
  if (n > 0)
    put_out(text, (size_t)n);
}

API void finish(void) {
  put_out(".\\n", 2);
FLUSH}
"""
PUT = "static void put_out(const char *text, size_t n) {\n  BODY\n}\n\n"
COLLECT = """static char answer[8192];
static size_t answered;

static void put_out(const char *text, size_t n) {
  if (answered + n > sizeof answer)
    exit(1);
  memcpy(answer + answered, text, n);
  answered += n;
}

"""
FLUSHED = "  fflush(stdout);\n"


def by(body, flush=""):
    return PUT.replace("BODY", body) + FORMAT.replace("FLUSH", flush)


DIRECT = "API void finish(void) {\n  printf(\".\\n\");\n  fflush(stdout);\n}\n"
OUTPUTS = {
    "printf": DIRECT,  # say is a macro
    "vprintf": "API void say(const char *form, ...) {\n  va_list more;\n  va_start(more, form);\n  vprintf(form, more);\n"
               "  va_end(more);\n}\n\nAPI void finish(void) {\n  puts(\".\");\n  fflush(stdout);\n}\n",
    "fputs": by("(void)n;\n  fputs(text, stdout);", FLUSHED),
    "fwrite": by("fwrite(text, 1, n, stdout);", FLUSHED),
    "putc": by("while (n--)\n    putc(*text++, stdout);", FLUSHED),
    "putchar_unlocked": by("while (n--)\n    putchar_unlocked(*text++);", FLUSHED),
    "putc_unlocked": by("for (size_t k = 0; k < n; k++)\n    putc_unlocked(text[k], stdout);", FLUSHED),
    "fputs_unlocked": by("(void)n;\n  fputs_unlocked(text, stdout);", "  fflush_unlocked(stdout);\n"),
    "fwrite_unlocked": by("fwrite_unlocked(text, 1, n, stdout);", FLUSHED),
    "line": DIRECT.replace("  fflush(stdout);\n", ""),
    "unbuffered": DIRECT.replace("  fflush(stdout);\n", ""),
    "write": by("if (write(1, text, n) < 0)\n    exit(1);"),
    "dprintf": "API void say(const char *form, ...) {\n  va_list more;\n  va_start(more, form);\n  vdprintf(1, form, more);\n"
               "  va_end(more);\n}\n\nAPI void finish(void) {\n  dprintf(1, \".\\n\");\n}\n",
    "writev": COLLECT + FORMAT.replace("  put_out(\".\\n\", 2);\n", "").replace(
        "FLUSH", "  struct iovec parts[2] = {{answer, answered}, {(char *)\".\\n\", 2}};\n  if (writev(1, parts, 2) < 0)\n"
                 "    exit(1);\n  answered = 0;\n"),
    "write-end": COLLECT + FORMAT.replace("FLUSH", "  if (write(1, answer, answered) < 0)\n    exit(1);\n  answered = 0;\n"),
    "send": by("if (send(1, text, n, 0) < 0)\n    exit(1);"),
    "sendmsg": by("struct iovec part = {(char *)text, n};\n  struct msghdr all = {.msg_iov = &part, .msg_iovlen = 1};\n"
                  "  if (sendmsg(1, &all, 0) < 0)\n    exit(1);"),
    "syscall": by("if (syscall(SYS_write, 1, text, n) < 0)\n    exit(1);"),
    "stream": "static FILE *out;\n\nAPI void say(const char *form, ...) {\n  va_list more;\n  if (!out)\n"
              "    out = fdopen(dup(1), \"w\");\n  va_start(more, form);\n  vfprintf(out, form, more);\n  va_end(more);\n}\n\n"
              "API void finish(void) {\n  say(\".\\n\");\n  fflush(out);\n}\n",
}
# Those that let out each piece of an answer by itself.
AT_ONCE = {"unbuffered", "write", "dprintf", "send", "sendmsg", "syscall"}
# What main() does first.
OUTPUT_STARTS = {"line": "setvbuf(stdout, NULL, _IOLBF, 1024);", "unbuffered": "setvbuf(stdout, NULL, _IONBF, 0);"}

COMMON = {
    "link": ("struct link {\n  struct link *next, *prev;\n};\n"
             "#define HOLDER(link, type, member) ((type *)((char *)(link) - offsetof(type, member)))\n",
             [("void", "link_in(struct link *l, struct link *before)",
               "  l->next = before;\n  l->prev = before->prev;\n  before->prev->next = l;\n  before->prev = l;\n"),
              ("void", "link_out(struct link *l)", "  l->next->prev = l->prev;\n  l->prev->next = l->next;\n")]),
    "hash": ("", [("unsigned", "hash(const char *s)",
                   "  unsigned h = 5381;\n  while (*s)\n    h = h * 33 + (unsigned char)*s++;\n  return h;\n")]),
    "op": ("", [("int", "op_add(int a, int b)", "  return a + b;\n"), ("int", "op_mul(int a, int b)", "  return a * b;\n"),
                ("int", "op_sub(int a, int b)", "  return a - b;\n")]),
    "kind": ("struct kind {\n  const char *name;\n  int weight;\n};\n"
             "static const struct kind kinds[] = {{\"small\", 1}, {\"large\", 5}, {\"odd\", 9}};\n", []),
    "queue": ("", []),
    "seq": ("", []),
    "crc": ("", []),
    "seeded": ("", []),
    "slurped": ("", [("char *", "slurp(FILE *f)", "  slurped = malloc(4096);\n  slurped_size = fread(slurped, 1, 4095, f);\n"
                      "  slurped[slurped_size] = 0;\n  return slurped;\n"),
                     ("int", "in_file(const char *p)", "  return slurped && p >= slurped && p < slurped + slurped_size;\n")]),
    "tagged": ("", []),
    "subs": ("", []),
    "label": ("", []),
    "distance": ("", []),
    "again": ("", []),
    "copied": ("", []),
}
# Statics of the functions above.
COMMON_STATICS = {"slurped": "static char *slurped;\nstatic size_t slurped_size;\n\n"}

CHECKSUMS = {
    "table": "static const unsigned sums[4] = {0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u};\n\n"
             "API unsigned checksum(const char *s) {\n  unsigned c = 7;\n  while (*s)\n"
             "    c = sums[(c ^ (unsigned char)*s++) & 3] ^ (c << 3);\n  return c;\n}\n",
    "once": "static unsigned sums[256];\nstatic int sums_made;\n\nAPI unsigned checksum(const char *s) {\n  if (!sums_made) {\n"
            "    for (unsigned i = 0; i < 256; i++) {\n      unsigned c = i;\n      for (int k = 0; k < 8; k++)\n"
            "        c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;\n      sums[i] = c;\n    }\n    sums_made = 1;\n  }\n"
            "  unsigned c = ~0u;\n  while (*s)\n    c = sums[(c ^ (unsigned char)*s++) & 255] ^ (c >> 8);\n  return ~c;\n}\n",
    "first": "static unsigned sums[256];\n\nstatic void make_sums(void) {\n  for (unsigned i = 0; i < 256; i++)\n"
             "    sums[i] = (i + 1) * 2654435761u;\n}\n\nAPI unsigned checksum(const char *s) {\n  if (!sums[1])\n"
             "    make_sums();\n  unsigned c = 0;\n  while (*s)\n    c = c * 31 + sums[(unsigned char)*s++];\n  return c;\n}\n",
    "heap": "static unsigned *sums;\n\nAPI unsigned checksum(const char *s) {\n  if (!sums) {\n"
            "    sums = malloc(256 * sizeof *sums);\n    for (unsigned i = 0; i < 256; i++)\n"
            "      sums[i] = (i + 3) * 40503u;\n  }\n  unsigned c = 1;\n  while (*s)\n"
            "    c = c * 17 + sums[(unsigned char)*s++];\n  return c;\n}\n",
}

MEMORY = {
    "plain": ("", {}),
    "wrapped": ("API void *xmalloc(size_t size) {\n  void *p = calloc(1, size);\n  if (!p)\n    exit(9);\n  return p;\n}\n\n"
                "API void *xrealloc(void *p, size_t size) {\n  p = realloc(p, size);\n  if (!p)\n    exit(9);\n  return p;\n}\n\n"
                "API char *xstrdup(const char *s) {\n  size_t size = strlen(s) + 1;\n  char *copy = xmalloc(size);\n"
                "  memcpy(copy, s, size);\n  return copy;\n}\n", {"NEW": "xmalloc(sizeof({0}))", "GROW": "xrealloc",
                                                                  "DUP": "xstrdup"}),
    "macros": ("", {"NEW": "MAKE({0})", "DUP": "COPY", "FREE": "RELEASE"}),
    "calloc": ("", {"NEW": "calloc(1, sizeof({0}))"}),
}
MEMORY_MACROS = ("#define MAKE(type) ((type *)malloc(sizeof(type)))\n#define COPY(s) strdup(s)\n"
                 "#define RELEASE(p) \\\n  do { \\\n    free(p); \\\n    (p) = NULL; \\\n  } while (0)\n")
MEMORY_PROTOTYPES = {"wrapped": "void *xmalloc(size_t size);\nvoid *xrealloc(void *p, size_t size);\n"
                                "char *xstrdup(const char *s);\n"}

# How the words of a line of the file are found; each ends with part, key and v set, or goes on.
READERS = {
    "sscanf": ("  char line[128], part[16], key[32];\n  int v;\n",
               "  while (fgets(line, sizeof line, f)) {\n    if (sscanf(line, \"%15s %31s %d\", part, key, &v) != 3)\n"
               "      continue;\n", "  }\n"),
    "fscanf": ("  char part[16], key[32];\n  int v;\n",
               "  while (fscanf(f, \"%15s %31s %d\", part, key, &v) == 3) {\n", "  }\n"),
    "getline": ("  char *line = NULL;\n  size_t size = 0;\n",
                "  while (getline(&line, &size, f) > 0) {\n    char *part = strtok(line, \" \\n\"), *key = strtok(NULL, \" \\n\"),\n"
                "         *number = strtok(NULL, \" \\n\");\n    if (!part || !key || !number)\n      continue;\n"
                "    int v = atoi(number);\n", "  }\n  free(line);\n"),
    "whole": ("  char *all = malloc(4096), *rest = all;\n  size_t size = fread(all, 1, 4095, f);\n  all[size] = 0;\n",
              "  for (char *line; (line = strsep(&rest, \"\\n\"));) {\n    char *save = NULL, *part = strtok_r(line, \" \", &save);\n"
              "    char *key = strtok_r(NULL, \" \", &save), *number = strtok_r(NULL, \" \", &save);\n"
              "    if (!number)\n      continue;\n    int v = (int)strtol(number, NULL, 10);\n", "  }\n  free(all);\n"),
}

LOOPS = {
    "fgets": ("", "  char line[256];\n  while (fgets(line, sizeof line, stdin))\n    ONE(line);\n"),
    "getline": ("", "  char *line = NULL;\n  size_t size = 0;\n  while (getline(&line, &size, stdin) > 0)\n    ONE(line);\n"
                    "  free(line);\n"),
    "for": ("", "  for (;;) {\n    char line[200];\n    if (!fgets(line, sizeof line, stdin))\n      break;\n    ONE(line);\n  }\n"),
    "getchar": ("", "  char line[256];\n  size_t have = 0;\n  for (int c; (c = getchar()) != EOF;) {\n"
                    "    line[have++] = (char)c;\n    if (c == '\\n' || have == sizeof line - 1) {\n"
                    "      line[have] = 0;\n      have = 0;\n      ONE(line);\n    }\n  }\n"),
    "read": ("", "  static char have[512];\n  static size_t filled;\n  ssize_t got;\n"
                 "  while ((got = read(0, have + filled, sizeof have - 1 - filled)) > 0) {\n    filled += (size_t)got;\n"
                 "    have[filled] = 0;\n    for (char *end; (end = strchr(have, '\\n'));) {\n      *end = 0;\n      ONE(have);\n"
                 "      filled -= (size_t)(end + 1 - have);\n      memmove(have, end + 1, filled + 1);\n    }\n  }\n"),
    "poll": ("struct source {\n  int fd;\n  void (*ready)(PARAMS_, struct source *);\n  char have[256];\n  size_t filled;\n};\n\n"
             "static void from_input(CTX, struct source *s) {\n"
             "  ssize_t got = read(s->fd, s->have + s->filled, sizeof s->have - 1 - s->filled);\n  if (got <= 0)\n    exit(0);\n"
             "  s->filled += (size_t)got;\n  s->have[s->filled] = 0;\n  for (char *end; (end = strchr(s->have, '\\n'));) {\n"
             "    *end = 0;\n    ONE(s->have);\n    s->filled -= (size_t)(end + 1 - s->have);\n"
             "    memmove(s->have, end + 1, s->filled + 1);\n  }\n}\n",
             "  static struct source in = {0, from_input, \"\", 0};\n  struct source *all[] = {&in};\n  for (;;) {\n"
             "    struct pollfd p = {all[0]->fd, POLLIN, 0};\n    if (poll(&p, 1, 1000) < 0)\n      break;\n"
             "    if (p.revents)\n      all[0]->ready(MAINARG, all[0]);\n  }\n"),
    "select": ("", "  for (;;) {\n    fd_set set;\n    struct timeval wait = {5, 0};\n    char line[256];\n    size_t have = 0;\n"
                   "    FD_ZERO(&set);\n    FD_SET(0, &set);\n    if (select(1, &set, NULL, NULL, &wait) < 0)\n      break;\n"
                   "    if (!FD_ISSET(0, &set))\n      continue;\n"
                   "    while (have < sizeof line - 1 && read(0, line + have, 1) == 1 && line[have++] != '\\n')\n      ;\n"
                   "    if (!have)\n      break;\n    line[have] = 0;\n    ONE(line);\n  }\n"),
    "callback": ("static void each_line(FILE *f, void (*fn)(PARAMS_, char *) COMMA_CTX) {\n  char line[256];\n"
                 "  while (fgets(line, sizeof line, f))\n    fn(INNER, line);\n}\n\n"
                 "static void one_line(CTX, char *line) {\n  ONE(line);\n}\n",
                 "  each_line(stdin, one_line COMMA_MAIN);\n"),
}

PARSERS = {
    "sscanf": "  char name[16] = \"\", key[32] = \"\";\n  int v = 0;\n  sscanf(line, \"%15s %31s %d\", name, key, &v);\n",
    "strtok": "  char *name = strtok(line, \" \\n\"), *key = strtok(NULL, \" \\n\"), *number = strtok(NULL, \" \\n\");\n"
              "  int v = number ? atoi(number) : 0;\n  if (!name)\n    return;\n  if (!key)\n    key = name + strlen(name);\n",
    "strsep": "  char *rest = line, *name, *key, *number;\n  line[strcspn(line, \"\\n\")] = 0;\n"
              "  name = strsep(&rest, \" \");\n  key = rest ? strsep(&rest, \" \") : name + strlen(name);\n"
              "  number = rest ? strsep(&rest, \" \") : NULL;\n  int v = number ? (int)strtol(number, NULL, 10) : 0;\n",
}
