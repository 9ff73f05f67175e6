#!/usr/bin/env python3
# ===- run.py - Generated programs: types, and restarts -------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""usage: run.py types|restarts NVMOVE RUNTIME-INCLUDE RUNTIME-LIBRARY [FIRST LAST]

generate.py writes a program for each seed.

types: the program is run with each of its blocks traced (trace.c). The types of
those that the load made, and that static memory or a local of main leads to when
it has ended, must be among the types that nvmove finds.

restarts: it is patched, fed, killed with SIGKILL and started again, twice. Each
time it must show what the program without a pool shows that is fed the same
without a stop. Only what the load fills is shown and changed, with records of
types that hang from there then: what else the program keeps is not the load's.

With NVMOVE_LONG=1 there are twenty times as many programs. NVMOVE_KEEP names a
folder where those that fail are kept.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

from generate import Program

HERE = os.path.dirname(os.path.abspath(__file__))
SEEDS = {"types": range(1, 61), "restarts": range(1, 31)}
CC = ["cc", "-w", "-g", "-fno-strict-aliasing"]
FIRST, SECOND = "abcdefghABC", "xyzBCDEFab"


class Unfit(Exception):
    """The program is no example: it uses freed memory, runs for ever or keeps nothing."""


def run(*command, cwd, given="", **environment):
    return subprocess.run(command, cwd=cwd, input=given, capture_output=True, text=True, check=False, timeout=60,
                          errors="replace", env={**os.environ, **environment})


def must(what, result):
    if result.returncode:
        raise AssertionError(f"{what} failed with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result.stdout


def write(folder, program):
    os.makedirs(os.path.join(folder, "src"), exist_ok=True)
    for name in ("containers.h", "containers.c"):
        shutil.copy(os.path.join(HERE, name), os.path.join(folder, "src"))
    with open(os.path.join(folder, "src", "p.c"), "w", encoding="utf-8") as out:
        out.write(program.text())
    with open(os.path.join(folder, "state"), "wb") as out:
        out.write(bytes(range(1, 200)))


def plain(folder, given):
    """What the program shows each time that it is asked, and at its start."""
    must("the compiler", run(*CC, "p.c", "containers.c", "-o", "../plain", cwd=os.path.join(folder, "src")))
    try:
        result = run("./plain", "state", cwd=folder, given=given)
    except subprocess.TimeoutExpired as e:
        raise Unfit from e
    if result.returncode:
        raise Unfit
    return result.stdout.split("end\n")


def traced(folder):
    """The types of blocks that the load made and that are still led to."""
    trace = os.path.join(HERE, "trace.c")
    must("the compiler", run(*CC, "-DTRACE", "p.c", "containers.c", trace, "-o", "../traced",
                             cwd=os.path.join(folder, "src")))
    try:
        result = run("./traced", "state", cwd=folder)
    except subprocess.TimeoutExpired as e:
        raise Unfit from e
    if result.returncode:
        raise Unfit
    return set(re.findall(r"^struct (\w+)$", result.stdout.split("\n\n")[0], re.M))


def check_types(seed, folder, nvmove, *_):
    write(folder, Program(seed))
    true = traced(folder)
    found = must("nvmove", run(nvmove, "--load", "load", "--print", "types", "p.c", "containers.c",
                               cwd=os.path.join(folder, "src"))).split()
    if missing := sorted(true - set(found)):
        raise AssertionError("missing: " + " ".join(missing))


def filled(shown):
    """The places that hold anything."""
    return {line.split(":")[0] for line in shown.split("\n")
            if re.search(r"[1-9]", line.partition(":")[2])}


def check_restarts(seed, folder, nvmove, include, library):
    write(folder, Program(seed))
    records = {int(t[1:]) for t in traced(folder) if re.fullmatch(r"t\d+", t)}
    only = filled(plain(folder, "")[0])
    if not only or not records:
        raise Unfit
    write(folder, Program(seed, only, records))
    start, first, second = plain(folder, FIRST + "?" + SECOND + "?")[:3]
    src = os.path.join(folder, "src")
    must("nvmove", run(nvmove, "--load", "load", "--out", "../out", "p.c", "containers.c", cwd=src))
    patches = os.path.join(folder, "out", "patches")
    for name in sorted(os.listdir(patches)):
        must("patch", run("patch", "-s", "-p1", "-i", os.path.join(patches, name), cwd=src))
    must("the compiler, after the patches", run(*CC, "-I", include, "p.c", "containers.c", "-o", "../moved", library,
                                                "-lpmemobj", "-lpthread", "-ldl", cwd=src))
    runs = (("the first run", FIRST + "?K", [start, first]), ("the second run", SECOND + "?K", [first, second]),
            ("the third run", "", [second]))
    for what, given, expected in runs:
        result = run("./moved", "state", cwd=folder, given=given, NVM_POOL=os.path.join(folder, "pool"),
                     NVM_SIZE="64M", NVM_ASLR="1")
        if result.stdout.split("end\n")[:-1] != expected:
            difference = [f"{a!r} instead of {b!r}" for ours, its in zip(result.stdout.split("end\n"), expected)
                          for a, b in zip(ours.split("\n"), its.split("\n")) if a != b]
            raise AssertionError(f"{what} ({result.returncode}): {result.stderr} " + "\n  ".join(difference[:4]))


def main():
    mode, (nvmove, include, library) = sys.argv[1], (os.path.abspath(a) for a in sys.argv[2:5])
    seeds = SEEDS[mode]
    if len(sys.argv) > 6:
        seeds = range(int(sys.argv[5]), int(sys.argv[6]) + 1)
    elif os.environ.get("NVMOVE_LONG") == "1":
        seeds = range(1, 20 * len(seeds) + 1)
    os.environ.pop("NVM_POOL", None)
    fit = failed = 0
    for seed in seeds:
        folder = tempfile.mkdtemp(prefix="nvmove-generated-")
        try:
            (check_types if mode == "types" else check_restarts)(seed, folder, nvmove, include, library)
            fit += 1
        except Unfit:
            pass
        except AssertionError as e:
            failed += 1
            print(f"seed {seed}: {e}", flush=True)
            if keep := os.environ.get("NVMOVE_KEEP"):
                shutil.copytree(folder, os.path.join(keep, str(seed)), dirs_exist_ok=True,
                                ignore=shutil.ignore_patterns("pool"))
        finally:
            shutil.rmtree(folder)
    print(f"{fit} of {len(seeds)} programs were as they should be, {failed} were not, the others are no examples")
    return 1 if failed or fit < len(seeds) // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
