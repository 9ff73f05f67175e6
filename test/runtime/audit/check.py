#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds programs with nvmove-cc and compares what they say with what they must.

usage: check.py audit|wrap NVMOVE-CC WRAP.OPTIONS WORK-FOLDER

audit   missing.c: each marked line is reported, with its number of stores and
        its field; no other line is; the exit status tells.
wrap    wrapped.c: with --wrap each libc function announces what it writes and
        does what it does elsewhere; without, none is announced (so the test
        tells the two apart); with --audit each is reported. Every wrapped name
        is tested.
"""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
UNANNOUNCED = 70
# Any number of destinations; no longer in libc; another library's.
NOT_WRAPPED = {"scanf", "fscanf", "sscanf", "wscanf", "fwscanf", "swscanf", "gets", "gzread", "gzgets"}
errors = 0


def expect(condition, text):
    global errors
    if not condition:
        errors += 1
        print(f"check.py: error: {text}")


def run(command, **environment):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, errors="replace",
                          env={**os.environ, **environment}, check=False)
    return done.returncode, done.stdout + done.stderr


def build(compiler, mode, source, program, *options):
    status, text = run([compiler, *mode, "-O2", *options, os.path.join(HERE, source), "-o", program])
    expect(status == 0 and not text, f"{source} {mode}: {text}")


def in_pool(work, program, *arguments, **environment):
    pool = os.path.join(work, "pool")
    if os.path.exists(pool):
        os.remove(pool)
    return run([program, *arguments], NVM_POOL=pool, NVM_SIZE="32M", **environment)


def marks():
    with open(os.path.join(HERE, "missing.c"), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            mark = re.search(r"MISSED: (\d+) ([^ ]+)", line)
            if mark:
                yield number, int(mark[1]), mark[2]


def audit(compiler, _, work):
    program = os.path.join(work, "missing")
    build(compiler, ["--audit"], "missing.c", program)
    wanted = {(line, what) for line, _, what in marks()}
    counts = {(line, count) for line, count, _ in marks()}
    status, text = in_pool(work, program)
    found = {(int(line), what) for line, what in
             re.findall(r"audit: \S*missing\.c:(\d+) .*unannounced store of \d+ bytes to 0x\w+: ([^,]+),", text)}
    counted = {(int(line), int(n)) for line, n in re.findall(r"missing\.c:(\d+) \(\w+\): (\d+) stores", text)}
    expect(wanted and found == wanted, f"reported {sorted(found)}, not {sorted(wanted)}:\n{text}")
    expect(counted == counts, f"counted {sorted(counted)}, not {sorted(counts)}:\n{text}")
    expect(status == UNANNOUNCED, f"exit status {status}")
    status, text = in_pool(work, program, "announced")
    expect(status == 0 and "every store to the heap was announced" in text and "unannounced" not in text,
           f"status {status}:\n{text}")


def verdicts(text):
    return dict(re.findall(r"^(\w+): (\w+)$", text, re.MULTILINE))


def library_writers():
    """What the solver knows to write through a pointer."""
    table = os.path.join(HERE, "../../../passes/facts/Library.def")
    with open(table, encoding="utf-8") as file:
        return set(re.findall(r'FUNCTION\("(\w+)", \.kind = (?:Input|Write|Print|Unbounded|Nondeterministic),\s+'
                              r"\.destination = \d", file.read()))


def wrap(compiler, options, work):
    with open(options, encoding="utf-8") as file:
        names = set(re.findall(r"--wrap=(\w+)", file.read()))
    missing = library_writers() - names - NOT_WRAPPED
    expect(not missing, f"neither wrapped nor known as impossible: {missing}")
    for mode, verdict in ((["--wrap"], "announced"), ([], "unannounced")):
        program = os.path.join(work, "wrapped" + "".join(mode))
        build(compiler, mode, "wrapped.c", program, "-fno-builtin", "-w")
        for engine in ("redo", "undo"):
            status, text = in_pool(work, program, *([] if mode else ["plain"]), NVM_VERIFY="1", NVM_ENGINE=engine)
            got = verdicts(text)
            expect(status == 0, f"{mode} {engine}: status {status}:\n{text}")
            wrong = {name: v for name, v in got.items() if v != verdict}
            expect(not wrong, f"{mode} {engine}: {wrong}")
            tested = {re.sub("_heap$", "", name) for name in got}
            expect(tested == names, f"{mode}: tested but not wrapped {tested - names}, "
                                    f"wrapped but not tested {names - tested}")
    program = os.path.join(work, "wrapped-audit")
    build(compiler, ["--audit"], "wrapped.c", program, "-fno-builtin", "-w")
    status, text = in_pool(work, program)
    found = set(re.findall(r"audit: \S+ \((?:call|through)_(\w+)\): unannounced", text))
    expect(found == set(verdicts(text)), f"--audit is silent on {set(verdicts(text)) - found}\n{text}")
    expect(status == UNANNOUNCED, f"exit status {status}")


def main(arguments):
    if len(arguments) != 4 or arguments[0] not in ("audit", "wrap"):
        print(__doc__, file=sys.stderr)
        return 2
    what, compiler, options, work = arguments
    os.makedirs(work, exist_ok=True)
    {"audit": audit, "wrap": wrap}[what](compiler, options, work)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
