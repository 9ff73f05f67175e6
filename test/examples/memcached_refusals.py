#!/usr/bin/env python3
# ===- memcached_refusals.py - What the moved memcached does not do -------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Each refusal says why, and the next right start finds what was there. And what `-e` does
with a pool: the file of a clean stop is taken over once, and written at each."""

import os
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "memcached-port"))

from client import Server, ServerError, Text  # noqa: E402


def refused(tree, says, arguments=(), env=()):
    with Server(tree, arguments, dict(env, NVM_MAX_SIZE="512M")) as server:
        try:
            server.start()
        except ServerError as error:
            if says in str(error):
                return
            raise
        raise AssertionError(f"not refused: {arguments} {env}")


def changed_settings(tree):
    with Server(tree, ["-I", "1m"], {"NVM_MAX_SIZE": "512M"}) as server:
        server.start()
        with Text(server.path) as c:
            c.store(b"set", b"a", b"1")
        server.stop()
        server.arguments[3:5] = ["-I", "2m"]
        try:
            server.start()
        except ServerError as error:
            assert "made with other settings" in str(error), error
        else:
            raise AssertionError("other sizes of items are not refused")
        server.arguments[3:5] = ["-I", "1m"]
        server.start()
        with Text(server.path) as c:
            assert c.get(b"a")[0] == b"1"


def memory_file(tree):
    """From a program without a pool, into a pool, and back."""
    with Server(tree, ["-m", "64", "-e", "memory"], pool=False) as server:
        server.start()
        with Text(server.path) as c:
            for i in range(1000):
                c.store(b"set", b"k%d" % i, b"v%d" % i, i)
        stop_for_later(server)
        server.env.update(NVM_POOL=server.pool, NVM_MAX_SIZE="1G")
        server.start()
        look(server)
        server.kill()
        server.start()
        look(server)
        with Text(server.path) as c:
            c.store(b"set", b"more", b"1")
        stop_for_later(server)
        del server.env["NVM_POOL"]
        server.start()
        look(server)
        with Text(server.path) as c:
            assert c.get(b"more") is not None
        server.stop()


def stop_for_later(server):
    server.stop(signal.SIGUSR1)
    time.sleep(2) # memcached takes a file of the same second for one of a clock that went back


def look(server):
    with Text(server.path) as c:
        for i in range(1000):
            assert c.get(b"k%d" % i)[:2] == (b"v%d" % i, i), i


def main():
    tree = sys.argv[1]
    refused(tree, "ext_path", ["-o", "ext_path=/dev/shm/memcached-ext:64m"])
    refused(tree, "[engine]", env={"NVM_ENGINE": "nothing"})
    changed_settings(tree)
    memory_file(tree)
    print("refusals: each as it should")


if __name__ == "__main__":
    main()
