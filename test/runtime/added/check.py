#!/usr/bin/env python3
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An engine is one file and one line: all that runs undo runs its copy, too, with nothing else changed.

usage: check.py TESTS TESTS-WITH-COPY BENCH-WITH-COPY..

TESTS-WITH-COPY is linked of the same objects as TESTS, and the two sources that copy_engine.py has
written. Every test of undo has to be there of the copy, no other test may have come or gone, and
some of the new ones have to pass; every benchmark has to list the copy wherever it lists undo.
"""

import re
import subprocess
import sys

# Of each kind of list: capabilities, settings of proofs, with scenarios.
RUN = ("Of/CrashesOf.*/copied", "Of/EveryCut.*/copied*", "Of/PowerCuts.*/copied_list", "Of/HalfMade.*/copied", "Refusals.*", "Capabilities.*")


def output(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"check.py: error: {' '.join(command)} ended with status {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def tests(program):
    names, suite = set(), ""
    for line in output(program, "--gtest_list_tests").splitlines():
        name = line.partition("#")[0].rstrip()
        if name.startswith(" "):
            names.add(suite + name.strip())
        else:
            suite = name
    return names


def copies(names):
    """The names that a copy of undo adds: undo is a word of its own in a parameter, or begins a setting's name."""
    new = {re.sub(r"(/|_)undo(?=$|[A-Z_\d])", r"\1copied", name) for name in names}
    return new - names


def main(without, with_copy, *benches):
    before, after = tests(without), tests(with_copy)
    expected = copies(before)
    wrong = [f"{name} is missing" for name in sorted((before | expected) - after)]
    wrong += [f"{name} was not expected" for name in sorted(after - before - expected)]
    if len(expected) < 60 or any("copied" in name for name in before):
        wrong.append(f"{len(expected)} tests of undo are too few, or there is an engine of the copy's name already")
    for bench in benches:
        variants = set(output(bench, "--variants").split())
        of_undo = {name for name in variants if re.match(r"undo\b", name)} - {"undo-hoisted"}
        missing = {"copied" + name[len("undo"):] for name in of_undo} - variants
        if missing or not of_undo:
            wrong.append(f"{bench} does not list {', '.join(sorted(missing)) or 'undo'}")
    text = output(with_copy, "--gtest_filter=" + ":".join(RUN))
    passed = re.findall(r"^\[       OK \] (\S+)", text, re.MULTILINE)
    for suite in RUN:
        if not any(re.fullmatch(re.escape(suite).replace(r"\*", ".*"), name) for name in passed):
            wrong.append(f"no test of {suite} has passed")
    print("\n".join(wrong) or f"{len(expected)} tests of the copy, of which {len(passed)} were run")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
