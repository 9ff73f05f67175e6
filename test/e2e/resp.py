# ===- resp.py - The Redis protocol over a socket ---------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""A small Redis client: encoding, an incremental reply parser, a connection.

Replies in Python: a status is a str, an error a ReplyError (returned, not
raised, because many tests expect one), an integer an int, a bulk string bytes
or None, an array a list.
"""

import socket


class ReplyError:
    """An error reply. Two of them are equal whatever their texts say."""

    def __init__(self, text=""):
        self.text = text

    def __eq__(self, other):
        return isinstance(other, ReplyError)

    def __hash__(self):
        return 0

    def __repr__(self):
        return f"ReplyError({self.text!r})"


def to_bytes(argument):
    if isinstance(argument, bytes):
        return argument
    return str(argument).encode()


def encode(argv):
    """One command as the protocol's array of bulk strings."""
    parts = [b"*%d\r\n" % len(argv)]
    for argument in argv:
        data = to_bytes(argument)
        parts.append(b"$%d\r\n%s\r\n" % (len(data), data))
    return b"".join(parts)


class Parser:
    """Feed it bytes as they arrive; next() gives complete replies."""

    INCOMPLETE = object()

    def __init__(self):
        self._data = bytearray()
        self._at = 0

    def feed(self, data):
        if self._at > 1 << 16:
            del self._data[: self._at]
            self._at = 0
        self._data += data

    def next(self):
        start = self._at
        reply = self._parse()
        if reply is Parser.INCOMPLETE:
            self._at = start
        return reply

    def _line(self):
        end = self._data.find(b"\r\n", self._at)
        if end < 0:
            return None
        line = bytes(self._data[self._at : end])
        self._at = end + 2
        return line

    def _parse(self):
        line = self._line()
        if line is None:
            return Parser.INCOMPLETE
        kind, rest = line[:1], line[1:]
        if kind == b"+":
            return rest.decode()
        if kind == b"-":
            return ReplyError(rest.decode(errors="replace"))
        if kind == b":":
            return int(rest)
        if kind == b"$":
            return self._bulk(int(rest))
        if kind == b"*":
            return self._array(int(rest))
        raise ValueError(f"not a Redis reply: {line[:80]!r}")

    def _bulk(self, length):
        if length < 0:
            return None
        if len(self._data) - self._at < length + 2:
            return Parser.INCOMPLETE
        value = bytes(self._data[self._at : self._at + length])
        self._at += length + 2
        return value

    def _array(self, length):
        if length < 0:
            return None
        items = []
        for _ in range(length):
            item = self._parse()
            if item is Parser.INCOMPLETE:
                return item
            items.append(item)
        return items


class Connection:
    """A blocking connection. `address` is a path of a Unix socket or (host, port)."""

    def __init__(self, address, timeout_s=60):
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.settimeout(timeout_s)
        self.parser = Parser()
        try:
            self.socket.connect(address)
        except OSError:
            self.socket.close()
            raise

    def send(self, *argv):
        self.socket.sendall(encode(argv))

    def receive(self):
        while True:
            reply = self.parser.next()
            if reply is not Parser.INCOMPLETE:
                return reply
            data = self.socket.recv(1 << 18)
            if not data:
                raise ConnectionResetError("the server closed the connection")
            self.parser.feed(data)

    def call(self, *argv):
        self.send(*argv)
        return self.receive()

    def pipeline(self, commands, window=256):
        """The replies to all commands, at most `window` of them in flight."""
        replies = []
        for start in range(0, len(commands), window):
            batch = commands[start : start + window]
            self.socket.sendall(b"".join(encode(c) for c in batch))
            replies.extend(self.receive() for _ in batch)
        return replies

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
