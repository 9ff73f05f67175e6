#!/usr/bin/env python3
# ===- suite.py - memcached's own tests, before and after the move -------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Runs memcached's own test files on the original and on the moved server.

The moved server runs twice: with a pool, as every server that a test starts gets a
new one, and without. Printed are the test files that do not end as they do with the
original, by name and by the points that differ.
"""

import argparse
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

WRAPPER = """#!/bin/sh
pool={pools}/pool.$$
rm -f "$pool"*
NVM_POOL=$pool exec {program} "$@" 2>{pools}/err.$$
"""


def points(output):
    """What each point of a test file was: True, or False for one that fails."""
    result = {}
    for line in output.splitlines():
        if match := re.match(r"(not )?ok (\d+)( - (?!#).*)?( ?# (skip|TODO).*)?", line, re.I):
            result[int(match[2])] = match[1] is None or match[5] is not None
    return result


def run_file(tree, name, timeout_s):
    try:
        result = subprocess.run(["perl", f"t/{name}"], cwd=tree, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, timeout=timeout_s, errors="replace", check=False)
    except subprocess.TimeoutExpired as error:
        text = (error.stdout or b"").decode(errors="replace")
        return points(text), "timeout", text
    return points(result.stdout), result.returncode, result.stdout


def prepare(tree, work, name, with_pool):
    """A folder that looks like the tree of the tests, with the server that they start."""
    folder = os.path.join(work, name)
    os.makedirs(folder)
    for entry in os.listdir(tree):
        if entry not in ("memcached-debug", "memcached", "t"):
            os.symlink(os.path.join(tree, entry), os.path.join(folder, entry))
    shutil.copytree(os.path.join(tree, "t"), os.path.join(folder, "t"))
    for program in ("memcached", "memcached-debug"):
        path = os.path.join(folder, program)
        if with_pool:
            pools = os.path.join(work, "pools-" + name)
            os.makedirs(pools, exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(WRAPPER.format(pools=pools, program=os.path.join(tree, program)))
            os.chmod(path, 0o755)
        else:
            os.symlink(os.path.join(tree, program), path)
    return folder


def run_all(folder, names, options):
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = dict(zip(names, pool.map(lambda n: run_file(folder, n, options.timeout), names)))
    for name, (_, _, text) in results.items():
        with open(os.path.join(folder, name + ".log"), "w", encoding="utf-8") as file:
            file.write(text)
    return results


def differences(before, after):
    result = []
    for name, (was, was_status, _) in sorted(before.items()):
        now, status, _ = after[name]
        bad = sorted(n for n, passed in was.items() if passed and not now.get(n, False))
        if bad or (was_status == 0 and status != 0):
            result.append(f"{name}: ended with {status}, not {was_status}; points {bad[:12]}{'..' if len(bad) > 12 else ''}")
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--original", required=True, help="tree with memcached-debug, built")
    parser.add_argument("--tree", required=True, help="the port, the same")
    parser.add_argument("--only", action="append", help="name of a test file: getset.t")
    parser.add_argument("--jobs", type=int, default=3)
    parser.add_argument("--timeout", type=int, default=180, help="seconds for one file")
    parser.add_argument("--keep", help="folder for the output of each file")
    options = parser.parse_args()
    names = options.only or [os.path.basename(p) for p in sorted(glob.glob(os.path.join(options.original, "t", "*.t")))]
    work = options.keep or tempfile.mkdtemp(prefix="memcached-suite.", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    os.makedirs(work, exist_ok=True)
    original, tree = os.path.abspath(options.original), os.path.abspath(options.tree)
    before = run_all(prepare(original, work, "original", False), names, options)
    passed = sum(sum(p.values()) for p, _, _ in before.values())
    print(f"original: {len(names)} files, {passed} points, not passed: "
          f"{[n for n, (_, s, _) in sorted(before.items()) if s != 0] or 'none'}", flush=True)
    failed = False
    for title, with_pool in (("moved, with a pool", True), ("moved, without", False)):
        after = run_all(prepare(tree, work, "pool" if with_pool else "plain", with_pool), names, options)
        found = differences(before, after)
        print(f"{title}: {sum(sum(p.values()) for p, _, _ in after.values())} points, {len(found)} files differ")
        for line in found:
            print("  " + line)
        failed |= bool(found)
    if not options.keep:
        shutil.rmtree(work, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
