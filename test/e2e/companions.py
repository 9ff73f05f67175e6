# ===- companions.py - What happens beside a load: blocking pops, eviction ------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Clients with databases of their own, each in a thread until the server dies.

What they do depends on moments that no model knows, so each has a rule of its own
for what must be found afterwards.
"""

import threading

from oracle import Mismatch
from resp import Connection, ReplyError


class Companion:
    """`work(connection)` goes on until the connection ends; `found(connection)` raises a Mismatch.

    The server is not killed before `under_way` is set, however slow the machine is.
    """

    database = 0

    def __init__(self):
        self.threads = []
        self.failures = []
        self.under_way = threading.Event()

    def parts(self):
        return [self.work]

    def begin(self, address):
        self.under_way.clear()
        self.threads = [threading.Thread(target=self._until_the_end, args=(part, address)) for part in self.parts()]
        for thread in self.threads:
            thread.start()

    def _until_the_end(self, part, address):
        try:
            with Connection(address) as connection:
                self.call(connection, "SELECT", self.database)
                part(connection)
        except OSError:
            pass
        except Mismatch as failure:
            self.failures.append(failure)

    def join(self):
        for thread in self.threads:
            thread.join()

    def judge(self, address):
        if self.failures:
            raise self.failures[0]
        with Connection(address) as connection:
            self.call(connection, "SELECT", self.database)
            self.found(connection)

    @staticmethod
    def call(connection, *argv):
        reply = connection.call(*argv)
        if isinstance(reply, ReplyError):
            raise Mismatch(f"{argv[:3]}: {reply.text}")
        return reply


class BlockingPops(Companion):
    """Numbers go through two lists: pushed to one, moved by BRPOPLPUSH, taken by BLPOP.

    None may be lost or come twice, and they stay in order. The last one that was taken
    may be one whose reply did not arrive.
    """

    database = 16

    def __init__(self):
        super().__init__()
        self.pushed = self.taken = 0  # acknowledged

    def parts(self):
        return [self.push, self.move, self.take]

    def push(self, connection):
        while True:
            self.call(connection, "RPUSH" if self.pushed % 2 else "LPUSH", "other" if self.pushed % 2 else "first", self.pushed)
            self.pushed += 1
            self.call(connection, "RPOPLPUSH", "other", "first")

    def move(self, connection):
        while True:
            self.call(connection, "BRPOPLPUSH", "first", "second", 1)

    def take(self, connection):
        while True:
            reply = self.call(connection, "BRPOP", "second", 1)
            if reply is not None:
                self.accept(int(reply[1]))

    def accept(self, number):
        if number != self.taken:
            raise Mismatch(f"BRPOP gave {number}, and {self.taken} is next")
        self.taken += 1
        self.under_way.set()

    def found(self, connection):
        self.call(connection, "RPOPLPUSH", "other", "first")  # holds one at most, the newest
        lists = [self.call(connection, "LRANGE", key, 0, -1)[::-1] for key in ("second", "first")]
        numbers = [int(number) for part in lists for number in part]
        if not numbers:  # what was in flight may have come and gone
            right = abs(self.taken - self.pushed) <= 1
            numbers = [max(self.taken, self.pushed)]
        else:
            right = (numbers == list(range(numbers[0], numbers[-1] + 1)) and numbers[0] - self.taken in (0, 1)
                     and numbers[-1] - self.pushed in (-1, 0))
        if not right:
            raise Mismatch(f"{self.taken} taken and {self.pushed} pushed, and the lists hold {numbers[:20]} .. {numbers[-3:]}")
        self.taken, self.pushed = (numbers[0], numbers[-1] + 1) if any(lists) else (numbers[0] + 1, numbers[0] + 1)


class Evicted(Companion):
    """Fills the memory with keys that may be evicted, under volatile-lru.

    Each is as it was written or gone, with its expiry, and some are gone. The others'
    keys have no expiry, so that none of theirs may be missing.
    """

    database = 17
    KEYS = 8000

    def __init__(self):
        super().__init__()
        self.written = 0
        self.evicted = 0

    @staticmethod
    def value(number):
        return b"%d:" % number * (900 // len(b"%d:" % number))

    def set(self, number):
        return "SET", f"e:{number}", self.value(number), "EX", 50000

    def work(self, connection):
        while True:
            if self.written == self.KEYS:
                used = next(int(line.split(b":")[1]) for line in self.call(connection, "INFO", "memory").splitlines()
                            if line.startswith(b"used_memory:"))
                # The policy first: with a limit and no policy the others' writes would be refused.
                self.call(connection, "CONFIG", "SET", "maxmemory-policy", "volatile-lru")
                self.call(connection, "CONFIG", "SET", "maxmemory", used + (1 << 20))
            elif self.written > self.KEYS and self.call(connection, "DBSIZE") < self.written:
                self.under_way.set()
            for reply in connection.pipeline([self.set(self.written + i) for i in range(100)]):
                if reply != "OK":
                    raise Mismatch(f"SET with room to be made: {reply}")
            self.written += 100

    def found(self, connection):
        keys = self.call(connection, "KEYS", "*")
        for key, value, ttl in zip(keys, connection.pipeline([("GET", key) for key in keys]),
                                   connection.pipeline([("TTL", key) for key in keys])):
            number = int(key[2:])
            if number >= self.written + 100 or value != self.value(number) or not 40000 < ttl <= 50000:
                raise Mismatch(f"{key}: {str(value)[:80]}, expiry in {ttl} s, {self.written} written")
        self.evicted += self.written - len(keys)
        self.call(connection, "FLUSHDB")
        self.written = 0
