#!/usr/bin/env python3
# ===- measure.py - the page of results of memcached ----------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Measures the moved memcached beside the original, and writes docs/results/memcached.md.

Each figure is the processor time of the server for one operation, which other work on
the machine changes less than it does the time that passes; the rounds of all variants
are made in turns, and the median of the ratios to the original's same round counts.
"""

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(PROJECT, "bench"))

import measure  # noqa: E402
from client import Server  # noqa: E402

EPOCHS = {"NVM_EPOCH_MS": "64"}
POINTS, DURABLE = "restart points, 64 ms", "each write durable"
VARIANTS = {
    "original": ("original", None),
    "moved, no pool": ("moved", None),
    POINTS: ("moved", {"NVM_ENGINE": "undo", **EPOCHS}),
    POINTS + ", incll": ("moved", {"NVM_ENGINE": "incll", **EPOCHS}),
    DURABLE: ("moved", {"NVM_ENGINE": "redo", "NVM_EPOCH_MS": "0"}),
    DURABLE + ", undo": ("moved", {"NVM_ENGINE": "undo", "NVM_EPOCH_MS": "0"}),
}
READS = (90, 10)
GOALS = {90: {POINTS: 0.04, DURABLE: 0.15}, 10: {POINTS: 0.12, DURABLE: 0.30}}


def processor_s(server):
    """Of all threads, to the nanosecond."""
    total = 0
    for task in os.listdir(f"/proc/{server.process.pid}/task"):
        with open(f"/proc/{server.process.pid}/task/{task}/schedstat", encoding="ascii") as file:
            total += int(file.read().split()[0])
    return total * 1e-9


class Bench:
    def __init__(self, options, folder):
        self.options, self.program = options, os.path.join(folder, "load")
        subprocess.run(["cc", "-O2", "-o", self.program, os.path.join(HERE, "load.c")], check=True)

    def load(self, server, *arguments):
        return subprocess.run([self.program, server.path, *map(str, arguments)], check=True, capture_output=True, text=True).stdout.split()

    def server(self, variant, threads, *arguments):
        tree, env = VARIANTS[variant]
        return Server(os.path.join(self.options.tree, tree), ["-t", str(threads), "-m", "4096", "-o", "hashpower=20", *arguments],
                      env or {}, pool=env is not None)

    def throughput(self, threads, value_bytes):
        """{(variant, reads): [microseconds of the server for an operation, of each round]}"""
        servers, result = {}, {}
        try:
            for variant in self.options.variants:
                servers[variant] = self.server(variant, threads)
                servers[variant].start()
                self.load(servers[variant], "fill", self.options.keys, value_bytes)
            for round_ in range(self.options.rounds):
                for reads in READS:
                    for variant, server in servers.items():
                        before = processor_s(server)
                        _, operations, *_ = self.load(server, "run", self.options.keys, value_bytes, reads,
                                                         self.options.seconds, 4, 16, round_ + 1)
                        used_us = (processor_s(server) - before) / int(operations) * 1e6
                        result.setdefault((variant, reads), []).append(used_us)
                        say(f"{threads} threads, {value_bytes} B, {variant}, {reads} % reads: {used_us:.2f} us")
        finally:
            for server in servers.values():
                server.__exit__()
        return result

    def restarts(self, variant, value_bytes):
        """To the first hit, after kill -9 under a load of stores: milliseconds, and those of a processor."""
        times = []
        with self.server(variant, 4) as server:
            server.start()
            self.load(server, "fill", self.options.keys, value_bytes)
            for i in range(self.options.restarts):
                with subprocess.Popen([self.program, server.path, "run", str(self.options.keys), str(value_bytes), "10", "60", "4", "16", str(i)],
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as load:
                    try:
                        load.wait(0.5)
                    except subprocess.TimeoutExpired:
                        pass
                    server.kill()
                times.append(self.first_hit(server))
        return times

    def first_hit(self, server):
        begin = time.monotonic()
        server.start()
        self.load(server, "first", self.options.keys)
        return 1000 * (time.monotonic() - begin), 1000 * processor_s(server)

    def memory_file(self, value_bytes):
        """The original's own way: -e, a clean stop, a start from its file on tmpfs: milliseconds of both."""
        stops, starts = [], []
        with self.server("original", 4, "-e", "memory") as server:
            server.start()
            self.load(server, "fill", self.options.keys, value_bytes)
            for _ in range(self.options.restarts):
                begin = time.monotonic()
                server.stop(signal.SIGUSR1, 120)
                stops.append(1000 * (time.monotonic() - begin))
                time.sleep(2) # it takes a file of the same second for one of a clock that went back
                starts.append(self.first_hit(server))
        return stops, starts


def say(text):
    print(text, file=sys.stderr, flush=True)


def ratio_of(result, variant, reads):
    return statistics.median(own / original for original, own in zip(result["original", reads], result[variant, reads]))


def throughput_text(options, results):
    """The tables, and for the chart the labels of the groups and each variant's ratios."""
    lines = ["| items, server threads, reads | " + " | ".join(options.variants) + " |", "|---" * (len(options.variants) + 1) + "|"]
    groups, bars, verdicts = [], {variant: [] for variant in options.variants}, []
    for (threads, value_bytes), result in results.items():
        for reads in READS:
            title = f"{value_bytes} B, {threads} thread{'s' if threads > 1 else ''}, {reads} % reads"
            cells = []
            for variant in options.variants:
                ratio = ratio_of(result, variant, reads)
                bars[variant].append(ratio)
                cells.append(f"{statistics.median(result[variant, reads]):.2f}" if variant == "original" else f"{ratio:.2f}")
                if (goal := GOALS[reads].get(variant)) is not None:
                    below = 1 - 1 / ratio
                    verdicts.append((title, variant, below, goal))
            lines.append(f"| {title} | " + " | ".join(cells) + " |")
            groups.append(f"{value_bytes} B, {threads} thr., {reads} %")
    lines += ["", "| goal | at most | measured | |", "|---|---|---|---|"]
    lines += [f"| {title}, {variant} | {100 * goal:.0f} % below | {100 * below:.0f} % | {'met' if below <= goal else '**missed**'} |"
              for title, variant, below, goal in verdicts]
    return "\n".join(lines), groups, list(bars.items())


def page(options, machine, results, restarts, memory_files):
    table, groups, bars = throughput_text(options, results)
    os.makedirs(options.out, exist_ok=True)
    measure.bar_chart(os.path.join(options.out, "memcached.svg"), "memcached: processor time of an operation", "times the original's", groups, bars)
    lines = [f"| {value_bytes} B, {name} | {statistics.median(c for _, c in times):.0f} | {statistics.median(m for m, _ in times):.0f} |"
             for (value_bytes, name), times in restarts.items()]
    for value_bytes, (stops, starts) in memory_files.items():
        lines.append(f"| {value_bytes} B, original with -e, after a clean stop of {statistics.median(stops):.0f} ms | "
                     f"{statistics.median(c for _, c in starts):.0f} | {statistics.median(m for m, _ in starts):.0f} |")
    text = f"""## Figures

By `examples/memcached-port/measure.py` on {machine}: {options.keys:,} items, 4 connections with a pipeline of 16 requests each, medians of {options.rounds} rounds of
{options.seconds} s with the variants in turns, pools on tmpfs. Processor time of the server: microseconds for an operation of the original, and the ratio to it for each variant.

![Processor time of an operation, the original's being 1](memcached.svg)

{table}

From the start of the process to the first hit, after kill -9 under a load of stores, medians of {options.restarts}: milliseconds of processor time, and of elapsed time.

| | processor time | elapsed |
|---|---|---|
""" + "\n".join(lines) + "\n"
    path = os.path.join(options.out, "memcached.md")
    head = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            head = file.read().split("## Figures")[0]
    measure.write_text(path, head + text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", required=True, help="what port.sh made")
    parser.add_argument("--out", default=os.path.join(PROJECT, "docs", "results"))
    parser.add_argument("--keys", type=int, default=1_000_000)
    parser.add_argument("--values", type=int, nargs="+", default=[100, 1024], help="bytes of a value (100 1024)")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="of the server (1 2)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--restarts", type=int, default=5)
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS))
    options = parser.parse_args()
    machine = measure.machine()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        results = {(threads, size): bench.throughput(threads, size) for threads in options.threads for size in options.values}
        restarts = {(size, variant): bench.restarts(variant, size) for size in options.values
                    for variant in options.variants if VARIANTS[variant][1] is not None}
        files = {size: bench.memory_file(size) for size in options.values}
    page(options, machine, results, restarts, files)
    return 0


if __name__ == "__main__":
    sys.exit(main())
