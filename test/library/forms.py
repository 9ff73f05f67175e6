#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each function of the library's table, called in each form of statement.

usage: forms.py NVMOVE SOURCE-FOLDER WORK-FOLDER [NAME..]

Makes one program of passes/facts/Library.def and of what gcc says that the
headers declare: every function that has a row is called with memory that is
kept in the place of each pointer, as a statement, cast to void, assigned,
initialising, in a condition, as an argument, behind a comma, in both arms of
?:, in the head of a loop, without braces in if, else, do and case, and returned.
nvmove moves it; then it must compile, with no warning that the program did not
have before. NAME..: of these functions alone.
"""

import os
import re
import subprocess
import sys

# Those that declare what has a row.
HEADERS = """aio argp argz arpa/inet dirent dlfcn envz err error execinfo fcntl fnmatch ftw getopt glob grp gshadow
iconv ifaddrs inttypes langinfo libgen libintl locale malloc math mntent monetary mqueue net/if netdb netinet/ether
netinet/in obstack poll printf pthread pty pwd regex resolv sched search semaphore setjmp shadow signal spawn stdio
stdio_ext stdlib string strings sys/epoll sys/eventfd sys/file sys/inotify sys/ioctl sys/ipc sys/mman sys/msg
sys/random sys/resource sys/select sys/sem sys/sendfile sys/shm sys/signalfd sys/socket sys/stat sys/statvfs
sys/sysinfo sys/time sys/timerfd sys/times sys/types sys/uio sys/utsname sys/wait sys/xattr syslog termios threads
time uchar ucontext unistd utime utmpx wchar wctype wordexp""".split()

# Called by their names alone they are no functions, or change what is around the call.
NO_CALLS = re.compile(r"alloca|.*setjmp|longjmp|_?_?sigsetjmp|v?fork|_obstack_.*|obstack_.*|__.*")

SCALARS = re.compile(r"(unsigned |signed )?(int|long|short|char|long long|long int|size_t|ssize_t)( int)?$")

# Each of these has to be in what is moved.
WRITERS = ("NVM_ADOPT_OUT(", "NVM_ADOPT(", "NVM_OUT(", "NVM_IN_OUT(", "NVM_BUF(", "NVM_REST(", "NVM_BEHIND(",
           "nvm_strdup(", "nvm_fread(")
WAYS_OUT = ("nvm_write(", "NVM_OUTPUT(", "NVM_WAIT(")

PROGRAM = """#include <stdarg.h>
struct kept { struct kept *next; char *text; void *any; long n; double d; char name[32]; char room[512]; };
static struct kept *all;
static FILE *in;
void use(int n, ...);
void add(const char *name);
void add(const char *name) {
  struct kept *s = calloc(1, sizeof *s);
  if (!s)
    abort();
  strncpy(s->name, name, 31);
  s->text = strdup(name);
  s->any = malloc(64);
  s->next = all;
  all = s;
}
"""

MAIN = """
void load(FILE *f);
void load(FILE *f) {
  char name[32];
  while (fscanf(f, "%%31s", name) == 1)
    add(name);
}
void handle(struct kept *s, int n);
void handle(struct kept *s, int n) {
%s
}
int main(void) {
  char line[80];
  in = fopen("state", "r");
  if (in)
    load(in);
  while (fgets(line, sizeof line, stdin)) {
    if (line[0] == '+')
      add(line);
    handle(all, atoi(line));
    fflush(stdout);
  }
  return 0;
}
"""


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    return done.returncode, done.stdout + done.stderr


def rows(source):
    """Name: what the row says."""
    with open(os.path.join(source, "passes/facts/Library.def"), encoding="utf-8") as file:
        text = file.read()
    found = {}
    for names, rest in re.findall(r'^FUNCTION\(((?:"[^"]*"\s*)+)(.*?)(?=^[A-Z/#\n])', text, re.MULTILINE | re.DOTALL):
        for name in "".join(re.findall(r'"([^"]*)"', names)).split():
            found[name] = rest
    return found


def split(parameters):
    parts, depth, part = [], 0, ""
    for c in parameters:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return [p for p in parts + [part.strip()] if p not in ("", "void")]


def declared(work, includes):
    """Name: type of the result, types of the parameters."""
    with open(os.path.join(work, "headers.c"), "w", encoding="utf-8") as file:
        file.write(includes)
    status, text = run(["gcc", "-aux-info", "headers.txt", "-fsyntax-only", "headers.c"], work)
    if status:
        sys.exit(f"forms.py: error: {text}")
    found = {}
    with open(os.path.join(work, "headers.txt"), encoding="utf-8") as file:
        for line in file:
            # An inline function's parameters have names.
            m = re.match(r"/\* .*:NC \*/ extern (.*?)(\w+) \((.*)\);", line)
            if m and "(" not in m[1]:
                found[m[2]] = (m[1].strip(), split(m[3]))
    return found


def argument(kind):
    if kind == "...":
        return ""
    plain = kind.replace("const ", "").replace(" const", "").replace("restrict", "").strip()
    if "va_list" in kind:
        return "*list"
    if "(*" in kind or plain.endswith("fn_t") or plain in ("__sighandler_t", "sighandler_t", "__ftw_func_t",
                                                          "__nftw_func_t", "comparison_fn_t"):
        return f"({kind})0"
    if re.search(r"\bFILE \*$", plain):
        return "in"
    if "SOCKADDR_ARG" in plain:
        return "(struct sockaddr *)s->room"
    if plain in ("char *", "void *"):
        return "s->room"
    if plain.endswith("**"):
        return f"({plain})&s->text" if "char" in plain else f"({plain})&s->any"
    if plain.endswith("*"):
        return f"({plain})s->room"
    if SCALARS.match(plain):
        return "n"
    return f"({plain}){{0}}"


def forms(name, result, parameters):
    """Statements, and functions that return the call."""
    call = f"{name}({', '.join(a for a in map(argument, parameters) if a)})"
    taken = [f"{call};", f"(void){call};", f"n++, {call};", f"if (n)\n    {call};\n  else\n    {call};",
             f"do\n    {call};\n  while (n--);", f"switch (n) {{\n  case 1:\n    {call};\n    break;\n  }}"]
    if result == "void":
        return taken + [f"n ? {call} : (void)0;", f"for (; n; {call}, n--)\n    ;"], "void", f"{call};"
    taken += [f"{result} r = {call};\n  use(1, r);", f"use(1, {call});", f"for (; n; n--, {call})\n    ;"]
    pointer = result.endswith("*")
    scalar = pointer or SCALARS.match(result) or result in ("double", "float", "time_t", "pid_t", "off_t", "wint_t")
    if scalar:
        taken += [f"if ({call})\n    n++;", f"while (!{call})\n    n--;", f"n = {call} && n;",
                  f"use(1, n ? {call} : ({result})0);"]
        taken += [f"s->any = (void *){call};" if pointer else f"s->n = (long){call};"]
    if result == "char *":
        taken += [f"s->text = {call};", f"if ((s->text = {call}) != NULL)\n    n++;"]
    return taken, result, f"return n++, {call};"


def program(names, functions, includes):
    text, calls = [includes, PROGRAM], []
    for number, name in enumerate(names):
        statements, result, returned = forms(name, *functions[name])
        bodies = [("void", s) for s in statements] + [(result, returned)]
        for form, (kind, body) in enumerate(bodies):
            text.append(f"{kind} f{number}_{form}(struct kept *s, int n, va_list *list);\n"
                        f"{kind} f{number}_{form}(struct kept *s, int n, va_list *list) {{ // {name}\n"
                        f"  (void)s; (void)n; (void)list;\n  {body}\n}}\n")
            calls.append(f"  f{number}_{form}(s, n, NULL);")
    return "".join(text) + MAIN % "\n".join(calls)


def complaints(folder, include):
    """What gcc says, without places: they move."""
    _, text = run(["gcc", "-std=gnu11", "-Wunused-value", "-Wno-deprecated-declarations", "-fsyntax-only",
                   "-I", include, "forms.c"], folder)
    said = {}
    with open(os.path.join(folder, "forms.c"), encoding="utf-8") as file:
        lines = file.read().split("\n")
    for place, kind, what in re.findall(r"^forms\.c:(\d+):\d+: (?:fatal )?(error|warning): (.*)", text, re.MULTILINE):
        at = int(place) - 1
        while at > 0 and not re.search(r"\{ // \w+$", lines[at]):
            at -= 1
        where = lines[at].split("// ")[-1] if at else "main"
        said.setdefault((where, kind, re.sub(r"\d+|'[^']*'", "", what)), f"{where}: {what} | {lines[int(place) - 1].strip()}")
    return said


def check(names, options, wanted, tools):
    """Errors of a program with these functions, moved with these options."""
    nvmove, include, work, functions, includes = tools
    folder = os.path.join(work, "program")
    run(["rm", "-rf", folder], work)
    os.makedirs(folder)
    with open(os.path.join(folder, "forms.c"), "w", encoding="utf-8") as file:
        file.write(program(names, functions, includes))
    before = complaints(folder, include)
    errors = [f"as it is: {text}" for (_, kind, _), text in before.items() if kind == "error"]
    status, text = run([nvmove, "--load", "load", "--section", "handle", *options, "--out", "out", "forms.c"], folder)
    if status not in (0, 4):
        errors.append(f"nvmove ended with {status}:\n{text[-2000:]}")
    run(["sh", "-c", "for p in out/patches/*.patch; do patch -s --fuzz=0 -p1 < $p || exit 1; done"], folder)
    with open(os.path.join(folder, "forms.c"), encoding="utf-8") as file:
        moved = file.read()
    errors += [f"no call was changed to have {form}" for form in wanted if form not in moved]
    errors += [text for key, text in complaints(folder, include).items() if key not in before]
    status, text = run([nvmove, "--load", "load", "--section", "handle", *options, "--out", "again", "forms.c",
                        "--", "-I", include], folder)
    patches = os.path.join(folder, "again/patches")
    if status not in (0, 4) or os.path.isdir(patches):
        changes = [line for name in sorted(os.listdir(patches)) for line in
                   open(os.path.join(patches, name), encoding="utf-8") if line.startswith("+ ")] if status in (0, 4) else [text]
        errors.append(f"a second run ends with {status} and wants " + "".join(changes[:3]))
    print(f"{len(names)} functions, {moved.count('{ // ')} forms")
    return errors


def main(arguments):
    nvmove, source, work, *only = arguments
    include = os.path.join(os.path.abspath(source), "runtime/include")
    work = os.path.abspath(work)
    os.makedirs(work, exist_ok=True)
    includes = "#define _GNU_SOURCE\n" + "".join(
        f"#if __has_include(<{h}.h>)\n#include <{h}.h>\n#endif\n" for h in HEADERS)
    functions = declared(work, includes)
    table = rows(source)
    names = sorted(n for n in set(table) & set(functions) if not NO_CALLS.fullmatch(n) and (not only or n in only))
    # With others in the program no section commits before an output.
    out = [n for n in names if re.search(r"kind = (Output|Wait|Sleep)", table[n]) and "printsTo" not in table[n]]
    tools = (os.path.abspath(nvmove), include, work, functions, includes)
    errors = check(names, [], [] if only else WRITERS, tools)
    errors += check(out, ["--commit-at-output"], [] if only else WAYS_OUT, tools)
    for e in errors:
        print(f"forms.py: error: {e}")
    return 1 if errors else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
