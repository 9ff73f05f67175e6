#!/usr/bin/env python3
# ===- truth.py - Found types beside those that a reader found ----------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Runs `nvmove --print types` on a tree and compares with a truth file.

A missing type (false negative) always fails, with --roots a missing root too, as
do the roots that the truth file names as none ("not_roots": kept, they lead to what
ended with the process), and so does a field that is called transient or recomputable although it holds saved data.
Types too many (false positives) fail above --max-extra, or above half of what
the worklist algorithm finds too many; borderline types of the truth file count
as neither. Sources and flags may stand in the truth file, under "build", and a
lower bound, "max_extra". Without the tree the status is 77.
"""

import argparse
import fnmatch
import glob
import json
import os
import subprocess
import sys


def names(entries):
    return {entry["type"] if isinstance(entry, dict) else entry for entry in entries}


def sources(patterns, tree):
    """The files that the patterns name, each once, relative to the tree."""
    found = {}
    for pattern in patterns:
        matches = sorted(glob.glob(os.path.join(tree, pattern)))
        if not matches:
            sys.exit(f"truth.py: error: no files match {pattern} in {tree}")
        found.update((os.path.relpath(file, tree), None) for file in matches)
    return list(found)


def printed(options, what, *more):
    """The lines of `nvmove --print what`."""
    command = [options.nvmove, "--load", ",".join(options.load), "--print", what, *options.option, *more,
               *sources(options.sources, options.tree)]
    if options.flags:
        command += ["--", *options.flags]
    result = subprocess.run(command, cwd=options.tree, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"truth.py: error: nvmove ended with status {result.returncode}\n{result.stderr}")
    return {line.removeprefix("struct ").strip() for line in result.stdout.splitlines() if line.strip()}


def check_fields(options, truth):
    """Prints how good the verdicts on fields are; the number of wrong ones that matter."""
    fields = truth.get("fields")
    if not fields:
        return 0
    verdicts = dict(line.split("\t") for line in printed(options, "fields"))

    def named(kind):
        # A type that is not found is counted as missing already.
        return {field for pattern in fields[kind] for field in verdicts if fnmatch.fnmatchcase(field, pattern)}

    def called(*names):
        return {field for field, verdict in verdicts.items() if verdict in names}

    transient, counts = named("transient"), named("recomputable")
    data = named("persistent") - transient - counts  # a field by name beside all of a type
    judged = data | transient | counts
    wrong = called("transient", "recomputable") & data
    for kind, truly in (("transient", transient), ("recomputable", counts)):
        found = called(kind) & judged
        right = found & truly
        print(f"{kind} fields: {len(right)} of {len(truly)} found, {len(right)} of {len(found)} right")
        if found - truly:
            print(f"called {kind}, but not: {' '.join(sorted(found - truly))}")
        if truly - right:
            print(f"{kind}, but called otherwise: {' '.join(sorted(f'{f}={verdicts[f]}' for f in truly - right))}")
    return len(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvmove", default="nvmove")
    parser.add_argument("--truth", required=True)
    parser.add_argument("--tree", required=True, help="unchanged source tree")
    parser.add_argument("--sources", action="append", help="glob in the tree (default: src/*.c)")
    parser.add_argument("--option", action="append", default=[], help="further option for nvmove")
    parser.add_argument("--max-extra", type=int, default=4)
    parser.add_argument("--half-of-worklist", action="store_true", help="the bound instead of --max-extra")
    parser.add_argument("--roots", action="store_true", help="the truth file's roots must be found")
    options = parser.parse_args()
    if not os.path.isdir(options.tree):
        print("truth.py: skipped: the source is not there")
        sys.exit(77)
    with open(options.truth, encoding="utf-8") as file:
        truth = json.load(file)
    build = truth.get("build", {})
    options.load = truth["load"]
    options.sources = options.sources or build.get("sources") or ["src/*.c"]
    options.flags = build.get("flags", [])
    persistent, borderline = names(truth["persistent"]), names(truth.get("borderline", []))
    found = printed(options, "types")
    missing = persistent - found
    extra = found - persistent - borderline
    if options.half_of_worklist:
        worklist = printed(options, "types", "--algorithm", "worklist") - persistent - borderline
        options.max_extra = min(len(worklist) // 2, truth.get("max_extra", len(worklist)))
    # Too many by name: each has its cause in the truth file, and no other may come.
    known = names(truth.get("known_extra", []))
    lines = printed(options, "roots") if options.roots or "not_roots" in truth else set()
    roots = {line.split("\t")[0] for line in lines}
    missing_roots = set(truth["roots"]) - roots if options.roots else set()
    false_roots = set(truth.get("not_roots", [])) & lines  # kept: nothing stands behind the name
    print(f"{len(found)} types found; {len(persistent)} true, {len(missing)} missing, "
          f"{len(extra)} too many (at most {options.max_extra})")
    for title, group in (("missing", missing), ("too many", extra), ("borderline", found & borderline),
                         ("missing roots", missing_roots), ("false roots", false_roots)):
        if group:
            print(f"{title}: {' '.join(sorted(group))}")
    wrong_fields = check_fields(options, truth)
    if options.roots:
        print(f"roots: {len(set(truth['roots']) - missing_roots)} of {len(truth['roots'])} found")
    too_many = len(extra) > options.max_extra and extra - known
    return 1 if missing or missing_roots or false_roots or wrong_fields or too_many else 0


if __name__ == "__main__":
    sys.exit(main())
