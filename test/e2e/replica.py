#!/usr/bin/env python3
# ===- replica.py - Kill a server, delete its pool, start on the replica's ----===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""A loaded server with a replica, on this machine. In each round one of them, or both, get SIGKILL:

  primary  the server
  replica  the replica, under load; it is started again, and the load goes on for a while
  both     both at once, the replica first or last

Then the server's pool is deleted, and the server starts on the replica's, with a new and empty
replica. Exit status 0 only when no round lost, halved or reordered anything that was acknowledged.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

from oracle import Mismatch, Oracle
from server import POOL, Server, ServerError


class Replica:
    """nvm-replica with a pool in `folder`."""

    def __init__(self, binary, fabric, folder, durability):
        self.binary = binary
        self.durability = durability
        self.pool = os.path.join(folder, "replica")
        self.log = os.path.join(folder, "replica.log")
        self.env = dict(os.environ, NVM_FABRIC=fabric) if fabric else None
        self.port = 0
        self.process = None

    def start(self):
        with open(self.log, "ab") as log:
            begin = log.seek(0, os.SEEK_END)
            self.process = subprocess.Popen(
                [self.binary, "--listen", f"127.0.0.1:{self.port}", "--durability", self.durability, self.pool],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.env)
        for _ in range(5000):
            with open(self.log, encoding="utf-8", errors="replace") as log:
                log.seek(begin)
                said = log.read()
            if " on 127.0.0.1:" in said and said.endswith("\n"):
                self.port = int(said.split(" on 127.0.0.1:")[1].split(":")[0])
                return
            if self.process.poll() is not None:
                raise ServerError(f"the replica ended with status {self.process.returncode}\n{said}")
            time.sleep(0.002)
        raise ServerError("the replica does not listen")

    def wait_for_pool(self):
        """A server that goes on without the replica answers before it has one."""
        deadline_s = time.monotonic() + 60
        while not os.path.exists(self.pool) and time.monotonic() < deadline_s:
            time.sleep(0.002)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Rounds:
    def __init__(self, options, server, replica):
        self.options = options
        self.server = server
        self.replica = replica
        self.random = random.Random(options.seed)
        self.oracle = Oracle(options.seed, options.clients)
        self.keys = 0
        self.slowest_start_s = 0.0

    def start(self):
        self.replica.start()
        self.server.env["NVM_REPLICA"] = f"127.0.0.1:{self.replica.port}"
        self.slowest_start_s = max(self.slowest_start_s, self.server.start())

    def end(self, kind):
        """What happens while clients write, until the server is dead."""
        pause_s = self.random.uniform(*self.options.window_ms) / 1000
        self.replica.wait_for_pool()
        time.sleep(pause_s)
        if kind == "replica":
            self.replica.kill()
            time.sleep(self.random.uniform(0, 0.1))
            self.replica.start()
            time.sleep(pause_s)
        both = [self.server.process.kill]
        if kind == "both":
            both.append(self.replica.process.kill)
            self.random.shuffle(both)
        for kill in both:
            kill()

    def take_over(self):
        """The first machine is gone: the replica's pool is the pool."""
        if self.replica.process.poll() is None and self.random.random() < 0.5:
            self.replica.process.terminate()
            if self.replica.process.wait(60) != 0:
                raise Mismatch("the replica did not end well")
        else:
            self.replica.kill()
        os.unlink(self.server.pool)
        os.rename(self.replica.pool, self.server.pool)

    def round(self, kind):
        ending = threading.Thread(target=self.end, args=[kind])
        ending.start()
        if not self.oracle.load(self.server.address, time.monotonic() + 120):
            raise Mismatch("the server survived SIGKILL")
        ending.join()
        self.server.expect_killed()
        self.take_over()
        self.start()
        self.keys = self.oracle.judge(self.server.address)

    def run(self, kind, count):
        for number in range(1, count + 1):
            self.round(kind)
            text = f"{kind} {number}/{count}: {self.oracle.acknowledged} operations, {self.keys} keys"
            if sys.stderr.isatty():
                print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
            if number % 25 == 0 or number == count:
                print(text, flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", required=True, help="built Redis source tree, moved")
    parser.add_argument("--replica", default="nvm-replica", metavar="PROGRAM")
    parser.add_argument("--fabric", default="", metavar="MODULE", help="libnvmove-fabric.so, where it is not installed")
    long = os.environ.get("NVMOVE_LONG") == "1"
    for kind, usual, most in (("primary", 5, 100), ("replica", 5, 100), ("both", 3, 20)):
        parser.add_argument(f"--{kind}-kills", type=int, default=most if long else usual,
                            help=f"rounds ({usual}; {most} with NVMOVE_LONG=1)")
    parser.add_argument("--durability", choices=("process", "power"), default="process", help="of the replica")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    parser.add_argument("--clients", type=int, choices=(1, 2, 4), default=4)
    parser.add_argument("--window-ms", type=int, nargs=2, default=(50, 400), metavar=("MIN", "MAX"))
    parser.add_argument("--keep", action="store_true", help="keep the folder when a round fails")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="for the server")
    return parser.parse_args()


def main():
    options = parse()
    counts = {"primary": options.primary_kills, "replica": options.replica_kills, "both": options.both_kills}
    print(f"replica: seed {options.seed}, {counts}", flush=True)
    env = dict(setting.split("=", 1) for setting in options.env)
    if options.fabric:
        env["NVM_FABRIC"] = options.fabric
    server = Server(options.tree, POOL, pool_size="64M", env=env)
    replica = Replica(options.replica, options.fabric, server.folder, options.durability)
    rounds = Rounds(options, server, replica)
    status = 0
    try:
        rounds.start()
        for kind, count in counts.items():
            rounds.run(kind, count)
        if server.complaints():
            raise Mismatch("the server complained:\n  " + "\n  ".join(server.complaints()[:40]))
    except (Mismatch, ServerError, OSError) as error:
        ended = server.process.poll() if server.process else None
        print(f"FAILED after start {server.starts} with seed {options.seed}: {error}"
              + ("" if ended is None else f"; the server has ended with status {ended}"))
        status = 1
    for process in (server.process, replica.process):
        if process and process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()
    if status and options.keep:
        print(f"kept: {server.folder}")
    else:
        shutil.rmtree(server.folder, ignore_errors=True)
    if not status:
        print(f"passed: {sum(counts.values())} kills, {rounds.oracle.acknowledged} acknowledged operations, "
              f"{rounds.keys} keys at the end, slowest start {rounds.slowest_start_s * 1000:.0f} ms")
    return status


if __name__ == "__main__":
    sys.exit(main())
