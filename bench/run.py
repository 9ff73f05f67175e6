#!/usr/bin/env python3
# ===- run.py - All measurements of the runtime in one go ---------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Runs the benchmark programs of a build folder, variants taking turns.

usage: run.py BUILD-FOLDER [--only engines words allocation sps hashmap recovery media]
              [--rounds N] [--memory FOLDER] [--disk FOLDER] [--out FOLDER]

engines    what a store costs under each engine, beside plain stores, an undo log
           by hand and libpmemobj's transactions (engine_bench.c)
words      one word of a record under incll, with a line log and without
           (words_bench.c)
allocation malloc and free beside malloc, jemalloc and libpmemobj (alloc_bench.c)
sps        swaps of strings: log, interleaved versions, a second thread
           (sps_bench.c), with lines written and the energy that they take
hashmap    a hash map under each engine and with restart points (hashmap_bench.c)
recovery   reopening after a crash, by size of heap and log (recovery_bench.c)
media      the delays of an emulated medium against the clock (media_bench.c)

Every round runs each variant once, in a process of its own, so that a slow moment
of the machine hits all of them. Writes CSV and charts to the folder, and tables of
the medians to standard output. Build the target `benchmarks` first.
"""

import argparse
import os
import subprocess
import sys

import engine_chart
import measure

# Into the row buffer and from there into the array, and back, pJ per bit, as memory-style
# storage counts them; a line has 512 bits.
LINE_NJ = 512 * (1.02 + 2.89) / 1000
READ_LINE_NJ = 512 * (0.93 + 1.00) / 1000
SWAPS = (100_000, 1_000_000)
SPS = ("plain", "log", "redo", "redo+thread", "interleaved", "interleaved-versions", "interleaved-epoch", "interleaved-epoch-256",
       "interleaved+thread")
SPS_DISK_SWAPS = 2000
ITEMS = 2_000_000
POINTS = ("redo-points", "dual-points", "incll-points")
EPOCHS_MS = (8, 16, 32, 64, 128, 256, 512)
TRACKED_BYTES = (64, 256, 1024, 4096)
OBJECTS = (1_000_000, 10_000_000)
LOG_LINES = (100, 1_000, 10_000, 100_000)
DELAYS_NS = (40, 100, 200, 300, 500, 2000)


class Runs:
    """Values by key and parameter; what one round adds."""

    def __init__(self, options):
        self.options = options
        self.values = {}
        self.units = {}

    def run(self, *command, **environment):
        """The lines `parameter,value,unit` that the program prints."""
        program = os.path.join(self.options.build, "runtime", command[0])
        done = subprocess.run([program, *map(str, command[1:])], capture_output=True, text=True, check=False, timeout=600,
                              env={**os.environ, **environment})
        if done.returncode > 0:
            sys.exit(f"run.py: error: {' '.join(map(str, command))} ended with status {done.returncode}\n{done.stderr}")
        return [line.rsplit(",", 2) for line in done.stdout.splitlines()]

    def add(self, key, lines):
        for parameter, value, unit in lines:
            self.values.setdefault((*key, parameter), []).append(float(value))
            self.units[(*key, parameter)] = unit

    def median(self, *key):
        return measure.median(self.values[key])

    def write(self, name, header):
        rows = [(*key, f"{measure.median(v):.4g}", self.units[key], len(v), f"{measure.spread(v):.2f}") for key, v in self.values.items()]
        measure.write_csv(os.path.join(self.options.out, f"{name}.csv"), (*header, "parameter", "median", "unit", "rounds", "spread"), rows)


def variants(options, program):
    """What the program says that it can measure; engines among them are those of the runtime's table."""
    done = subprocess.run([os.path.join(options.build, "runtime", program), "--variants"], capture_output=True, text=True, check=True)
    return done.stdout.split()


def table(title, header, rows):
    print(f"\n{title}\n\n{measure.markdown_table(header, rows)}", flush=True)


def engines(options):
    panels = []
    epochs = {line.partition(",")[0] for line in variants(options, "engine_bench") if line.endswith(",epochs")}
    for media, title in (("dram", "flushes as on DAX"), ("none", "page cache"), ("pcm", "emulated PCM")):
        path = os.path.join(options.out, f"engines-{media}.csv")
        rounds = 1 if media == "pcm" else options.rounds
        done = subprocess.run([os.path.join(options.build, "runtime", "engine_bench"), media, options.memory, str(rounds)],
                              capture_output=True, text=True, check=True)
        measure.write_text(path, done.stdout)
        panels.append((title, engine_chart.rows_of(path)))
        print(f"\n{title}\n\n{done.stdout}", flush=True)
    measure.write_text(os.path.join(options.out, "engines.svg"), engine_chart.chart(panels, epochs))


def words(options):
    runs = Runs(options)
    columns = [(media, variant) for media in ("dram", "pcm") for variant in ("saved", "logged")]
    for _ in range(options.rounds):
        for media, variant in columns:
            runs.add((media, variant), runs.run("words_bench", variant, measure.fresh(options.memory), NVM_MEDIA=media))
    measure.fresh(options.memory)
    runs.write("words", ("medium", "variant"))
    stores = [store for *column, store in runs.values if tuple(column) == columns[0]]
    table("One word of a record under incll, ns/store", ("store", *(f"{media}, {variant}" for media, variant in columns)),
          [(store, *(f"{runs.median(*column, store):.1f}" for column in columns)) for store in stores])


def allocation(options):
    runs = Runs(options)
    allocators = variants(options, "alloc_bench")
    for _ in range(options.rounds):
        for allocator in allocators:
            runs.add((allocator,), runs.run("alloc_bench", allocator, measure.fresh(options.memory)))
    measure.fresh(options.memory)
    runs.write("allocation", ("allocator",))
    ways = [way for allocator, way in runs.values if allocator == allocators[0]]
    rows = []
    for allocator in allocators:
        times = [(runs.median(allocator, way), runs.median("jemalloc", way)) for way in ways]
        rows.append((allocator, *(f"{taken:.1f} ({taken / jemalloc:.1f})" for taken, jemalloc in times)))
    table("malloc and free of 16 to 512 bytes, ns/operation (times jemalloc)", ("allocator", *ways), rows)
    shown = [allocator for allocator in allocators if allocator not in ("libpmemobj", "tx")]
    measure.bar_chart(os.path.join(options.out, "allocation.svg"), "malloc and free among 20 000 blocks (libpmemobj and tx: see the table)",
                      "ns per operation", shown, [(way, [runs.median(a, way) for a in shown]) for way in ways[:3]])


def sps(options):
    """Counting takes time, so it has runs of its own."""
    runs = Runs(options)
    settings = [(media, variant, swaps) for media in ("dram", "pcm") for swaps in (SWAPS if media == "dram" else SWAPS[:1]) for variant in SPS]
    for _ in range(options.rounds):
        for media, variant, swaps in settings:
            lines = runs.run("sps_bench", variant, swaps, measure.fresh(options.memory), NVM_MEDIA=media)
            runs.add((media, variant, swaps), lines[:3])
        pool = measure.fresh(options.disk)
        runs.add(("disk", "disk-log", SPS_DISK_SWAPS), runs.run("sps_bench", "disk-log", SPS_DISK_SWAPS, pool)[:3])
        os.remove(pool)
    for media, variant, swaps in settings:
        lines = runs.run("sps_bench", variant, swaps, measure.fresh(options.memory), NVM_MEDIA=media, NVM_STATS="1")
        runs.add((media, variant, swaps), lines[3:])
    measure.fresh(options.memory)
    runs.write("sps", ("media", "variant", "swaps"))
    for media, swaps in (("dram", SWAPS[0]), ("dram", SWAPS[1]), ("pcm", SWAPS[0])):
        log = runs.median(media, "log", swaps, "throughput")
        rows = []
        for variant in SPS:
            rate, cpu, own, stores, written, flushed, fences, read = (
                runs.median(media, variant, swaps, p) for p in
                ("throughput", "processor time", "of that the program's thread", "stores", "lines written", "lines flushed", "fences", "lines read"))
            rows.append((variant, f"{rate / 1000:,.0f}", f"{rate / log:.2f}", f"{cpu:.0f}", f"{own:.0f}", f"{stores:.1f}", f"{written:.1f}",
                         f"{flushed:.1f}", f"{fences:.1f}", f"{read:.1f}", f"{(written + flushed) * LINE_NJ + read * READ_LINE_NJ:.0f}"))
        table(f"SPS, {media}, {swaps} swaps",
              ("variant", "1000 swaps/s", "ratio to log", "CPU ns", "its thread's", "stores", "lines written", "flushed", "fences", "read", "nJ"), rows)
    print("disk log:", runs.median("disk", "disk-log", SPS_DISK_SWAPS, "throughput"), "swaps/s")
    measure.bar_chart(os.path.join(options.out, "sps.svg"), "SPS: swaps of 256-byte strings, 100 000 swaps", "1000 swaps per second",
                      list(SPS[1:]), [(m, [runs.median(m, v, SWAPS[0], "throughput") / 1000 for v in SPS[1:]]) for m in ("dram", "pcm")])


def run_hashmap(runs, key, variant, *arguments, **environment):
    pool = measure.fresh(runs.options.memory)
    lines = runs.run("hashmap_bench", variant, ITEMS, pool, *arguments, NVM_MEDIA="dram", **environment)
    runs.add(key, lines[2:])  # the first measurement warms up


def hashmap_by(options, name, title, unit, values, run):
    """Two threads, 90 % updates: restart points with something else than 64 ms or 64 bytes."""
    runs = Runs(options)
    for _ in range(options.rounds):
        for value in values:
            for variant in POINTS:
                run(runs, (variant, value), variant, value)
    measure.fresh(options.memory)
    runs.write(name, ("variant", unit))
    updates = "90 % updates; 2 threads"
    rates = {v: [runs.median(v, value, updates) for value in values] for v in POINTS}
    table(title, (unit, *POINTS), [(value, *(f"{rates[v][i] / 1e6:.2f}" for v in POINTS)) for i, value in enumerate(values)])
    measure.line_chart(os.path.join(options.out, name + ".svg"), title, "operations per second", [str(v) for v in values], list(rates.items()))


def hashmap(options):
    runs = Runs(options)
    shown = variants(options, "hashmap_bench")
    for _ in range(options.rounds):
        for variant in shown:
            run_hashmap(runs, (variant,), variant)
    measure.fresh(options.memory)
    runs.write("hashmap", ("variant",))
    parameters = [f"{percent} % updates; {threads} threads" for percent in (90, 10) for threads in (1, 2)]
    rows = []
    for variant in shown:
        cells = []
        for p in parameters:
            rate, plain = runs.median(variant, p), runs.median("plain", p)
            cells.append(f"{rate / 1e6:.2f} ({plain / rate:.1f})")
        for one, two in (parameters[:2], parameters[2:]):
            cells.append(f"{runs.median(variant, two) / runs.median(variant, one):.2f}")
        rows.append((variant, *cells))
    table("HashMap of 2 M items, million operations/s (times slower than plain)",
          ("variant", *parameters, "second thread, 90 %", "second thread, 10 %"), rows)
    measure.bar_chart(os.path.join(options.out, "hashmap.svg"), "HashMap of 2 M items", "million operations per second", shown,
                      [(p, [runs.median(v, p) / 1e6 for v in shown]) for p in parameters])
    hashmap_by(options, "hashmap-epochs", "HashMap by the time between checkpoints, 90 % updates, 2 threads", "ms", EPOCHS_MS,
               lambda runs, key, variant, ms: run_hashmap(runs, key, variant, NVM_EPOCH_MS=str(ms)))
    hashmap_by(options, "hashmap-tracking", "HashMap by what a store announces, 90 % updates, 2 threads", "bytes", TRACKED_BYTES,
               lambda runs, key, variant, size: run_hashmap(runs, key, variant, size))


def crash_and_open(runs, lines, pool):
    runs.run("recovery_bench", "crash", lines, pool)
    return runs.run("recovery_bench", "open", pool)


def recovery(options):
    runs = Runs(options)
    pools = {}
    engine_names = variants(options, "recovery_bench")
    for engine in engine_names:
        for objects in OBJECTS:
            pools[engine, objects] = os.path.join(options.memory, f"nvmove-bench-{os.getpid()}-{engine}-{objects}")
            runs.run("recovery_bench", "fill", engine, objects, pools[engine, objects])
    try:
        for _ in range(options.rounds):
            for (engine, objects), pool in pools.items():
                runs.add((engine, objects, 1000), crash_and_open(runs, 1000, pool))
            for lines in LOG_LINES:
                for engine in ("redo", "undo"):
                    runs.add((engine, OBJECTS[0], lines), crash_and_open(runs, lines, pools[engine, OBJECTS[0]]))
    finally:
        for pool in pools.values():
            os.remove(pool)
    runs.write("recovery", ("engine", "objects", "lines in the log"))
    rows = []
    for engine in engine_names:
        small, large = (runs.median(engine, n, 1000, "reopening") for n in OBJECTS)
        rows.append((engine, f"{small:.1f}", f"{large:.1f}", f"{large / small:.2f}"))
    table("Reopening after a crash, ms, 1000 lines in the log", ("engine", "1 M objects", "10 M objects", "ratio"), rows)
    rows = [(engine, *(f"{runs.median(engine, OBJECTS[0], n, 'reopening'):.1f}" for n in LOG_LINES)) for engine in ("redo", "undo")]
    table("The same, 1 M objects, by lines in the log", ("engine", *map(str, LOG_LINES)), rows)
    measure.bar_chart(os.path.join(options.out, "recovery.svg"), "Reopening after a crash", "milliseconds", engine_names,
                      [(f"{n // 1_000_000} M objects", [runs.median(e, n, 1000, "reopening") for e in engine_names]) for n in OBJECTS])


def media(options):
    runs = Runs(options)
    for _ in range(options.rounds):
        for ns in DELAYS_NS:
            runs.add((ns,), runs.run("media_bench", ns, measure.fresh(options.memory)))
    measure.fresh(options.memory)
    runs.write("media", ("ns asked for",))
    table("Delays by the clock, ns", ("asked for", "taken"), [(ns, f"{runs.median(ns, 'delay'):.0f}") for ns in DELAYS_NS])


def main():
    benches = {"engines": engines, "words": words, "allocation": allocation, "sps": sps, "hashmap": hashmap, "recovery": recovery, "media": media}
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", help="build folder, with the target `benchmarks` built")
    parser.add_argument("--only", nargs="+", choices=benches, default=list(benches))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--memory", default="/dev/shm", help="folder for pools, in memory")
    parser.add_argument("--disk", default=".", help="folder for pools, on a disk")
    parser.add_argument("--out", default=os.path.join(here, "..", "docs", "results"))
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    os.makedirs(options.out, exist_ok=True)
    print(measure.machine())
    for name in options.only:
        benches[name](options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
