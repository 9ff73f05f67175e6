#!/usr/bin/env python3
# ===- patches.py - Do the patches apply, and does the program still compile? -===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Patches a program of the corpus layer by layer; each layer must compile, the last must link.

What the compiler says about the unchanged program is no finding: only errors
and warnings that the patches bring are counted.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "e2e"))
import truth  # noqa: E402


def pkg_config(what):
    return subprocess.run(["pkg-config", what, "nvmove"], capture_output=True, text=True, check=True).stdout.strip()


MESSAGE = re.compile(r"^(\S+?):\d+(?::\d+)?: (?:fatal )?(error|warning): (.*)$")


def messages(compiler, flags, tree, file):
    """What the compiler says about a file, without the lines, since patches move them."""
    command = [compiler, "-fsyntax-only", "-fdiagnostics-color=never", *flags, file]
    result = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    found = [match.groups() for match in map(MESSAGE.match, result.stderr.splitlines()) if match]
    if result.returncode and not any(severity == "error" for _, severity, _ in found):
        found.append((file, "error", result.stderr))
    return found


def compile_all(compilers, flags, tree, files, jobs):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        tasks = [pool.submit(messages, compiler, flags, tree, file) for compiler in compilers for file in files]
        return collections.Counter(message for task in tasks for message in task.result())


def undefined(compiler, flags, tree, files, jobs):
    """Joins all files to one object and gives the names that it leaves undefined."""
    with tempfile.TemporaryDirectory() as folder:
        objects = [os.path.join(folder, f"{number}.o") for number in range(len(files))]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(lambda pair: subprocess.run([compiler, "-w", *flags, "-c", pair[0], "-o", pair[1]], cwd=tree,
                                                      check=True), zip(files, objects)))
        whole = os.path.join(folder, "whole.o")
        subprocess.run(["ld", "-r", "-o", whole, *objects], check=True)
        return names_in(["-u", whole])


def names_in(nm_arguments):
    result = subprocess.run(["nm", "-P", *nm_arguments], capture_output=True, text=True, check=True)
    return {line.split()[0].partition("@")[0] for line in result.stdout.splitlines() if line}


def analyse(program, options, tree, out, more=()):
    """Runs nvmove on a tree: its output folder and report."""
    files, flags = truth.sources(program["build"]["sources"], tree), program["build"].get("flags", [])
    command = [options.nvmove, "--load", ",".join(program["load"]), "--out", out, *more, *files, "--", *flags]
    result = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    if result.returncode not in (0, 4):
        sys.exit(f"patches.py: error: nvmove ended with status {result.returncode}\n{result.stderr}")
    with open(os.path.join(out, "report.json"), encoding="utf-8") as file:
        report = json.load(file)
    # Only what the program is known to need may be there to act on.
    act = sorted({f["id"] for f in report["findings"] if f["severity"] == "act"})
    if not set(act) <= set(program.get("act", [])) or result.returncode != (4 if act else 0):
        sys.exit(f"patches.py: error: status {result.returncode}, to act on: {act}, expected: {program.get('act', [])}")
    return out, report


def apply(out, patch, tree):
    path = os.path.join(out, "patches", patch)
    applied = subprocess.run(["patch", "-p1", "--fuzz=0", "-i", path], cwd=tree, capture_output=True, text=True,
                             check=False)
    if applied.returncode:
        sys.exit(f"patches.py: error: {patch} does not apply\n{applied.stdout}{applied.stderr}")


def move(program, options, folder, more):
    """A patched copy of the tree, and the report."""
    tree = os.path.join(folder, "tree")
    shutil.copytree(options.tree, tree)
    out, report = analyse(program, options, tree, os.path.join(folder, "out"), more)
    for patch in report["patches"]:
        apply(out, patch["name"], tree)
    return tree, report


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvmove", default="nvmove")
    parser.add_argument("--truth", required=True)
    parser.add_argument("--tree", required=True, help="unchanged source tree")
    parser.add_argument("--compiler", action="append", default=[])
    parser.add_argument("-j", type=int, default=1)
    options = parser.parse_args()
    with open(options.truth, encoding="utf-8") as file:
        program = json.load(file)
    flags = program["build"].get("flags", [])
    compilers = options.compiler or ["gcc"]
    patched_flags = pkg_config("--cflags").split() + flags
    with tempfile.TemporaryDirectory() as folder:
        tree = os.path.join(folder, "tree")
        shutil.copytree(options.tree, tree)
        files = truth.sources(program["build"]["sources"], tree)
        before = compile_all(compilers, flags, tree, files, options.j)
        errors = [f"{file}: {text}" for file, severity, text in before if severity == "error"]
        if errors:
            sys.exit("patches.py: error: the unchanged program does not compile\n" + "\n".join(errors))
        out, report = analyse(program, options, tree, os.path.join(folder, "out"))
        failures = 0
        for patch in report["patches"]:
            apply(out, patch["name"], tree)
            found = compile_all(compilers, patched_flags, tree, files, options.j)
            brought = found - before
            failures += brought.total()
            print(f"{patch['name']}: {brought.total()} new errors and warnings")
            for (file, severity, text), times in sorted(brought.items())[:40]:
                print(f"  {file}: {severity}: {text} ({times})")
        if not failures:
            library = os.path.join(pkg_config("--variable=libdir"), "libnvmove.a")
            program_files = [file["path"] for file in report["files"] if file["state"] == "analysed"]
            lost = undefined(compilers[0], patched_flags, tree, program_files, options.j)
            lost -= undefined(compilers[0], flags, options.tree, program_files, options.j)
            lost -= names_in(["--defined-only", "-g", library])
            failures += len(lost)
            print(f"linked: {len(lost)} new names are defined nowhere {' '.join(sorted(lost))}")
    return 1 if failures or not report["patches"] else 0


if __name__ == "__main__":
    sys.exit(main())
