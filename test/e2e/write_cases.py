# ===- write_cases.py - Every write command of Redis 3.2.6, on every encoding --===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""What the cuts go through: groups of keys, and commands that change them.

Each command runs on a fresh copy of its group's keys, so a command may do what it
likes. missing() asks a server for its write commands, so that none is forgotten.
"""

import dataclasses


@dataclasses.dataclass
class Case:
    steps: list  # commands on one connection; the last one is the one of interest
    before: list = dataclasses.field(default_factory=list)  # sent by another connection, which waits for its reply
    random: str = ""  # the key of which any members may go

    @property
    def name(self):
        words = " ".join(text if len(text) < 24 else text[:20] + ".." for text in map(str, self.steps[-1]))
        return words if len(words) <= 60 else words[:57] + "..."


class Dumped:
    """Stands for what DUMP says of a key."""

    def __init__(self, key):
        self.key = key

    def __repr__(self):
        return f"DUMP({self.key})"


PORT = object()  # stands for the port of another server

SCRIPT = "redis.call('SET','one','1') redis.call('RPUSH',KEYS[1],1,2) return redis.call('INCR','count')"
SHA = "{sha}"


def many(count, *form):
    """many(3, "f{}", "v{}") == f0 v0 f1 v1 f2 v2"""
    return [text.format(i) for i in range(count) for text in form]


LONG = "x" * 100  # longer than what hash-max-ziplist-value and the like allow

STRINGS = (
    [("SET", "int", 12345), ("SET", "shared", 7), ("SET", "embedded", "text"), ("SET", "raw", "r" * 200), ("SET", "float", "10.5"),
     ("SET", "due", "v", "EX", 50000), ("SET", "other", "abc")],
    [("SET", "new", "v"), ("SET", "int", "text"), ("SET", "raw", 5), ("SET", "embedded", "v", "EX", 9000), ("SET", "due", "v"),
     ("SET", "new", "v", "PX", 9000000, "NX"), ("SETNX", "new", LONG), ("SETEX", "raw", 9000, "v"), ("PSETEX", "new", 9000000, 1),
     ("GETSET", "int", "v"), ("GETSET", "new", "v"), ("APPEND", "int", "678"), ("APPEND", "embedded", LONG), ("APPEND", "new", "v"),
     ("APPEND", "raw", "r" * 3000), ("SETRANGE", "embedded", 60, "end"), ("SETRANGE", "new", 5, "v"), ("SETRANGE", "raw", 3, "abc"),
     ("SETBIT", "raw", 9, 1), ("SETBIT", "new", 1000, 1), ("SETBIT", "int", 3, 0), ("BITFIELD", "raw", "INCRBY", "u8", "#3", 77),
     ("BITFIELD", "new", "SET", "i16", 40, 99, "INCRBY", "u4", 0, 3), ("BITOP", "XOR", "new", "raw", "embedded"),
     ("BITOP", "NOT", "raw", "raw"), ("BITOP", "AND", "raw", "absent", "absent"), ("INCR", "int"), ("INCR", "shared"), ("INCR", "new"),
     ("DECR", "int"), ("DECRBY", "shared", 10), ("INCRBY", "int", 1000000), ("INCRBYFLOAT", "float", "0.25"),
     ("INCRBYFLOAT", "int", "1.5"), ("MSET", "new", 1, "int", 2, "raw", LONG, "embedded", "e"), ("MSETNX", "n1", 1, "n2", LONG)])

KEYS = (
    [("SET", "a", "1"), ("SET", "b", LONG, "EX", 50000), ("RPUSH", "list", *range(30)), ("SADD", "set", "m", "n"), ("ZADD", "zset", 1, "m"),
     ("HSET", "hash", "f", "v"), ("SET", "integer", 44)],
    [("DEL", "a"), ("DEL", "b", "list", "set", "zset", "hash"), ("EXPIRE", "a", 9000), ("EXPIRE", "b", 9000), ("EXPIRE", "a", -1),
     ("PEXPIRE", "list", 9000000), ("EXPIREAT", "a", 4000000000), ("PEXPIREAT", "set", 4000000000000), ("PERSIST", "b"),
     ("RENAME", "a", "new"), ("RENAME", "list", "b"), ("RENAME", "b", "list"), ("RENAMENX", "zset", "new"), ("MOVE", "b", 1), ("MOVE", "hash", 1),
     ("RESTORE", "new", 0, Dumped("list")), ("RESTORE", "a", 9000000, Dumped("zset"), "REPLACE"), ("RESTORE", "new", 0, Dumped("hash")),
     ("RESTORE-ASKING", "new", 0, Dumped("set")), ("MIGRATE", "127.0.0.1", PORT, "list", 0, 5000),
     ("MIGRATE", "127.0.0.1", PORT, "", 0, 5000, "REPLACE", "KEYS", "a", "b", "zset"), ("FLUSHDB",), ("FLUSHALL",)])

LISTS = (
    [("RPUSH", "short", "a", 2, "c"), ("RPUSH", "one", "x"), ("RPUSH", "long", *[LONG + str(i) for i in range(200)])],
    [("LPUSH", "short", "new"), ("RPUSH", "new", 1, "b"), ("RPUSH", "long", *[LONG] * 90), ("LPUSH", "long", LONG), ("LPUSHX", "short", 9),
     ("RPUSHX", "long", "v"), ("LPOP", "short"), ("LPOP", "one"), ("RPOP", "long"), ("RPOP", "one"), ("LSET", "short", 1, LONG), ("LSET", "long", 100, "v"),
     ("LINSERT", "short", "BEFORE", 2, "v"), ("LINSERT", "long", "AFTER", LONG + "100", LONG), ("LREM", "short", 0, "a"), ("LREM", "one", 1, "x"),
     ("LREM", "long", -1, LONG + "50"), ("LTRIM", "long", 60, 130), ("LTRIM", "short", 5, 6), ("RPOPLPUSH", "short", "long"), ("RPOPLPUSH", "long", "long"),
     ("RPOPLPUSH", "one", "new"), ("BLPOP", "absent", "short", 1), ("BRPOP", "one", 1), ("BRPOPLPUSH", "long", "short", 1),
     ("SORT", "short", "ALPHA", "DESC", "STORE", "new"), ("SORT", "long", "ALPHA", "STORE", "short")],
    [Case([("RPUSH", "waited", "v", "w")], before=[("BLPOP", "waited", 5)]), Case([("LPUSH", "waited", "v")], before=[("BRPOP", "waited", 5)]),
     Case([("RPUSH", "waited", "v")], before=[("BRPOPLPUSH", "waited", "short", 5)])])

SETS = (
    [("SADD", "ints", 1, 2, 3), ("SADD", "texts", "a", "b", "c", "3"), ("SADD", "single", 5), ("SADD", "large", *range(600)), ("SADD", "full", *range(512))],
    [("SADD", "ints", 4), ("SADD", "ints", 70000), ("SADD", "ints", 1 << 40, -5), ("SADD", "ints", "text"), ("SADD", "full", 512), ("SADD", "new", "m"), ("SADD", "new", 1),
     ("SADD", "texts", *many(40, "m{}")), ("SREM", "ints", 2), ("SREM", "single", 5), ("SREM", "texts", "a", "b"), ("SREM", "large", *range(560)),
     ("SMOVE", "ints", "texts", 2), ("SMOVE", "single", "new", 5), ("SMOVE", "texts", "ints", "a"), ("SPOP", "single"), ("SPOP", "texts", 4),
     ("SINTERSTORE", "new", "ints", "texts"), ("SINTERSTORE", "ints", "ints", "absent"), ("SUNIONSTORE", "ints", "ints", "texts"),
     ("SDIFFSTORE", "texts", "texts", "ints")],
    [Case([("SPOP", "ints")], random="ints"), Case([("SPOP", "texts", 2)], random="texts"), Case([("SPOP", "large", 580)], random="large")])

HASHES = (
    [("HMSET", "small", "f", "v", "n", 5, "q", "1.5"), ("HMSET", "large", *many(600, "f{}", "v{}")), ("HSET", "single", "f", "v"), ("HSET", "number", "n", 9),
     ("HMSET", "full", *many(512, "f{}", "v"))],
    [("HSET", "small", "f", "w"), ("HSET", "small", "new", 1), ("HSET", "small", "f", LONG), ("HSET", "large", "f7", LONG), ("HSET", "full", "one more", 1),
     ("HSET", "new", "f", "v"), ("HSETNX", "small", "new", "v"), ("HSETNX", "large", "new", "v"), ("HMSET", "small", *many(20, "f{}", "v{}")), ("HMSET", "new", "a", LONG, "b", 1),
     ("HDEL", "small", "f"), ("HDEL", "single", "f"), ("HDEL", "large", *many(560, "f{}")), ("HINCRBY", "small", "n", 7), ("HINCRBY", "large", "new", 7),
     ("HINCRBYFLOAT", "small", "q", "0.25"), ("HINCRBYFLOAT", "new", "q", 1)])

ZSETS = (
    [("ZADD", "small", 1, "a", 2, "b", 3, "c"), ("ZADD", "large", *many(300, "{}", "m{}")), ("ZADD", "single", 5, "m"), ("ZADD", "full", *many(128, "{}", "m{}")),
     ("ZADD", "equal", *many(20, "0", "m{}")), ("SADD", "members", "a", "z"), ("GEOADD", "places", 13.361389, 38.115556, "Palermo", 15.087269, 37.502669, "Catania")],
    [("ZADD", "small", 1.5, "d"), ("ZADD", "small", 9, "a"), ("ZADD", "small", 1, LONG), ("ZADD", "full", 1, "one more"), ("ZADD", "large", 77.5, "m3", -1, "new"),
     ("ZADD", "new", 1, "m"), ("ZADD", "new", 1, LONG), ("ZADD", "large", "XX", "CH", 4, "m9", 5, "absent"), ("ZADD", "small", "INCR", 3, "b"), ("ZINCRBY", "small", 5, "a"),
     ("ZINCRBY", "large", -50, "m200"), ("ZINCRBY", "new", 1, "m"), ("ZREM", "small", "b"), ("ZREM", "single", "m"), ("ZREM", "large", *many(250, "m{}")),
     ("ZREMRANGEBYRANK", "small", 0, 1), ("ZREMRANGEBYRANK", "large", 10, -10), ("ZREMRANGEBYSCORE", "small", 2, 9), ("ZREMRANGEBYSCORE", "large", "(5", 250),
     ("ZREMRANGEBYLEX", "equal", "[m1", "[m3"), ("ZREMRANGEBYLEX", "equal", "-", "+"), ("ZUNIONSTORE", "new", 2, "small", "members"),
     ("ZUNIONSTORE", "small", 2, "large", "small", "WEIGHTS", 2, 3, "AGGREGATE", "MAX"), ("ZINTERSTORE", "new", 2, "small", "members"),
     ("ZINTERSTORE", "small", 2, "small", "absent"), ("GEOADD", "places", 2.35, 48.85, "Paris"), ("GEOADD", "new", 2.35, 48.85, "Paris"),
     ("GEORADIUS", "places", 15, 37, 200, "km", "STORE", "new"), ("GEORADIUS", "places", 15, 37, 200, "km", "STOREDIST", "small"),
     ("GEORADIUSBYMEMBER", "places", "Palermo", 10, "km", "STORE", "new")])

HYPERLOGLOGS = (
    [("PFADD", "sparse", *range(20)), ("PFADD", "dense", *range(3000)), ("PFADD", "third", "a", "b")],
    [("PFADD", "sparse", "v"), ("PFADD", "dense", *range(3000, 3040)), ("PFADD", "new"), ("PFADD", "new", "a", "b"), ("PFADD", "sparse", *range(1500)),
     ("PFMERGE", "new", "sparse", "third"), ("PFMERGE", "sparse", "dense"), ("PFCOUNT", "sparse"), ("PFDEBUG", "TODENSE", "sparse"), ("PFDEBUG", "GETREG", "third")])

SEVERAL = (
    [("SET", "count", 5), ("RPUSH", "list", "x"), ("HSET", "hash", "f", "v"), ("ZADD", "zset", 1, "m")],
    [("EVAL", SCRIPT, 1, "list"), ("EVAL", "for i=1,50 do redis.call('SADD','new',i) end return redis.call('DEL','list','hash')", 0)],
    [Case([("SCRIPT", "LOAD", SCRIPT), ("EVALSHA", SHA, 1, "list")]),
     Case([("MULTI",), ("INCR", "count"), ("RPOP", "list"), ("HSET", "hash", "f", LONG), ("ZADD", "zset", 2, "n"), ("EXPIRE", "hash", 9000), ("EXEC",)]),
     Case([("WATCH", "count"), ("MULTI",), ("DEL", "count", "list"), ("RENAME", "zset", "count"), ("EXEC",)]),
     Case([("MULTI",), ("EVAL", SCRIPT, 1, "list"), ("MOVE", "list", 1), ("EXEC",)])])

GROUPS = {
    name: (group[0], [Case([command]) for command in group[1]] + (group[2] if len(group) > 2 else []))
    for name, group in {
        "strings": STRINGS, "keys": KEYS, "lists": LISTS, "sets": SETS, "hashes": HASHES, "sorted sets": ZSETS, "HyperLogLogs": HYPERLOGLOGS,
        "transactions and scripts": SEVERAL}.items()
}


def missing(connection):
    """Write commands of the server that no case has."""
    present = {step[0].lower() for _, cases in GROUPS.values() for case in cases for step in case.steps}
    return sorted({name.decode() for name, _, flags, *_ in connection.call("COMMAND") if "write" in flags} - present)
