#!/usr/bin/env python3
# ===- redis_restart.py - Restart from the pool beside loading a dump ---------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Seconds from the start of the process to the answer to the first GET.

The same binary, the same keys: once after kill -9 with a pool, once without a
pool from the dump that SAVE wrote. Rounds alternate; medians count.
"""

import argparse
import os
import sys
import time

import measure
from resp import Connection, ReplyError
from server import NONE, POOL, Server

CHUNK = 10000


def fill(server, keys):
    with server.connect() as connection:
        for i in range(keys // CHUNK):
            reply = connection.call("DEBUG", "POPULATE", CHUNK, f"key{i}")
            if isinstance(reply, ReplyError):
                sys.exit(f"redis_restart.py: error: {reply.text}")
        size = connection.call("DBSIZE")
    if size != keys:
        sys.exit(f"redis_restart.py: error: {size} keys instead of {keys}")


def first_get_s(server, keys):
    """Starts the server and polls until a GET in the middle of the data answers."""
    key = f"key{keys // CHUNK // 2}:{CHUNK // 2}"
    begin = time.monotonic()
    server.spawn()
    while True:
        if server.process.poll() is not None:
            sys.exit("redis_restart.py: error: the server ended\n" + server.tail())
        try:
            with Connection(server.address) as connection:
                reply = connection.call("GET", key)
        except OSError:
            time.sleep(0.0005)
            continue
        if isinstance(reply, ReplyError):  # still loading
            time.sleep(0.0005)
            continue
        taken_s = time.monotonic() - begin
        if reply != b"value:%d" % (CHUNK // 2):
            sys.exit(f"redis_restart.py: error: GET {key} gave {reply}")
        return taken_s


def run(options):
    pool = Server(options.tree, POOL, pool_size=options.pool_size)
    plain = Server(options.tree, NONE)
    samples = {"pool": [], "dump": []}
    with pool, plain:
        for server in (pool, plain):
            server.start()
            fill(server, options.keys)
        with plain.connect() as connection:
            connection.call("SAVE")
        dump_bytes = os.path.getsize(os.path.join(plain.folder, "dump.rdb"))
        for number in range(options.rounds):
            for name, server in (("pool", pool), ("dump", plain)):
                server.kill()
                samples[name].append(first_get_s(server, options.keys))
            print(f"round {number + 1}: pool {samples['pool'][-1] * 1000:.1f} ms, dump {samples['dump'][-1] * 1000:.1f} ms", flush=True)
    return samples, dump_bytes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", required=True, help="the port, built")
    parser.add_argument("--keys", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--pool-size", default="2G")
    parser.add_argument("--csv", default="redis_restart.csv")
    parser.add_argument("--markdown", help="write a page here")
    options = parser.parse_args()
    options.keys -= options.keys % CHUNK
    machine = measure.machine()
    samples, dump_bytes = run(options)
    measure.write_csv(options.csv, ("round", "pool_s", "dump_s"),
                      [(i + 1, f"{p:.6f}", f"{d:.6f}") for i, (p, d) in enumerate(zip(samples["pool"], samples["dump"]))])
    pool_s, dump_s = measure.median(samples["pool"]), measure.median(samples["dump"])
    table = measure.markdown_table(
        ("restart", "median until the first GET", "spread"),
        [("pool, after kill -9", f"{pool_s * 1000:.1f} ms", f"±{measure.spread(samples['pool']):.0%}"),
         (f"dump of {dump_bytes / 1e6:.0f} MB", f"{dump_s * 1000:.1f} ms", f"±{measure.spread(samples['dump']):.0%}")])
    print(table + f"\n{dump_s / pool_s:.0f} times faster")
    if options.markdown:
        measure.write_text(options.markdown, (
            f"# Restart of Redis 3.2.6 with {options.keys:,} keys\n\n"
            f"`bench/redis_restart.py`, {options.rounds} alternating rounds, the same binary. {machine}.\n\n{table}\n"
            f"The pool restarts {dump_s / pool_s:.0f} times faster.\n"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
