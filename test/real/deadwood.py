# ===- deadwood.py - Answers that a resolver remembers ------------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Deadwood asks another name server, and remembers the answer for a day. That
server answers each question in another way, so an answer that Deadwood gave
once and gives again is remembered.
"""

import os
import socket
import struct
import sys
import threading

from real import Program

LIFETIME_S = 86400
ROOM = 60_000


def question_of(packet):
    """The name, and where the question ends."""
    labels, at = [], 12
    while packet[at]:
        labels.append(packet[at + 1:at + 1 + packet[at]])
        at += 1 + packet[at]
    return b".".join(labels).decode(), at + 5


class Upstream(threading.Thread):
    """Answers with an address that it never gives again."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.given = 0

    def run(self):
        while True:
            packet, client = self.socket.recvfrom(2000)
            _, end = question_of(packet)
            self.given += 1
            head = packet[:2] + struct.pack(">HHHHH", 0x8180, 1, 1, 0, 0)
            record = struct.pack(">HHHIHI", 0xC00C, 1, 1, LIFETIME_S, 4, 0x08000000 + self.given)
            self.socket.sendto(head + packet[12:end] + record, client)


class Driver:
    def __init__(self, binary, folder, chance):
        if os.getuid() != 0:
            print("deadwood.py: skipped: Deadwood calls chroot(), for which it has to be root")
            sys.exit(77)
        self.program, self.folder, self.random = Program([binary, "-f", "dwood3rc"], folder), folder, chance
        self.acknowledged, self.asked = 0, 0
        self.known, self.latest = {}, []  # name: address; names since the last check
        self.upstream = Upstream()
        self.upstream.start()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        with open(os.path.join(folder, "dwood3rc"), "w", encoding="utf-8") as file:
            file.write(f'upstream_servers = {{}}\nupstream_servers["."] = "127.0.0.1"\n'
                       f'upstream_port = {self.upstream.port}\nbind_address = "127.0.0.1"\ndns_port = {self.port}\n'
                       f'recursive_acl = "127.0.0.1/16"\nchroot_dir = "{folder}"\ncache_file = "dw_cache"\n'
                       'random_seed_file = "/dev/urandom"\n'
                       f'maximum_cache_elements = {ROOM}\n')

    def start(self):
        # Not root once it has started, but the folder has to be found.
        os.chmod(self.folder, 0o755)
        os.chmod(os.path.dirname(self.folder), 0o755)
        self.client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.client.connect(("127.0.0.1", self.port))
        self.client.settimeout(0.05)
        self.program.start()
        self.program.until("it answers", lambda: self.ask("first.example"))

    def ask(self, name):
        """The address; None: no answer yet."""
        self.asked = (self.asked + 1) % 65536
        text = b"".join(bytes([len(part)]) + part.encode() for part in name.split(".")) + b"\0"
        packet = struct.pack(">HHHHHH", self.asked, 0x0100, 1, 0, 0, 0) + text + struct.pack(">HH", 1, 1)
        try:
            self.client.send(packet)
            while True:
                answer = self.client.recv(2000)
                if answer[:2] == packet[:2]:
                    break
        except OSError:
            return None
        code, answers = struct.unpack(">HH", answer[2:4] + answer[6:8])
        if code & 15 or answers != 1:
            self.program.fail(f"{name} is answered by code {code & 15}, with {answers} records")
        return answer[-4:]

    def work(self, end):
        while not end.is_set():
            # Fewer than the cache has room for.
            if self.known and (len(self.known) > ROOM // 2 or self.random.random() < 0.2):
                name = self.random.choice(list(self.known))
                self.compare(name, self.ask(name))
            else:
                name = f"host{self.random.getrandbits(40):x}.example"
                address = self.ask(name)
                if address:
                    self.known[name] = address
                    self.latest.append(name)
                    self.acknowledged += 1

    def compare(self, name, address):
        if address and address != self.known[name]:
            raise AssertionError(f"{name} is not as acknowledged: {socket.inet_ntoa(address)}, "
                                 f"not {socket.inet_ntoa(self.known[name])}")

    def check(self):
        """All that is new, and some of what was there before."""
        self.start()
        for name in self.latest + self.random.sample(list(self.known), min(2000, len(self.known))):
            address = self.ask(name) or self.ask(name)
            if not address:
                self.program.fail(f"no answer about {name}")
            self.compare(name, address)
        self.latest.clear()
        self.program.send_kill()
        self.program.expect_killed()

    def summary(self):
        return f"{self.acknowledged} answers of {self.upstream.given} from upstream"
