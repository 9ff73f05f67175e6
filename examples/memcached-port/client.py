# ===- client.py - memcached's text and binary protocol, and a server ----------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Clients of memcached that know what each reply means, and the server they talk to."""

import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time


class Gone(Exception):
    """The connection ended before the reply came."""


class ServerError(Exception):
    pass


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise Gone from error

    def line(self):
        try:
            line = self.file.readline()
        except OSError as error:
            raise Gone from error
        if not line.endswith(b"\n"):
            raise Gone
        return line.rstrip(b"\r\n")

    def exactly(self, size):
        try:
            data = self.file.read(size)
        except OSError as error:
            raise Gone from error
        if len(data) < size:
            raise Gone
        return data

    def close(self):
        self.file.close()
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Text(Connection):
    """The text protocol. A store answers whether it was made; the CAS is not told."""

    def store(self, verb, key, value, flags=0, expiry=0, cas=None):
        more = b"" if cas is None else b" %d" % cas
        self.send(b"%s %s %d %d %d%s\r\n%s\r\n" % (verb, key, flags, expiry, len(value), more, value))
        line = self.line()
        if line not in (b"STORED", b"NOT_STORED", b"EXISTS", b"NOT_FOUND"):
            raise ServerError(line)
        return line == b"STORED", None

    def get(self, key):
        """(value, flags, cas) or None."""
        self.send(b"gets %s\r\n" % key)
        line = self.line()
        if line == b"END":
            return None
        _, _, flags, size, cas = line.split(b" ")
        value = self.exactly(int(size) + 2)[:-2]
        self.line()
        return value, int(flags), int(cas)

    def delete(self, key):
        self.send(b"delete %s\r\n" % key)
        return self.line() == b"DELETED"

    def add_number(self, key, by):
        self.send(b"%s %s %d\r\n" % (b"incr" if by > 0 else b"decr", key, abs(by)))
        line = self.line()
        return (int(line), None) if line.isdigit() else (None, None)

    def touch(self, key, expiry):
        self.send(b"touch %s %d\r\n" % (key, expiry))
        return self.line() == b"TOUCHED"

    def look(self, key):
        """(value, flags, cas, when it expires or 0) or None."""
        self.send(b"mg %s f c t v\r\n" % key)
        head = self.line()
        if head == b"EN":
            return None
        word, size, *returned = head.split(b" ")
        if word != b"VA":
            raise ServerError(head)
        value = self.exactly(int(size) + 2)[:-2]
        flags, cas, ttl = (int(r[1:]) for r in returned)
        return value, flags, cas, 0 if ttl == -1 else time.time() + ttl

    def lines(self, command, end=b"END"):
        self.send(command + b"\r\n")
        result = []
        while (line := self.line()) != end:
            if line.startswith((b"ERROR", b"CLIENT_ERROR", b"BUSY", b"SERVER_ERROR")):
                raise ServerError(line)
            result.append(line)
        return result

    def stats(self, what=b""):
        lines = self.lines((b"stats " + what).rstrip())
        return {name.decode(): value.decode() for _, name, value in (line.split(b" ", 2) for line in lines)}

    def word(self, command):
        self.send(command + b"\r\n")
        return self.line()


class Binary(Connection):
    """The binary protocol, which tells the CAS of each store."""

    STORES = {b"set": 0x01, b"add": 0x02, b"replace": 0x03, b"append": 0x0E, b"prepend": 0x0F, b"cas": 0x01}
    OK, NOT_FOUND, EXISTS, NOT_STORED, NOT_A_NUMBER = 0, 1, 2, 5, 6

    def call(self, opcode, key=b"", extras=b"", value=b"", cas=0):
        body = extras + key + value
        self.send(struct.pack(">BBHBBHIIQ", 0x80, opcode, len(key), len(extras), 0, 0, len(body), 0, cas) + body)
        _, _, key_size, extra_size, _, status, size, _, cas = struct.unpack(">BBHBBHIIQ", self.exactly(24))
        body = self.exactly(size)
        if status not in (self.OK, self.NOT_FOUND, self.EXISTS, self.NOT_STORED, self.NOT_A_NUMBER):
            raise ServerError(f"status {status}: {body!r}")
        return status, body[:extra_size], body[extra_size + key_size:], cas

    def store(self, verb, key, value, flags=0, expiry=0, cas=None):
        extras = b"" if verb in (b"append", b"prepend") else struct.pack(">II", flags, expiry)
        status, _, _, cas = self.call(self.STORES[verb], key, extras, value, cas or 0)
        return status == self.OK, cas

    def get(self, key):
        status, extras, value, cas = self.call(0x00, key)
        return (value, struct.unpack(">I", extras)[0], cas) if status == self.OK else None

    def delete(self, key):
        return self.call(0x04, key)[0] == self.OK

    def add_number(self, key, by):
        extras = struct.pack(">QQI", abs(by), 0, 0xFFFFFFFF)
        status, _, value, cas = self.call(0x05 if by > 0 else 0x06, key, extras)
        return (struct.unpack(">Q", value)[0], cas) if status == self.OK else (None, None)

    def touch(self, key, expiry):
        return self.call(0x1C, key, struct.pack(">I", expiry))[0] == self.OK


class Server:
    """`tree`: a folder with memcached in it. `pool`: what it gets as NVM_POOL."""

    def __init__(self, tree, arguments=(), env=(), pool=True):
        self.program = os.path.join(os.path.abspath(tree), "memcached")
        self.folder = tempfile.mkdtemp(prefix="memcached.", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self.path = os.path.join(self.folder, "socket")
        self.pool = os.path.join(self.folder, "pool")
        self.log = os.path.join(self.folder, "log")
        self.arguments = [self.program, "-s", self.path, *arguments]
        if os.geteuid() == 0:
            self.arguments += ["-u", "root"]
        self.env = dict(os.environ, **dict(env))
        if pool:
            self.env["NVM_POOL"] = self.pool
        self.process = None

    def start(self):
        """Seconds until the first connection was taken."""
        if os.path.exists(self.path):
            os.unlink(self.path)
        begin = time.monotonic()
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.arguments, env=self.env, cwd=self.folder, stdout=log, stderr=log)
        while True:
            try:
                Text(self.path).close()
                return time.monotonic() - begin
            except OSError:
                if self.process.poll() is not None:
                    raise ServerError(f"the server ended with {self.process.returncode}:\n{self.log_text()}") from None
                if time.monotonic() - begin > 60:
                    raise ServerError("the server does not answer") from None
                time.sleep(0.0005)

    def log_text(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self, how=signal.SIGTERM, seconds=60):
        self.process.send_signal(how)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise ServerError("the server does not end") from None

    def forget(self):
        """The next start is the first one."""
        for name in os.listdir(self.folder):
            if name.startswith("pool"):
                os.unlink(os.path.join(self.folder, name))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
