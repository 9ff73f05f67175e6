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


def cpu_s(process):
    """Processor time of the server so far, user and system, in seconds."""
    with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def one_test(server, test, pipeline, options):
    """(requests per second, server's processor time per request in microseconds)"""
    program = os.path.join(os.path.dirname(server.binary), "redis-benchmark")
    requests = options.requests * (4 if pipeline > 1 else 1)
    command = [
        program, "-s", "sock", "-t", test.lower(), "-n", str(requests), "-P", str(pipeline), "-c", "50",
        "-r", "100000", "-d", str(options.value_bytes), "--csv",
    ]
    before_s = cpu_s(server.process)
    done = subprocess.run(command, check=False, cwd=server.folder, capture_output=True, text=True)
    output = done.stdout
    if done.returncode:
        sys.exit(f"redis_throughput.py: error: redis-benchmark ended with status {done.returncode}\n{done.stderr}\n{server.tail()}")
    used_s = cpu_s(server.process) - before_s
    rates = {name.split(" ")[0]: float(rate) for name, rate in csv.reader(l for l in output.splitlines() if l.startswith('"'))}
    if set(rates) != {test}:
        sys.exit(f"redis_throughput.py: error: redis-benchmark printed\n{output}")
    return rates[test], used_s * 1e6 / requests


def one_run(server, pipeline, options):
    """{test: (rate, cpu)} of one pass over all tests, on an empty server."""
    with server.connect() as connection:
        connection.call("FLUSHALL")
    return {test: one_test(server, test, pipeline, options) for test in options.tests}


def run(options):
    servers = {"no pool": Server(options.tree, NONE), "pool": Server(options.tree, POOL, pool_size=options.pool_size)}
    if options.stock:
        servers["stock"] = Server(options.stock, NONE)
    if options.stock and options.aof:
        servers["stock, AOF always"] = Server(options.stock, AOF)
    samples = {(name, test, p): [] for name in servers for test in options.tests for p in options.pipelines}
    try:
        for server in servers.values():
            server.start()
        for round_ in range(options.rounds):
            for pipeline in options.pipelines:
                names = list(servers)
                for name in names if round_ % 2 == 0 else reversed(names):
                    for test, sample in one_run(servers[name], pipeline, options).items():
                        samples[name, test, pipeline].append(sample)
            print(f"round {round_ + 1} of {options.rounds} done", flush=True)
        for server in servers.values():
            server.kill()
    finally:
        for server in servers.values():
            server.remove()
    return list(servers), samples


def page(options, names, samples, machine):
    rates = {key: [rate for rate, _ in pairs] for key, pairs in samples.items()}
    cpu = {key: [used for _, used in pairs] for key, pairs in samples.items()}
    rows = []
    for pipeline in options.pipelines:
        for test in options.tests:
            cells = [f"{measure.median(rates[n, test, pipeline]):,.0f} ±{measure.spread(rates[n, test, pipeline]):.0%}" for n in names]
            # Paired ratios: each round's runs were neighbours in time.
            ratios = [a / b for a, b in zip(rates["pool", test, pipeline], rates["no pool", test, pipeline])]
            used = [measure.median(cpu[n, test, pipeline]) for n in ("no pool", "pool")]
            rows.append((test, pipeline, *cells, f"{measure.median(ratios):.2f}", f"{used[0]:.1f}", f"{used[1]:.1f}"))
    header = ("test", "pipeline", *(f"{n}, requests/s" for n in names), "pool / no pool", "no pool, CPU µs", "pool, CPU µs")
    table = measure.markdown_table(header, rows)
    return table, (
        f"# Throughput of Redis 3.2.6 on a pool\n\n`bench/redis_throughput.py`, {options.rounds} alternating rounds of "
        f"redis-benchmark with 50 clients, {options.value_bytes}-byte values, 100,000 keys; medians. {machine}.\n\n{table}\n"
        "The ratio is the median of the rounds' ratios; CPU is the server's processor time per request.\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", required=True, help="the port, built")
    parser.add_argument("--stock", help="the unchanged Redis, built: measured too")
    parser.add_argument("--aof", action="store_true", help="with --stock: also with appendfsync always")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tests", nargs="+", choices=TESTS, default=list(TESTS))
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
    measure.write_csv(options.csv, ("server", "test", "pipeline", "round", "requests_per_s", "server_cpu_us_per_request"),
                      [(n, t, p, i + 1, rate, f"{used:.3f}")
                       for (n, t, p), pairs in samples.items() for i, (rate, used) in enumerate(pairs)])
    table, text = page(options, names, samples, machine)
    print(table)
    if options.markdown:
        measure.write_text(options.markdown, text)
    if options.svg:
        groups = [(test, p) for p in options.pipelines for test in options.tests]
        measure.bar_chart(options.svg, "Redis 3.2.6 under redis-benchmark", "requests per second",
                          [f"{t} P{p}" for t, p in groups],
                          [(n, [measure.median([rate for rate, _ in samples[n, t, p]]) for t, p in groups]) for n in names])
    return 0


if __name__ == "__main__":
    sys.exit(main())
