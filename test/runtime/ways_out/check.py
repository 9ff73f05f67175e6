#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Walks the ways out of a process: what somebody outside has seen is durable.

usage: check.py COMPILER INCLUDE-FOLDER WORK-FOLDER LIBRARY..

- Each system call of this machine is known: to inside.txt, or by a row of
  passes/facts/Library.def that lets something out; and so is each function of
  stdio that writes to a stream.
- Each row of the kind Output is gone through, in a section and in one within a
  section, by a program that is killed then. What came out of it stands for a
  change that must be there at the next start. A program that goes out without
  a commit must lose its change, so that the test tells the two apart.
"""

import os
import re
import socket
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "../../../passes/facts/Library.def")
ROWS = 1024  # of harness.c

# Forms of the runtime: as a program calls them. What goes to a regular file commits
# in an outermost section only.
FORMS = {
    "nvm_write": 'nvm_write(0, "x", 1)',
    "nvm_writev": "nvm_writev(0, handed.part, 1)",
    "nvm_pwrite": 'nvm_pwrite(handed.file, "x", 1, 0)',
    "nvm_pwritev": "nvm_pwritev(handed.file, handed.part, 1, 0)",
    "nvm_send": 'nvm_send(0, "x", 1, 0)',
    "nvm_sendto": 'nvm_sendto(0, "x", 1, 0, 0, 0)',
    "nvm_sendmsg": "nvm_sendmsg(0, handed.message, 0)",
    "nvm_sendmmsg": "nvm_sendmmsg(0, handed.messages, 1, 0)",
    "nvm_sendfile": "long from = 0; nvm_sendfile(0, handed.file, &from, 1)",
    "nvm_dprintf": 'nvm_dprintf(0, "%s", "x")',
    "nvm_vdprintf": 'list(0, "%s", "x")',
    "nvm_fflush": "nvm_fflush(handed.stream)",
}
TO_FILES = {"nvm_pwrite", "nvm_pwritev"}
# System calls that libc has by another name, or by syscall() alone.
OTHER_NAME = {
    "pwrite64": "pwrite", "exit": "_exit", "exit_group": "_exit", "rt_sigqueueinfo": "sigqueue", "clone3": "clone",
    "syslog": "klogctl",
}
BY_SYSCALL = {"tkill", "rt_tgsigqueueinfo", "kexec_load", "kexec_file_load", "bpf", "finit_module", "quotactl_fd", "add_key",
              "request_key", "keyctl"}
WRITES_TO_STREAM = r"v?f?w?printf|f?puts|f?putw?s|f?putw?c|putw|putw?char|fwrite"
errors = 0


def expect(condition, text):
    global errors
    if not condition:
        errors += 1
        print(f"check.py: error: {text}")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def rows():
    """name -> what the row says, of all that may let something out."""
    table = dict(re.findall(r'^FUNCTION\("(\w+)",?\s*(.*?)\)$', read(TABLE), re.MULTILINE | re.DOTALL))
    return {name: row for name, row in table.items()
            if ".kind = Output" in row or ".printsTo" in row or re.search(r"\bLogs\b", row)}


def outputs(table):
    """name -> form or None."""
    for name, row in table.items():
        if ".kind = Output" in row:
            form = re.search(r'\.form = "(\w+)"', row)
            yield name, form[1] if form else None


def headers(compiler, names, *options):
    text = "".join(f"#include <{name}>\n" for name in names)
    return subprocess.run([compiler, "-E", *options, "-x", "c", "-"], input=text, capture_output=True, text=True,
                          check=True).stdout


def known(compiler, table):
    calls = set(re.findall(r"#define __NR_(\w+) ", headers(compiler, ["asm/unistd.h"], "-dM")))
    expect(len(calls) > 200, f"{len(calls)} system calls")
    inside = set(re.sub(r"#.*", "", read(os.path.join(HERE, "inside.txt"))).split())
    for call in sorted(calls):
        row = "syscall" if call in BY_SYSCALL else OTHER_NAME.get(call, call)
        expect((row in table) != (call in inside),
               f"{call}: a system call that is {'both' if call in inside else 'neither'} in inside.txt and a way out in Library.def")
    stdio = set(re.findall(r"\b(\w+) \(", headers(compiler, ["stdio.h", "wchar.h"], "-D_GNU_SOURCE", "-O2")))
    writers = {name for name in stdio if re.fullmatch(rf"({WRITES_TO_STREAM})(_unlocked)?", name)}
    expect(len(writers) > 20, f"{len(writers)} functions of stdio write to a stream")
    expect(not writers - set(table), f"write to a stream and have no row: {sorted(writers - set(table))}")


def source(ways):
    """Forms are called as they are; what has none is a stand-in by its name."""
    lines = ["#include <nvmove/nvm.h>", '#include "harness.h"', "static int list(int fd, const char *format, ...) {",
             "  __builtin_va_list a; __builtin_va_start(a, format);", "  return nvm_vdprintf(fd, format, a);", "}"]
    lines += [f"static long {name}(long a) {{ return said(); }}" for name, form in ways if not form]
    lines.append("const char *const row_names[] = {" + ", ".join(f'"{name}"' for name, _ in ways) + ', "control"};')
    lines.append("void go(long row) {\n  switch (row) {")
    for number, (name, form) in enumerate(ways):
        expect(not form or form in FORMS, f"{name}: no example of {form}")
        call = FORMS.get(form, "0") if form else f"NVM_OUTPUT({name})(1)"
        lines.append(f"  case {number}: {{ {call}; break; }}")
    lines.append(f"  case {len(ways)}: said();")
    return "\n".join(lines + ["  }\n}\n"])


def go_out(program, row, nested, environment):
    here, there = socket.socketpair()
    with here, there:
        done = subprocess.run([program, str(row), *(["nested"] if nested else [])], stdin=there, env=environment,
                              capture_output=True, text=True, timeout=60, check=False)
        here.setblocking(False)
        try:
            seen = here.recv(1)
        except BlockingIOError:
            seen = b""
    return done, seen


def durable(compiler, include, work, libraries, table):
    ways = sorted(outputs(table))
    expect(100 < len(ways) < ROWS, f"{len(ways)} ways out")
    os.makedirs(work, exist_ok=True)
    rows_c, program, pool = (os.path.join(work, name) for name in ("rows.c", "ways_out", "pool"))
    with open(rows_c, "w", encoding="utf-8") as file:
        file.write(source(ways))
    options = ["-O1", "-g", "-fno-builtin", "-w", "-I", include, "-I", HERE]
    subprocess.run([compiler, *options, os.path.join(HERE, "harness.c"), rows_c, "-o", program, *libraries], check=True)
    if os.path.exists(pool):
        os.remove(pool)
    environment = {**os.environ, "NVM_POOL": pool, "NVM_SIZE": "32M"}
    wanted = set()
    for row, (name, form) in enumerate([*ways, ("control", None)]):
        for nested in (False, True):
            if nested and form in TO_FILES:
                continue
            done, seen = go_out(program, row, nested, environment)
            what = name + (" nested" if nested else "")
            expect(done.returncode == -9, f"{what}: status {done.returncode}: {done.stderr}")
            expect(seen == b"x" or form in TO_FILES, f"{what}: nothing came out")
            if name != "control":
                wanted.add(what)
    found = subprocess.run([program], env=environment, capture_output=True, text=True, check=True).stdout.splitlines()
    expect(not wanted - set(found), f"came out before their commit: {sorted(wanted - set(found))}")
    expect(not set(found) - wanted, f"committed without being asked: {sorted(set(found) - wanted)}")
    print(f"{len(ways)} ways out, {len(wanted)} kills")


def main(arguments):
    if len(arguments) < 4:
        print(__doc__, file=sys.stderr)
        return 2
    compiler, include, work, *libraries = arguments
    table = rows()
    known(compiler, table)
    durable(compiler, include, work, libraries, table)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
