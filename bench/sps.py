#!/usr/bin/env python3
# ===- sps.py - The eight variants of memory-style storage --------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Runs mss_bench in all its variants and draws docs/results/sps.md with its charts.

usage: sps.py MSS_BENCH [--rounds N] [--most SWAPS] [--memory FOLDER] [--disk FOLDER] [--out FOLDER]
       sps.py MSS_BENCH --short [--memory FOLDER]

With --short nothing is written: each variant makes some swaps, kills itself in the middle
of more, and what it left is looked at.
"""

import argparse
import os
import random
import signal
import subprocess
import sys

import measure

FLUSHES = ("clflush", "clwb")
FENCES = ("mfence", "sfence")
VERSIONS = (2, 3)
THRESHOLDS = (0.2, 0.4, 0.6, 0.8, 1.0)
SIZES = (("dram", 100_000), ("dram", 1_000_000), ("pcm", 100_000))
NAMES = {"dram": "DRAM", "pcm": "emulated PCM"}
DISK_SWAPS = 1000
POINTS = {"log": 8, "log-flush": 17, "interleaved": 12}
KILLS = 8
PAPER = 2.3
PAPER_ENERGY = 2.4
UNDO = ("engine undo", "-", "-", "-")
LINE_NJ = 512 * (1.02 + 2.89) / 1000  # a bit into the row buffer, and from there into the array
SECOND = "the second thread's"
OWN = "of that the program's thread"


def settings():
    """(variant, flush, fence, versions): the plain log has none of them."""
    yield "log", "-", "-", "-"
    for flush in FLUSHES:
        for fence in FENCES:
            yield "log-flush", flush, fence, "-"
    for variant in ("interleaved", "interleaved+thread"):
        for versions in VERSIONS:
            for flush in FLUSHES:
                for fence in FENCES:
                    yield variant, flush, fence, versions


def command(options, setting, swaps, path):
    variant, flush, fence, versions = (str(part) for part in setting)
    last = [versions] if versions != "-" else []
    return [options.program, variant, str(swaps), path, flush.replace("-", "clwb"), fence.replace("-", "sfence"), *last]


def run_undo(options, swaps, media):
    """The log of the runtime: sps_bench lies beside."""
    path = measure.fresh(options.memory)
    program = os.path.join(os.path.dirname(options.program), "sps_bench")
    values = values_of([program, "log", str(swaps), path], NVM_MEDIA=media)
    os.remove(path)
    return values


def run(options, setting, swaps, folder, **environment):
    path = measure.fresh(folder)
    values = values_of(command(options, setting, swaps, path), **environment)
    os.remove(path)
    return values


def values_of(program, **environment):
    done = subprocess.run(program, capture_output=True, text=True, check=False, timeout=600,
                          env={**os.environ, **environment})
    if done.returncode:
        sys.exit(f"sps.py: error: {' '.join(program)} ended with status {done.returncode}\n{done.stdout}{done.stderr}")
    values = {name: float(value) for name, value, _ in (line.rsplit(",", 2) for line in done.stdout.splitlines())}
    values[SECOND] = max(0.0, values["processor time"] - values[OWN])
    return values


class Results:
    def __init__(self):
        self.values = {}

    def add(self, key, values):
        for name, value in values.items():
            self.values.setdefault((*key, name), []).append(value)

    def median(self, key, name):
        return measure.median(self.values[(*key, name)])

    def rows(self):
        return [(*key, f"{measure.median(v):.4g}", len(v), f"{measure.spread(v):.2f}") for key, v in self.values.items()]


def one_round(options, sizes, results):
    for media, swaps in sizes:
        for setting in settings():
            results.add((media, swaps, *setting, 0.6), run(options, setting, swaps, options.memory, NVM_MEDIA=media))
        for threshold in THRESHOLDS:
            setting = ("interleaved+thread", "clwb", "sfence", 3)
            values = run(options, setting, swaps, options.memory, NVM_MEDIA=media, NVM_THREAD_THRESHOLD=str(threshold))
            results.add((media, swaps, "by threshold", *setting[1:], threshold), values)
        results.add((media, swaps, *UNDO, 0.6), run_undo(options, swaps, media))
    disk = ("disk-log", "-", "-", "-")
    results.add(("disk", DISK_SWAPS, *disk, 0.6), run(options, disk, DISK_SWAPS, options.disk))


def alone(results, key):
    """Swaps a second where each thread has a processor of its own: the busier one decides."""
    return 1e9 / max(results.median(key, OWN), results.median(key, SECOND))


def table(results, media, swaps):
    rows = []
    for setting in settings():
        key = (media, swaps, *setting, 0.6)
        variant, flush, fence, versions = setting
        base = (media, swaps, "log-flush", flush, fence, "-", 0.6)
        rate, lines = results.median(key, "throughput"), results.median(key, "lines flushed")
        ratio = own = energy = "-"
        if variant != "log":
            ratio = f"{rate / results.median(base, 'throughput'):.2f}"
            own = f"{alone(results, key) / alone(results, base):.2f}"
            energy = f"{results.median(base, 'lines flushed') / lines:.2f}"
        rows.append((variant, flush, fence, versions, f"{rate / 1000:,.0f}", ratio, own, f"{results.median(key, OWN):.0f}",
                     f"{results.median(key, SECOND):.0f}", f"{lines:.1f}", f"{results.median(key, 'fences'):.3g}", f"{lines * LINE_NJ:.0f}", energy))
    header = ("variant", "flush", "fence", "versions", "1000 swaps/s", "ratio by the clock", "ratio by processor time", "program's thread, ns", "second thread, ns",
              "lines flushed", "fences", "nJ", "energy ratio")
    return measure.markdown_table(header, rows)


def thresholds(results, sizes):
    rows = []
    for media, swaps in sizes:
        keys = [(media, swaps, "by threshold", "clwb", "sfence", 3, t) for t in THRESHOLDS]
        rows.append((f"{NAMES[media]}, {swaps:,} swaps", *(f"{results.median(k, 'throughput') / 1000:,.0f} ({results.median(k, 'lines flushed'):.1f})" for k in keys)))
    return measure.markdown_table(("1000 swaps/s (lines flushed for each)", *map(str, THRESHOLDS)), rows)


def verdict(ratio):
    return f"{ratio:.2f} (**{'met' if ratio >= PAPER else 'missed'}**)"


def verdicts(results, sizes):
    """All pairs of flush and fence with 3 versions; none is chosen for what came out."""
    rows = []
    for media, swaps in sizes:
        undo = (media, swaps, *UNDO, 0.6)
        for flush in FLUSHES:
            for fence in FENCES:
                key, base = ((media, swaps, variant, flush, fence, versions, 0.6) for variant, versions in (("interleaved+thread", 3), ("log-flush", "-")))
                energy = results.median(base, "lines flushed") / results.median(key, "lines flushed")
                rows.append((f"{NAMES[media]}, {swaps:,} swaps", flush, fence, verdict(results.median(key, "throughput") / results.median(base, "throughput")),
                             verdict(alone(results, key) / alone(results, base)), f"{alone(results, key) / alone(results, undo):.2f}", f"{energy:.2f}"))
    return measure.markdown_table(("interleaved+thread, 3 versions", "flush", "fence", "by the clock", "by processor time", "the same to engine undo", "energy ratio"), rows)


PAGE = """# SPS: the eight variants of memory-style storage

`bench/sps.py` makes this page, its data (sps-variants.csv) and its charts with one command. {machine}; medians of {rounds}; runs of up to {most:,} swaps
(`--most`). Two of 100,000 strings of 256
bytes change places at a time; the last swap is durable before the clock stops (except with a log that does not flush).

- **disk-log**, **log**, **log-flush**: a log of the two old strings, written by hand, with `fdatasync()` as its fence, with neither flush nor fence, with both. Disk log: {disk:,.0f} swaps/s.
- **interleaved**: two or three versions of each string, written in place (`nvm_interleaved_write()`), each swap durable at once by two fences.
- **interleaved+thread**: a second thread flushes and commits the gathered swaps (NVM_THREAD_THRESHOLD=0.6, [decision 0081](../decisions/0081-versions-with-a-thread.md)).
  What it has not finished may be lost, some ten thousand swaps here; nothing is torn. The log guarantees each swap: the two compared variants have different guarantees, as in the paper.

Goal: {paper} times log-flush with the same flush and fence, as in the paper; its energy ratio is {paper_energy}.

{verdicts}
*By the clock* the two threads share two processors with everything else on the machine (load average above). *By processor time* the busier of the two threads bounds a swap, as with a
processor for each; this is a bound computed from processor time, not a measured run.

The pairs that miss the goal flush by clwb in DRAM: there the log waits least, since its lines stay in the cache and a fence has little to wait for. The rest of a swap, the copying, is the same in
both, and bounds the ratio.

*Engine undo* is the runtime's own log (`sps_bench log`), whose stores go past the cache, by the best instruction that the processor has.

*Energy is an estimate*: no energy counters can be read here. Its model is a count: lines flushed by 512 bits by 3.91 pJ (1.02 into the row buffer, 2.89 into the array); reads, fences, the
processor, and evictions of the cache are left out. `log` flushes nothing, so the model does not apply to it.

*Emulated PCM*: 300 ns for a line and 40 ns for the instruction, 500 ns for a fence, spun by the thread that flushes.

{tables}
![Throughput](sps-variants.svg)

## Threshold

`clwb`, `sfence`, 3 versions. The paper's best is 0.6; here its effect is within the noise, except that a low one flushes more lines.

{thresholds}
![By threshold](sps-threshold.svg)

## Where the time goes

The columns of the two threads are the profile. For each swap log-flush flushes 18 lines and waits at 4 fences in the program's own thread; interleaved 11 lines and 2 fences. With the thread the program only
copies, and the second thread flushes the versions and, for some versions, a line of words, and fences twice in a batch. The second thread bounds the rate wherever its
column is the larger one. With 2 versions the program also waits whenever it comes back to a string that is being flushed.
"""


def write(options, sizes, results, machine, rounds):
    measure.write_csv(os.path.join(options.out, "sps-variants.csv"),
                      ("media", "swaps", "variant", "flush", "fence", "versions", "threshold", "parameter", "median", "rounds", "spread"), results.rows())
    shown = [s for s in settings() if s[2] == "sfence"]
    labels = [f"{v.replace('interleaved', 'int.')}\n{f}{'' if n == '-' else f' {n}'}" for v, f, _, n in shown]
    # Wide labels: one chart of bars for each medium beside the other would not fit.
    measure.bar_chart(os.path.join(options.out, "sps-variants.svg"), "SPS, 100,000 swaps, times log-flush with the same flush (sfence)", "ratio by the clock",
                      labels, [(NAMES[m], [results.median((m, 100_000, *s, 0.6), "throughput") / results.median((m, 100_000, "log-flush", s[1], "sfence", "-", 0.6), "throughput")
                                           for s in shown]) for m in ("dram", "pcm")])
    measure.bar_chart(os.path.join(options.out, "sps-threshold.svg"), "interleaved+thread by threshold, 3 versions, clwb, sfence", "1000 swaps per second", list(map(str, THRESHOLDS)),
                      [(f"{NAMES[m]}, {n:,}", [results.median((m, n, "by threshold", "clwb", "sfence", 3, t), "throughput") / 1000 for t in THRESHOLDS]) for m, n in sizes])
    tables = "\n".join(f"{NAMES[m]}, {n:,} swaps\n\n{table(results, m, n)}" for m, n in sizes)
    disk = results.median(("disk", DISK_SWAPS, "disk-log", "-", "-", "-", 0.6), "throughput")
    measure.write_text(os.path.join(options.out, "sps.md"),
                       PAGE.format(machine=machine, rounds="one round" if rounds == 1 else f"{rounds} rounds", disk=disk, most=max(n for _, n in sizes), paper=PAPER, paper_energy=PAPER_ENERGY, verdicts=verdicts(results, sizes),
                                   tables=tables, thresholds=thresholds(results, sizes)))


def kill(options, setting, at):
    """Has a run kill itself and looks at what it left."""
    path = measure.fresh(options.memory)
    environment = {**os.environ, "NVM_MEDIA": "dram", "MSS_KILL_AT": str(at), "NVM_THREAD_THRESHOLD": "0.05"}
    done = subprocess.run(command(options, setting, 1_000_000_000, path), env=environment, check=False, timeout=60)
    if done.returncode != -signal.SIGKILL:
        sys.exit(f"sps.py: error: {setting} ended with status {done.returncode} and not by being killed")
    versions = [] if setting[3] == "-" else [str(setting[3])]
    looked = subprocess.run([options.program, "check", setting[0], path, *versions], capture_output=True, text=True, check=False, timeout=60,
                            env={**os.environ, "NVM_MEDIA": "dram"})
    os.remove(path)
    if looked.returncode:
        sys.exit(f"sps.py: error: {setting}, killed at {at}: {looked.stdout}{looked.stderr}")


def short(options):
    for setting in [("disk-log", "-", "-", "-"), *settings()]:
        if setting[1] == "clflush" or setting[3] == 2:
            continue
        values = run(options, setting, 20 if setting[0] == "disk-log" else 2000, options.memory, NVM_MEDIA="dram")
        if (values["lines flushed"] > 0) != (setting[1] != "-"):
            sys.exit(f"sps.py: error: {setting} flushed {values['lines flushed']} lines for each swap")
    for setting in (("log", "-", "-", "-"), ("log-flush", "clwb", "sfence", "-"), ("interleaved", "clwb", "sfence", 2)):
        for at in range(5000, 5000 + POINTS[setting[0]]):  # all points of one swap
            kill(options, setting, at)
    for versions in VERSIONS:
        for _ in range(KILLS):  # where the other thread is then depends on the machine
            kill(options, ("interleaved+thread", "clwb", "sfence", versions), random.randrange(1, 200_000))
    print("no killed run left anything torn")


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="mss_bench of a build folder")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--most", type=int, default=1_000_000, help="runs of more swaps are left out")
    parser.add_argument("--memory", default="/dev/shm", help="folder for pools, in memory")
    parser.add_argument("--disk", default=".", help="folder for the disk log")
    parser.add_argument("--out", default=os.path.join(here, "..", "docs", "results"))
    options = parser.parse_args()
    if options.short:
        short(options)
    else:
        machine = measure.machine()
        sizes = [size for size in SIZES if size[1] <= options.most]
        results = Results()
        for number in range(options.rounds):  # drawn after each, so that what there is can be looked at
            one_round(options, sizes, results)
            write(options, sizes, results, machine, number + 1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
