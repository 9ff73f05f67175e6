# ===- workload.py - Random operations on every type of value ---------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""An endless stream of operations, decided by a seed.

An operation is a list of commands that happen together or not at all: one
command, one MULTI .. EXEC block, or one script.

Keys are named by type ("s" strings, "c" counters, "f" floats, "l" lists, "h"
hashes, "t" sets, "z" sorted sets, "p" HyperLogLogs, "b" many small strings), so
that most commands meet their own type and a chosen few do not. "v" keys expire
within seconds and are written once and never read again, so that the moment of
their expiry influences nothing else.
"""

import random

# count, arguments, count, arguments, ..: see Model._script.
SCRIPT = (
    "local i,r=1,false while i<=#ARGV do local n=tonumber(ARGV[i]) "
    "r=redis.call(unpack(ARGV,i+1,i+n)) i=i+n+1 end return r"
)

KEYS_PER_TYPE = 30


class Workload:
    def __init__(self, seed, databases, flush_all=False, expiry_in_scripts=True, expiry=True):
        """`expiry`: keys get some; not where the server may evict those that have one."""
        self.random = random.Random(seed)
        self.expiry = expiry
        self.databases = databases
        self.flush_all = flush_all
        self.expiry_in_scripts = expiry_in_scripts
        self.serial = 0
        self.seed = seed
        self.makers = [
            (self.string, 26),
            (self.counter, 8),
            (self.list, 16),
            (self.hash, 12),
            (self.set, 12),
            (self.zset, 14),
            (self.hll, 4),
            (self.many, 5),
            (self.key, 8),
            (self.volatile, 3),
            (self.large, 1.2),
            (self.stranger, 1.5),
        ]
        self.functions = [maker for maker, _ in self.makers]
        self.weights = [weight for _, weight in self.makers]

    # ===-- Parts ---------------------------------------------------------===#

    def name(self, letter):
        return b"%s:%d" % (letter.encode(), self.random.randrange(KEYS_PER_TYPE))

    def text(self, longest=40):
        """Printable, so that a report can be read; sometimes an integer."""
        if self.random.random() < 0.2:
            return b"%d" % self.random.randint(-99999, 99999)
        length = self.random.randint(1, longest)
        return bytes(self.random.choices(b"abcdefghijklmnopqrstuvwxyz", k=length))

    def block(self, size):
        return self.random.randbytes(size)

    def member(self):
        return b"%d" % self.random.randrange(2000) if self.random.random() < 0.7 else self.text(20)

    def score(self):
        return b"%.2f" % (self.random.randrange(-4000, 4000) / 4)

    def index(self):
        return b"%d" % self.random.randint(-12, 12)

    def pick(self, *choices):
        return self.random.choice(choices)

    # ===-- One command ---------------------------------------------------===#

    def string(self):
        key, r = self.name("s"), self.random
        return self.pick(
            [b"SET", key, self.text()],
            [b"SET", key, self.text(300)],
            [b"SET", key, self.text(), b"EX", b"%d" % r.randint(1000, 90000)],
            [b"SET", key, self.text(), self.pick(b"NX", b"XX")],
            [b"SETNX", key, self.text()],
            [b"SETEX", key, b"%d" % r.randint(1000, 90000), self.text()],
            [b"GETSET", key, self.text()],
            [b"APPEND", key, self.text()],
            [b"APPEND", key, self.text()],
            [b"SETRANGE", key, b"%d" % r.randrange(200), self.text()],
            [b"SETBIT", key, b"%d" % r.randrange(2000), self.pick(b"0", b"1")],
            [b"BITFIELD", key, b"INCRBY", b"u8", b"#%d" % r.randrange(64), b"%d" % r.randint(-300, 300)],
            [b"BITOP", self.pick(b"AND", b"OR", b"XOR"), self.name("s"), key, self.name("s")],
            [b"BITOP", b"NOT", self.name("s"), key],
            [b"MSET"] + [x for _ in range(4) for x in (self.name("s"), self.text())],
            [b"MSETNX", key, self.text(), self.name("s"), self.text()],
            [b"GET", key],
            [b"STRLEN", key],
        )

    def counter(self):
        key, step = self.name("c"), b"%d" % self.random.randint(-1000, 1000)
        quarter = b"%.2f" % (self.random.randint(-400, 400) / 4)
        return self.pick(
            [b"INCR", key],
            [b"DECR", key],
            [b"INCRBY", key, step],
            [b"DECRBY", key, step],
            [b"SET", key, step],
            [b"INCRBYFLOAT", self.name("f"), quarter],
            [b"GET", key],
        )

    def list(self):
        key, other, r = self.name("l"), self.name("l"), self.random
        end = self.pick(b"L", b"R")
        return self.pick(
            [end + b"PUSH", key, self.text()],
            [end + b"PUSH", key] + [self.text(120) for _ in range(r.randint(1, 30))],
            [end + b"PUSH", key] + [self.text(120) for _ in range(r.randint(1, 30))],
            [end + b"PUSHX", key, self.text()],
            [end + b"POP", key],
            [end + b"POP", key],
            [b"RPOPLPUSH", key, other],
            [b"LSET", key, self.index(), self.text(80)],
            [b"LTRIM", key, self.index(), b"%d" % r.randint(-3, 200)],
            [b"LINSERT", key, self.pick(b"BEFORE", b"AFTER"), self.text(1), self.text()],
            [b"LREM", key, b"%d" % r.randint(-2, 2), self.text(1)],
            [b"LRANGE", key, b"0", b"20"],
            [b"LLEN", key],
            [b"SORT", key, b"ALPHA", b"STORE", other],
        )

    def set(self):
        key, other, third = self.name("t"), self.name("t"), self.name("t")
        return self.pick(
            [b"SADD", key, b"%d" % self.random.randrange(10**6)],
            [b"SADD", key] + [b"%d" % self.random.randrange(2000) for _ in range(20)],
            [b"SADD", key, self.member()],
            [b"SREM", key] + [self.member() for _ in range(8)],
            [b"SMOVE", key, other, self.member()],
            [self.pick(b"SINTERSTORE", b"SUNIONSTORE", b"SDIFFSTORE"), key, other, third],
            [b"SMEMBERS", key],
            [b"SCARD", key],
            [b"SISMEMBER", key, self.member()],
        )

    def hash(self):
        key, r = self.name("h"), self.random
        field = b"f%d" % r.randrange(300)
        return self.pick(
            [b"HSET", key, field, self.text()],
            [b"HSET", key, field, self.text(150)],
            [b"HSETNX", key, field, self.text()],
            [b"HMSET", key] + [x for _ in range(15) for x in (b"f%d" % r.randrange(300), self.text())],
            [b"HDEL", key] + [b"f%d" % r.randrange(300) for _ in range(6)],
            [b"HINCRBY", key, b"n%d" % r.randrange(5), b"%d" % r.randint(-50, 50)],
            [b"HINCRBYFLOAT", key, b"q%d" % r.randrange(5), b"%.2f" % (r.randint(-50, 50) / 4)],
            [b"HGET", key, field],
            [b"HGETALL", key],
            [b"HLEN", key],
        )

    def zset(self):
        key, other, third, r = self.name("z"), self.name("z"), self.name("z"), self.random
        pairs = [x for _ in range(12) for x in (self.score(), self.member())]
        low = r.randint(-1000, 900)
        return self.pick(
            [b"ZADD", key, self.score(), self.member()],
            [b"ZADD", key] + pairs,
            [b"ZADD", key, self.pick(b"NX", b"XX"), b"CH"] + pairs,
            [b"ZINCRBY", key, self.score(), self.member()],
            [b"ZREM", key] + [self.member() for _ in range(8)],
            [b"ZREMRANGEBYRANK", key, b"%d" % r.randint(-5, 40), b"%d" % r.randint(-2, 60)],
            [b"ZREMRANGEBYSCORE", key, b"%d" % low, b"%d" % (low + 60)],
            [self.pick(b"ZUNIONSTORE", b"ZINTERSTORE"), key, b"2", other, third, b"AGGREGATE", self.pick(b"MIN", b"MAX")],
            [b"ZUNIONSTORE", key, b"2", other, self.name("t"), b"AGGREGATE", b"MAX"],
            [b"ZCARD", key],
            [b"ZSCORE", key, self.member()],
            [b"ZRANK", key, self.member()],
        )

    def hll(self):
        key = self.name("p")
        return self.pick(
            [b"PFADD", key] + [self.text(12) for _ in range(self.random.randint(0, 30))],
            [b"PFADD", key, self.text(12)],
            [b"PFMERGE", key, self.name("p"), self.name("p")],
            [b"PFCOUNT", key],
        )

    def many(self):
        """Enough keys to keep the main table growing, shrinking and rehashing."""
        names = [b"b:%d" % self.random.randrange(4000) for _ in range(40)]
        if self.random.random() < 0.3:
            return [b"DEL"] + names
        return [b"MSET"] + [x for name in names for x in (name, self.text(20))]

    def key(self):
        letter = self.pick("s", "c", "l", "h", "t", "z", "p")
        key, other = self.name(letter), self.name(letter)
        seconds = self.random.randint(1000, 90000)
        roll = self.random.random()
        if roll < 0.003:
            return [b"FLUSHDB"]
        if roll < 0.004 and self.flush_all:
            return [b"FLUSHALL"]
        return self.pick(
            [b"DEL", key],
            [b"DEL", key, other],
            [b"EXISTS", key],
            [b"TYPE", key],
            [b"RENAME", key, other],
            [b"RENAMENX", key, other],
            [b"MOVE", key, b"%d" % self.random.choice(self.databases)],
            [b"EXPIRE", key, b"%d" % seconds],
            [b"PEXPIRE", key, b"%d" % (seconds * 1000)],
            [b"EXPIRE", key, b"-1"],
            [b"PERSIST", key],
            [b"PTTL", key],
            [b"SELECT", b"%d" % self.random.choice(self.databases)],
        )

    def volatile(self):
        self.serial += 1
        key = b"v:%d:%d" % (self.seed, self.serial)
        return [b"PSETEX", key, b"%d" % self.random.randint(20, 3000), self.text()]

    def large(self):
        """Conversions of encodings, lists of several nodes, large strings."""
        r = self.random
        many = [b"%d" % n for n in r.sample(range(100000), 600)]
        return self.pick(
            [b"SADD", self.name("t")] + many,
            [b"HMSET", self.name("h")] + [x for n in many for x in (b"f" + n, n)],
            [b"ZADD", self.name("z")] + [x for n in many for x in (self.score(), n)],
            [b"RPUSH", self.name("l")] + [self.block(200) for _ in range(100)],
            [b"SET", self.name("s"), self.block(r.choice((5000, 40000, 70000)))],
            [b"SET", self.name("s"), self.block(1 << 20)],
            [b"SETRANGE", self.name("s"), b"%d" % r.randrange(100000), self.text()],
            [b"LSET", self.name("l"), self.index(), self.block(10000)],
            [b"PFADD", self.name("p")] + many,
            [b"DEL"] + [self.name(x) for x in "slhtz" for _ in range(8)],
            [b"LTRIM", self.name("l"), b"0", b"3"],
        )

    def stranger(self):
        """A command on a key of another type: an error that must change nothing."""
        key = self.name(self.pick("l", "h", "t", "z"))
        return self.pick(
            [b"APPEND", key, self.text()],
            [b"INCR", key],
            [b"LPUSH", key, self.text()],
            [b"SADD", key, self.member()],
            [b"HSET", key, b"f1", self.text()],
            [b"ZADD", key, self.score(), self.member()],
            [b"SETRANGE", key, b"3", self.text()],
        )

    # ===-- One operation -------------------------------------------------===#

    def command(self):
        while True:
            argv = self.random.choices(self.functions, self.weights)[0]()
            if self.expiry or not self.sets_expiry(argv):
                return argv

    @staticmethod
    def sets_expiry(argv):
        return argv[0] in (b"SETEX", b"PSETEX", b"EXPIRE", b"PEXPIRE") or b"EX" in argv

    def several(self, longest):
        commands = [self.command() for _ in range(self.random.randint(2, longest))]
        return [c for c in commands if c[0] not in (b"SELECT", b"FLUSHALL")]

    def operation(self):
        roll = self.random.random()
        if roll < 0.05:
            end = b"EXEC" if self.random.random() < 0.9 else b"DISCARD"
            return [[b"MULTI"], *self.several(8), [end]]
        if roll < 0.09:
            chosen = self.several(8)
            if not self.expiry_in_scripts:
                chosen = [c for c in chosen if not self.sets_expiry(c)]
            packed = [x for c in chosen for x in (b"%d" % len(c), *c)]
            if 0 < len(packed) < 5000:
                return [[b"EVAL", SCRIPT.encode(), b"0", *packed]]
        return [self.command()]
