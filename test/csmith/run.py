#!/usr/bin/env python3
# ===- run.py - Generated programs, before and after ---------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""usage: run.py NVMOVE RUNTIME-INCLUDE RUNTIME-LIBRARY

Csmith writes C programs that use the language to its limits and print a checksum
of all their variables. Each is collected, linked, patched, compiled and run
without a pool and with a new one: it has to print what the original prints. With
NVMOVE_LONG=1 there are twenty times as many programs.
"""

import os
import subprocess
import sys
import tempfile

SEEDS = range(1, 13)
CSMITH = ["csmith", "--max-funcs", "5", "--max-block-depth", "3", "--max-expr-complexity", "6"]
INCLUDE = "/usr/include/csmith"
RUN_SECONDS = 5


def run(*command, cwd=None, **settings):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=120, **settings)


def must(what, result):
    if result.returncode:
        raise AssertionError(f"{what} failed with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result


def output(program, **environment):
    """What the program prints; None if it takes too long."""
    try:
        result = subprocess.run([program], capture_output=True, text=True, check=False, timeout=RUN_SECONDS,
                                env={**os.environ, **environment})
    except subprocess.TimeoutExpired:
        return None
    return result.returncode, result.stdout


def check(seed, nvmove, include, library):
    """Whether the program could be compared; raises if it differs."""
    with tempfile.TemporaryDirectory(prefix="nvmove-csmith-") as folder:
        def path(name):
            return os.path.join(folder, name)
        must("csmith", run(*CSMITH, "--seed", str(seed), "-o", path("p.c"), cwd=folder))
        flags = ["-std=gnu99", "-w", "-fwrapv", "-I", INCLUDE]
        must("the compiler", run("cc", "-O1", *flags, "p.c", "-o", path("before"), cwd=folder))
        before = output(path("before"))
        if before is None:
            return False
        must("collect", run(nvmove, "collect", "p.c", "-o", "p.facts", "--no-cache", "--", *flags, cwd=folder))
        # Such a program has no main loop, so there is something to act on.
        linked = run(nvmove, "link", "--load", "func_1", "p.facts", cwd=folder)
        if linked.returncode != 4 or "no-sections" not in linked.stdout:
            must("link", linked)
        patches = path("nvmove-out/patches")
        names = sorted(os.listdir(patches)) if os.path.isdir(patches) else []
        for name in names:
            with open(os.path.join(patches, name), encoding="utf-8") as text:
                must("patch", run("patch", "-p1", cwd=folder, stdin=text))
        must("the compiler, after the patches",
             run("cc", "-O1", *flags, "-I", include, "p.c", "-o", path("after"), library, "-lpmemobj", "-lpthread",
                 cwd=folder))
        for where, environment in (("without a pool", {}), ("with a new pool", {"NVM_POOL": path("pool")})):
            after = output(path("after"), **environment)
            if after is None or after != before:
                raise AssertionError(f"{where}: {after} instead of {before}")
        return bool(names)


def main():
    nvmove, include, library = (os.path.abspath(a) for a in sys.argv[1:4])
    seeds = range(1, 20 * len(SEEDS) + 1) if os.environ.get("NVMOVE_LONG") == "1" else SEEDS
    os.environ.pop("NVM_POOL", None)
    failed = patched = 0
    for seed in seeds:
        try:
            patched += check(seed, nvmove, include, library)
        except AssertionError as error:
            failed += 1
            print(f"seed {seed}: {error}")
    print(f"{len(seeds)} programs, {patched} of them patched and compared, {failed} failed")
    # A comparison of nothing is no success.
    return 1 if failed or patched * 2 < len(seeds) else 0


if __name__ == "__main__":
    sys.exit(main())
