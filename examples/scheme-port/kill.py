#!/usr/bin/env python3
# ===- kill.py - killed again and again, and printed as if it never had been ----===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Runs Scheme programs with kill -9 at random moments, and starts each again until it has ended.

What all processes of a run have printed together, into one file, must be what the interpreter
prints that was not moved. With --cuts a small program is killed at so many events of the runtime
instead, evenly spread over all there are (0: at each), which is at all commits.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
OWN = os.path.join(HERE, "programs")
BORROWED = {"tak": "tak", "nboyer": "nboyer", "sboyer": "sboyer", "conform": "conform", "graphs": "graphs",
            "nucleic2": "nucleic"}
NAMES = ("tak", "sort", "nboyer", "sboyer", "conform", "graphs", "nfa", "nucleic2")
SMALL = """(define (count n) (if (= n 0) '() (cons n (count (- n 1)))))
(display "three ") (write (count 3)) (newline)
(define v (make-vector 4 "x")) (vector-set! v 1 (call-with-current-continuation (lambda (k) (k 'y))))
(gc) (write v) (newline) (display (string-append "a" "b")) (open-input-file "missing")
"""


class Failed(Exception):
    """A run that did not end well, or printed something else."""


def files_of(name, sizes, gambit):
    """The command line of one of the eight programs."""
    folder, file = (os.path.join(gambit, "bench", "src"), BORROWED[name]) if name in BORROWED else (OWN, name)
    files = [os.path.join(OWN, sizes + ".scm"), os.path.join(OWN, "compat.scm"), os.path.join(folder, file + ".scm")]
    less = os.path.join(OWN, f"less-{file}.scm")
    return files + ([less] if os.path.exists(less) else []) + [os.path.join(OWN, "go.scm")]


def environment(options, **more):
    env = {k: v for k, v in os.environ.items() if not k.startswith("NVM_") and k != "SCHEME_OPERATIONS"}
    env.setdefault("TINYSCHEMEINIT", os.path.join(options.port, "init.scm"))
    return {**env, **more}


class Run:
    """A program with its pool, and the file to which all its processes print."""

    def __init__(self, options, files, folder, **env):
        self.options, self.files = options, files
        self.pool, self.printed = os.path.join(folder, "pool"), os.path.join(folder, "printed")
        self.env = environment(options, NVM_POOL=self.pool, NVM_ENGINE=options.engine,
                               NVM_EPOCH_MS=str(options.epoch), SCHEME_OPERATIONS=str(options.operations), **env)
        for path in (self.pool, self.printed):
            if os.path.exists(path):
                os.remove(path)

    def go_on(self, life_s=None, **env):
        """Whether it was killed."""
        with open(self.printed, "a", encoding="utf-8") as out, tempfile.TemporaryFile("w+") as errors, \
                subprocess.Popen([self.options.program, *self.files], env={**self.env, **env}, stdout=out,
                                 stderr=errors, stdin=subprocess.DEVNULL) as process:
            if life_s is not None:
                try:
                    process.wait(life_s)
                except subprocess.TimeoutExpired:
                    process.kill()
            status = process.wait()
            errors.seek(0)
            said = errors.read()
        if status not in (0, -9):
            raise Failed(f"ended with status {status}: {said}")
        return status == -9, said

    def compare(self, expected, what):
        with open(self.printed, encoding="utf-8") as file:
            printed = file.read()
        if printed != expected:
            raise Failed(f"{what}: printed {printed!r}, where {expected!r} was expected")


def plain(options, files):
    return subprocess.run([os.path.join(options.port, "scheme-plain"), *files], env=environment(options), check=True,
                          stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, encoding="utf-8").stdout


def at_random(options, name, folder):
    files = files_of(name, options.sizes, options.gambit)
    expected = plain(options, files)
    if ": right " not in expected or "wrong" in expected:
        raise Failed(f"the program is wrong: {expected!r}")
    begin = time.monotonic()
    run = Run(options, files, folder)
    run.go_on()
    run.compare(expected, "undisturbed")
    taken_s = time.monotonic() - begin
    chance, kills, runs = random.Random(options.seed), 0, 0
    while kills < options.kills:
        run, here = Run(options, files, folder), 0
        while run.go_on(chance.uniform(0, 2 * taken_s / options.kills) if kills + here < options.kills else None)[0]:
            here += 1
        run.compare(expected, f"after {here} kills")
        kills, runs = kills + here, runs + 1
        if not here:
            raise Failed("ended before it was killed")
        if not os.path.exists(run.pool):
            raise Failed("nothing was kept")
    print(f"{name}: {kills} kills in {runs} runs, printed as undisturbed", flush=True)


def at_events(options, folder):
    small, empty = os.path.join(folder, "small.scm"), os.path.join(folder, "empty.scm")
    for path, text in ((small, SMALL), (empty, "")):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    os.environ["TINYSCHEMEINIT"] = empty
    expected = plain(options, [small])
    run = Run(options, [small], folder)
    events = int(re.search(r"(\d+) crash events", run.go_on(NVM_CRASH_COUNT="1")[1]).group(1))
    run.compare(expected, "undisturbed")
    cuts = range(1, events + 1) if options.cuts == 0 else [1 + i * events // options.cuts for i in range(options.cuts)]
    for cut in cuts:
        run = Run(options, [small], folder)
        if not run.go_on(NVM_CRASH_AT=str(cut))[0] and options.epoch == 0:
            raise Failed(f"was not killed at event {cut}")
        run.go_on()
        run.compare(expected, f"killed at event {cut}")
    print(f"{options.engine}: killed at {len(cuts)} of {events} events, printed as undisturbed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", required=True, help="what port.sh has made")
    parser.add_argument("--gambit", help="the sources of Gambit, for six of the eight programs")
    parser.add_argument("--program", help="the one to kill (the port's `scheme`)")
    parser.add_argument("--engine", default="redo")
    parser.add_argument("--epoch", type=int, default=0, help="ms between commits (0: one for each section)")
    parser.add_argument("--operations", type=int, default=1, help="of the interpreter, in a section (1)")
    parser.add_argument("--sizes", default="short", choices=("short", "tiny"), help="of the programs (short)")
    parser.add_argument("--kills", type=int, default=100, help="of each program (100)")
    parser.add_argument("--cuts", type=int, help="kill a small program at so many events")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    parser.add_argument("names", nargs="*", default=[], help="the programs (all eight)")
    options = parser.parse_args()
    options.program = options.program or os.path.join(options.port, "scheme")
    medium = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="scheme-", dir=medium) as folder:
        try:
            if options.cuts is not None:
                at_events(options, folder)
            for name in (options.names or NAMES) if options.cuts is None else ():
                at_random(options, name, folder)
        except (Failed, subprocess.CalledProcessError) as error:
            print(f"kill.py: FAILED with seed {options.seed}: {error}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
