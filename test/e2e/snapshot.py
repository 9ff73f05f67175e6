# ===- snapshot.py - Everything a server holds, and how it differs -----------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Reads the whole state of a server back, and compares it with a model.

Reading is also an audit of the server's own structures: each collection is read
through each index that it has (a sorted set through its skip list and its
dictionary, the key space through KEYS, SCAN and DBSIZE), and all must agree.
"""

import time

import hll
from model import Zset

# How far an expiry may be off: the client does not know at which moment between
# sending and reply the server looked at its clock.
EXPIRY_SLACK_S = 2.0

# An append-only file keeps SET .. EX as it was typed, so that the expiry moves
# by the age of the file at each restart. Below the workload's shortest lasting
# expiry.
AOF_EXPIRY_SLACK_S = 600.0


class Snapshot:
    def __init__(self):
        self.values = {}  # (db, key) -> value, as in Model
        self.expires = {}  # (db, key) -> seconds since the epoch, at the latest
        self.asked_s = {}  # db -> how long the answer took that says so: at the earliest it is so much before
        self.faults = []  # contradictions inside the server
        self.read_s = {}  # db -> (begin, end) of its reading, seconds since the epoch


def _scan(connection):
    cursor, keys = b"0", set()
    while True:
        cursor, batch = connection.call("SCAN", cursor, "COUNT", 1000)
        keys.update(batch)
        if cursor == b"0":
            return keys


def _read_commands(kind, key):
    return {
        "string": [("GET", key), ("STRLEN", key)],
        "list": [("LRANGE", key, 0, -1), ("LLEN", key)],
        "set": [("SMEMBERS", key), ("SCARD", key)],
        "hash": [("HGETALL", key), ("HLEN", key)],
        "zset": [("ZRANGE", key, 0, -1, "WITHSCORES"), ("ZCARD", key), ("ZREVRANGE", key, 0, -1)],
    }[kind]


def _decode(kind, data):
    if kind == "string":
        registers = hll.decode(data)
        return data if registers is None else registers
    if kind == "set":
        return set(data)
    if kind == "hash":
        return dict(zip(data[::2], data[1::2]))
    if kind == "zset":
        return Zset(zip(data[::2], map(float, data[1::2])))
    return data


class _Reader:
    def __init__(self, connection, db, snapshot):
        self.connection = connection
        self.db = db
        self.snapshot = snapshot

    def fault(self, text):
        self.snapshot.faults.append(f"db {self.db}: {text}")

    def keys(self):
        keys = self.connection.call("KEYS", "*")
        if len(set(keys)) != len(keys):
            self.fault("KEYS lists a key twice")
        # Expired keys vanish while we look: only lasting differences count.
        if set(keys) ^ _scan(self.connection):
            again = set(self.connection.call("KEYS", "*"))
            lasting = (again & set(keys)) ^ (_scan(self.connection) & set(keys))
            if {k for k in lasting if self.connection.call("EXISTS", k)}:
                self.fault(f"SCAN and KEYS differ: {sorted(lasting)[:5]}")
        return keys

    def check_zset(self, key, value, reverse):
        order = [m for _, m in sorted((s, m) for m, s in value.items())]
        if list(value) != order:
            self.fault(f"{key}: sorted set out of order")
        if reverse != order[::-1]:
            self.fault(f"{key}: sorted set differs when read backwards")
        scores = self.connection.pipeline([("ZSCORE", key, m) for m in order])
        for member, score in zip(order, scores):
            if score is None or float(score) != value[member]:
                self.fault(f"{key}: ZSCORE {member} = {score}, ZRANGE says {value[member]}")

    def check_membership(self, kind, key, value):
        """Hash lookup must find what iteration found."""
        if kind == "set":
            members = sorted(value)
            found = self.connection.pipeline([("SISMEMBER", key, m) for m in members])
            missing = [m for m, yes in zip(members, found) if yes != 1]
        else:
            fields = sorted(value)
            found = self.connection.pipeline([("HGET", key, f) for f in fields])
            missing = [f for f, v in zip(fields, found) if v != value[f]]
        if missing:
            self.fault(f"{key}: iteration gives {missing[:3]}, lookup does not")

    def read(self, key, kind, due_s):
        replies = self.connection.pipeline(_read_commands(kind, key))
        if not isinstance(replies[0], (bytes, list)) or replies[0] == []:
            return  # expired a moment ago
        value = _decode(kind, replies[0])
        size = len(replies[0]) if kind == "string" else len(value)
        if replies[1] != size:
            self.fault(f"{key}: length {replies[1]}, but {size} elements")
        if kind == "zset":
            self.check_zset(key, value, replies[2])
        elif kind in ("set", "hash"):
            self.check_membership(kind, key, value)
        self.snapshot.values[self.db, key] = value
        if due_s is not None:
            self.snapshot.expires[self.db, key] = due_s

    def read_all(self):
        begin_s = time.time()
        self.connection.call("SELECT", self.db)
        keys = self.keys()
        kinds = self.connection.pipeline([("TYPE", key) for key in keys])
        asked_s = time.time()
        ttls = self.connection.pipeline([("PTTL", key) for key in keys])
        now_s = time.time()
        self.snapshot.asked_s[self.db] = now_s - asked_s
        for key, kind, ttl_ms in zip(keys, kinds, ttls):
            if kind == "none":
                if ttl_ms == -1:
                    self.fault(f"{key}: listed by KEYS but not found")
                continue
            self.read(key, kind, now_s + ttl_ms / 1000 if ttl_ms >= 0 else None)
        lasting = sum(ttl == -1 or ttl > 60000 for ttl in ttls)
        size = self.connection.call("DBSIZE")
        if not lasting <= size <= len(keys):
            self.fault(f"DBSIZE is {size}, KEYS lists {len(keys)}")
        self.snapshot.read_s[self.db] = begin_s, time.time()


def take(connection, databases):
    snapshot = Snapshot()
    for db in databases:
        _Reader(connection, db, snapshot).read_all()
    return snapshot


# ===-- Comparison ------------------------------------------------------------===#


def _show(value):
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:200]} ... {text[-60:]} ({len(value)} elements)"


def difference(snapshot, model, where, slack_s):
    """None, or why the key at `where` == (db, key) is not as the model says."""
    db, key = where
    expected, found = model.dbs[db].values.get(key), snapshot.values.get(where)
    due_s, found_due_s = model.dbs[db].expires.get(key), snapshot.expires.get(where)
    begin_s, end_s = snapshot.read_s[db]
    if due_s is not None and due_s < end_s + slack_s:
        if found is None:
            return None  # expired, or about to: both answers are right
        if due_s < begin_s - slack_s:
            return f"db {db} {key}: expired {begin_s - due_s:.1f} s before it was read"
    if type(expected) is not type(found) or expected != found:
        return f"db {db} {key}:\n    expected {_show(expected)}\n    found    {_show(found)}"
    if (due_s is None) != (found_due_s is None):
        return f"db {db} {key}: expected expiry {due_s}, found {found_due_s}"
    if due_s is not None and not found_due_s - snapshot.asked_s[db] - slack_s <= due_s <= found_due_s + slack_s:
        return f"db {db} {key}: expected expiry {due_s}, found {found_due_s} ({found_due_s - due_s:+.1f} s)"
    return None


def compare(snapshot, model, databases, only=None, slack_s=EXPIRY_SLACK_S):
    """The differences as {(db, key): text}; `only` limits the keys looked at."""
    if only is None:
        only = {(db, key) for db in databases for key in model.dbs[db].values}
        only.update(where for where in snapshot.values if where[0] in databases)
    found = ((where, difference(snapshot, model, where, slack_s)) for where in only)
    return {where: text for where, text in found if text}
