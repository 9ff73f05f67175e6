# ===- lifecycle.py - Sequences about starting, saving and stopping ----------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""The sequences of sequences.py that are more than commands and checks.

Each is a function of a Server that has not been started; `server.stock` is the
tree of an unchanged Redis, the judge of dump files.
"""

import os
import random
import shutil
import subprocess
import threading
import time

from resp import ReplyError
from server import NONE, Server

SEQUENCES = {}
POOL_ONLY = set()


class Failure(Exception):
    pass


def sequence(name, pool_only=False):
    def register(function):
        SEQUENCES[name] = function
        if pool_only:
            POOL_ONLY.add(name)
        return function

    return register


def require(condition, text):
    if not condition:
        raise Failure(text)


def call(server, *argv):
    with server.connect() as connection:
        reply = connection.call(*argv)
    require(not isinstance(reply, ReplyError), f"{argv[:3]}: {reply}")
    return reply


def debug(server, *argv):
    """DEBUG .., as soon as nothing is being loaded, as a replica does at any time."""
    deadline = time.monotonic() + 60
    while True:
        with server.connect() as connection:
            reply = connection.call("DEBUG", *argv)
        if not isinstance(reply, ReplyError):
            return reply
        require(reply.text.startswith("LOADING") and time.monotonic() < deadline, f"DEBUG {argv}: {reply}")
        time.sleep(0.02)


def settle(server):
    """Waits until no table is between two sizes. DEBUG DIGEST walks through a table with an iterator that bears
    no change, and looks up each key that expires, which moves a bucket of such a table: Redis 3.2.6 dies of it."""
    deadline = time.monotonic() + 60
    while b"rehashing target" in debug(server, "HTSTATS", 0):
        require(time.monotonic() < deadline, "a table is between two sizes for 60 s")
        time.sleep(0.02)


def digest(server):
    """The server's own checksum of every key, value and flag of expiry."""
    settle(server)
    return debug(server, "DIGEST")


def fill(server, keys=2000, seed=1):
    """Something of every type, none of it short-lived."""
    r = random.Random(seed)
    commands = [("SET", f"k:{i}", r.randbytes(r.randint(1, 120))) for i in range(keys)]
    for i in range(keys // 20):
        commands += [
            ("RPUSH", f"l:{i}", *[r.randbytes(30) for _ in range(r.randint(1, 60))]),
            ("SADD", f"t:{i}", *[r.randrange(500) for _ in range(r.randint(1, 30))]),
            ("SADD", f"tt:{i}", *[f"m{r.randrange(500)}" for _ in range(20)]),
            ("HMSET", f"h:{i}", *[x for j in range(10) for x in (f"f{j}", r.randbytes(r.randint(1, 90)))]),
            ("ZADD", f"z:{i}", *[x for j in range(r.randint(1, 200)) for x in (r.randint(-999, 999) / 4, f"m{j}")]),
            ("PFADD", f"p:{i}", *[r.randrange(10**6) for _ in range(20)]),
            ("SET", f"e:{i}", "v", "EX", 5000),
        ]
    with server.connect() as connection:
        for reply in connection.pipeline(commands):
            require(not isinstance(reply, ReplyError), f"while filling: {reply}")
    settle(server)


# ===-- Databases and expiry --------------------------------------------------===#


@sequence("another-database")
def another_database(server):
    server.start()
    with server.connect() as c:
        c.pipeline([("SELECT", 1), ("SET", "k", "one"), ("SELECT", 15), ("SADD", "t", "fifteen")])
    for _ in range(2):
        server.crash_and_restart()
        with server.connect() as c:
            replies = c.pipeline(
                [("EXISTS", "k"), ("SELECT", 1), ("GET", "k"), ("DBSIZE",), ("SELECT", 15), ("SMEMBERS", "t"), ("EXISTS", "k")]
            )
        require(replies == [0, "OK", b"one", 1, "OK", [b"fifteen"], 0], f"databases mixed up: {replies}")


@sequence("expiry-is-kept")
def expiry_is_kept(server):
    server.start()
    with server.connect() as c:
        c.pipeline([("SETEX", "k", 1000, "v"), ("RPUSH", "l", "a"), ("EXPIRE", "l", 500), ("SET", "plain", "v")])
    for _ in range(2):
        server.crash_and_restart()
        with server.connect() as c:
            k, l, plain, value = c.pipeline([("TTL", "k"), ("TTL", "l"), ("TTL", "plain"), ("GET", "k")])
        require(990 <= k <= 1000 and 490 <= l <= 500 and plain == -1 and value == b"v", f"TTLs {k} {l} {plain}, {value}")


@sequence("expires-while-down")
def expires_while_down(server):
    server.start()
    with server.connect() as c:
        c.pipeline([("PSETEX", "k", 300, "v"), ("SET", "other", "v"), ("SETEX", "late", 2, "v")])
    server.kill()
    time.sleep(0.4)
    server.start()
    require(call(server, "GET", "k") is None and call(server, "EXISTS", "other") == 1, "k outlived its expiry")
    time.sleep(2.2)
    require(call(server, "GET", "late") is None, "late outlived its expiry")
    server.crash_and_restart()
    require(call(server, "DBSIZE") == 1, "an expired key came back")


@sequence("fewer-databases-refused", pool_only=True)
def fewer_databases(server):
    server.start()
    with server.connect() as c:
        c.pipeline([("SELECT", 15), ("SET", "k", "v")])
    fill(server, 300)
    before = digest(server)
    server.kill()
    server.config = ["databases 4"]
    server.spawn()
    require(not server.wait_ready(30), "the server started although a database with keys has gone")
    require(server.process.returncode not in (0, -9), f"status {server.process.returncode}")
    require(server.process.returncode > 0, f"the server crashed: {server.process.returncode}")
    require("nvmove: error:" in server.log_text(), "no reason was printed")
    forget_log(server)
    server.config = []
    server.start()
    with server.connect() as c:
        require(c.pipeline([("SELECT", 15), ("GET", "k")])[1] == b"v", "the key is lost")
    require(digest(server) == before, "the refusal changed the data")


@sequence("more-databases", pool_only=True)
def more_databases(server):
    server.start()
    fill(server, 300)
    before = digest(server)
    server.kill()
    server.config = ["databases 40"]
    server.start()
    with server.connect() as c:
        replies = c.pipeline([("SELECT", 39), ("SET", "k", "v")])
    require(replies == ["OK", "OK"], f"database 39: {replies}")
    server.crash_and_restart()
    with server.connect() as c:
        replies = c.pipeline([("SELECT", 39), ("GET", "k"), ("DEL", "k")])
    require(replies[1] == b"v", "the key in the new database is lost")
    require(digest(server) == before, "the old databases changed")


# ===-- The pool at another address --------------------------------------------===#

# Words of which types and code do not say whether they are pointers. Lengths are
# among them, since integers are kept as pointers and read back; so are numbers
# that, with what stands beside them, look like addresses.
PROMISES = {
    "--pointers": ("dictEntry.key", "dictEntry.v", "redisObject.ptr", "server.db", "quicklistNode.zl",
                   "zskiplistNode.obj", "shared.integers"),
    "--data": ("quicklistNode.sz", "sdshdr32.len", "sdshdr32.alloc", "redisObject.refcount", "intset.contents"),
}


@sequence("moved", pool_only=True)
def moved(server):
    server.start()
    # Text: among random bytes some look like addresses, and then it stays.
    commands = [("SET", f"k:{i}", f"value {i}") for i in range(1000)] + [("SET", f"n:{i}", i) for i in range(300)]
    commands += [("SET", "long", "x" * 3000), ("EXPIRE", "k:1", 5000)]
    for i in range(200):
        commands += [("RPUSH", "l", f"x{i}"), ("SADD", "s", f"m{i}"), ("SADD", "si", i), ("HSET", f"h:{i % 7}", f"f{i}", "v" * i),
                     ("ZADD", "z", i / 4, f"m{i}")]
    with server.connect() as connection:
        for reply in connection.pipeline(commands):
            require(not isinstance(reply, ReplyError), f"while filling: {reply}")
    before = digest(server)
    server.kill()
    written = os.stat(server.pool).st_mtime_ns
    command = ["nvm-pool", "relocate", "--to", "0x330000000000"]
    refused = subprocess.run([*command, server.pool], capture_output=True, text=True, check=False)
    require(refused.returncode == 1 and "[pointers-unknown]" in refused.stderr, f"moved blindly: {refused}")
    names = refused.stderr.rsplit(": ", 1)[-1].replace(" [pointers-unknown]", "").strip().split(", ")
    unexpected = set(names) - {name for group in PROMISES.values() for name in group}
    require(not unexpected, f"unknown, too: {unexpected}")
    require(os.stat(server.pool).st_mtime_ns == written, "the refusal changed the pool")
    for option, group in PROMISES.items():
        command += [word for name in group for word in (option, name)]
    done = subprocess.run([*command, server.pool], capture_output=True, text=True, check=False)
    require(done.returncode == 0, f"{done.stderr}")
    server.start()
    require(digest(server) == before, "the data changed on the way")
    call(server, "SET", "later", "1")
    after = digest(server)
    server.crash_and_restart()
    require(digest(server) == after, "what came after the move is lost")


# ===-- Saving and stopping ---------------------------------------------------===#


@sequence("digest")
def digest_survives(server):
    server.start()
    fill(server)
    before = digest(server)
    for _ in range(3):
        server.crash_and_restart()
        require(digest(server) == before, "DEBUG DIGEST differs after kill -9")


@sequence("compressed-lists")
def compressed_lists(server):
    server.config = ["list-compress-depth 1", "list-max-ziplist-size 8"]
    server.start()
    with server.connect() as c:
        c.pipeline([("RPUSH", f"l:{i}", *["abcabcabc" * 9 + str(j) for j in range(300)]) for i in range(20)])
        c.pipeline([("LSET", f"l:{i}", 150, "changed") for i in range(20)] + [("LPOP", f"l:{i}") for i in range(20)])
    before = digest(server)
    server.crash_and_restart()
    require(digest(server) == before, "DEBUG DIGEST differs after kill -9")
    require(call(server, "LINDEX", "l:3", 149) == b"changed", "LSET is lost")


@sequence("shutdown-restart")
def shutdown_restart(server):
    server.start()
    fill(server)
    before = digest(server)
    server.shutdown("NOSAVE")
    server.start()
    require(digest(server) == before, "DEBUG DIGEST differs after SHUTDOWN NOSAVE")
    server.shutdown("SAVE")
    server.start()
    require(digest(server) == before, "DEBUG DIGEST differs after SHUTDOWN SAVE")
    server.process.terminate()
    require(server.process.wait(30) == 0, "SIGTERM did not end the server")
    server.start()
    require(digest(server) == before, "DEBUG DIGEST differs after SIGTERM")


@sequence("debug-reload")
def debug_reload(server):
    server.start()
    fill(server)
    before = digest(server)
    require(call(server, "DEBUG", "RELOAD") == "OK", "DEBUG RELOAD")
    require(digest(server) == before, "DEBUG DIGEST differs after DEBUG RELOAD")
    server.crash_and_restart()
    require(digest(server) == before, "DEBUG DIGEST differs after DEBUG RELOAD and kill -9")
    fill(server, seed=2)
    after = digest(server)
    server.crash_and_restart()
    require(digest(server) == after, "DEBUG DIGEST differs after more writes")


def digest_of_dump(server, dump):
    """What an unchanged Redis finds in a dump file."""
    with Server(server.stock or os.path.dirname(os.path.dirname(server.binary)), NONE) as judge:
        shutil.copy(dump, os.path.join(judge.folder, "dump.rdb"))
        judge.start()
        return digest(judge)


def churn(server, keys, stop, failures):
    """Overwrites, grows and deletes what fill() made, page after page; there are never more keys than it made,
    so that no table grows while DEBUG DIGEST may be asked for."""
    r = random.Random(7)
    try:
        with server.connect() as c:
            while not stop.is_set():
                commands = []
                for _ in range(100):
                    i, j = r.randrange(keys), r.randrange(keys // 20)
                    commands += [
                        ("SET", f"k:{i}", r.randbytes(80)), ("APPEND", f"k:{r.randrange(keys)}", "x"),
                        ("DEL", f"k:{r.randrange(keys)}"), ("HSET", f"h:{j}", "f3", "new"),
                        ("ZADD", f"z:{j}", i, "new"), ("LPUSH", f"l:{j}", "new"),
                        ("SADD", f"t:{j}", i),
                    ]
                c.pipeline(commands, window=len(commands))
    except OSError as error:
        failures.append(error)


@sequence("bgsave-under-load")
def bgsave_under_load(server):
    server.start()
    fill(server, 60000)
    for round_ in range(2):
        at_fork = digest(server)
        stop, failures = threading.Event(), []
        worker = threading.Thread(target=churn, args=(server, 60000, stop, failures))
        require("started" in call(server, "BGSAVE"), "BGSAVE did not start")
        worker.start()
        deadline = time.monotonic() + 120
        while "rdb_bgsave_in_progress:1" in call(server, "INFO", "persistence").decode():
            require(time.monotonic() < deadline, "BGSAVE takes more than 120 s")
            time.sleep(0.02)
        stop.set()
        worker.join()
        require(not failures, f"the load failed: {failures}")
        require("rdb_last_bgsave_status:ok" in call(server, "INFO", "persistence").decode(), "BGSAVE failed")
        found = digest_of_dump(server, os.path.join(server.folder, "dump.rdb"))
        require(found == at_fork, f"round {round_}: the dump is not the state at the fork")
        require(digest(server) != at_fork, "the load changed nothing while the child saved")
    before = digest(server)
    os.unlink(os.path.join(server.folder, "dump.rdb"))
    server.crash_and_restart()
    require(digest(server) == before, "DEBUG DIGEST differs after BGSAVE and kill -9")


@sequence("kill-during-bgsave")
def kill_during_bgsave(server):
    server.start()
    fill(server, 60000)
    require("started" in call(server, "BGSAVE"), "BGSAVE did not start")
    with server.connect() as c:
        c.pipeline([("SET", f"after:{i}", i) for i in range(2000)])
    before = digest(server)
    server.kill()
    # The orphaned child must not disturb the server that comes next.
    server.start()
    require(digest(server) == before, "DEBUG DIGEST differs after kill -9 during BGSAVE")


# ===-- The pool --------------------------------------------------------------===#


@sequence("import", pool_only=True)
def import_dump(server):
    """A new pool takes over what the program saved before it had one."""
    dump = os.path.join(server.folder, "dump.rdb")
    with Server(server.stock or os.path.dirname(os.path.dirname(server.binary)), NONE) as old:
        old.start()
        fill(old)
        before = digest(old)
        call(old, "SAVE")
        shutil.copy(os.path.join(old.folder, "dump.rdb"), dump)
    server.start()
    require(digest(server) == before, "the dump was not taken over")
    call(server, "SET", "later", "1")
    after = digest(server)
    server.crash_and_restart()
    require(digest(server) == after, "the old dump was loaded over the pool")
    os.unlink(dump)
    server.crash_and_restart()
    require(digest(server) == after, "the pool needs the dump")


@sequence("kill-during-import", pool_only=True)
def kill_during_import(server):
    dump = os.path.join(server.folder, "dump.rdb")
    with Server(server.stock or os.path.dirname(os.path.dirname(server.binary)), NONE) as old:
        old.start()
        fill(old, 40000)
        before = digest(old)
        call(old, "SAVE")
        shutil.copy(os.path.join(old.folder, "dump.rdb"), dump)
    took_s = server.start()
    server.kill()
    os.unlink(server.pool)
    for share in (0.2, 0.4, 0.6, 0.8):
        server.spawn()
        time.sleep(took_s * share)
        server.kill()
    server.start()
    require(digest(server) == before, "an interrupted import left something wrong")


@sequence("pool-in-use", pool_only=True)
def pool_in_use(server):
    server.start()
    call(server, "SET", "k", "v")
    with Server(os.path.dirname(os.path.dirname(server.binary))) as second:
        second.pool = server.pool
        second.spawn()
        require(not second.wait_ready(30), "two servers run on one pool")
        require(second.process.returncode > 0, f"status {second.process.returncode}")
        require("nvmove: error:" in second.log_text(), "no reason was printed")
    call(server, "SET", "l", "w")
    server.crash_and_restart()
    require(call(server, "MGET", "k", "l") == [b"v", b"w"], "the pool suffered")


@sequence("moved-pool", pool_only=True)
def moved_pool(server):
    server.start()
    fill(server)
    before = digest(server)
    server.kill()
    moved = server.pool + ".moved"
    os.rename(server.pool, moved)
    server.pool = moved
    server.start()
    require(digest(server) == before, "the pool depends on its path")


@sequence("pool-full", pool_only=True)
def pool_full(server):
    """A full heap is the program's out-of-memory, and no more than that."""
    server.pool_size = "64M"
    server.env["NVM_MAX_SIZE"] = "64M"
    server.start()
    acknowledged, value = 0, b"x" * 20000
    try:
        with server.connect() as c:
            while acknowledged < 10000:
                if isinstance(c.call("SET", f"k:{acknowledged}", value), ReplyError):
                    break
                acknowledged += 1
    except OSError:
        require(server.process.wait(30) != 0, "the server left without a word")
    require(500 < acknowledged < 10000, f"{acknowledged} values of 20 kB went into 64 MB")
    if server.process.poll() is None:
        server.kill()
    forget_log(server)  # Redis reports its out-of-memory as a bug
    server.start()
    with server.connect() as c:
        lengths = c.pipeline([("STRLEN", f"k:{i}") for i in range(acknowledged)])
    require(lengths == [len(value)] * acknowledged, "acknowledged values are missing")
    call(server, "FLUSHALL")
    fill(server, 300)
    before = digest(server)
    server.crash_and_restart()
    require(digest(server) == before, "the emptied pool is not as good as new")


def forget_log(server):
    """What was expected must not be taken for a complaint later."""
    open(server.log, "w", encoding="utf-8").close()


@sequence("used-memory")
def used_memory(server):
    server.start()
    fill(server)
    server.crash_and_restart()
    call(server, "FLUSHALL")
    fields = dict(line.split(":", 1) for line in call(server, "INFO", "memory").decode().split("\r\n") if ":" in line)
    require(0 < int(fields["used_memory"]) < 1 << 32, f"used_memory is {fields['used_memory']}")


@sequence("flushall-many")
def flushall_many(server):
    server.start()
    with server.connect() as c:
        c.pipeline([("MSET", *[x for j in range(100) for x in (f"k{i * 100 + j}", "value")]) for i in range(2000)])
    server.crash_and_restart()
    require(call(server, "DBSIZE") == 200000, "keys are missing")
    call(server, "FLUSHALL")
    server.crash_and_restart()
    require(call(server, "DBSIZE") == 0, "FLUSHALL is lost")


@sequence("blocked-pop")
def blocked_pop(server):
    server.start()
    with server.connect() as waiting, server.connect() as pusher:
        waiting.send("BLPOP", "l", 10)
        time.sleep(0.1)
        pusher.call("RPUSH", "l", "a", "b")
        require(waiting.receive() == [b"l", b"a"], "BLPOP")
    server.crash_and_restart()
    require(call(server, "LRANGE", "l", 0, -1) == [b"b"], "a popped element came back or another went")


@sequence("watch")
def watch(server):
    server.start()
    with server.connect() as c, server.connect() as other:
        c.call("WATCH", "k")
        other.call("SET", "k", "theirs")
        replies = c.pipeline([("MULTI",), ("SET", "k", "mine"), ("EXEC",)])
        require(replies[2] is None, f"EXEC after a change: {replies}")
    server.crash_and_restart()
    require(call(server, "GET", "k") == b"theirs", "an aborted transaction took effect")


@sequence("dump-restore")
def dump_restore(server):
    server.start()
    fill(server, 200)
    for key in ("l:3", "h:4", "z:5", "t:6", "tt:7", "k:8"):
        data = call(server, "DUMP", key)
        require(call(server, "RESTORE", key + ":copy", 0, data) == "OK", f"RESTORE {key}")
    server.crash_and_restart()
    for key in ("l:3", "h:4", "z:5", "t:6", "tt:7", "k:8"):
        require(call(server, "TYPE", key) == call(server, "TYPE", key + ":copy"), f"{key}: copy lost")
    require(call(server, "LRANGE", "l:3", 0, -1) == call(server, "LRANGE", "l:3:copy", 0, -1), "l:3 differs")
