#!/usr/bin/env python3
# ===- run.py - Stateful programs that a grammar writes ----------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Generates programs, moves them, kills them and compares them with themselves. CONTRIBUTING.md says when.

  run.py OPTIONS NVMOVE RUNTIME-INCLUDE RUNTIME-LIBRARY

  --seeds FIRST LAST   these programs; by default the fixed set
  --minutes M          further programs for so long, each at every crash point
  --crashes N          so many crash points of each; 0: all
  --jobs N             so many programs at a time
  --without C=O[,O] .. no program has these options of a choice: extra=undo,mode
  --keep FOLDER        where programs that fail are kept: as generated, made smaller, and what went wrong
  --trial              nvmove trial judges each, too: it finds a loss where one is found here, and none elsewhere
  --planted            with each of some rules of the analysis switched off: a program of the fixed set must fail
"""

import argparse
import collections
import concurrent.futures
import os
import random
import sys
import time

from check import Checker, Failure, Tools
from grammar import Program

FIXED = range(1, 31)
# What is not mended yet, left out of the fixed set: choice -> options.
KNOWN = {}
# Rules whose absence loses state.
RULES = ["findTypes", "findRoots", "findScalars", "findSites", "findSections", "findStaticReferents", "findLoadGuards",
         "findChangedWithState"]


def attempt(seed, tools, crashes, fixed=(), without=()):
    """How the program fares: (a Failure or None, ids of findings to act on, whether one of them was needed, events)."""
    program = Program(seed, fixed, without)
    checker = Checker(program, tools, random.Random(f"{seed}/points"))
    failure = None
    try:
        checker.check(crashes)
    except Failure as e:
        failure = e
    finally:
        checker.close()
    return failure, sorted({f["id"] for f in checker.acts}), getattr(checker, "excused", False), getattr(checker, "events", 0)


def fancy(seed, fixed, without):
    """The choices that are not the plainest: name -> (what it is, the plainest)."""
    program = Program(seed, fixed, without)
    program.sources()
    made, plainest = program.choices.made, program.choices.plainest
    return {n: (v, plainest[n]) for n, v in made.items() if v != plainest[n]}


def reduce(seed, tools, crashes, failure, without):
    """Makes choices plainer while the program fails in the same way, many of them at first, in the end one by one."""
    fixed = {}
    left = fancy(seed, fixed, without)
    size = len(left)
    while size:
        names = list(left)
        progress = False
        for at in range(0, len(names), size):
            tried = fixed | {n: left[n][1] for n in names[at:at + size] if n in left}
            other = attempt(seed, tools, crashes, tried, without)[0] if tried != fixed else None
            if other and other.kind == failure.kind:
                fixed, failure, progress = tried, other, True
                left = fancy(seed, fixed, without)
        size = min(size, len(left)) if progress else size // 2
    return fixed, {n: v for n, (v, _) in left.items()}, failure


def keep(folder, seed, fixed, without, text):
    where = os.path.join(folder, str(seed))
    Program(seed, (), without).write(os.path.join(where, "whole"))
    program = Program(seed, fixed, without)
    program.write(os.path.join(where, "smaller"))
    with open(os.path.join(where, "smaller", "script"), "w", encoding="utf-8") as out:
        out.write("\n".join(program.script()) + "\n")
    with open(os.path.join(where, "what.txt"), "w", encoding="utf-8") as out:
        out.write(text)


def one(seed, options, tools, without):
    """Checks one program; what is to be printed, and what is to be counted."""
    failure, acts, excused, events = attempt(seed, tools, options.crashes, (), without)
    text = ""
    if failure:
        text = f"seed {seed}: {failure.kind}: {' '.join(sorted(failure.places))}\n{failure.detail}\n"
        if options.keep and failure.kind != "generator":
            fixed, left, failure = reduce(seed, tools, options.crashes, failure, without)
            choices = ", ".join(f"{n} {v}" for n, v in left.items())
            text = f"seed {seed}: {failure.kind}: {' '.join(sorted(failure.places))}: {choices}\n{failure.detail}\n"
            keep(options.keep, seed, fixed, without, text)
    return text, failure.kind if failure else None, acts, excused, events


def planted(options, tools):
    """Whether each rule is missed by a program that passes with it."""
    missed = []
    for rule in RULES:
        lame = Tools(tools.nvmove, tools.include, tools.library, ["--without-rule", rule])
        for seed in FIXED:
            failure = attempt(seed, lame, options.crashes, (), KNOWN)[0]
            if failure and failure.kind != "generator" and not attempt(seed, tools, options.crashes, (), KNOWN)[0]:
                print(f"without {rule} seed {seed} fails: {failure.kind}", flush=True)
                break
        else:
            missed.append(rule)
            print(f"without {rule} nothing fails", flush=True)
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", nargs=2, type=int)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--crashes", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--without", nargs="+", default=[], type=lambda text: text.split("="))
    parser.add_argument("--keep", default=os.environ.get("NVMOVE_KEEP"))
    parser.add_argument("--planted", action="store_true")
    parser.add_argument("--trial", action="store_true")
    parser.add_argument("nvmove", type=os.path.abspath)
    parser.add_argument("include", type=os.path.abspath)
    parser.add_argument("library", type=os.path.abspath)
    options = parser.parse_args()
    tools = Tools(options.nvmove, options.include, options.library, trial=options.trial)
    if options.crashes is None:
        options.crashes = 0 if options.minutes else 8
    if options.planted:
        return planted(options, tools)
    whole = options.minutes or options.seeds
    seeds = iter(range(options.seeds[0], options.seeds[1] + 1) if options.seeds else
                 range(int(time.time()), 1 << 62) if options.minutes else FIXED)
    end = time.time() + options.minutes * 60 if options.minutes else None
    kinds, acts, acted, needed, count, events = collections.Counter(), collections.Counter(), 0, 0, 0, 0
    without = {choice: set(some.split(",")) for choice, some in options.without} if whole else KNOWN
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        pending = set()
        more = True
        while more or pending:
            while more and len(pending) < options.jobs + 1:
                seed = next(seeds, None)
                if seed is None or (end and time.time() > end):
                    more = False
                    break
                pending.add(pool.submit(one, seed, options, tools, without))
            done, pending = concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                text, kind, ids, excused, points = future.result()
                count += 1
                events += points
                acted += bool(ids)
                needed += excused
                acts.update(ids)
                if kind:
                    kinds[kind] += 1
                    print(text, flush=True)
    print(f"{count} programs, killed at {events} crash points: {count - acted} without a finding to act on, {needed} lost what "
          f"one named, {sum(kinds.values())} failed")
    for what, counter in (("findings to act on", acts), ("failures", kinds)):
        if counter:
            print(f"{what}: " + ", ".join(f"{n} {k}" for k, n in counter.most_common()))
    # To act in every program would be worth nothing.
    return 1 if kinds or (count >= 20 and acted * 2 > count) else 0


if __name__ == "__main__":
    sys.exit(main())
