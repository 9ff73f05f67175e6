# ===- cuts.py - One command, cut at each of its events -------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""A command on a copy of one pool, again and again: at the N-th event of the runtime
the process kills itself (NVM_CRASH_AT), or as of its N-th allocation the pool is full
(NVM_FULL_AT). After the restart the state is the one before the command or the one
after it. The last run of a case is the one whose command is answered.
"""

import hashlib
import os
import shutil
import signal
import socket
import subprocess
import time

import snapshot as snapshots
from oracle import Mismatch
from resp import Connection, ReplyError
from server import NONE, Server, ServerError
from write_cases import GROUPS, PORT, SCRIPT, SHA, Dumped, missing

DATABASES = (0, 1)
CRASH, FULL = "NVM_CRASH_AT", "NVM_FULL_AT"
ENDED = object()  # in the place of a reply


class State:
    """All keys with their types, encodings, values and expiries."""

    def __init__(self, connection):
        taken = snapshots.take(connection, DATABASES)
        if taken.faults:
            raise Mismatch("the server contradicts itself:\n  " + "\n  ".join(taken.faults[:20]))
        self.values, self.expires, self.encodings = taken.values, taken.expires, {}
        for db in DATABASES:
            keys = [key for at, key in self.values if at == db]
            connection.call("SELECT", db)
            for key, encoding in zip(keys, connection.pipeline([("OBJECT", "ENCODING", key) for key in keys])):
                self.encodings[db, key] = encoding
        self.digest = connection.call("DEBUG", "DIGEST")
        self.seen_s = time.time()

    def equals(self, other, random=""):
        """Expiries are relative to the time of the run: hours apart, as the cases set them, or seconds."""
        slack_s = abs(self.seen_s - other.seen_s) + snapshots.EXPIRY_SLACK_S
        if self.expires.keys() != other.expires.keys():
            return False
        if any(abs(due_s - other.expires[key]) > slack_s for key, due_s in self.expires.items()):
            return False
        if random:
            return self._without(random) == other._without(random)
        return (self.digest, self.values, self.encodings) == (other.digest, other.values, other.encodings)

    def _without(self, key):
        """Of this key the number of members alone."""
        where = 0, key.encode()
        return {k: len(v) if k == where else v for k, v in self.values.items()}, self.encodings

    def difference(self, other):
        parts = []
        for name in ("values", "encodings", "expires"):
            mine, its = getattr(self, name), getattr(other, name)
            parts += [f"{name} of {key}: {str(mine.get(key))[:150]} | {str(its.get(key))[:150]}"
                      for key in sorted(mine.keys() | its.keys()) if mine.get(key) != its.get(key)]
        return "; ".join(parts[:6]) or f"digests {self.digest} | {other.digest}"


class Commands:
    """All cases, on servers in `tree`. `say(text)` is told how far it is."""

    def __init__(self, tree, env=(), say=lambda text: None, stride=1, skip=0, every=1):
        # Few calls of serverCron: what it does is not the command's.
        self.server = Server(tree, pool_size="16M", config=["hz 1"], env={"NVM_MAX_SIZE": "64M", **dict(env)})
        self.kept = os.path.join(self.server.folder, "kept")
        self.say, self.stride, self.skip, self.every = say, stride, skip, every
        self.cuts = self.cases = 0
        self.target = self.port = None

    def __enter__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.target = Server(os.path.dirname(os.path.dirname(self.server.binary)), NONE, config=[f"port {self.port}", "bind 127.0.0.1"])
        self.target.start()
        return self

    def __exit__(self, *_):
        self.server.remove()
        self.target.remove()

    # ===-- Runs ------------------------------------------------------------===#

    def fresh(self):
        subprocess.run(["cp", "--sparse=always", self.kept, self.server.pool], check=True)
        with self.target.connect() as target:
            target.call("FLUSHALL")

    def connect(self):
        """One connection, so that a run has the same events each time; None when the server ends before it answers."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if self.server.process.poll() is not None:
                return None
            try:
                connection = Connection(self.server.address)
            except OSError:
                time.sleep(0.002)
                continue
            try:
                if connection.call("PING") == "PONG":
                    return connection
            except OSError:
                connection.close()
        raise Mismatch("the server has not answered for 60 s")

    def ended(self, how):
        """The server has to have ended, and as it should."""
        status = self.server.process.wait(60)
        if how == CRASH and status != -signal.SIGKILL or status == 0:
            raise ServerError(f"the server ended by itself with status {status}\n{self.server.tail()}")

    def look(self):
        self.server.start()
        with self.server.connect() as connection:
            state = State(connection)
        self.server.kill()
        return state

    def filled(self, argument):
        if isinstance(argument, Dumped):
            return self.dumps[argument.key]
        if argument is PORT:
            return self.port
        return hashlib.sha1(SCRIPT.encode()).hexdigest() if argument == SHA else argument

    def play(self, connection, case):
        """The reply to the last step, or ENDED when the server ended before it."""
        waiting = None
        try:
            if case.before:
                waiting = self.server.connect()
                for command in case.before:
                    waiting.send(*command)
                # Its turn comes before the other's if it was read.
                while connection.call("INFO", "clients").find(b"blocked_clients:1") < 0:
                    pass
            for step in case.steps:
                reply = connection.call(*map(self.filled, step))
            if waiting:
                waiting.receive()
            return reply
        except OSError:
            return ENDED
        finally:
            if waiting:
                waiting.close()

    def run(self, case, environment):
        """(whether the case began, the reply); the server has ended then, or was killed."""
        self.fresh()
        self.server.spawn(**environment)
        connection = self.connect()
        if not connection:
            return False, ENDED
        reply = self.play(connection, case)
        if isinstance(reply, ReplyError) or reply in ([], None) and case.steps[-1][0] == "EXEC":
            raise Mismatch(f"{case.name}: {reply}")
        if reply is not ENDED:
            self.server.kill()
        connection.close()
        return True, reply

    # ===-- Cases -----------------------------------------------------------===#

    def prepare(self, commands):
        """The pool of a group, and the number of the first event or allocation behind the start."""
        if os.path.exists(self.server.pool):
            os.unlink(self.server.pool)
        self.server.start()
        with self.server.connect() as connection:
            absent = missing(connection)
            if absent:
                raise Mismatch(f"write commands without a case: {' '.join(absent)}")
            for command, reply in zip(commands, connection.pipeline(commands)):
                if isinstance(reply, ReplyError):
                    raise Mismatch(f"{command}: {reply.text}")
            self.dumps = {key.decode(): connection.call("DUMP", key) for key in connection.call("KEYS", "*")}
        self.server.kill()
        shutil.move(self.server.pool, self.kept)
        self.fresh()
        return self.look()

    def first(self, how):
        """The first N with which the server starts and answers."""
        low, high = 1, 1 << 20
        while low < high:
            middle = (low + high) // 2
            self.fresh()
            self.server.spawn(**{how: str(middle)})
            connection = self.connect()
            if connection:
                connection.close()
                self.server.kill()
                high = middle
            else:
                self.ended(how)
                low = middle + 1
        return low

    def check(self, case, before, how, first):
        _, reply = self.run(case, {})
        if reply is ENDED:
            raise Mismatch(f"{case.name}: the server ended\n{self.server.tail()}")
        after = self.look()
        at = first + self.cases % self.stride  # strides begin at each place in turn
        while True:
            began, reply = self.run(case, {how: str(at)})
            if reply is ENDED:
                self.ended(how)
            where = f"{case.name}: {how}={at} (first {first}): neither the state before nor the one after"
            try:
                state = self.look()
            except (OSError, ServerError, Mismatch) as error:
                raise Mismatch(f"{where}: {error}\n{self.server.tail(8)}") from error
            if reply is ENDED and state.equals(before):
                pass
            elif not (began and state.equals(after, case.random)):
                raise Mismatch(f"{where}; found | after: {state.difference(after)}; "
                               f"found | before: {state.difference(before)}")
            if reply is not ENDED:
                break
            self.cuts += 1
            at += self.stride
        self.cases += 1

    def all(self, how, only=()):
        for name, (commands, cases) in GROUPS.items():
            if only and name not in only:
                continue
            before = self.prepare(commands)
            first = self.first(how)
            for case in cases[self.skip :: self.every]:
                self.say(f"{'cut' if how == CRASH else 'full'}: {name}: {case.name}: {self.cuts} so far")
                self.check(case, before, how, first)
            if self.server.complaints() and how == CRASH:
                raise Mismatch("the server complained:\n  " + "\n  ".join(self.server.complaints()[:40]))
