#!/usr/bin/env python3
# ===- replica.py - Commits that another machine has, measured ----------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Throughput against the size of what a commit changes, and what the replica takes.

usage: replica.py BUILD-FOLDER [--rounds N] [--seconds S] [--memory FOLDER] [--disk FOLDER] [--out FOLDER]
                  [--sizes BYTES..]

Where a commit has to be before its output leaves:

process       here, in the page cache: no replica
disk          here, on the disk (NVM_DURABILITY=power)
sync          here and in the memory of nvm-replica, another process of this machine, by loopback
sync-disk     here and on the disk of nvm-replica (--durability power)
async         here; the replica has it later

Variants take turns. Writes replica.csv and replica.svg to the folder, and the tables of the medians to
standard output. Build the targets `benchmarks`, `nvm-replica` and `nvmove_fabric` first.
"""

import argparse
import os
import subprocess
import sys
import tempfile

import measure

SIZES = (64, 256, 1024, 4096, 16384, 65536, 262144, 1048576)
# Name, durability of the pool, mode of the replica, its durability.
VARIANTS = (("process", "process", None, None), ("disk", "power", None, None), ("sync", "process", "sync", "process"),
            ("sync-disk", "process", "sync", "power"), ("async", "process", "async", "process"))
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


class Replica:
    def __init__(self, build, folder, durability):
        tools = os.path.join(build, "runtime")
        self.module = os.path.join(tools, "libnvmove-fabric.so")
        self.process = subprocess.Popen(
            [os.path.join(tools, "nvm-replica"), "--listen", "127.0.0.1:0", "--durability", durability,
             os.path.join(folder, "replica")],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=dict(os.environ, NVM_FABRIC=self.module))
        said = self.process.stdout.readline()
        self.port = int(said.split(" on 127.0.0.1:")[1].split(":")[0])

    def takes(self):
        """Processor seconds, and the bytes of memory that are not the pool's."""
        with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as file:
            lines = dict(line.split(":", 1) for line in file)
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_S, int(lines["RssAnon"].split()[0]) * 1024

    def end(self):
        self.process.terminate()
        self.process.wait()


def run(options, variant, size):
    """Values by name, of one variant once."""
    name, durability, mode, there = variant
    on_disk = "power" in (durability, there)
    with tempfile.TemporaryDirectory(dir=options.disk if on_disk else options.memory) as folder:
        env = {k: v for k, v in os.environ.items() if not k.startswith("NVM_")}
        replica = Replica(options.build, folder, there) if mode else None
        if replica:
            env.update(NVM_FABRIC=replica.module, NVM_REPLICA=f"127.0.0.1:{replica.port}", NVM_REPLICA_MODE=mode)
        before_s = replica.takes()[0] if replica else 0
        result = subprocess.run(
            [os.path.join(options.build, "runtime", "replica_bench"), str(size), str(options.seconds), durability,
             os.path.join(folder, "pool")],
            stdout=subprocess.PIPE, text=True, env=env, check=True)
        values = {line.split(",")[0]: float(line.split(",")[1]) for line in result.stdout.splitlines()}
        if replica:
            cpu_s, memory_bytes = replica.takes()
            values["replica_cpu"] = (cpu_s - before_s) / values["commits"] * 1e6
            values["replica_memory"] = memory_bytes / 2**20
            replica.end()
    return values


def size_text(size):
    return f"{size} B" if size < 1024 else f"{size // 1024} KiB" if size < 2**20 else f"{size // 2**20} MiB"


def catch_up(options):
    """Seconds until a pool with 512 MiB is there: without a replica, and with one that has nothing."""
    quick = argparse.Namespace(**dict(vars(options), seconds=0))
    return [measure.median([run(quick, variant, 2**20)["ready"] for _ in range(options.rounds)])
            for variant in (VARIANTS[0], VARIANTS[2])]


def table(values, sizes, parameter, form, names):
    rows = []
    for size in sizes:
        cells = [measure.median(values[(name, size, parameter)]) if (name, size, parameter) in values else None
                 for name in names]
        rows.append([size_text(size)] + ["–" if cell is None else form(cell, size) for cell in cells])
    return measure.markdown_table(["a commit changes"] + list(names), rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--memory", default="/dev/shm")
    parser.add_argument("--disk", default=tempfile.gettempdir())
    parser.add_argument("--out", default="docs/results")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    options = parser.parse_args()
    print(measure.machine())
    values = {}
    for round_ in range(options.rounds):
        for size in options.sizes:
            for variant in VARIANTS:
                if sys.stderr.isatty():
                    print(f"\r\033[Kround {round_ + 1}: {variant[0]} {size}", end="", file=sys.stderr, flush=True)
                for parameter, value in run(options, variant, size).items():
                    values.setdefault((variant[0], size, parameter), []).append(value)
    names = [variant[0] for variant in VARIANTS]
    followed = [variant[0] for variant in VARIANTS if variant[2]]
    measure.write_csv(os.path.join(options.out, "replica.csv"), ["variant", "bytes", "parameter", "median", "spread"],
                      [[name, size, parameter, f"{measure.median(all_):.4g}", f"{measure.spread(all_):.2f}"]
                       for (name, size, parameter), all_ in sorted(values.items())])
    measure.line_chart(
        os.path.join(options.out, "replica.svg"), "Commits a second, by what one changes", "both axes logarithmic",
        [size_text(size) for size in options.sizes],
        [(name, [measure.median(values[(name, size, "rate")]) for size in options.sizes]) for name in names])
    print("\nCommits a second:\n")
    print(table(values, options.sizes, "rate", lambda v, _: f"{v:,.0f}", names))
    print("MB a second:\n")
    print(table(values, options.sizes, "rate", lambda v, size: f"{v * size / 1e6:,.1f}", names))
    print("Microseconds from a section's begin until its output may be sent, median and 99th percentile:\n")
    rows = [[size_text(size)] + [f"{measure.median(values[(name, size, 'median')]):,.0f}, "
                                 f"{measure.median(values[(name, size, 'p99')]):,.0f}" for name in names]
            for size in options.sizes]
    print(measure.markdown_table(["a commit changes"] + names, rows))
    print("Processor time of the replica for each commit, microseconds:\n")
    print(table(values, options.sizes, "replica_cpu", lambda v, _: f"{v:.1f}", followed))
    print("Memory of the replica beside the pool, MiB:\n")
    print(table(values, options.sizes, "replica_memory", lambda v, _: f"{v:.1f}", followed))
    alone_s, followed_s = catch_up(options)
    print(f"First commit, of 512 MiB: {alone_s:.2f} s alone, {followed_s:.2f} s with a replica that gets all of it by pages.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
