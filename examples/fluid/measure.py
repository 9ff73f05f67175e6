#!/usr/bin/env python3
# ===- measure.py - what four techniques cost, and what they give --------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""One command: builds and moves the simulation, lets all variants take turns, and writes the page.

A run is killed with -9 when half of its steps are done and started again, so each gives compute,
save and restore, and how long the program was away. Others may use the machine, so the least of all
rounds counts. Processor time of one thread is what the clock would show on a quiet machine; what two
threads gain is told by the clock alone.

nvmove must be in PATH, and pkg-config must know it. Ten minutes on two cores; --short: one.
"""

import argparse
import csv
import json
import math
import mmap
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(PROJECT, "bench"))

import measure  # noqa: E402
from page import LAYOUTS, MEDIUM, STATE, Page  # noqa: E402

TECHNIQUES = ("none", "transactions", "multi-versions", "file checkpoint", "DRAM cache")
ENGINES = {"transactions": "redo", "multi-versions": "versions"}
BLOCK_BYTES = 2 << 20


class Build:
    """The programs: plain, with checkpoints in memory, and moved."""

    def __init__(self, folder):
        self.folder = folder
        plain = os.path.join(folder, "plain")
        os.makedirs(plain)
        shutil.copytree(os.path.join(HERE, "src"), os.path.join(plain, "src"))
        shutil.copy(os.path.join(HERE, "Makefile"), plain)
        subprocess.run(["make", "-s", "-C", plain, "all", "backup"], check=True)
        self.has_ranks = bool(shutil.which("mpicc") and shutil.which("mpirun"))
        if self.has_ranks:
            subprocess.run(["make", "-s", "-C", plain, "ranks"], check=True)
        for layout in (*LAYOUTS, *(("ranks",) if self.has_ranks else ())):
            subprocess.run([os.path.join(HERE, "port.sh"), layout, os.path.join(folder, layout)], check=True)

    def make(self, side, path):
        subprocess.run([os.path.join(self.folder, "plain", "fluid-make"), str(side), path], check=True)

    def program(self, layout, technique):
        if technique in ENGINES:
            return os.path.join(self.folder, layout, f"fluid-{layout}")
        return os.path.join(self.folder, "plain", f"fluid-{layout}" + ("-backup" if technique == "DRAM cache" else ""))


class Run:
    """One variant, killed once: the figures that it gives."""

    def __init__(self, options, build, folder, variant):
        self.layout, self.technique, self.threads = variant
        self.options, self.folder = options, folder
        self.env = {key: value for key, value in os.environ.items() if not key.startswith("NVM_")}
        more = []
        if self.technique in ENGINES:
            self.env.update(NVM_POOL=os.path.join(folder, "kept"), NVM_ENGINE=ENGINES[self.technique], NVM_EPOCH_MS="0", NVM_MEDIA=options.media,
                            NVM_SIZE="512M")
        elif self.technique != "none":
            more = ["-c", os.path.join(folder, "kept")]
        # What keeps nothing begins where the others go on: the steps are the same, for later ones have more to do.
        begin = f"middle.{self.layout}" if self.technique == "none" else "first"
        self.command = [build.program(self.layout, self.technique), "-t", str(self.threads), "-p", "-m", *more, str(options.steps),
                        os.path.join(folder, begin), os.path.join(folder, "out")]

    def start(self, env):
        return subprocess.Popen(self.command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def forget(self):
        for name in os.listdir(self.folder):
            if not name.startswith(("first", "middle.")):
                os.remove(os.path.join(self.folder, name))

    @staticmethod
    def until(process, what):
        for line in process.stdout:
            if line.startswith(what):
                return time.monotonic()
        raise SystemExit(f"measure.py: error: {' '.join(process.args)} ended early")

    def figures(self):
        """ms, and bytes."""
        with self.start(self.env) as process:
            told = self.until(process, "ready" if self.technique == "none" else f"step {self.options.steps // 2}")
            process.kill()
        with self.start(self.env) as process:
            back = self.until(process, "step ")
            lines = process.stdout.read().splitlines()
        if process.returncode != 0:
            raise SystemExit(f"measure.py: error: {' '.join(self.command)} ended with {process.returncode}")
        result = {"away": (back - told) * 1e3}
        for line in lines:
            name, colon, values = line.partition(": ")
            if colon:
                values = [float(value) for value in values.split()]
                result[name] = values[-1] if self.threads == 1 else values[0]
                result[name + " by the clock"] = values[0]
        self.forget()
        return result

    def written(self, steps):
        """Bytes in all: to files, or to the log of a pool."""
        self.command[-3] = str(steps)
        with open(os.path.join(self.folder, "errors"), "w+", encoding="utf-8") as errors:
            done = subprocess.run(self.command, env={**self.env, "NVM_STATS": "1"}, stdout=subprocess.PIPE, stderr=errors, text=True, check=True)
            errors.seek(0)
            told = next((line for line in errors if line.startswith("{")), None)
        self.forget()
        if told:
            return json.loads(told)["log_bytes"]
        return int(next(line for line in done.stdout.splitlines() if line.startswith("written: ")).split()[1])

    def written_by_a_save(self):
        n = self.options.steps
        return (self.written(2 * n) - self.written(n)) / n


def of_the_medium(folder, size_bytes):
    """ms of this thread's processor time for a MB: blocks written in place, and read."""
    least = {"write a MB": math.inf, "read a MB": math.inf}
    with mmap.mmap(-1, BLOCK_BYTES) as block, open(os.path.join(folder, "best"), "w+b", buffering=0) as file:
        block.write(os.urandom(BLOCK_BYTES))
        count = max(1, size_bytes // BLOCK_BYTES)
        for _ in range(6):
            for what, move in (("write a MB", lambda at: os.pwrite(file.fileno(), block, at)),
                               ("read a MB", lambda at: os.preadv(file.fileno(), [block], at))):
                begin = time.thread_time()
                for k in range(count):
                    move(k * BLOCK_BYTES)
                least[what] = min(least[what], (time.thread_time() - begin) * 1e9 / (count * BLOCK_BYTES))
    os.remove(os.path.join(folder, "best"))
    return least


def heartbeats(options, build):
    """Of three ranks, what kill_ranks.py tells: without and with kills."""
    plain, lines = os.path.join(build.folder, "plain"), []
    engines = ("redo",) if options.short else (None, "redo", "versions")
    for engine in engines if build.has_ranks else ():
        program = os.path.join(build.folder, "ranks" if engine else "plain", "fluid-ranks")
        for kills in (0, 5):
            done = subprocess.run([os.path.join(HERE, "kill_ranks.py"), "--make", os.path.join(plain, "fluid-make"), "--plain",
                                   os.path.join(plain, "fluid-list"), "--mpi", os.path.join(plain, "fluid-mpi"), "--program", program,
                                   "--side", str(max(20, options.side)), "--timeout", "3x", "--kills", str(kills), *(("--engine", engine) if engine else ())],
                                  capture_output=True, text=True, check=False)
            lines.append(done.stdout.strip().rsplit("\n", 1)[-1])
            print(lines[-1], file=sys.stderr, flush=True)
    return lines


def has_counter():
    done = subprocess.run(["perf", "stat", "-x", ",", "-e", "LLC-load-misses", "true"], capture_output=True, text=True, check=False) \
        if shutil.which("perf") else None
    return bool(done and done.returncode == 0 and "not supported" not in done.stderr)


class Figures:
    """The least of all rounds."""

    HEADER = ("layout", "technique", "threads", "figure", "least")

    def __init__(self, path):
        self.path, self.least = path, {}

    def read(self):
        with open(self.path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                self.least[(row["layout"], row["technique"], int(row["threads"]), row["figure"])] = float(row["least"])

    def add(self, variant, figures):
        for name, value in figures.items():
            self.least[(*variant, name)] = min(self.least.get((*variant, name), math.inf), value)

    def write(self):
        measure.write_csv(self.path, self.HEADER, [(*key, f"{value:.4f}") for key, value in self.least.items()])


def run(options, folder, figures):
    build = Build(os.path.join(folder, "build"))
    work = os.path.join(folder, "work")
    os.mkdir(work)
    first = os.path.join(work, "first")
    build.make(options.side, first)
    for layout in LAYOUTS:
        subprocess.run([build.program(layout, "none"), str(options.steps // 2), first, os.path.join(work, f"middle.{layout}")], check=True)
    size_bytes = os.path.getsize(first)
    figures.add(("machine", measure.machine(), 1), {"told": 1})
    if figures.least.setdefault((*STATE, "bytes"), size_bytes) != size_bytes:
        raise SystemExit("measure.py: error: the figures that are there are of another size")
    variants = [(layout, technique, threads) for layout in LAYOUTS for technique in options.only for threads in options.threads]
    for layout in LAYOUTS:
        for technique in TECHNIQUES:
            variant = (layout, technique, 1)
            if technique not in ("none", "DRAM cache") and (*variant, "written by a save") not in figures.least:
                figures.add(variant, {"written by a save": Run(options, build, work, variant).written_by_a_save()})
    if not any(layout == "ranks" for layout, _, _, _ in figures.least):
        for number, line in enumerate(heartbeats(options, build)):
            figures.add(("ranks", line, number), {"told": 1})
    before = -figures.least.get((*STATE, "rounds"), 0)
    for number in range(options.rounds):
        for variant in variants:
            figures.add(variant, Run(options, build, work, variant).figures())
        figures.add(MEDIUM, of_the_medium(work, size_bytes))
        figures.add(STATE, {"rounds": -(before + number + 1)})
        figures.write()
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--side", type=int, default=40, help="particles of the column each way (40)")
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--short", action="store_true", help="a small column, one round")
    parser.add_argument("--page", action="store_true", help="only the page, of the figures that are there")
    parser.add_argument("--more", action="store_true", help="rounds besides those of the figures that are there, of the same size")
    parser.add_argument("--only", nargs="+", choices=TECHNIQUES, default=TECHNIQUES, help="with --more: these techniques")
    parser.add_argument("--threads", nargs="+", type=int, choices=(1, 2), default=(1, 2), help="with --more: so many")
    parser.add_argument("--memory", default="/dev/shm", help="the medium (/dev/shm)")
    parser.add_argument("--media", default="none", help="NVM_MEDIA of the pools (none)")
    parser.add_argument("--out", default=os.path.join(PROJECT, "docs", "results"), help="folder of the page (docs/results)")
    options = parser.parse_args()
    if options.short:
        options.side, options.rounds = 16, 1
    figures = Figures(os.path.join(options.out, "fluid.csv"))
    if options.page or options.more:
        figures.read()
    if not options.page:
        with tempfile.TemporaryDirectory(prefix="fluid-", dir=options.memory) as folder:
            run(options, folder, figures)
    Page(figures.least, has_counter(), options).write()


if __name__ == "__main__":
    main()
