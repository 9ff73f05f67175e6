#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds store.c with nvmove-cc --observe and compares what its runs show with what they must.

usage: check.py NVMOVE-CC WORK-FOLDER
"""

import collections
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "store.c")
COUNTS = ("made", "kept", "ended", "filled", "leading", "later")
errors = 0


def expect(condition, text):
    global errors
    if not condition:
        errors += 1
        print(f"check.py: error: {text}")


def run(command, **environment):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env={**os.environ, **environment},
                          check=False)
    return done.returncode, done.stdout + done.stderr


def marks():
    with open(SOURCE, encoding="utf-8") as file:
        return {number: mark[1] for number, line in enumerate(file, 1)
                if (mark := re.search(r"SITE (\w+)", line))}


def observed(work, program, *arguments):
    """The file, and its counts and words by the mark of the line: the innermost that has one and is no wrapper."""
    path = os.path.join(work, "observed.json")
    if os.path.exists(path):
        os.remove(path)
    status, text = run([program, *arguments], NVM_OBSERVE=path)
    expect(status == 0 and text == "3\n", f"{arguments}: status {status}, {text}")
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    lines = marks()
    sites = collections.defaultdict(collections.Counter)
    words = collections.defaultdict(lambda: {"written": set(), "changed": set()})
    for site in result["sites"]:
        names = [lines[call["line"]] for call in site["calls"]
                 if os.path.samefile(call["file"], SOURCE) and call["line"] in lines]
        name = next(n for n in names if n != "wrapper")
        sites[name].update({count: site[count] for count in COUNTS if site[count]})
        for kind in words[name]:
            words[name][kind].update(site[kind])
    return result, {name: dict(counts) for name, counts in sites.items()}, words


def statics(result):
    return {s["name"]: (s["leads"], s["written"], s["changed"]) for s in result["statics"]}


def check(work, compiler, level):
    program = os.path.join(work, "store" + level)
    status, text = run([compiler, "--observe=load", level, SOURCE, "-o", program])
    expect(status == 0 and not text, text)
    result, sites, words = observed(work, program)
    expect(result["loadEnded"] and result["load"] == ["load"] and result["waits"] == 1, result)
    expect(sites == {"note": {"made": 3, "kept": 3}, "text": {"made": 3, "kept": 3},
                     "slots": {"made": 3, "kept": 1, "ended": 2}, "parser": {"made": 1, "ended": 1},
                     "table": {"filled": 1, "leading": 1}, "later": {"later": 1}}, f"{level}: {sites}")
    # next, text and loaded by the load; served since. A table's first slot was replaced.
    expect(words["note"] == {"written": {0, 8, 16}, "changed": {24}}, words["note"])
    expect(words["slots"] == {"written": {0, 8, 16}, "changed": {0}}, words["slots"])
    expect(words["table"] == {"written": {0, 8}, "changed": set()}, words["table"])
    expect(statics(result) == {"total": ([], [0], []), "latest": ([0], [0], []), "table": ([0], [], [])},
           f"{level}: {statics(result)}")
    # A load that is left by a jump ends, and what it lost was not freed.
    result, sites, _ = observed(work, program, "jump")
    expect(result["loadEnded"] and sites["note"] == {"made": 3, "kept": 3}, sites)
    # What a child does is not seen, and it writes no file.
    result, sites, _ = observed(work, program, "fork")
    expect(statics(result)["total"] == ([], [0], []), statics(result))


def refused(work, compiler):
    program = os.path.join(work, "none")
    run([compiler, "--observe=laod", SOURCE, "-o", program])
    status, text = run([program])
    expect(status == 64 and "laod [unknown-load-function]" in text, f"{status} {text}")
    run([compiler, "--observe=load", "-s", SOURCE, "-o", program])
    status, text = run([program])
    expect(status == 64 and "[no-symbols]" in text, f"{status} {text}")
    run([compiler, "--observe=load", SOURCE, "-o", program])
    status, text = run([program], NVM_OBSERVE="/nowhere/file")
    expect(status == 0 and "cannot write /nowhere/file" in text, f"{status} {text}")
    for bad in ("--observe", "--observe=", "--observe=a,", "--observe=a b"):
        status, text = run([compiler, bad, SOURCE, "-o", program])
        expect(status == 2 and "--observe" in text, f"{bad}: {status} {text}")


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    compiler, work = arguments
    os.makedirs(work, exist_ok=True)
    for level in ("-O0", "-O2"):
        check(work, compiler, level)
    refused(work, compiler)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
