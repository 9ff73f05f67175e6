# ===- mqtt.py - As much of an MQTT 3.1.1 client as a test needs ----------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""A client that publishes with acknowledgement, subscribes and receives.

Whatever the server's end does to the connection comes out as OSError.
"""

import socket
import struct

CONNECT, CONNACK, PUBLISH, PUBACK, PUBREC, PUBREL, PUBCOMP = 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70
SUBSCRIBE, SUBACK = 0x80, 0x90


def text(value):
    return struct.pack(">H", len(value)) + value.encode()


class Client:
    """`place`: a port, or the path of a socket."""

    def __init__(self, place, name, clean=True):
        if isinstance(place, int):
            self.socket = socket.create_connection(("127.0.0.1", place), timeout=10)
        else:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(10)
            self.socket.connect(place)
        self.number = 0
        self.early = []  # packets that came while another was waited for
        self.send(CONNECT, text("MQTT") + bytes([4, 2 if clean else 0, 0, 60]) + text(name))
        reply = self.wait_for(CONNACK)
        if reply[1] != 0:
            raise ConnectionError(f"the server refuses {name}: {reply[1]}")
        self.has_session = bool(reply[0] & 1)

    def send(self, kind, body):
        length, left = b"", len(body)
        while True:
            left, digit = divmod(left, 128)[0], left % 128
            length += bytes([digit | (0x80 if left else 0)])
            if not left:
                break
        self.socket.sendall(bytes([kind]) + length + body)

    def take(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise ConnectionError("the server closed the connection")
            data += part
        return data

    def receive(self):
        kind, length, shift = self.take(1)[0], 0, 0
        while True:
            digit = self.take(1)[0]
            length |= (digit & 127) << shift
            shift += 7
            if not digit & 128:
                return kind, self.take(length)

    def wait_for(self, wanted):
        while True:
            kind, body = self.receive()
            if kind & 0xF0 == wanted:
                return body
            self.early.append((kind, body))

    def publish(self, topic, value, qos=1, retain=False):
        """Returns when the server has taken the message over."""
        self.number = self.number % 65535 + 1
        packet = struct.pack(">H", self.number)
        self.send(PUBLISH | qos << 1 | retain, text(topic) + packet + value.encode())
        if qos == 1:
            self.wait_for(PUBACK)
        else:
            self.wait_for(PUBREC)
            self.send(PUBREL | 2, packet)
            self.wait_for(PUBCOMP)

    def subscribe(self, topic, qos=2):
        self.number = self.number % 65535 + 1
        self.send(SUBSCRIBE | 2, struct.pack(">H", self.number) + text(topic) + bytes([qos]))
        self.wait_for(SUBACK)

    def messages(self, quiet_s):
        """(topic, value) of all that comes until nothing has come for so long."""
        self.socket.settimeout(quiet_s)
        found = []
        while True:
            try:
                kind, body = self.early.pop(0) if self.early else self.receive()
            except socket.timeout:
                self.socket.settimeout(10)
                return found
            if kind & 0xF0 == PUBREL:
                self.send(PUBCOMP, body[:2])
            elif kind & 0xF0 == PUBLISH:
                end = 2 + struct.unpack(">H", body[:2])[0]
                topic, rest, qos = body[2:end].decode(), body[end:], kind >> 1 & 3
                if qos:
                    self.send(PUBACK if qos == 1 else PUBREC, rest[:2])
                    rest = rest[2:]
                found.append((topic, rest.decode()))

    def close(self):
        self.socket.close()
