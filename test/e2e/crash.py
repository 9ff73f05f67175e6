#!/usr/bin/env python3
# ===- crash.py - Kill a loaded server, restart it, look for losses ----------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Crash rounds on one pool: damage that one round does is there for the next.

Two ways to die: `kill` sends SIGKILL after a random time under load; `cut` lets
the process kill itself at a random event inside the runtime (NVM_CRASH_AT), so
that the instants within commits and recoveries are hit, which a timer seldom
does. Exit status 0 only when no round lost, halved or reordered anything.
"""

import argparse
import os
import random
import re
import signal
import sys
import threading
import time

import model_collections
from oracle import Mismatch, Oracle
from server import AOF, NONE, POOL, Server, ServerError


class Rounds:
    """`companions` (companions.py) do something beside the load, and are judged with it."""

    def __init__(self, options, server, companions=(), **oracle_options):
        self.options = options
        self.server = server
        self.random = random.Random(options.seed)
        self.oracle = Oracle(options.seed, options.clients, aof=options.persistence == AOF, **oracle_options)
        self.companions = companions
        self.keys = 0
        self.events_seen = 0
        self.slowest_start_s = 0.0

    def progress(self, text):
        if sys.stderr.isatty():
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    def load_and_kill(self):
        """SIGKILL comes from a timer, wherever the server is at that instant."""
        pause_s = self.random.uniform(*self.options.window_ms) / 1000
        timer = threading.Thread(target=self.kill_after, args=[pause_s])
        for companion in self.companions:
            companion.begin(self.server.address)
        timer.start()
        if not self.oracle.load(self.server.address, time.monotonic() + pause_s + 120):
            raise Mismatch("the server survived SIGKILL")
        timer.join()
        for companion in self.companions:
            companion.join()

    def kill_after(self, pause_s):
        for companion in self.companions:
            companion.under_way.wait(60)
        time.sleep(pause_s)
        self.server.process.send_signal(signal.SIGKILL)

    def judge(self):
        self.keys = self.oracle.judge(self.server.address)
        for companion in self.companions:
            companion.judge(self.server.address)

    def kill_round(self):
        self.load_and_kill()
        self.server.expect_killed()

    def cut_round(self):
        """The running server is stopped, and one that will kill itself takes over."""
        self.server.kill()
        at = self.random.randint(1, self.events_seen)
        self.server.spawn(NVM_CRASH_AT=str(at))
        if self.server.wait_ready():
            longest_s = self.options.window_ms[1] / 1000 * 4
            if not self.oracle.load(self.server.address, time.monotonic() + longest_s):
                self.server.kill()
                return
        self.server.expect_killed()

    def count_events(self):
        """How many events a round of load has, so that cuts fall inside one.

        The count is printed at exit, hence SHUTDOWN and not SIGKILL.
        """
        self.server.kill()
        self.server.start(NVM_CRASH_COUNT="1")
        if self.oracle.load(self.server.address, time.monotonic() + self.options.window_ms[1] / 1000):
            raise ServerError(f"the server ended under load\n{self.server.tail()}")
        self.server.shutdown("NOSAVE")
        counts = re.findall(r"nvmove: (\d+) (?:crash )?events", self.server.log_text())
        if not counts:
            raise ServerError(f"NVM_CRASH_COUNT=1 printed no count\n{self.server.tail()}")
        self.events_seen = int(counts[-1])
        self.server.start()
        self.keys = self.oracle.judge(self.server.address)

    def ask_for_statistics(self):
        """Which look at all that the server has made, tables of functions and of commands among it."""
        with self.server.connect() as client:
            client.call("INFO", "everything")
            if self.options.redis >= 7:
                client.call("FUNCTION", "STATS")
                client.call("COMMAND", "COUNT")

    def run(self, kind, count):
        if kind == "cut" and count:
            self.count_events()
        for number in range(1, count + 1):
            self.kill_round() if kind == "kill" else self.cut_round()
            self.slowest_start_s = max(self.slowest_start_s, self.server.start())
            self.judge()
            self.ask_for_statistics()
            text = f"{kind} {number}/{count}: {self.oracle.acknowledged} operations, {self.keys} keys"
            self.progress(text)
            if number % 25 == 0:
                self.progress("")
                print(text, flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", required=True, help="built Redis source tree")
    parser.add_argument("--redis", type=int, default=3, help="its major version (3); as of 7 SINTERSTORE looks at all keys")
    parser.add_argument("--persistence", choices=(POOL, AOF, NONE), default=POOL)
    rounds = 100 if os.environ.get("NVMOVE_LONG") == "1" else 10
    parser.add_argument("--kills", type=int, default=rounds, help="rounds ended by SIGKILL (10; 100 with NVMOVE_LONG=1)")
    parser.add_argument("--cuts", type=int, default=rounds, help="rounds ended by NVM_CRASH_AT (the same)")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    parser.add_argument("--clients", type=int, choices=(1, 2, 4), default=4)
    parser.add_argument("--window-ms", type=int, nargs=2, default=(50, 400), metavar=("MIN", "MAX"))
    parser.add_argument("--verify", action="store_true", help="run with NVM_VERIFY=1; any complaint fails")
    parser.add_argument("--keep", action="store_true", help="keep the server's folder when a round fails")
    parser.add_argument("--config", action="append", default=[], help="a line for redis.conf")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="for the server, e.g. NVM_DURABILITY=power")
    options = parser.parse_args()
    if options.persistence != POOL:
        options.cuts = 0  # the runtime cuts, and an unchanged server has none
    return options


def main():
    options = parse()
    model_collections.LOOKS_AT_ALL_KEYS = options.redis >= 7
    print(f"crash: seed {options.seed}, {options.kills} kills, {options.cuts} cuts", flush=True)
    env = dict(setting.split("=", 1) for setting in options.env)
    if options.verify:
        env["NVM_VERIFY"] = "1"
    server = Server(options.tree, options.persistence, config=options.config, env=env)
    rounds = Rounds(options, server)
    try:
        server.start()
        rounds.run("kill", options.kills)
        rounds.run("cut", options.cuts)
        server.kill()
        if server.complaints():
            raise Mismatch("the server complained:\n  " + "\n  ".join(server.complaints()[:40]))
    except (Mismatch, ServerError) as error:
        print(f"FAILED after start {server.starts} with seed {options.seed}: {error}")
        if options.keep:
            server.process.kill()
            print(f"kept: {server.folder}")
        else:
            server.remove()
        return 1
    server.remove()
    print(
        f"passed: {options.kills + options.cuts} crashes, {rounds.oracle.acknowledged} acknowledged operations, "
        f"{rounds.keys} keys at the end, slowest restart {rounds.slowest_start_s * 1000:.0f} ms"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
