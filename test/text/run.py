#!/usr/bin/env python3
# ===- run.py - The text stays the program's ------------------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""usage: run.py NVMOVE RUNTIME-INCLUDE RUNTIME-LIBRARY LIT CONFIGURED [--only TEXT] [--keep FOLDER]

Each program that a lit test gives to nvmove is moved with that test's options. Then:

compiles    gcc and clang warn of nothing in it that they did not warn of before;
behaves     without a pool it prints, writes and ends with what it did before, in all runs of the test;
idempotent  a second move changes nothing;
verified    `nvmove verify` finds nothing, but where the report of the move had named the same function.

LIT is the folder that holds lit itself, CONFIGURED that of lit.site.cfg.py. Every sixth test is looked at; with
NVMOVE_LONG=1, or --only, all are.
"""

import argparse
import collections
import concurrent.futures
import glob
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import programs

WARNINGS = """-Wall -Wextra -pedantic -Wcast-qual -Wconversion -Wshadow -Wundef -Wstrict-prototypes
  -Wdeclaration-after-statement -Wold-style-definition -Wredundant-decls -Wmissing-prototypes -Wwrite-strings
  -Wpointer-arith -Wbad-function-cast""".split()
LEAST = {"moved": 550, "compiles": 1100, "behaves": 500, "idempotent": 550, "verified": 550}
COMPILERS = ("gcc", "clang-19")
SECONDS = 5
# What the report of the move says where verify finds that the section of the start-up may stay open.
OPEN_START = {"load-not-guarded", "load-condition"}
# And where clang sees that a load which is skipped answers nothing through its argument.
UNANSWERED = {"-Wsometimes-uninitialized": "load-answers"}


class Failure(Exception):
    """A check that did not hold."""


def run(command, cwd, seconds=60, **more):
    """Nothing that it starts outlives it."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("NVM")} | more
    with subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, errors="replace", env=environment, start_new_session=True) as process:
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            return subprocess.CompletedProcess(command, None, out, err)
        return subprocess.CompletedProcess(command, process.returncode, out, err)


class Checker:
    """Of one move."""

    def __init__(self, tools, script, move, counts):
        self.tools, self.script, self.move, self.counts = tools, script, move, counts
        self.before, self.after = move.folder, move.folder + ".moved"
        self.include = ["-I", tools.include]
        self.report = {}

    def nvmove(self, *command, flags=()):
        own = [*self.move.flags, *flags] if self.move.flags or not flags else ["--", *flags]
        return run([self.tools.nvmove, *command, *self.move.options, *self.move.sources, *own], self.after)

    def check(self):
        shutil.copytree(self.before, self.after)
        result = self.nvmove("--out", "nvmove-out")
        patches = sorted(glob.glob(os.path.join(self.after, "nvmove-out", "patches", "*.patch")))
        done = result.returncode in (0, 4)
        self.counts["moved" if patches else "not changed" if done else "refused"] += 1
        if not patches:
            return
        with open(os.path.join(self.after, "nvmove-out", "report.json"), encoding="utf-8") as f:
            self.report = json.load(f)
        for patch in patches:
            result = run(["patch", "-s", "-p1", "--fuzz=0", "-i", patch], self.after)
            if result.returncode:
                raise Failure(f"{patch} does not apply: {result.stdout}")
        failures = []
        for check in (self.compiles, self.behaves, self.idempotent, self.verified):
            try:
                good = check()
                self.counts[check.__name__] += good
            except Failure as failure:
                failures.append(f"{check.__name__}: {failure}")
        if failures:
            raise Failure("\n".join(failures))

    # Which kinds of warnings there are, and what the compiler says.
    def warnings(self, compiler, folder, flags):
        kinds, said = set(), ""
        for source in self.move.sources:
            result = run([compiler, *WARNINGS, *flags, "-fsyntax-only", source], folder)
            if result.returncode:
                return None, result.stderr
            kinds.update(re.findall(r"warning: .*\[(-W[\w=+-]+)\]$", result.stderr, re.M))
            said += result.stderr
        return kinds, said

    def compiles(self):
        compiled = 0
        flags = self.move.flags[1:]
        for compiler in COMPILERS:
            old, _ = self.warnings(compiler, self.before, flags)
            if old is None:
                continue
            new, said = self.warnings(compiler, self.after, [*flags, *self.include])
            if new is None:
                raise Failure(f"{compiler} does not compile it any more:\n{said}")
            told = {f["id"] for f in self.report["findings"]}
            if more := {kind for kind in new - old if UNANSWERED.get(kind) not in told}:
                raise Failure(f"{compiler} warns more: {more}\n{said}")
            compiled += 1
        return compiled

    # Runs.
    def link(self, folder, output, *more):
        result = run(["gcc", "-w", *self.move.flags[1:], *self.move.sources, "-o", output, *more, "-lpthread", "-lm", "-ldl"],
                     folder)
        return result.returncode == 0, result.stderr

    def trial(self, program, **environment):
        """What the steps of the test print, and the files that they leave."""
        folder = self.before + ".run"
        shutil.copytree(self.before, folder, symlinks=True)
        seen = []
        # Programs that load the file named last would else load themselves: what that gives is the linker's choice.
        for command, name in self.script.steps or [("exec -a absent ./program", "program")]:
            if name:
                target = os.path.join(folder, name)
                shutil.copy(program, target)
            command = re.sub(re.escape(self.script.folder) + r"(?=[/\s]|$)", folder, command)
            result = run(["bash", "-c", command], folder, SECONDS, **environment)
            if name:
                os.remove(target)
                # The lines of the text are others.
                words = re.sub(r"(\w+\.[ch]):\d+", r"\1:LINE", result.stderr)
                seen.append((command.replace(folder, ""), result.returncode, result.stdout, words))
        for path in sorted(glob.glob(os.path.join(folder, "**"), recursive=True)):
            if os.path.isfile(path):
                with open(path, "rb") as f:
                    seen.append((os.path.relpath(path, folder), 0, f.read(), ""))
        shutil.rmtree(folder)
        return seen

    def behaves(self):
        old, new, other = self.before + ".old", self.before + ".new", self.before + ".other"
        if not self.link(self.before, old)[0]:
            return 0
        linked, said = self.link(self.after, new, *self.include, self.tools.library, "-lpmemobj")
        if not linked:
            raise Failure(f"it does not link any more:\n{said}")
        expected, moved = self.trial(old), self.trial(new)
        # What depends on the time, on addresses, on threads or on memory that nobody set is not compared: where another run
        # of the program as it was gives something else, so may the moved one.
        for again in range(9):
            if expected == moved:
                break
            if again == 2:
                self.link(self.before, other, "-O1", "-ftrivial-auto-var-init=pattern", "-fsanitize=address")
                another = self.trial(other, ASAN_OPTIONS="detect_leaks=0:max_malloc_fill_size=65536:malloc_fill_byte=85")
            else:
                another = self.trial(old)
            moved = [now if one == third else one for one, now, third in itertools.zip_longest(expected, moved, another)]
        for one, now in itertools.zip_longest(expected, moved):
            if one != now:
                raise Failure(f"it does something else:\n  {one}\n  {now}")
        return any(code is not None for _, code, _, _ in expected)

    def idempotent(self):
        result = self.nvmove("--out", "nvmove-again", flags=self.include)
        if result.returncode not in (0, 4):
            raise Failure(f"nvmove ends with {result.returncode}: {result.stderr}")
        for patch in sorted(glob.glob(os.path.join(self.after, "nvmove-again", "patches", "*.patch"))):
            with open(patch, encoding="utf-8") as f:
                raise Failure("a second move changes it again:\n" + f.read())
        return 1

    def verified(self):
        options = self.move.options
        if {"worklist", "--no-serialization"} & set(options) or any(o.startswith(("--line-logs", "--afresh")) for o in options):
            return 0
        result = self.nvmove("verify", "--out", "nvmove-verify", flags=self.include)
        if result.returncode not in (0, 3):
            raise Failure(f"nvmove verify ends with {result.returncode}: {result.stderr}")
        with open(os.path.join(self.after, "nvmove-verify", "verify.json"), encoding="utf-8") as f:
            found = json.load(f)["findings"]
        told = [f for f in self.report["findings"] if f["severity"] != "note"]
        functions, ids = {f["function"] for f in told}, {f["id"] for f in told}
        if silent := [f for f in found if f["function"] not in functions
                      and not (f["id"] == "start-not-ended" and ids & OPEN_START)]:
            raise Failure("nvmove verify finds what the report had not told:\n" + json.dumps(silent, indent=1))
        return 1


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("nvmove", "include", "library", "lit", "configured"):
        parser.add_argument(name)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep")
    tools = parser.parse_args()
    counts, known, failed = collections.Counter(), set(), 0
    with tempfile.TemporaryDirectory(prefix="nvmove-text-") as folder:
        def each(reader, home):
            failures = []
            script = reader.read(home)
            for move in script.moves:
                if (key := move.key()) in known:
                    continue
                known.add(key)
                try:
                    Checker(tools, script, move, counts).check()
                except Failure as failure:
                    failures.append(f"{script.name}: nvmove {' '.join([*move.options, *move.sources, *move.flags])}\n  {failure}")
            return failures

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            every = 1 if tools.only or os.environ.get("NVMOVE_LONG") == "1" else 6
            jobs = [pool.submit(each, *one) for n, one in
                    enumerate(programs.scripts(tools.lit, tools.configured, tools.nvmove, folder))
                    if tools.only in one[0].script.name and n % every == 0]
            for job in jobs:
                for failure in job.result():
                    failed += 1
                    print(failure, flush=True)
        if tools.keep:
            shutil.copytree(folder, tools.keep, dirs_exist_ok=True)
    print(", ".join(f"{n} {what}" for what, n in sorted(counts.items())) + f", {failed} failed; "
          f"{os.times().children_user + os.times().children_system:.0f} s of processors"
          + (", every sixth test; NVMOVE_LONG=1 for all" if every > 1 else ""))
    # A walk that finds nothing to look at is no success.
    few = {} if tools.only else {what: least // every for what, least in LEAST.items() if counts[what] < least // every}
    for what, least in few.items():
        print(f"{what}: fewer than {least}")
    return 1 if failed or few else 0


if __name__ == "__main__":
    sys.exit(main())
