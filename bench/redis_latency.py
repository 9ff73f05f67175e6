#!/usr/bin/env python3
# ===- redis_latency.py - How long requests wait while something else goes on -===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Quantiles of latency while Redis saves, grows, collects garbage or has just started.

YCSB's 50/50 mix at a fixed rate (bench/ycsb_redis.c), far below what a server can do: what
a request waits is then due to what goes on beside. The unchanged Redis and the port
with a pool take turns; medians over the rounds count.

nvmove's runtime must be known to pkg-config, and libhiredis-dev be installed.
"""

import argparse
import contextlib
import csv
import os
import subprocess
import sys
import tempfile
import threading

import measure
from resp import ReplyError
from server import NONE, POOL, Server

QUANTILES = ("p50", "p99", "p99.9", "longest")


class Client:
    """The driver's runs against one server, over its socket."""

    def __init__(self, driver, server, options):
        self.driver, self.server, self.options = driver, server, options

    def _run(self, *arguments):
        command = [self.driver, "sock", "string", *map(str, arguments)]
        done = subprocess.run(command, check=False, cwd=self.server.folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"redis_latency.py: error: {done.stderr}\n{self.server.tail()}")
        return {name: float(value) for name, value, _ in csv.reader(done.stdout.splitlines())}

    def load(self):
        self._run("load", self.options.records)

    def probe(self, seed):
        """{quantile: microseconds} over the seconds asked for."""
        options = self.options
        return self._run(options.records, 50, options.rate * options.seconds, 1, seed, options.rate)


# ===-- What goes on beside ----------------------------------------------------===#


@contextlib.contextmanager
def repeated(step):
    """Calls `step` again and again, in a thread, until the block ends. It must have come to its end once at least."""
    over, times = threading.Event(), []

    def work():
        while not over.is_set():
            step()
            times.append(None)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    if not times:
        sys.exit("redis_latency.py: error: what was to go on beside did not begin")


def save_once(server):
    with server.connect() as connection:
        reply = connection.call("BGSAVE")
        if isinstance(reply, ReplyError):
            sys.exit(f"redis_latency.py: error: BGSAVE: {reply.text}")
        while b"rdb_bgsave_in_progress:1" in connection.call("INFO", "persistence"):
            threading.Event().wait(0.02)
        if b"rdb_last_bgsave_status:ok" not in connection.call("INFO", "persistence"):
            sys.exit("redis_latency.py: error: BGSAVE failed")


def grow_once(server):
    """New keys by another client, as fast as it goes, one at a time."""
    program = os.path.join(os.path.dirname(server.binary), "redis-benchmark")
    subprocess.run([program, "-s", "sock", "-t", "set", "-c", "1", "-n", "20000", "-r", "1000000000", "-d", "1000", "-q"],
                   check=True, cwd=server.folder, stdout=subprocess.DEVNULL)


def quiet(client, round_):
    return client.probe(round_)


def while_saving(client, round_):
    with repeated(lambda: save_once(client.server)):
        return client.probe(round_)


def while_growing(client, round_):
    with repeated(lambda: grow_once(client.server)):
        return client.probe(round_)


def after_start(client, round_):
    """From the first answer after kill -9. Nothing to measure where a kill loses everything."""
    if client.server.persistence != POOL:
        return None
    client.server.crash_and_restart()
    return client.probe(round_)


def while_collecting(client, round_):
    """The same, and the heap is collected meanwhile."""
    if client.server.persistence != POOL:
        return None
    client.server.kill()
    client.server.start(NVM_GC="1")
    return client.probe(round_)


PHASES = {
    "nothing else": quiet,
    "BGSAVE": while_saving,
    "growth": while_growing,
    "just restarted": after_start,
    "just restarted, NVM_GC=1": while_collecting,
}

# ===-- Rounds and the page ----------------------------------------------------===#


def run(options, driver):
    """{(server, phase): [{quantile: us}]}"""
    makers = {"stock": lambda: Server(options.stock, NONE)}
    for engine in options.engines:
        makers[engine] = lambda engine=engine: Server(options.tree, POOL, pool_size="64M", env={"NVM_ENGINE": engine})
    samples = {(name, phase): [] for name in makers for phase in PHASES}
    for round_ in range(1, options.rounds + 1):
        for name in makers if round_ % 2 else reversed(makers):
            with makers[name]() as server:
                server.start()
                client = Client(driver, server, options)
                client.load()
                for phase, measured in PHASES.items():
                    found = measured(client, round_)
                    if found:
                        samples[name, phase].append(found)
                server.kill()
        print(f"round {round_} of {options.rounds} done", flush=True)
    return list(makers), samples


def page(options, names, samples, machine):
    rows = []
    for phase in PHASES:
        for name in names:
            found = samples[name, phase]
            if found:
                rows.append((phase, name, *(f"{measure.median([f[q] for f in found]):,.0f}" for q in QUANTILES)))
    return (f"`bench/redis_latency.py`, {options.rounds} rounds of {options.seconds} s at {options.rate:,} operations a second, half of them "
            f"reads; {options.records:,} records of 1000 bytes, 16 connections; microseconds from the moment at which a request was due. "
            f"{machine}.\n\n" + measure.markdown_table(("during", "server", *QUANTILES), rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", required=True, help="the port, built")
    parser.add_argument("--stock", required=True, help="the unchanged Redis, built")
    parser.add_argument("--engines", nargs="+", default=["redo", "undo"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--records", type=int, default=300_000)
    parser.add_argument("--rate", type=int, default=10_000, help="operations a second")
    parser.add_argument("--seconds", type=int, default=8, help="of each phase")
    parser.add_argument("--csv", default="redis_latency.csv")
    parser.add_argument("--markdown", help="write the table here")
    options = parser.parse_args()
    machine = measure.machine()
    with tempfile.TemporaryDirectory() as folder:
        driver = measure.compiled("ycsb_redis.c", os.path.join(folder, "ycsb_redis"), "-lhiredis", "-lm")
        names, samples = run(options, driver)
    measure.write_csv(options.csv, ("server", "beside", "round", *QUANTILES),
                      [(n, p, i + 1, *(f"{found[q]:.1f}" for q in QUANTILES))
                       for (n, p), rounds in samples.items() for i, found in enumerate(rounds)])
    text = page(options, names, samples, machine)
    print(text)
    if options.markdown:
        measure.write_text(options.markdown, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
