# ===- server.py - Starts, kills and restarts one Redis server ---------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""A server process with its own folder, Unix socket and, perhaps, pool.

Servers listen on a Unix socket only, so that tests can run side by side without
agreeing on ports.
"""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

from resp import Connection, ReplyError

POOL, NONE, AOF = "pool", "none", "aof"


class ServerError(Exception):
    """The server did not start, or ended by itself."""


class Server:
    """`tree` is a built Redis source tree; `persistence` one of POOL, NONE, AOF."""

    def __init__(self, tree, persistence=POOL, pool_size="1G", config=(), env=()):
        self.binary = os.path.join(os.path.abspath(tree), "src", "redis-server")
        self.folder = tempfile.mkdtemp(prefix="nvmove-e2e-")
        # A Unix socket's address holds 107 bytes, which a build folder's path
        # may exceed: the server binds a relative path, and we go by way of a
        # descriptor of its folder.
        self.folder_fd = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        self.address = f"/proc/self/fd/{self.folder_fd}/sock"
        self.pool = os.path.join(self.folder, "pool")
        self.log = os.path.join(self.folder, "log")
        self.persistence = persistence
        self.pool_size = pool_size
        self.config = list(config)
        self.env = dict(env)
        self.process = None
        self.starts = 0

    # ===-- Life ------------------------------------------------------------===#

    def _environment(self, extra):
        env = {k: v for k, v in os.environ.items() if not k.startswith("NVM_")}
        env.update(self.env, LC_ALL="C")
        if self.persistence == POOL:
            env.update(NVM_POOL=self.pool)
            env.setdefault("NVM_SIZE", self.pool_size)
        env.update(extra)
        return env

    def _config(self):
        lines = ["port 0", f"dir {self.folder}", "unixsocket sock", 'save ""']
        if self.persistence == AOF:
            lines += ["appendonly yes", "appendfsync always"]
        path = os.path.join(self.folder, "redis.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines + self.config) + "\n")
        return path

    def spawn(self, **extra_env):
        """Starts the process without waiting for it to answer."""
        if os.path.exists(self.address):
            os.unlink(self.address)
        self.starts += 1
        with open(self.log, "ab") as log:
            log.write(b"=== start %d\n" % self.starts)
            log.flush()
            self.process = subprocess.Popen(
                [self.binary, self._config()], cwd=self.folder, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, env=self._environment(extra_env),
            )
        return self

    def start(self, timeout_s=60, **extra_env):
        """Starts the process; returns the seconds until the first answer."""
        begin = time.monotonic()
        self.spawn(**extra_env)
        if not self.wait_ready(timeout_s):
            raise ServerError(f"the server ended with status {self.process.returncode} while starting\n{self.tail()}")
        if self.persistence == POOL and not os.path.exists(self.pool):
            raise ServerError(f"the server made no pool: is {self.binary} a port?")
        return time.monotonic() - begin

    def wait_ready(self, timeout_s=60):
        """True when the server answers, False when it ended before."""
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                return False
            try:
                with Connection(self.address) as connection:
                    if not isinstance(connection.call("PING"), ReplyError):
                        return True
            except OSError:
                pass
            time.sleep(0.002)
        self.kill()
        raise ServerError(f"the server has not answered for {timeout_s} s\n{self.tail()}")

    def kill(self):
        """kill -9, and waits. Fails when the server had ended by itself."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.expect_killed()

    def expect_killed(self):
        status = self.process.wait()
        if status != -signal.SIGKILL:
            raise ServerError(f"the server ended by itself with status {status}\n{self.tail()}")

    def shutdown(self, *how):
        """SHUTDOWN, as a client asks for it."""
        with Connection(self.address) as connection:
            connection.send("SHUTDOWN", *how)
            try:
                reply = connection.receive()
                raise ServerError(f"SHUTDOWN was answered: {reply}")
            except OSError:
                pass
        status = self.process.wait(60)
        if status != 0:
            raise ServerError(f"SHUTDOWN ended with status {status}\n{self.tail()}")

    def crash_and_restart(self):
        self.kill()
        return self.start()

    def connect(self):
        return Connection(self.address)

    # ===-- Looking back ----------------------------------------------------===#

    def log_text(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def tail(self, lines=25):
        """The end of the log, or of a crash report, without the banner."""
        noise = re.compile(r"`-|_\.-|-\._|WARNING|^$")
        text = [line for line in self.log_text().splitlines() if not noise.search(line)]
        crash = [i for i, line in enumerate(text) if "BUG REPORT START" in line]
        chosen = text[crash[-1] : crash[-1] + lines] if crash else text[-lines:]
        return "\n".join("    | " + line[:200] for line in chosen)

    def complaints(self):
        """What NVM_VERIFY, an assertion or a signal handler has written."""
        marks = ("unannounced", "ASSERTION FAILED", "crashed by signal", "Guru Meditation", "nvmove: error", "nvmove: bug")
        return [line for line in self.log_text().splitlines() if any(mark in line for mark in marks)]

    def remove(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.folder_fd is not None:
            os.close(self.folder_fd)
            self.folder_fd = None
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()
