# ===- oracle.py - Load a server, and judge it after a crash -----------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""The judge of the crash tests.

Several clients, each with databases of its own, send random operations with a
pipeline. Each keeps a model of what its databases should hold: an operation is
applied to the model when its reply arrives, and the reply must be the one that
the model gives. After a crash each client's databases must equal its model after
the acknowledged operations and some first j of those in flight: nothing
acknowledged may be missing, nothing may be half there, nothing may be out of
order.
"""

import collections
import random
import select
import time

import snapshot as snapshots
from model import Any, Model, Number, Session, Unordered
from resp import Connection, Parser, encode
from workload import Workload


class Mismatch(Exception):
    """The server did not do what it should have done."""


def reply_matches(expected, got):
    if isinstance(expected, Any):
        return True
    if isinstance(expected, Number):
        return isinstance(got, bytes) and float(got) == float(expected)
    if isinstance(expected, Unordered):
        return isinstance(got, list) and sorted(got) == sorted(expected)
    if isinstance(expected, list):
        return (
            isinstance(got, list)
            and len(got) == len(expected)
            and all(reply_matches(e, g) for e, g in zip(expected, got))
        )
    return type(expected) is type(got) and expected == got


def brief(commands):
    def word(argument):
        text = argument.decode("latin-1")
        return text if len(text) <= 24 else f"{text[:20]}..({len(text)} bytes)"

    def one(argv):
        words = " ".join(word(a) for a in argv[:8])
        return words if len(argv) <= 8 else f"{words} .. ({len(argv)} words)"

    return "; ".join(one(argv) for argv in commands[:10])


class InFlight:
    """A sent operation and the replies that it has had."""

    def __init__(self, commands):
        self.commands = commands
        self.replies = []
        self.sent_s = time.time()


class Client:
    """One connection, its workload and the model of its databases."""

    def __init__(self, seed, databases, slack_s, **options):
        self.databases = databases
        self.slack_s = slack_s
        self.pipeline = 1
        self.model = Model()
        self.workload = Workload(seed, databases, **options)
        self.in_flight = collections.deque()
        self.acknowledged = 0
        self.session = Session()
        self.connection = None
        self.lost_s = 0.0  # when the server was last heard
        self.outgoing = b""

    def connect(self, address):
        self.connection = Connection(address)
        self.session = Session()
        self.in_flight.clear()
        self.outgoing = b""
        # As part of the stream, so that the model follows.
        self.operation([[b"SELECT", b"%d" % self.databases[0]]])
        self.flush()

    def operation(self, commands):
        self.in_flight.append(InFlight(commands))
        self.outgoing += b"".join(map(encode, commands))

    def flush(self):
        data, self.outgoing = self.outgoing, b""
        self.connection.socket.sendall(data)

    def fill(self):
        """Refills the pipeline in one write, as real clients do."""
        if len(self.in_flight) * 2 > self.pipeline:
            return
        for _ in range(self.pipeline - len(self.in_flight)):
            self.operation(self.workload.operation())
        self.flush()

    def apply(self, commands, now_s):
        return [self.model.execute(self.session, argv, now_s) for argv in commands]

    def acknowledge(self, operation):
        now_s = time.time()
        self.slack_s = max(self.slack_s, now_s - operation.sent_s + 1)  # of a machine that is busy
        expected = self.apply(operation.commands, now_s)
        if not reply_matches(expected, operation.replies):
            raise Mismatch(
                f"wrong reply to: {brief(operation.commands)}\n"
                f"    expected {str(expected)[:600]}\n    found    {str(operation.replies)[:600]}"
            )
        self.acknowledged += 1

    def consume(self):
        """Takes what has arrived. False: the connection is gone."""
        self.lost_s = time.time()
        try:
            data = self.connection.socket.recv(1 << 18)
        except OSError:
            data = b""
        self.connection.parser.feed(data)
        while (reply := self.connection.parser.next()) is not Parser.INCOMPLETE:
            head = self.in_flight[0]
            head.replies.append(reply)
            if len(head.replies) == len(head.commands):
                self.in_flight.popleft()
                self.acknowledge(head)
        self.model.touched.clear()
        return bool(data)

    def compare(self, snapshot, only=None):
        return snapshots.compare(snapshot, self.model, self.databases, only, self.slack_s)

    def judge(self, snapshot):
        """Finds how many operations in flight took effect; Mismatch if none fits."""
        differing = self.compare(snapshot)
        best, lost_at = dict(differing), 0
        pending = list(self.in_flight)
        self.model.touched.clear()
        for done, operation in enumerate(pending, 1):
            if not differing:
                break
            self.apply(operation.commands, self.lost_s)
            touched = set(self.model.touched)
            self.model.touched.clear()
            for where in touched:
                differing.pop(where, None)
            differing.update(self.compare(snapshot, touched))
            if len(differing) < len(best):
                best, lost_at = dict(differing), done
        if differing:
            raise Mismatch(self.report(best, lost_at, pending))
        self.forget_expired()

    def report(self, differing, applied, pending):
        lines = [
            f"databases {self.databases}: {len(differing)} keys differ at best, after {self.acknowledged} "
            f"acknowledged and {applied} of {len(pending)} operations in flight"
        ]
        lines += [f"  {text}" for text in list(differing.values())[:12]]
        lines += ["  in flight, oldest first:"]
        lines += [f"    {i} {brief(op.commands)}" for i, op in enumerate(pending[:24], 1)]
        return "\n".join(lines)

    def forget_expired(self):
        for db in self.model.dbs:
            for key in [k for k, due_s in db.expires.items() if due_s < time.time() - 60]:
                db.remove(key)
        self.model.touched.clear()


class Oracle:
    """Clients that share out the databases.

    `aof`: the server survives by its append-only file, which keeps expiries less
    exactly and repeats a script's relative ones on replay. `expiry`: the workload
    sets some.
    """

    def __init__(self, seed, clients=4, databases=16, aof=False, expiry=True):
        self.random = random.Random(seed)
        share = databases // clients
        self.clients = [
            Client(
                seed * 1000 + i,
                list(range(i * share, (i + 1) * share)),
                snapshots.AOF_EXPIRY_SLACK_S if aof else snapshots.EXPIRY_SLACK_S,
                flush_all=clients == 1,
                expiry_in_scripts=not aof,
                expiry=expiry,
            )
            for i in range(clients)
        ]

    @property
    def acknowledged(self):
        return sum(client.acknowledged for client in self.clients)

    def load(self, address, stop_s):
        """Sends operations until the server dies or `stop_s` (time.monotonic) is past.

        Returns True when the connections are gone, False when time was up; then
        everything sent has been acknowledged.
        """
        for client in self.clients:
            client.pipeline = self.random.choice((1, 2, 8, 24))
        try:
            for client in self.clients:
                client.connect(address)
        except OSError:
            return True
        live = {client.connection.socket: client for client in self.clients}
        while live:
            draining = time.monotonic() > stop_s
            if draining and not any(client.in_flight for client in live.values()):
                break
            ready, _, _ = select.select(list(live), [], [], 60)
            if not ready:
                raise Mismatch("the server has not answered for 60 s")
            for socket in ready:
                if not self._step(live[socket], draining):
                    del live[socket]
        for client in self.clients:
            client.connection.close()
        return len(live) < len(self.clients)

    def _step(self, client, draining):
        if not client.consume():
            return False
        if not draining:
            try:
                client.fill()
            except OSError:
                self._drain(client)
                return False
        return True

    @staticmethod
    def _drain(client):
        """The server died while we wrote: replies may still wait to be read."""
        while client.consume():
            pass

    def judge(self, address):
        """Compares the restarted server with the models; raises Mismatch."""
        with Connection(address) as connection:
            databases = [db for client in self.clients for db in client.databases]
            snapshot = snapshots.take(connection, databases)
        if snapshot.faults:
            raise Mismatch("the server contradicts itself:\n  " + "\n  ".join(snapshot.faults[:20]))
        for client in self.clients:
            client.judge(snapshot)
        return len(snapshot.values)
