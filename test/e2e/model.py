# ===- model.py - What a Redis server should hold ---------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""An executable specification of the commands that the workload uses.

Written from the command reference, not from the server's source, and free of
persistence: it is the oracle that a restarted server is compared with.

    model = Model(); session = Session()
    reply = model.execute(session, [b"INCR", b"c:1"], now_s)

Every key whose value or expiry may have changed is added to `model.touched` as
(db, key), so that a comparison after one more command is cheap.
"""

import re

from hll import Hll
from resp import ReplyError

COMMANDS = {}
ERROR = ReplyError()


def command(name):
    """Registers a function(db, args, now_s) under a command name."""

    def register(function):
        COMMANDS[name.encode()] = function
        return function

    return register


class Zset(dict):
    """member -> score; a class of its own because a hash is a dict too."""


class Any:
    """A reply that the model does not predict."""

    def __repr__(self):
        return "any reply"


class Unordered(list):
    """An array reply whose order is the server's affair."""


class Number(float):
    """A bulk string reply that is compared as a floating-point number."""


class WrongType(Exception):
    pass


def kind_of(value):
    for cls, kind in ((bytes, "string"), (Hll, "hll"), (Zset, "zset"), (list, "list"), (set, "set"), (dict, "hash")):
        if isinstance(value, cls):
            return kind
    raise TypeError(type(value))


class Db:
    """One numbered database."""

    def __init__(self, index, touched):
        self.index = index
        self.touched = touched
        self.values = {}
        self.expires = {}  # seconds since the epoch

    def get(self, key, cls):
        value = self.values.get(key)
        if value is not None and type(value) is not cls:
            raise WrongType()
        return value

    def get_or_make(self, key, cls):
        value = self.get(key, cls)
        if value is None:
            value = self.values[key] = cls()
        return value

    def changed(self, key):
        """After an edit in place; a collection that became empty is no key."""
        value = self.values.get(key)
        if not value and value is not None and not isinstance(value, (bytes, Hll)):
            self.remove(key)
        self.touched.add((self.index, key))

    def put(self, key, value, keep_expiry=False):
        self.values[key] = value
        if not keep_expiry:
            self.expires.pop(key, None)
        self.touched.add((self.index, key))

    def put_or_remove(self, key, collection):
        """What the *STORE commands do with their result."""
        self.remove(key)
        if collection:
            self.put(key, collection)
        return len(collection)

    def expire(self, key, at_s):
        self.expires[key] = at_s
        self.touched.add((self.index, key))

    def remove(self, key):
        self.touched.add((self.index, key))
        self.expires.pop(key, None)
        return self.values.pop(key, None) is not None

    def clear(self):
        self.touched.update((self.index, key) for key in self.values)
        self.values.clear()
        self.expires.clear()


class Session:
    """What the server knows about one connection."""

    def __init__(self):
        self.db = 0
        self.queue = None


class Model:
    def __init__(self, databases=16):
        self.touched = set()
        self.dbs = [Db(i, self.touched) for i in range(databases)]

    def execute(self, session, argv, now_s):
        """Applies one command and returns the reply that the server should give."""
        name = argv[0].upper()
        if session.queue is not None and name not in (b"EXEC", b"DISCARD", b"MULTI"):
            session.queue.append(argv)
            return "QUEUED"
        if name == b"MULTI":
            session.queue = []
            return "OK"
        if name == b"DISCARD":
            session.queue = None
            return "OK"
        if name == b"EXEC":
            queue, session.queue = session.queue, None
            return [self.execute(session, queued, now_s) for queued in queue]
        if name == b"SELECT":
            session.db = int(argv[1])
            return "OK"
        if name == b"EVAL":
            return self._script(session, argv[2 + 1 + int(argv[2]) :], now_s)
        if name == b"FLUSHALL":
            for db in self.dbs:
                db.clear()
            return "OK"
        if name == b"MOVE":
            return self._move(session, argv[1], int(argv[2]))
        try:
            return COMMANDS[name](self.dbs[session.db], argv[1:], now_s)
        except WrongType:
            return ERROR

    def _script(self, session, packed, now_s):
        """The workload's one script: count, arguments, count, arguments, ..

        A script that fails in the middle keeps what it has done.
        """
        at, reply = 0, None
        while at < len(packed):
            count = int(packed[at])
            reply = self.execute(session, packed[at + 1 : at + 1 + count], now_s)
            if isinstance(reply, ReplyError):
                return reply
            at += count + 1
        return reply

    def _move(self, session, key, target):
        source, destination = self.dbs[session.db], self.dbs[target]
        if source is destination:
            return ERROR
        if key not in source.values or key in destination.values:
            return 0
        expiry = source.expires.get(key)
        destination.put(key, source.values[key])
        if expiry is not None:
            destination.expire(key, expiry)
        source.remove(key)
        return 1


# ===-- Keys ------------------------------------------------------------------===#


@command("FLUSHDB")
def flushdb(db, _args, _now_s):
    db.clear()
    return "OK"


@command("DEL")
def delete(db, keys, _now_s):
    return sum(db.remove(key) for key in keys)


@command("EXISTS")
def exists(db, keys, _now_s):
    return sum(key in db.values for key in keys)


@command("TYPE")
def type_of(db, args, _now_s):
    if args[0] not in db.values:
        return "none"
    return kind_of(db.values[args[0]]).replace("hll", "string")


def _rename(db, source, destination):
    expiry = db.expires.get(source)
    value = db.values[source]
    db.remove(destination)
    db.put(destination, value)
    if expiry is not None:
        db.expire(destination, expiry)
    db.remove(source)


@command("RENAME")
def rename(db, args, _now_s):
    source, destination = args
    if source not in db.values:
        return ERROR
    if source != destination:
        _rename(db, source, destination)
    return "OK"


@command("RENAMENX")
def renamenx(db, args, _now_s):
    source, destination = args
    if source not in db.values:
        return ERROR
    if destination in db.values:
        return 0
    _rename(db, source, destination)
    return 1


def _expire_at(db, key, at_s, now_s):
    if key not in db.values:
        return 0
    if at_s <= now_s:
        db.remove(key)
    else:
        db.expire(key, at_s)
    return 1


@command("EXPIRE")
def expire(db, args, now_s):
    return _expire_at(db, args[0], now_s + int(args[1]), now_s)


@command("PEXPIRE")
def pexpire(db, args, now_s):
    return _expire_at(db, args[0], now_s + int(args[1]) / 1000, now_s)


@command("EXPIREAT")
def expireat(db, args, now_s):
    return _expire_at(db, args[0], int(args[1]), now_s)


@command("PERSIST")
def persist(db, args, _now_s):
    db.touched.add((db.index, args[0]))
    return int(db.expires.pop(args[0], None) is not None)


@command("PTTL")
def pttl(_db, _args, _now_s):
    return Any()


@command("OBJECT")
def object_(_db, _args, _now_s):
    return Any()


# ===-- Strings ---------------------------------------------------------------===#

_INTEGER = re.compile(rb"(0|-?[1-9][0-9]*)\Z")


def integer(text):
    """A signed 64-bit integer in Redis's strict spelling, else None."""
    if not _INTEGER.match(text):
        return None
    value = int(text)
    return value if -(1 << 63) <= value < 1 << 63 else None


def float_text(value):
    """As INCRBYFLOAT prints: fixed point, no trailing zeros."""
    text = f"{value:.17f}".rstrip("0").rstrip(".")
    return text.encode()


@command("GET")
def get(db, args, _now_s):
    value = db.values.get(args[0])
    return Any() if isinstance(value, Hll) else db.get(args[0], bytes)


@command("SET")
def set_(db, args, now_s):
    key, value, options = args[0], args[1], [a.upper() for a in args[2:]]
    if b"NX" in options and key in db.values or b"XX" in options and key not in db.values:
        return None
    db.put(key, value)
    for unit, scale in ((b"EX", 1), (b"PX", 1000)):
        if unit in options:
            db.expire(key, now_s + int(options[options.index(unit) + 1]) / scale)
    return "OK"


@command("SETNX")
def setnx(db, args, _now_s):
    if args[0] in db.values:
        return 0
    db.put(args[0], args[1])
    return 1


@command("SETEX")
def setex(db, args, now_s):
    db.put(args[0], args[2])
    db.expire(args[0], now_s + int(args[1]))
    return "OK"


@command("PSETEX")
def psetex(db, args, now_s):
    db.put(args[0], args[2])
    db.expire(args[0], now_s + int(args[1]) / 1000)
    return "OK"


@command("GETSET")
def getset(db, args, _now_s):
    old = db.get(args[0], bytes)
    db.put(args[0], args[1])
    return old


@command("MSET")
def mset(db, args, _now_s):
    for key, value in zip(args[::2], args[1::2]):
        db.put(key, value)
    return "OK"


@command("MSETNX")
def msetnx(db, args, now_s):
    if any(key in db.values for key in args[::2]):
        return 0
    mset(db, args, now_s)
    return 1


@command("STRLEN")
def strlen(db, args, _now_s):
    return len(db.get(args[0], bytes) or b"")


@command("APPEND")
def append(db, args, _now_s):
    value = (db.get(args[0], bytes) or b"") + args[1]
    db.put(args[0], value, keep_expiry=True)
    return len(value)


@command("SETRANGE")
def setrange(db, args, _now_s):
    key, offset, text = args[0], int(args[1]), args[2]
    value = db.get(key, bytes) or b""
    if text:
        value = value.ljust(offset, b"\0")
        value = value[:offset] + text + value[offset + len(text) :]
        db.put(key, value, keep_expiry=True)
    return len(value)


def _increment(db, key, step):
    value = integer(db.get(key, bytes) or b"0")
    if key in db.values and db.values[key] == b"":
        value = None
    if value is None or not -(1 << 63) <= value + step < 1 << 63:
        return ERROR
    db.put(key, b"%d" % (value + step), keep_expiry=True)
    return value + step


@command("INCR")
def incr(db, args, _now_s):
    return _increment(db, args[0], 1)


@command("DECR")
def decr(db, args, _now_s):
    return _increment(db, args[0], -1)


@command("INCRBY")
def incrby(db, args, _now_s):
    return _increment(db, args[0], int(args[1]))


@command("DECRBY")
def decrby(db, args, _now_s):
    return _increment(db, args[0], -int(args[1]))


@command("INCRBYFLOAT")
def incrbyfloat(db, args, _now_s):
    value = float_text(float(db.get(args[0], bytes) or b"0") + float(args[1]))
    db.put(args[0], value, keep_expiry=True)
    return value


@command("SETBIT")
def setbit(db, args, _now_s):
    key, bit, on = args[0], int(args[1]), int(args[2])
    value = bytearray((db.get(key, bytes) or b"").ljust(bit // 8 + 1, b"\0"))
    mask = 0x80 >> bit % 8
    old = int(bool(value[bit // 8] & mask))
    value[bit // 8] = value[bit // 8] | mask if on else value[bit // 8] & ~mask
    db.put(key, bytes(value), keep_expiry=True)
    return old


@command("BITFIELD")
def bitfield(db, args, _now_s):
    """Only the form `key INCRBY u8 #i n`."""
    key, index, step = args[0], int(args[3][1:]), int(args[4])
    value = bytearray((db.get(key, bytes) or b"").ljust(index + 1, b"\0"))
    value[index] = (value[index] + step) & 0xFF
    db.put(key, bytes(value), keep_expiry=True)
    return [value[index]]


@command("BITOP")
def bitop(db, args, _now_s):
    operation, destination = args[0].upper(), args[1]
    values = [db.get(key, bytes) or b"" for key in args[2:]]
    length = max(map(len, values))
    numbers = [int.from_bytes(v.ljust(length, b"\0"), "big") for v in values]
    result = numbers[0]
    if operation == b"NOT":
        result ^= (1 << 8 * length) - 1
    for number in numbers[1:]:
        if operation == b"AND":
            result &= number
        elif operation == b"OR":
            result |= number
        else:
            result ^= number
    if length:
        db.put(destination, result.to_bytes(length, "big"))
    else:
        db.remove(destination)
    return length


# ===-- HyperLogLog -----------------------------------------------------------===#


@command("PFADD")
def pfadd(db, args, _now_s):
    created = args[0] not in db.values
    hll = db.get_or_make(args[0], Hll)
    added = [hll.add(element) for element in args[1:]]
    db.changed(args[0])
    return int(created or any(added))


@command("PFCOUNT")
def pfcount(_db, _args, _now_s):
    return Any()


@command("PFMERGE")
def pfmerge(db, args, _now_s):
    sources = [db.get(key, Hll) for key in args]
    destination = db.get_or_make(args[0], Hll)
    for source in sources[1:]:
        destination.merge(source or {})
    db.changed(args[0])
    return "OK"


import model_collections  # noqa: E402,F401  (registers the other commands)
