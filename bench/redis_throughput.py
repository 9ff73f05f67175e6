#!/usr/bin/env python3
# ===- redis_throughput.py - What the pool costs under redis-benchmark --------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Requests per second of SET, GET, LPUSH, MSET, INCR, HSET and ZADD at pipeline 1 and 16.

One build, without a pool and with one under each engine; with --stock beside the unchanged Redis, whose memory is on 4 KiB pages
as people run it, and, with --hugepages, once more where glibc asks for 2 MiB pages, as a pool does.

What a server gets depends on the frames that are free when it starts, so the figures are those of starts: in each of the starts every server, in
another order, is the only one alive, is filled, runs each test once to touch what will be used, and then `--rounds` times. The
medians of a start's rounds count; ratios are to the first server in the same start. The spread beside them is their range.
"""

import argparse
import csv
import os
import random
import subprocess
import sys

import measure
from server import AOF, NONE, POOL, Server

# Those that redis-benchmark 3.2 has no test for, as it takes any command.
COMMANDS = {"HSET": ("hset", "h:__rand_int__", "field", "value:__rand_int__"), "ZADD": ("zadd", "z", "1", "m:__rand_int__")}
TESTS = ("SET", "GET", "LPUSH", "MSET", "INCR", *COMMANDS)


def cpu_s(process):
    """Processor time of the server so far, user and system, in seconds."""
    with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def one_test(server, test, pipeline, options):
    """(requests per second, server's processor time per request in microseconds)"""
    program = os.path.join(os.path.dirname(server.binary), "redis-benchmark")
    requests = options.requests * (4 if pipeline > 1 else 1) // (8 if test == "MSET" else 1)
    what = COMMANDS.get(test)
    command = [
        program, "-s", "sock", *(() if what else ("-t", test.lower())), "-n", str(requests), "-P", str(pipeline), "-c", "50",
        "-r", "100000", "-d", str(options.value_bytes), "--csv",
        *(what or ()),
    ]
    before_s = cpu_s(server.process)
    done = subprocess.run(command, check=False, cwd=server.folder, capture_output=True, text=True)
    output = done.stdout
    if done.returncode:
        sys.exit(f"redis_throughput.py: error: redis-benchmark ended with status {done.returncode}\n{done.stderr}\n{server.tail()}")
    used_s = cpu_s(server.process) - before_s
    rates = {name.split(" ")[0].upper(): float(rate) for name, rate in csv.reader(l for l in output.splitlines() if l.startswith('"'))}
    if set(rates) != {test}:
        sys.exit(f"redis_throughput.py: error: redis-benchmark printed\n{output}")
    return rates[test], used_s * 1e6 / requests


def one_start(server, options):
    """{(test, pipeline): (requests per second, processor time)} of a server that is started, and alone."""
    figures = {}
    server.start()
    try:
        for pipeline in options.pipelines:
            with server.connect() as connection:
                connection.call("FLUSHALL")
            one_test(server, "SET", pipeline, options)
            for test in options.tests:
                rounds = []
                for _ in range(options.rounds + 1):
                    if test == "LPUSH":
                        with server.connect() as connection:
                            connection.call("DEL", "mylist")
                    rounds.append(one_test(server, test, pipeline, options))
                figures[test, pipeline] = tuple(measure.median(column) for column in zip(*rounds[1:]))
        server.kill()
    finally:
        server.remove()
    return figures


def configurations(options):
    """{name: a function that makes its server}"""
    made = {}
    if options.stock:
        made["stock"] = lambda: Server(options.stock, NONE)
        if options.hugepages:
            made["stock, 2 MiB pages"] = lambda: Server(options.stock, NONE, env={"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"})
    made["no pool"] = lambda: Server(options.tree, NONE)
    for engine in options.engines:
        made[engine] = lambda engine=engine: Server(options.tree, POOL, pool_size=options.pool_size, env={"NVM_ENGINE": engine})
    if options.stock and options.aof:
        made["stock, AOF always"] = lambda: Server(options.stock, AOF)
    return made


def run(options):
    made = configurations(options)
    samples = {(name, test, p): [] for name in made for test in options.tests for p in options.pipelines}
    order = random.Random(options.starts)
    for start in range(options.starts):
        for name in order.sample(list(made), len(made)):
            for (test, pipeline), figures in one_start(made[name](), options).items():
                samples[name, test, pipeline].append(figures)
        print(f"start {start + 1} of {options.starts} done", flush=True)
    return list(made), samples


def ratios(names, samples, test, pipeline):
    """{server: (ratios of throughput, ratios of processor time)} to the first one, one of each start."""
    of = lambda name: samples[name, test, pipeline]  # noqa: E731
    return {name: ([a[0] / b[0] for a, b in zip(of(name), of(names[0]))],
                   [b[1] / a[1] if a[1] else 1 for a, b in zip(of(name), of(names[0]))]) for name in names[1:]}


def cell(rates, used):
    return f"{measure.median(rates):.2f} / {measure.median(used):.2f} ({min(used):.2f} to {max(used):.2f})"


def page(options, names, samples, machine):
    rows = []
    for pipeline in options.pipelines:
        for test in options.tests:
            base = samples[names[0], test, pipeline]
            cells = [cell(*both) for both in ratios(names, samples, test, pipeline).values()]
            rows.append((test, pipeline, f"{measure.median([rate for rate, _ in base]):,.0f}",
                         f"{measure.median([used for _, used in base]):.1f}", *cells))
    table = measure.markdown_table(("test", "pipeline", f"{names[0]}, requests/s", "CPU µs", *names[1:]), rows)
    return table, (
        f"# Throughput of Redis 3.2.6 on a pool\n\n`bench/redis_throughput.py`, {options.starts} starts of each server, one alive at a time, "
        f"{options.rounds} rounds of redis-benchmark in each, with 50 clients, {options.value_bytes}-byte values, 100,000 keys. {machine}.\n\n{table}\n"
        f"Ratios to {names[0]}: throughput / the server's processor time per request (and its range), each the median of the starts.\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", required=True, help="the port, built")
    parser.add_argument("--stock", help="the unchanged Redis, built: measured too")
    parser.add_argument("--aof", action="store_true", help="with --stock: also with appendfsync always")
    parser.add_argument("--engines", nargs="+", default=["redo", "undo"])
    parser.add_argument("--hugepages", action="store_true", help="with --stock: also with 2 MiB pages, by glibc.malloc.hugetlb=1")
    parser.add_argument("--starts", type=int, default=6, help="of each server")
    parser.add_argument("--rounds", type=int, default=3, help="of each test in a start, after one that is not counted")
    parser.add_argument("--tests", nargs="+", choices=TESTS, default=list(TESTS))
    parser.add_argument("--requests", type=int, default=100000, help="per test at pipeline 1; four times as many above, an eighth of MSET, which sets ten keys")
    parser.add_argument("--pipelines", type=int, nargs="+", default=[1, 16])
    parser.add_argument("--value-bytes", type=int, default=100)
    parser.add_argument("--pool-size", default="4G")
    parser.add_argument("--csv", default="redis_throughput.csv")
    parser.add_argument("--svg", help="write a chart here")
    parser.add_argument("--markdown", help="write a page here")
    options = parser.parse_args()
    machine = measure.machine()
    names, samples = run(options)
    measure.write_csv(options.csv, ("server", "test", "pipeline", "start", "requests_per_s", "server_cpu_us_per_request"),
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
