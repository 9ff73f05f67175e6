#!/usr/bin/env python3
# ===- truth.py - Found types beside those that a reader found ----------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Runs `nvmove --print types` on a tree and compares with a truth file.

A missing type (false negative) always fails. Types too many (false positives)
fail above --max-extra; borderline types of the truth file count as neither.
"""

import argparse
import glob
import json
import os
import subprocess
import sys


def names(entries):
    return {entry["type"] if isinstance(entry, dict) else entry for entry in entries}


def found_types(options):
    files = sorted(glob.glob(os.path.join(options.tree, options.sources)))
    if not files:
        sys.exit(f"truth.py: error: no files match {options.sources} in {options.tree}")
    relative = [os.path.relpath(file, options.tree) for file in files]
    command = [options.nvmove, "--load", ",".join(options.load), "--print", "types", *options.option, *relative]
    result = subprocess.run(command, cwd=options.tree, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"truth.py: error: nvmove ended with status {result.returncode}\n{result.stderr}")
    return {line.removeprefix("struct ").strip() for line in result.stdout.splitlines() if line.strip()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nvmove", default="nvmove")
    parser.add_argument("--truth", required=True)
    parser.add_argument("--tree", required=True, help="unchanged source tree")
    parser.add_argument("--sources", default="src/*.c", help="glob in the tree")
    parser.add_argument("--option", action="append", default=[], help="further option for nvmove")
    parser.add_argument("--max-extra", type=int, default=4)
    options = parser.parse_args()
    with open(options.truth, encoding="utf-8") as file:
        truth = json.load(file)
    options.load = truth["load"]
    persistent, borderline = names(truth["persistent"]), names(truth.get("borderline", []))
    found = found_types(options)
    missing = persistent - found
    extra = found - persistent - borderline
    print(f"{len(found)} types found; {len(persistent)} true, {len(missing)} missing, {len(extra)} too many")
    for title, group in (("missing", missing), ("too many", extra), ("borderline", found & borderline)):
        if group:
            print(f"{title}: {' '.join(sorted(group))}")
    return 1 if missing or len(extra) > options.max_extra else 0


if __name__ == "__main__":
    sys.exit(main())
