#!/usr/bin/env python3
# ===- redis_throughput.py - What the pool costs under redis-benchmark --------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Requests per second of SET, GET, LPUSH and MSET at pipeline 1 and 16.

One build, with and without a pool; with --stock also the unchanged Redis. The
configurations take turns within each round, so that a busy machine hits all of
them alike, and medians over the rounds count.
"""

import argparse
import csv
import os
import subprocess
import sys

import measure
from server import AOF, NONE, POOL, Server

TESTS = ("SET", "GET", "LPUSH", "MSET")


def one_run(server, pipeline, options):
    """{test: requests per second} of one pass over all tests."""
    with server.connect() as connection:
        connection.call("FLUSHALL")
    program = os.path.join(os.path.dirname(server.binary), "redis-benchmark")
    command = [
        program, "-s", "sock", "-t", ",".join(TESTS).lower(), "-n", str(options.requests * (4 if pipeline > 1 else 1)),
        "-P", str(pipeline), "-c", "50", "-r", "100000", "-d", str(options.value_bytes), "--csv",
    ]
    output = subprocess.run(command, check=True, cwd=server.folder, capture_output=True, text=True).stdout
    rates = {}
    for name, rate in csv.reader(line for line in output.splitlines() if line.startswith('"')):
        rates[name.split(" ")[0]] = float(rate)
    if set(rates) != set(TESTS):
        sys.exit(f"redis_throughput.py: error: redis-benchmark printed\n{output}")
    return rates


def run(options):
    servers = {"no pool": Server(options.tree, NONE), "pool": Server(options.tree, POOL, pool_size=options.pool_size)}
    if options.stock:
        servers["stock"] = Server(options.stock, NONE)
    if options.stock and options.aof:
        servers["stock, AOF always"] = Server(options.stock, AOF)
    samples = {(name, test, p): [] for name in servers for test in TESTS for p in options.pipelines}
    try:
        for server in servers.values():
            server.start()
        for round_ in range(options.rounds):
            for pipeline in options.pipelines:
                names = list(servers)
                for name in names if round_ % 2 == 0 else reversed(names):
                    for test, rate in one_run(servers[name], pipeline, options).items():
                        samples[name, test, pipeline].append(rate)
            print(f"round {round_ + 1} of {options.rounds} done", flush=True)
        for server in servers.values():
            server.kill()
    finally:
        for server in servers.values():
            server.remove()
    return list(servers), samples


def page(options, names, samples, machine):
    rows = []
    for pipeline in options.pipelines:
        for test in TESTS:
            plain = samples["no pool", test, pipeline]
            cells = [f"{measure.median(samples[n, test, pipeline]):,.0f} ±{measure.spread(samples[n, test, pipeline]):.0%}" for n in names]
            # Paired ratios: each round's two runs were neighbours in time.
            pairs = [a / b for a, b in zip(samples["pool", test, pipeline], plain)]
            rows.append((test, pipeline, *cells, f"{measure.median(pairs):.2f}"))
    table = measure.markdown_table(("test", "pipeline", *(f"{n}, requests/s" for n in names), "pool / no pool"), rows)
    return table, (
        f"# Throughput of Redis 3.2.6 on a pool\n\n`bench/redis_throughput.py`, {options.rounds} alternating rounds of "
        f"redis-benchmark with 50 clients, {options.value_bytes}-byte values, 100,000 keys; medians. {machine}.\n\n{table}\n"
        "The ratio is the median of the rounds' ratios.\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", required=True, help="the port, built")
    parser.add_argument("--stock", help="the unchanged Redis, built: measured too")
    parser.add_argument("--aof", action="store_true", help="with --stock: also with appendfsync always")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=200000, help="per test at pipeline 1; four times as many above")
    parser.add_argument("--pipelines", type=int, nargs="+", default=[1, 16])
    parser.add_argument("--value-bytes", type=int, default=100)
    parser.add_argument("--pool-size", default="4G")
    parser.add_argument("--csv", default="redis_throughput.csv")
    parser.add_argument("--svg", help="write a chart here")
    parser.add_argument("--markdown", help="write a page here")
    options = parser.parse_args()
    machine = measure.machine()
    names, samples = run(options)
    measure.write_csv(options.csv, ("server", "test", "pipeline", "round", "requests_per_s"),
                      [(n, t, p, i + 1, rate) for (n, t, p), rates in samples.items() for i, rate in enumerate(rates)])
    table, text = page(options, names, samples, machine)
    print(table)
    if options.markdown:
        measure.write_text(options.markdown, text)
    if options.svg:
        groups = [(test, p) for p in options.pipelines for test in TESTS]
        measure.bar_chart(options.svg, "Redis 3.2.6 under redis-benchmark", "requests per second",
                          [f"{t} P{p}" for t, p in groups],
                          [(n, [measure.median(samples[n, t, p]) for t, p in groups]) for n in names])
    return 0


if __name__ == "__main__":
    sys.exit(main())
