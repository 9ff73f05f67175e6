# ===- sshguard.py - Who is never let in again --------------------------------------===#
#
# Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""sshguard's blocker is told of attacks, and tells the firewall whom to block.
Whom it has blocked for ever is on a blacklist, of which it tells the firewall at
each start, also when the file is gone.
"""

import os
import subprocess

from real import Program


class Driver:
    def __init__(self, binary, folder, chance):
        self.folder, self.random, self.acknowledged, self.attacks = folder, chance, 0, 0
        self.file = os.path.join(folder, "blacklist")
        self.program = Program([binary, "-a", "30", "-b", f"30:{self.file}"], folder)
        self.known = {"9.9.9.9"}
        self.write_blacklist("1700000000|100|4|9.9.9.9\n")

    def write_blacklist(self, text):
        with open(self.file, "w", encoding="ascii") as file:
            file.write(text)

    def start(self):
        self.program.start(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.input, self.output = self.program.process.stdin, self.program.process.stdout

    def line(self):
        line = self.output.readline().decode()
        if not line:
            raise EOFError
        return line.split()

    def attack(self):
        """Until the firewall is told; what it was told before."""
        self.attacks += 1
        address = ".".join(str(self.random.randrange(1, 127)) for _ in range(4))
        # Not loopback and not known, and enough to be blocked at once.
        self.input.write(f"100 {address} 4 40\n".encode())
        self.input.flush()
        told = set()
        while True:
            word, *rest = self.line()
            if word == "block" and rest[0] == address:
                return address, told
            if word == "block":
                told.add(rest[0])

    def work(self, end):
        while not end.is_set():
            address, _ = self.attack()
            self.known.add(address)
            self.acknowledged += 1

    def check(self):
        self.program.close()
        self.write_blacklist("")
        self.start()
        address, told = self.attack()
        lost = sorted(self.known - told)
        if lost:
            raise AssertionError(f"{len(lost)} of {len(self.known)} are not as acknowledged: {lost[:5]}")
        self.known.add(address)
        self.program.send_kill()
        self.program.expect_killed()
        self.program.close()

    def summary(self):
        return f"{self.acknowledged} addresses"
