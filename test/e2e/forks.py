# ===- forks.py - Sequences about whatever forks, and about replicas ------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""More sequences of sequences.py: a child sees the state of its fork and changes
nothing of its parent's; replicas have their master's state whoever died on the way.
"""

import contextlib
import os
import random
import shutil
import socket
import threading
import time

from lifecycle import call, churn, digest, digest_of_dump, fill, require, sequence
from server import NONE, Server


@contextlib.contextmanager
def load(server, keys):
    """A load on what fill() made, beside what is done here."""
    stop, failures = threading.Event(), []
    worker = threading.Thread(target=churn, args=(server, keys, stop, failures))
    worker.start()
    try:
        yield failures
    finally:
        stop.set()
        worker.join()


def wait_for(what, condition, seconds=120):
    deadline = time.monotonic() + seconds
    while not condition():
        require(time.monotonic() < deadline, f"not within {seconds} s: {what}")
        time.sleep(0.02)


def info(server, section):
    return dict(line.split(":", 1) for line in call(server, "INFO", section).decode().split("\r\n") if ":" in line)


def digest_at_fork(server, command):
    """What a child of `command` has to see: nothing comes between the two."""
    with server.connect() as c:
        replies = c.pipeline([("MULTI",), ("DEBUG", "DIGEST"), (command,), ("EXEC",)])
    found, started = replies[-1]
    require("started" in str(started), f"{command}: {started}")
    return found


def digest_of_aof(server, file):
    """What an unchanged Redis finds in an append-only file."""
    with Server(server.stock or os.path.dirname(os.path.dirname(server.binary)), NONE, config=["appendonly yes"]) as judge:
        shutil.copy(file, os.path.join(judge.folder, "appendonly.aof"))
        judge.start()
        return digest(judge)


def finished(server, command, doing, status):
    """Waits for the child of `command`, which INFO has to call a success."""
    wait_for(f"the end of {command}", lambda: info(server, "persistence")[doing] == "0")
    require(info(server, "persistence")[status] == "ok", f"{command} failed")


def sees_its_fork(server, rounds, command, doing, status, found):
    """The load runs before, at and after the fork; found() is the digest of what the child wrote."""
    keys = 30000
    server.start()
    fill(server, keys)
    for round_ in range(rounds):
        with load(server, keys) as failures:
            time.sleep(0.2)
            at_fork = digest_at_fork(server, command)
            finished(server, command, doing, status)
        require(not failures, f"the load failed: {failures}")
        require(found() == at_fork, f"round {round_}: what {command} wrote is not the state at the fork")
    before = digest(server)
    server.crash_and_restart()
    require(digest(server) == before, f"DEBUG DIGEST differs after {command} and kill -9")


LONG = os.environ.get("NVMOVE_LONG") == "1"
BGSAVE = "BGSAVE", "rdb_bgsave_in_progress", "rdb_last_bgsave_status"
REWRITE = "BGREWRITEAOF", "aof_rewrite_in_progress", "aof_last_bgrewrite_status"


@sequence("bgsave-in-multi")
def bgsave_in_multi(server):
    sees_its_fork(server, 4 if LONG else 2, *BGSAVE, lambda: digest_of_dump(server, os.path.join(server.folder, "dump.rdb")))


@sequence("aof-rewrite-in-multi", pool_only=True)
def aof_rewrite_in_multi(server):
    """Without an append-only file the rewritten one holds the state at the fork, and nothing that came later."""
    sees_its_fork(server, 3 if LONG else 1, *REWRITE, lambda: digest_of_aof(server, os.path.join(server.folder, "appendonly.aof")))


@sequence("aof-rewrite-under-load", pool_only=True)
def aof_rewrite_under_load(server):
    """With one, what comes while the child writes is appended; the file is as good as the pool."""
    server.config = ["appendonly yes", "appendfsync no"]
    keys = 20000
    server.start()
    fill(server, keys)
    for _ in range(2):
        with load(server, keys) as failures:
            time.sleep(0.2)
            call(server, "BGREWRITEAOF")
            finished(server, *REWRITE)
        require(not failures, f"the load failed: {failures}")
        before = digest(server)
        require(digest_of_aof(server, os.path.join(server.folder, "appendonly.aof")) == before, "the append-only file differs")
        server.crash_and_restart()
        require(digest(server) == before, "DEBUG DIGEST differs after BGREWRITEAOF and kill -9")


# ===-- Replicas --------------------------------------------------------------===#


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def replica_of(server, *settings):
    """Of a master that has not been started; the replica has a pool (or file) of its own, and is not started either."""
    port = free_port()
    server.config = [f"port {port}", "bind 127.0.0.1", "repl-timeout 5", "repl-ping-slave-period 1", *settings]
    with Server(os.path.dirname(os.path.dirname(server.binary)), server.persistence, env=server.env,
                config=[f"slaveof 127.0.0.1 {port}", "repl-timeout 5"]) as replica:
        yield replica
        require(not replica.complaints(), f"the replica complained: {replica.complaints()[:5]}")


def converge(master, replica):
    wait_for("the link", lambda: info(replica, "replication")["master_link_status"] == "up", 60)
    wait_for("the master's state", lambda: digest(master) == digest(replica), 60)


def synchronises(server, *settings):
    with replica_of(server, *settings) as replica:
        keys = 20000
        server.start()
        fill(server, keys)
        with load(server, keys) as failures:
            replica.start()
            wait_for("the link", lambda: info(replica, "replication")["master_link_status"] == "up", 60)
        require(not failures, f"the load failed: {failures}")
        converge(server, replica)
        before = digest(server)
        for died in ([replica], [server], [server, replica]):
            for one in died:
                one.kill()
            for one in died:
                one.start()
            require(digest(server) == before, "DEBUG DIGEST of the master differs after kill -9")
            if replica in died:
                require(digest(replica) == before, "DEBUG DIGEST of the replica differs after kill -9")
            converge(server, replica)
        call(server, "SET", "later", "1")
        converge(server, replica)


@sequence("replica")
def replica_synchronises(server):
    synchronises(server)


@sequence("replica-diskless")
def replica_diskless(server):
    synchronises(server, "repl-diskless-sync yes", "repl-diskless-sync-delay 0")


def dies_while_synchronising(server, *settings):
    """The master, the replica, or both, at random moments of a full synchronisation."""
    r = random.Random(5)
    with replica_of(server, *settings) as replica:
        server.start()
        fill(server, 40000)
        before = digest(server)
        replica.start()
        begin, in_the_middle = time.monotonic(), 0
        converge(server, replica)
        took_s = time.monotonic() - begin
        for round_ in range(6):
            if round_ >= 3 and in_the_middle and not LONG:
                break  # each way to die, once
            # Another state, of which the replica knows nothing: it needs all again.
            replica.kill()
            call(server, "SET", "round", round_)
            call(server, "DEL", *[f"k:{r.randrange(40000)}" for _ in range(50)])
            server.crash_and_restart()
            before = digest(server)
            replica.start()
            time.sleep(r.random() * took_s)
            in_the_middle += info(replica, "replication")["master_link_status"] == "down"
            died = [[replica], [server], [server, replica]][round_ % 3]
            for one in died:
                one.kill()
            for one in died:
                one.start()
            require(digest(server) == before, f"round {round_}: the master's state differs")
            converge(server, replica)
        require(in_the_middle, "no kill fell into a synchronisation")
        replica.kill()
        replica.start()
        require(digest(replica) == before, "the replica's state differs after kill -9")


@sequence("killed-while-synchronising", pool_only=True)
def killed_while_synchronising(server):
    dies_while_synchronising(server)


@sequence("killed-while-synchronising-diskless", pool_only=True)
def killed_while_synchronising_diskless(server):
    dies_while_synchronising(server, "repl-diskless-sync yes", "repl-diskless-sync-delay 0")


# ===-- The debugger ----------------------------------------------------------===#

DEBUGGED = "redis.call('SET','debugged',ARGV[1]) redis.call('RPUSH','l:1',1,2,3) redis.call('DEL','h:1','z:1') return redis.call('DBSIZE')"


def debug(server, mode, between):
    """A session, step by step; `between` runs in its middle."""
    with server.connect() as c:
        require(c.call("SCRIPT", "DEBUG", mode) == "OK", "SCRIPT DEBUG")
        c.call("CLIENT", "SETNAME", "debugged")
        c.send("EVAL", DEBUGGED.replace(") ", ")\n"), 0, mode)
        if mode == "YES":  # until then the parent reads what is for its child
            wait_for("the parent to leave the client alone", lambda: b"name=debugged" not in call(server, "CLIENT", "LIST"))
        steps, lines = 0, []
        try:
            while True:
                reply = c.receive()
                require(isinstance(reply, list), f"the debugger said {reply} after {lines}")
                lines += reply
                if "<endsession>" in lines:
                    break
                if steps == 2:
                    between()
                c.send("step")
                steps += 1
        except OSError:
            pass
    require(steps >= 3, f"the debugger stopped {steps} times: {lines}")


@sequence("lua-debugger")
def lua_debugger(server):
    """A session in a child changes nothing; one that blocks the server is a script like others."""
    server.start()
    fill(server, 5000)

    def others():
        call(server, "MSET", *[x for i in range(3000) for x in (f"k:{i}", f"while debugging {i}")])

    debug(server, "YES", others)
    require(call(server, "EXISTS", "debugged") == 0 and call(server, "EXISTS", "h:1") == 1, "the child's changes are its parent's")
    require(call(server, "GET", "k:2999") == b"while debugging 2999", "what came while debugging is lost")
    before = digest(server)
    server.crash_and_restart()
    require(digest(server) == before, "DEBUG DIGEST differs after a session in a child and kill -9")
    debug(server, "SYNC", lambda: None)
    require(call(server, "GET", "debugged") == b"SYNC" and call(server, "EXISTS", "h:1") == 0, "the session changed nothing")
    after = digest(server)
    server.crash_and_restart()
    require(digest(server) == after, "DEBUG DIGEST differs after a session and kill -9")
