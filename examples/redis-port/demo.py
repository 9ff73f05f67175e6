#!/usr/bin/env python3
# ===- demo.py - kill -9 in the middle of a load, and nothing is lost ----------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Fills a server, kills it under a mixed load, restarts it and compares.

The comparison is that of the crash tests (test/e2e/oracle.py): four clients
remember every reply that they got, and every key of every type must be as the
acknowledged operations left it.
"""

import argparse
import os
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test", "e2e"))

from oracle import Mismatch, Oracle  # noqa: E402
from server import Server, ServerError  # noqa: E402


def show(title, seconds, text=""):
    print(f"{title:44} {seconds:6.2f} s  {text}".rstrip(), flush=True)


def timed(function, *args, **kwargs):
    begin = time.monotonic()
    result = function(*args, **kwargs)
    return time.monotonic() - begin, result


def benchmark(server, requests):
    """redis-benchmark's own load, into database 0."""
    program = os.path.join(os.path.dirname(server.binary), "redis-benchmark")
    subprocess.run(
        [program, "-s", "sock", "-t", "set", "-n", str(requests), "-r", str(requests), "-P", "16", "-q"],
        check=True, cwd=server.folder, stdout=subprocess.DEVNULL)
    with server.connect() as connection:
        return connection.call("DBSIZE")


def mixed_load(server, oracle, seconds):
    timer = threading.Timer(seconds, server.process.send_signal, [signal.SIGKILL])
    timer.start()
    oracle.load(server.address, time.monotonic() + seconds + 60)
    timer.join()
    server.expect_killed()


def run(options):
    with Server(options.tree, pool_size="2G") as server:
        server.start()
        print(next((l for l in server.log_text().splitlines() if l.startswith("nvmove:")), ""))
        taken_s, keys = timed(benchmark, server, options.requests)
        show("redis-benchmark -t set", taken_s, f"{keys:,} keys")
        restart_s = server.crash_and_restart()
        with server.connect() as connection:
            found = connection.call("DBSIZE")
        show("kill -9, restart to first answer", restart_s, f"{found:,} keys")
        if found != keys:
            raise Mismatch(f"{keys} keys before, {found} after")
        with server.connect() as connection:
            connection.call("FLUSHALL")
        oracle = Oracle(options.seed)
        for _ in range(options.crashes):
            before = oracle.acknowledged
            taken_s, _ = timed(mixed_load, server, oracle, options.seconds)
            show("mixed load, killed in the middle", taken_s, f"{oracle.acknowledged - before:,} operations acknowledged")
            restart_s = server.start()
            show("restart to first answer", restart_s)
            taken_s, keys = timed(oracle.judge, server.address)
            show("every key compared", taken_s, f"{keys:,} keys, all as acknowledged")
        server.kill()
        print(f"lost: nothing of {oracle.acknowledged:,} acknowledged operations in {options.crashes + 1} crashes")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", required=True, help="the port, built")
    parser.add_argument("--requests", type=int, default=500_000)
    parser.add_argument("--seconds", type=float, default=3.0, help="of load before each kill")
    parser.add_argument("--crashes", type=int, default=3)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    options = parser.parse_args()
    try:
        run(options)
    except (Mismatch, ServerError) as error:
        print(f"FAILED with seed {options.seed}: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
