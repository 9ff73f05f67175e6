#!/usr/bin/env python3
# ===- churn.py - a cache that is full for a day, and its pool -----------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Stores in a full cache for so many simulated hours, each with other sizes of items,
so that items are evicted and pages move between the classes, and kills it after each.

After each restart no chunk may be lost, what was stored last must be there, and what
the pool takes of the disk must be what it was when the cache had become full.
"""

import argparse
import os
import random
import sys
import time

from client import Server, ServerError, Text
from kill import count_chunks
from model import Mismatch


def store(c, rng, hour, count, keys):
    """What each key got last, in this order."""
    middle = 50 << rng.randrange(7)
    last = {}
    for begin in range(0, count, 500):
        parts = []
        for i in range(begin, min(count, begin + 500)):
            key, size = b"k%d" % rng.randrange(keys), rng.randrange(middle // 2, 2 * middle)
            value = (b"%d.%d." % (hour, i)).ljust(size, b"v")
            parts.append(b"set %s %d 0 %d noreply\r\n%s\r\n" % (key, hour, len(value), value))
            last[key] = value
        c.send(b"".join(parts))
        if c.word(b"version")[:7] != b"VERSION":
            raise ServerError("no answer")
    return last


def run(options):
    rng = random.Random(options.seed)
    arguments = ["-m", str(options.memory), "-o", "slab_automove=1,slab_automove_window=3"]
    with Server(options.tree, arguments, {"NVM_EPOCH_MS": "0"}) as server:
        server.start()
        taken_mib, evicted, moved, restarts_s, full = [], 0, 0, [], None
        for hour in range(options.hours):
            with Text(server.path) as c:
                c.word(b"slabs automove 2")
                last = store(c, rng, hour, options.stores, options.keys)
                c.word(b"slabs automove 0") # it evicts, too
                time.sleep(0.2)
                recent = [(k, v) for k, v in list(last.items())[-500:] if c.get(k)]
                stats = c.stats()
                evicted, moved = evicted + int(stats["evictions"]), moved + int(stats["slabs_moved"])
            server.kill()
            restarts_s.append(server.start())
            with Text(server.path) as c:
                wrong = [k for k, v in recent if (seen := c.get(k)) is None or seen[:2] != (v, hour)]
                if wrong or not recent:
                    raise Mismatch(f"hour {hour}: of the last stores are not there: {wrong[:4]}")
                count_chunks(c, 0)
                items = int(c.stats()["curr_items"])
            if evicted and full is None:
                full = hour
            taken_mib.append(os.stat(server.pool).st_blocks / 2048)
            if sys.stderr.isatty():
                print(f"\r\033[Khour {hour}: {taken_mib[-1]:.0f} MiB, {items} items", end="", file=sys.stderr)
        if full is None or full + 1 >= options.hours:
            raise Mismatch("the cache was not full early enough: more stores, or less memory")
        early = max(taken_mib[:full + 2])
        if taken_mib[-1] > 1.1 * early:
            raise Mismatch(f"the pool has grown from {early:.0f} to {taken_mib[-1]:.0f} MiB: {[round(t) for t in taken_mib]}")
        return (f"{options.hours} hours of {options.stores:,} stores, {evicted:,} evicted, {moved} pages moved: no chunk lost, the pool takes "
                f"{taken_mib[-1]:.0f} MiB, the hour after it was full {early:.0f}; restart {1000 * sorted(restarts_s)[len(restarts_s) // 2]:.0f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", required=True, help="the port, built")
    parser.add_argument("--hours", type=int, default=24)
    parser.add_argument("--stores", type=int, default=100_000, help="in an hour")
    parser.add_argument("--memory", type=int, default=64, help="MiB of the cache (64)")
    parser.add_argument("--keys", type=int, default=300_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        print("churn.py: " + run(options))
    except (Mismatch, ServerError) as error:
        print(f"churn.py: FAILED with seed {options.seed}: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
