#!/usr/bin/env python3
# ===- campaign.py - Redis cut everywhere, killed a thousand times, and full ---===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Everything that may happen to a moved Redis, in one command.

1. Every write command, on every encoding, is cut at each event of the runtime
   (each first announcement of a line, allocation, free and step of a commit): after
   the restart all keys, types, encodings and expiries are those before the command
   or those after it (test/e2e/cuts.py).
2. The same with a heap that is full as of each allocation.
3. kill -9 at random moments under a load of all types and encodings with expiries,
   MULTI and Lua, beside blocking pops and, in every fourth round, eviction
   (test/e2e/crash.py, companions.py).

Takes about an hour on two cores; `--short` looks at some events of each command, a
full heap with one of five, and few kills. Prints one line at the end.
"""

import argparse
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test", "e2e"))

from companions import BlockingPops, Evicted  # noqa: E402
from crash import Rounds  # noqa: E402
from cuts import CRASH, FULL, Commands  # noqa: E402
from oracle import Mismatch  # noqa: E402
from server import POOL, Server, ServerError  # noqa: E402


class Progress:
    def __init__(self):
        self.begin_s = time.monotonic()

    @property
    def seconds(self):
        return time.monotonic() - self.begin_s

    def __call__(self, text):
        if sys.stderr.isatty():
            print(f"\r\033[K{self.seconds:.0f} s  {text}"[:160], end="", file=sys.stderr, flush=True)


def commands(options, env, say, how, **share):
    with Commands(options.tree, env=env, say=say, **share) as all_:
        all_.all(how, options.only)
        return all_.cases, all_.cuts


def kills(options, env, say, count, evicting):
    """On one pool, so that what one round does is there for the next."""
    companions = [BlockingPops()] + ([Evicted()] if evicting else [])
    settings = argparse.Namespace(seed=options.seed + evicting, clients=4, persistence=POOL, redis=3,
                                  window_ms=(50, 400))
    with Server(options.tree, config=["databases 18"], env=env) as server:
        rounds = Rounds(settings, server, companions, expiry=not evicting)
        rounds.progress = lambda text: say(("evicting: " if evicting else "") + text)
        server.start()
        rounds.run("kill", count)
        server.kill()
        if server.complaints():
            raise Mismatch("the server complained:\n  " + "\n  ".join(server.complaints()[:40]))
    if evicting and count and not companions[1].evicted:
        raise Mismatch("nothing was evicted")
    return rounds.oracle.acknowledged, companions[0].taken, companions[1].evicted if evicting else 0


def run(options, say):
    env = dict(setting.split("=", 1) for setting in options.env)
    cases, cuts = commands(options, env, say, CRASH, stride=options.stride)
    full_cases, fulls = commands(options, env, say, FULL, stride=options.full_stride, skip=options.seed % 5 if options.short else 0,
                        every=5 if options.short else 1)
    evicting = options.kills // 4
    operations, popped, _ = kills(options, env, say, options.kills - evicting, False)
    more, more_popped, evicted = kills(options, env, say, evicting, True)
    say("")
    return (f"{cases} commands cut at {cuts:,} events, {full_cases} with a full heap at {fulls:,} allocations; {options.kills:,} kills, "
            f"{operations + more:,} acknowledged operations, {popped + more_popped:,} blocking pops, {evicted:,} keys evicted: nothing lost, "
            f"halved or reordered")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", required=True, help="the port, built")
    parser.add_argument("--short", action="store_true", help="some events of each command, 12 kills")
    parser.add_argument("--stride", type=int, help="of the events every so many (1; short: 97)")
    parser.add_argument("--full-stride", type=int, help="of the allocations (1; short: 7)")
    parser.add_argument("--kills", type=int, help="(1000; short: 12)")
    parser.add_argument("--only", action="append", default=[], help="group of commands")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="for the server, e.g. NVM_ENGINE=undo")
    parser.add_argument("--medium", default="/dev/shm", help="folder for the pools (/dev/shm)")
    options = parser.parse_args()
    options.stride = options.stride or (97 if options.short else 1)
    options.full_stride = options.full_stride or (7 if options.short else 1)
    if options.kills is None:
        options.kills = 12 if options.short else 1000
    if os.path.isdir(options.medium):
        tempfile.tempdir = options.medium
    say = Progress()
    try:
        result = run(options, say)
    except (Mismatch, ServerError) as error:
        say("")
        print(f"campaign: FAILED with seed {options.seed} after {say.seconds:.0f} s: {error}")
        return 1
    print(f"campaign: {result} ({say.seconds:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
