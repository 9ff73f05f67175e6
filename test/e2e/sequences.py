#!/usr/bin/env python3
# ===- sequences.py - Named sequences, each followed by a crash --------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Short sequences that a port by hand got wrong, and others worth a name.

Each runs on a fresh pool: do it, kill -9, restart, look, kill -9, restart, look
again. `--list` shows them; arguments choose some of them.
"""

import argparse
import sys
import time
import traceback

import forks  # noqa: F401  (registers its sequences)
import lifecycle
from resp import ReplyError
from server import AOF, POOL, Server, ServerError


class Failure(Exception):
    pass


def expect(found, wanted, what):
    if isinstance(wanted, set):
        found = set(found)
    if found != wanted:
        raise Failure(f"{what}: expected {str(wanted)[:200]}, found {str(found)[:200]}")


BIG = bytes(range(256)) * 4096  # 1 MiB

# name: (commands, checks as (command, wanted)). A check may be followed by
# others that write: they run after each restart.
SIMPLE = {
    "set-integer": ([("SET", "k", "123")], [(("GET", "k"), b"123"), (("STRLEN", "k"), 3)]),
    "shared-integers": (
        [("SET", f"k{i}", str(i)) for i in range(0, 12000, 7)] + [("RPUSH", "l", *range(50))],
        [(("GET", "k7"), b"7"), (("GET", "k9996"), b"9996"), (("DBSIZE",), 1716), (("LLEN", "l"), 50)],
    ),
    "lpush-del": ([("LPUSH", "k", "a", "b"), ("DEL", "k")], [(("EXISTS", "k"), 0), (("DBSIZE",), 0)]),
    "set-append": ([("SET", "k", "abc"), ("APPEND", "k", "def")], [(("GET", "k"), b"abcdef")]),
    "append-integer": ([("SET", "k", "1"), ("APPEND", "k", "2")], [(("GET", "k"), b"12"), (("STRLEN", "k"), 2)]),
    "incr-set": ([("INCR", "k"), ("INCR", "k"), ("SET", "k", "x")], [(("GET", "k"), b"x")]),
    "incr-by-float": ([("INCRBYFLOAT", "k", "10.5"), ("INCRBYFLOAT", "k", "0.25")], [(("GET", "k"), b"10.75")]),
    "mset": ([("MSET", "a", "1", "b", "two", "c", "3.0")], [(("MGET", "a", "b", "c"), [b"1", b"two", b"3.0"])]),
    "hset": ([("HSET", "h", "f", "v"), ("HSET", "h", "g", "5")], [(("HGETALL", "h"), {b"f", b"v", b"g", b"5"})]),
    "hash-to-table": (
        [("HMSET", "h", *[x for i in range(700) for x in (f"f{i}", i)])],
        [(("HLEN", "h"), 700), (("HGET", "h", "f699"), b"699"), (("OBJECT", "ENCODING", "h"), b"hashtable")],
    ),
    "sadd-integers": ([("SADD", "s", 1, 2, 3)], [(("SMEMBERS", "s"), {b"1", b"2", b"3"}), (("OBJECT", "ENCODING", "s"), b"intset")]),
    "sadd-to-table": (
        [("SADD", "s", 1, 2, 3), ("SADD", "s", "x")],
        [(("SMEMBERS", "s"), {b"1", b"2", b"3", b"x"}), (("OBJECT", "ENCODING", "s"), b"hashtable")],
    ),
    "intset-widens": ([("SADD", "s", 1, 70000, 1 << 40)], [(("SMEMBERS", "s"), {b"1", b"70000", b"%d" % (1 << 40)})]),
    "spop": ([("SADD", "s", "a"), ("SPOP", "s")], [(("EXISTS", "s"), 0)]),
    "zadd": ([("ZADD", "z", 2, "b", 1, "a")], [(("ZRANGE", "z", 0, -1, "WITHSCORES"), [b"a", b"1", b"b", b"2"])]),
    "zset-to-skiplist": (
        [("ZADD", "z", *[x for i in range(300) for x in (i * 1.5, f"m{i}")])],
        [(("ZCARD", "z"), 300), (("ZRANK", "z", "m299"), 299), (("ZSCORE", "z", "m7"), b"10.5"),
         (("OBJECT", "ENCODING", "z"), b"skiplist")],
    ),
    "lpush": ([("LPUSH", "l", "a", "b", "c")], [(("LRANGE", "l", 0, -1), [b"c", b"b", b"a"])]),
    "long-list": ([("RPUSH", "l", *range(5000))], [(("LLEN", "l"), 5000), (("LINDEX", "l", 4999), b"4999"), (("LINDEX", "l", 2500), b"2500")]),
    "incr": ([("INCR", "k")] * 5, [(("GET", "k"), b"5")]),
    "getset": ([("SET", "k", "old"), ("GETSET", "k", "new")], [(("GET", "k"), b"new")]),
    "rename": ([("SET", "a", "1"), ("SET", "b", "2"), ("RENAME", "a", "b")], [(("GET", "b"), b"1"), (("EXISTS", "a"), 0)]),
    "flushall": (
        [("SET", f"k{i}", "v") for i in range(2000)] + [("FLUSHALL",), ("SET", "after", "1")],
        [(("DBSIZE",), 1), (("GET", "after"), b"1")],
    ),
    "flushdb": ([("SET", "a", "1"), ("FLUSHDB",)], [(("DBSIZE",), 0)]),
    "set-ex": ([("SET", "k", "v", "EX", 1000)], [(("GET", "k"), b"v")]),
    "rehash": ([("SET", f"k{i}", i) for i in range(20000)], [(("DBSIZE",), 20000), (("GET", "k0"), b"0"), (("GET", "k19999"), b"19999")]),
    "multi-exec": (
        [("MULTI",), ("SET", "a", "1"), ("LPUSH", "l", "x"), ("INCR", "a"), ("EXEC",)],
        [(("GET", "a"), b"2"), (("LRANGE", "l", 0, -1), [b"x"])],
    ),
    "multi-not-executed": ([("SET", "a", "1"), ("MULTI",), ("SET", "a", "2")], [(("GET", "a"), b"1")]),
    "big-value": ([("SET", "k", BIG)], [(("GET", "k"), BIG)]),
    "big-append": ([("SET", "k", BIG), ("APPEND", "k", BIG)], [(("GET", "k"), BIG + BIG)]),
    "big-setrange": ([("SETRANGE", "k", 1 << 20, "end")], [(("STRLEN", "k"), (1 << 20) + 3), (("GETRANGE", "k", -4, -1), b"\0end")]),
    "script": (
        [("EVAL", "redis.call('SET','a','1') redis.call('RPUSH','l',1,2) return redis.call('INCR','a')", 0)],
        [(("GET", "a"), b"2"), (("LRANGE", "l", 0, -1), [b"1", b"2"])],
    ),
    "hyperloglog": ([("PFADD", "p", *range(1000)), ("PFMERGE", "q", "p")], [(("PFCOUNT", "p"), 1000), (("PFCOUNT", "q"), 1000)]),
    "geo": ([("GEOADD", "g", 13.361389, 38.115556, "Palermo")], [(("GEOHASH", "g", "Palermo"), [b"sqc8b49rny0"])]),
    "sort-store": ([("RPUSH", "l", 3, 1, 2), ("SORT", "l", "STORE", "m")], [(("LRANGE", "m", 0, -1), [b"1", b"2", b"3"])]),
}


def look(server, checks):
    with server.connect() as connection:
        for command, wanted in checks:
            expect(connection.call(*command), wanted, " ".join(map(str, command)))


def simple(server, commands, checks):
    server.start()
    with server.connect() as connection:
        for command in commands:
            reply = connection.call(*command)
            if isinstance(reply, ReplyError):
                raise Failure(f"{command[:3]}: {reply.text}")
    # A crash straight after the last reply, then one with nothing done.
    for _ in range(2):
        server.crash_and_restart()
        look(server, checks)
    server.kill()


def runnable():
    table = {name: (lambda s, c=commands, k=checks: simple(s, c, k)) for name, (commands, checks) in SIMPLE.items()}
    table.update(lifecycle.SEQUENCES)
    return table


def run_one(name, body, options):
    needs_pool = name in lifecycle.POOL_ONLY
    if needs_pool and options.persistence != POOL:
        return "skipped (needs a pool)"
    env = {"NVM_VERIFY": "1"} if options.verify else {}
    with Server(options.tree, options.persistence, env=env) as server:
        server.stock = options.stock
        try:
            body(server)
            if server.complaints():
                raise Failure("the server complained: " + "; ".join(server.complaints()[:5]))
        except Exception as error:  # any exception is this sequence's failure; the others go on
            if not isinstance(error, (Failure, lifecycle.Failure, ServerError, OSError)):
                traceback.print_exc()
            log = "" if isinstance(error, ServerError) else f"\n{server.tail(8)}"
            return f"FAILED: {type(error).__name__}: {error}{log}"
    return "ok"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", help="built Redis source tree")
    parser.add_argument("--stock", help="built tree of the unchanged Redis, which reads the snapshots")
    parser.add_argument("--persistence", choices=(POOL, AOF), default=POOL)
    parser.add_argument("--verify", action="store_true", help="run with NVM_VERIFY=1; any complaint fails")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    table = runnable()
    if options.list:
        print("\n".join(table))
        return 0
    if not options.tree:
        parser.error("--tree is required")
    unknown = set(options.names) - set(table)
    if unknown:
        parser.error(f"no such sequence: {', '.join(sorted(unknown))}")
    chosen = options.names or list(table)
    failed = []
    for name in chosen:
        begin = time.monotonic()
        result = run_one(name, table[name], options)
        print(f"{name:24} {time.monotonic() - begin:5.1f} s  {result}", flush=True)
        if result.startswith("FAILED"):
            failed.append(name)
    print(f"{len(chosen) - len(failed)} of {len(chosen)} sequences passed" + (f"; failed: {' '.join(failed)}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
